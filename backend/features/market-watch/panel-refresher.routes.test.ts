import { afterEach, describe, expect, it } from 'vitest'
import { JumpingClock } from '../../testing/jumping-clock.ts'
import type { FakeClock } from '../../testing/fake-clock.ts'
import {
  every,
  gate,
  marketWatchService,
  PANELS,
  presetSpec,
  screenSpec,
  type MarketWatchService,
} from '../../testing/market-watch-service.ts'

let service: MarketWatchService
afterEach(() => service.close())

const SECOND = 1_000
const DATES = presetSpec('calendar_catalysts', every(60))
const isoAt = (at: number): string => new Date(at).toISOString()

/** A service that records reads of its calendar and themes, and can make them fail. */
async function refresherWithLog(options: { dataClock?: (wall: FakeClock) => JumpingClock } = {}) {
  const reads: { what: string; at: number }[] = []
  const failing = new Set<string>()
  service = await marketWatchService({
    ...options,
    sources: ({ reads: quiet, clock }) => {
      const note = async (what: string): Promise<void> => {
        reads.push({ what, at: clock.now() })
        if (failing.has(what)) throw new Error(`${what} failed`)
      }
      return {
        reads: {
          ...quiet,
          async catalysts(days, limit) {
            await note('dates')
            return quiet.catalysts(days, limit)
          },
          async themes() {
            await note('themes')
            return []
          },
        },
      }
    },
  })
  const since = service.clock.now()
  return {
    failing,
    /** Seconds since the start at which something was read, from an index of the list on. */
    times: (what: string) =>
      reads.filter((read) => read.what === what).map(({ at }) => (at - since) / SECOND),
    order: () => reads.map(({ what }) => what),
  }
}

describe('the schedule', () => {
  // [market-watch.schedule.interval]
  it('refreshes a panel at its interval, and a manual one never', async () => {
    const { times } = await refresherWithLog()
    const ann = await service.user('institutional')
    await ann.add(DATES)
    await ann.add(presetSpec('liquidity_by_theme'))
    await service.clock.advance(185 * SECOND)
    expect(times('dates')).toEqual([0, 60, 120, 180])
    expect(times('themes')).toEqual([0])
    expect(await ann.panels()).toMatchObject([
      {
        lastRunAt: isoAt(service.clock.now() - 5_000),
        nextRunAt: isoAt(service.clock.now() + 55_000),
      },
      { nextRunAt: null },
    ])
  })

  // [market-watch.schedule.interval]
  it('counts from the end of the last run, manual ones too, and makes up for no missed run', async () => {
    const index = gate(() => [])
    service = await marketWatchService({
      sources: ({ reads }) => ({ reads: { ...reads, indexOfDay: () => index.pass() } }),
    })
    const ann = await service.user('institutional')
    const id = await ann.add(presetSpec('sf_index_24h', every(5)))
    await service.settle()
    // The first run takes eight seconds, so one refresh is missed.
    await service.clock.advance(8_000)
    index.open()
    await service.settle()
    expect(index.requested).toBe(1)
    await service.clock.advance(4_999)
    expect(index.requested).toBe(1)
    await service.clock.advance(1)
    expect(index.requested).toBe(2)
    index.setAside()
    await service.settle()
    await service.clock.advance(3_000)
    expect((await ann.send('POST', `${PANELS}/${id}/run`)).status).toBe(200)
    expect(index.requested).toBe(3)
    await service.clock.advance(4_999)
    expect(index.requested).toBe(3)
    await service.clock.advance(1)
    expect(index.requested).toBe(4)
  })

  // [market-watch.schedule.once]
  it('runs a panel at most once at a time, however long it takes', async () => {
    const index = gate(() => [])
    service = await marketWatchService({
      sources: ({ reads }) => ({ reads: { ...reads, indexOfDay: () => index.pass() } }),
    })
    const ann = await service.user('institutional')
    const id = await ann.add(presetSpec('sf_index_24h', every(5)))
    const requested = ann.send('POST', `${PANELS}/${id}/run`)
    for (let i = 0; i < 14; i += 1) await service.clock.advance(SECOND)
    expect([index.max, index.requested]).toEqual([1, 1])
    index.setAside()
    expect((await requested).status).toBe(200)
  })

  // [market-watch.schedule.order] [market-watch.execution.four]
  it('runs the longest overdue first, four at a time', async () => {
    const started: string[] = []
    const board = gate(() => undefined)
    service = await marketWatchService({
      sources: (quiet) => ({
        board: {
          ready: true,
          async at(asOf) {
            await board.pass()
            return quiet.board.at(asOf)
          },
          async markets(names) {
            started.push(...names)
            await board.pass()
            return new Map()
          },
        },
      }),
    })
    board.setAside()
    const ann = await service.user('institutional')
    // Created in another order than they become due.
    for (const seconds of [9, 6, 10, 5, 8, 7]) {
      const filters = { tickers: [`T${seconds}`] }
      await ann.add(presetSpec('watchlist_microstructure', { filters, ...every(seconds) }))
      await service.settle()
    }
    started.length = 0
    board.shut()
    for (const window of ['1h', '6h', '7d', '30d']) {
      await ann.add(screenSpec('latest_market_prices', { filters: { window } }))
    }
    await service.settle()
    // All of them become due while every permit is in use.
    await service.clock.advance(11 * SECOND)
    expect([started, board.waiting]).toEqual([[], 4])
    for (let turns = 0; turns < 6; turns += 1) {
      board.open()
      await service.settle()
    }
    expect(started).toEqual(['T5', 'T6', 'T7', 'T8', 'T9', 'T10'])
    expect(board.max).toBe(4)
    board.setAside()
  })

  // [market-watch.schedule.survives]
  it('is not delayed by a panel that fails', async () => {
    const { times, failing } = await refresherWithLog()
    failing.add('dates')
    const ann = await service.user('institutional')
    await ann.add(DATES)
    await ann.add(presetSpec('liquidity_by_theme', every(60)))
    await service.clock.advance(125 * SECOND)
    expect(times('themes')).toEqual([0, 60, 120])
    expect(times('dates')).toEqual([0, 60, 120])
    failing.clear()
    await service.clock.advance(60 * SECOND)
    expect((await ann.panels()).map((panel) => panel['executionStatus'])).toEqual([
      'success-fresh',
      'success-fresh',
    ])
  })

  // [market-watch.schedule.survives]
  it('continues after a failed read of the rows', async () => {
    const { times } = await refresherWithLog()
    const ann = await service.user('institutional')
    await ann.add(DATES)
    await service.settle()
    const { state } = service
    await state.schema.alterTable('panel').renameTo('panel_away').execute()
    await service.clock.advance(70 * SECOND)
    await state.schema.alterTable('panel_away').renameTo('panel').execute()
    await service.clock.advance(10 * SECOND)
    expect(times('dates').length).toBe(2)
  })

  // [market-watch.schedule.slowed]
  it.each([
    [60, [0, 60, 120, 180, 240, 540, 840]],
    [1_800, [0, 1_800, 3_600, 5_400, 7_200, 10_800, 14_400]],
    [7_200, [0, 7_200, 14_400, 21_600, 28_800, 36_000, 43_200]],
  ])('runs a panel of %i s less often after five failures', async (seconds, expected) => {
    const { times, failing } = await refresherWithLog()
    failing.add('dates')
    const ann = await service.user('institutional')
    await ann.add(presetSpec('calendar_catalysts', every(seconds)))
    await service.clock.advance((expected.at(-1) ?? 0) * SECOND)
    expect(times('dates')).toEqual(expected)
    // One success resets the delay.
    failing.clear()
    const slowed = (expected.at(-1) ?? 0) - (expected.at(-2) ?? 0)
    await service.clock.advance((slowed + seconds) * SECOND)
    const end = (expected.at(-1) ?? 0) + slowed
    expect(times('dates').slice(expected.length)).toEqual([end, end + seconds])
  })

  // [market-watch.schedule.paused]
  it('skips a paused panel, which is due when it resumes', async () => {
    const { times } = await refresherWithLog()
    const ann = await service.user('institutional')
    const path = `${PANELS}/${await ann.add(DATES)}`
    await service.clock.advance(10 * SECOND)
    await ann.send('PATCH', path, { status: 'paused' })
    await service.clock.advance(300 * SECOND)
    expect(times('dates')).toEqual([0])
    expect((await ann.panels())[0]).toMatchObject({
      status: 'paused',
      nextRunAt: null,
      executionStatus: 'success-stale',
      payload: { kind: 'calendar_catalysts' },
    })
    expect((await ann.send('POST', `${path}/run`)).status).toBe(200)
    await service.clock.advance(30 * SECOND)
    await ann.send('PATCH', path, { status: 'active' })
    await service.settle()
    // Thirty seconds of its interval are left.
    expect(times('dates')).toEqual([0, 310])
    await service.clock.advance(30 * SECOND)
    expect(times('dates')).toEqual([0, 310, 370])
    await ann.send('PATCH', path, { status: 'paused' })
    await service.clock.advance(90 * SECOND)
    await ann.send('PATCH', path, { status: 'active' })
    await service.settle()
    expect(times('dates')).toEqual([0, 310, 370, 460])
  })

  // [market-watch.tiers.lowered]
  it('applies the floor of the current tier', async () => {
    const { times } = await refresherWithLog()
    const ann = await service.user('institutional')
    await ann.add(presetSpec('calendar_catalysts', every(10)))
    await service.clock.advance(20 * SECOND)
    await service.setTier(ann, 'hobby')
    await service.clock.advance(120 * SECOND)
    expect(times('dates')).toEqual([0, 10, 20, 80, 140])
    await service.setTier(ann, 'institutional')
    await service.clock.advance(20 * SECOND)
    expect(times('dates')).toEqual([0, 10, 20, 80, 140, 150, 160])
  })

  // [market-watch.schedule.restart] [market-watch.panel.last-run]
  it('and its panels survive a restart', async () => {
    const { times } = await refresherWithLog()
    const ann = await service.user('institutional')
    const id = await ann.add(DATES, 'Gauges')
    await service.clock.advance(20 * SECOND)
    service = await service.again()
    await service.clock.advance(20 * SECOND)
    const again = service.reader(ann.id, ann.cookie)
    expect(times('dates')).toEqual([0])
    await service.clock.advance(20 * SECOND)
    expect(times('dates')).toEqual([0, 60])
    expect((await again.panels())[0]).toMatchObject({
      id,
      title: 'Gauges',
      spec: DATES,
      status: 'active',
      lastRunAt: isoAt(service.clock.now()),
    })
  })

  // [market-watch.execution.shared]
  it('uses what equal panels computed meanwhile', async () => {
    const { times } = await refresherWithLog()
    const [ann, ben] = [await service.user('institutional'), await service.user('pro')]
    await ann.add(presetSpec('calendar_catalysts', every(20)))
    await ben.add(presetSpec('calendar_catalysts', every(30)))
    await service.clock.advance(125 * SECOND)
    expect(times('dates')).toEqual([0, 20, 40, 60, 80, 100, 120])
    const [panel] = await ben.panels()
    expect(panel).toMatchObject({ executionStatus: 'success-fresh', lastError: null })
  })

  // [market-watch.schedule.clock-back]
  it('continues when the clock is set back, and when it is set ahead', async () => {
    const created: JumpingClock[] = []
    const jump = (span: number) => created[0]?.jump(span)
    const { times } = await refresherWithLog({
      dataClock(wall) {
        const clock = new JumpingClock(wall)
        created.push(clock)
        return clock
      },
    })
    const ann = await service.user('institutional')
    await ann.add(DATES)
    await service.clock.advance(60 * SECOND)
    expect(times('dates')).toEqual([0, 60])
    // Nothing is computed twice, and the schedule continues a minute later.
    jump(-3_600 * SECOND)
    await service.clock.advance(59 * SECOND)
    expect(times('dates')).toHaveLength(2)
    await service.clock.advance(6 * SECOND)
    expect(times('dates')).toHaveLength(3)
    jump(7_200 * SECOND)
    await service.clock.advance(6 * SECOND)
    expect(times('dates')).toHaveLength(4)
  })

  it('stops at once with the service', async () => {
    const index = gate(() => [])
    service = await marketWatchService({
      sources: ({ reads }) => ({ reads: { ...reads, indexOfDay: () => index.pass() } }),
    })
    const ann = await service.user('institutional')
    await ann.add(presetSpec('sf_index_24h', every(5)))
    await service.settle()
    index.open()
    await service.settle()
    await service.clock.advance(5_000)
    expect(index.waiting).toBe(1)
    const stopped = service.again()
    await service.settle()
    await service.clock.advance(1_000)
    service = await stopped
    index.setAside()
  })
})
