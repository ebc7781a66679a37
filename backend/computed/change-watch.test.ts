import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { MarketFacts, Venue } from '../domain/market.ts'
import { DAY, HOUR, MINUTE, type Millis, type PriceE4 } from '../domain/units.ts'
import { openHistory } from '../history/duckdb/open.ts'
import type { HistoryImports } from '../history/history-copies.ts'
import type { ReadHistory } from '../history/history.ts'
import type { MarketId } from '../history/market-key.ts'
import { StoreFailed } from '../lib/errors.ts'
import { silentLogger } from '../lib/logger.ts'
import { marketView, NOON } from '../testing/builders.ts'
import { FakeClock } from '../testing/fake-clock.ts'
import { fakeHistory } from '../testing/fake-history.ts'
import { tradeColumns } from '../testing/history-rows.ts'
import { marketFacts } from '../testing/market-facts.ts'
import { traded } from '../testing/venue-events.ts'
import { ChangeWatch } from './change-watch.ts'
import { LiveTable } from './board/live-table.ts'
import { ReferencePrices } from './board/reference-prices.ts'

/** Venues whose past was fetched for the first time. */
const FIRST_READ: ReadonlySet<Venue> = new Set(['venue_a'])
const NONE_READ: ReadonlySet<Venue> = new Set()

describe('deriving changes from a fetched past', () => {
  it('reads no further markets once it is aborted', async () => {
    const views = Array.from({ length: 2_500 }, (_, i) =>
      marketView({ facts: { ticker: `T${i}` } }),
    )
    const stop = new AbortController()
    const rows = fakeHistory({ views })
    const read: number[] = []
    const history: ReadHistory = {
      ...rows,
      append: () => Promise.resolve(),
      slots(query) {
        read.push(query.markets?.length ?? Infinity)
        if (read.length === 2) stop.abort()
        return rows.slots(query)
      },
    }
    const watch = new ChangeWatch({
      history,
      live: new LiveTable(),
      reference: new ReferencePrices(history),
      clock: new FakeClock(),
      log: silentLogger,
    })
    for (const { market, facts } of views) {
      watch.recordFacts({ market, facts, firstSeenAt: NOON, knownAt: NOON })
    }
    await watch.deriveFromHistory(NOON, stop.signal, FIRST_READ)
    expect(read).toEqual([1_000, 1_000])
  })
})

describe('changes of a market', () => {
  const QUARTER = 15 * MINUTE
  const { signal } = new AbortController()
  let history: ReadHistory & HistoryImports
  let clock: FakeClock
  let live: LiveTable
  let watch: ChangeWatch
  let market: MarketId
  let facts: MarketFacts

  const start = (): void => {
    live = new LiveTable()
    watch = new ChangeWatch({
      history,
      live,
      reference: new ReferencePrices(history),
      clock,
      log: silentLogger,
    })
  }
  const describeAs = (next: Partial<MarketFacts>, knownAt: Millis = clock.now()): void => {
    facts = { ...facts, ...next }
    const record = { market, facts, firstSeenAt: NOON, knownAt }
    live.applyFacts(record)
    watch.recordFacts(record)
  }
  const tradeAt = (cents: number): void =>
    live.applyTrade(market, traded(clock.now(), { price: (cents * 100) as PriceE4 }))
  /** Trades of the past at [hours before noon, cents], as a backfill stores them. */
  const storeTrades = (...past: readonly (readonly [number, number])[]): Promise<void> =>
    history.append({
      trades: tradeColumns(
        past.map(([hours, cents]) => ({
          market,
          ts: NOON - hours * HOUR,
          lag: 1_000,
          origin: 2 as const,
          tradeId: `${hours}`,
          price: Math.round(cents * 100),
        })),
      ),
    })
  const stored = async (asOf = clock.now()) => {
    await watch.settle()
    const query = { since: 0 as Millis, types: null, markets: null, after: null, limit: 100 }
    const rows = await history.changes({ ...query, asOf })
    return rows.toReversed().map(({ type, at, before, after }) => [type, at - NOON, before, after])
  }
  const moves = async () => (await stored()).filter(([type]) => type === 'price_move')

  beforeEach(async () => {
    history = await openHistory({ path: ':memory:', logger: silentLogger })
    clock = new FakeClock(NOON)
    facts = marketFacts()
    const [id] = await history.marketIds([facts])
    market = id ?? -1
    await history.append({ facts: [{ market, knownAt: (NOON - 40 * DAY) as Millis, facts }] })
    start()
  })
  afterEach(() => history.close())

  it('are emitted once, when its facts change', async () => {
    describeAs({})
    describeAs({})
    await clock.advance(QUARTER)
    describeAs({ status: 'paused' })
    describeAs({ title: 'Another title' })
    await clock.advance(QUARTER)
    describeAs({ status: 'settled', result: 'yes' })
    const rows = await stored()
    expect(rows.slice(0, 2)).toEqual([
      ['new_market', 0, null, 'active'],
      ['status_change', QUARTER, 'active', 'paused'],
    ])
    expect(new Set(rows.slice(2))).toEqual(
      new Set([
        ['status_change', 2 * QUARTER, 'paused', 'settled'],
        ['resolved', 2 * QUARTER, 'paused', 'yes'],
      ]),
    )
  })

  it('report a close time that moved by an hour or more', async () => {
    const moved = (span: number) => ({ closeTime: ((facts.closeTime ?? 0) + span) as Millis })
    describeAs({})
    const was = facts.closeTime ?? 0
    describeAs(moved(59 * MINUTE))
    describeAs(moved(2 * HOUR))
    const iso = (at: number) => new Date(at).toISOString()
    expect((await stored()).slice(1)).toEqual([
      ['close_time_change', 0, iso(was + 59 * MINUTE), iso(was + 59 * MINUTE + 2 * HOUR)],
    ])
  })

  it('are emitted at the quarter hour when only time caused them', async () => {
    describeAs({ closeTime: (NOON + 20 * MINUTE) as Millis })
    await watch.readSnapshot((NOON + QUARTER) as Millis)
    await watch.readSnapshot((NOON + 2 * QUARTER) as Millis)
    await watch.readSnapshot((NOON + 3 * QUARTER) as Millis)
    expect((await stored((NOON + HOUR) as Millis)).slice(1)).toEqual([
      ['status_change', 2 * QUARTER, 'active', 'closed'],
    ])
  })

  it('are prices three cents from the day before, then from the move before', async () => {
    await storeTrades([30, 40])
    describeAs({})
    const stop = new AbortController()
    const running = watch.run(stop.signal)
    for (const cents of [42, 44, 46, 47]) {
      tradeAt(cents)
      await clock.advance(QUARTER)
      await watch.settle()
    }
    stop.abort()
    await running
    expect(await moves()).toEqual([
      ['price_move', 2 * QUARTER, 40, 44],
      ['price_move', 4 * QUARTER, 44, 47],
    ])
  })

  it('are dated with the quarter hour that began when its timer fires early', async () => {
    await storeTrades([30, 40])
    describeAs({})
    tradeAt(44)
    const sleep = clock.sleep.bind(clock)
    vi.spyOn(clock, 'sleep').mockImplementation((span, until) => sleep(span - 1, until))
    const stop = new AbortController()
    const running = watch.run(stop.signal)
    await clock.advance(QUARTER)
    stop.abort()
    await running
    expect(await moves()).toEqual([['price_move', QUARTER, 40, 44]])
  })

  it('are derived from a past that was fetched later', async () => {
    await storeTrades([50, 40], [20, 45], [10, 46], [5, 41])
    describeAs({})
    await watch.deriveFromHistory(NOON, signal, FIRST_READ)
    expect(await moves()).toEqual([
      ['price_move', -20 * HOUR, 40, 45],
      ['price_move', -5 * HOUR, 45, 41],
    ])
  })

  it('are derived when fractions of a cent add up to three cents', async () => {
    await storeTrades([50, 61.1], [20, 64.1])
    describeAs({})
    await watch.deriveFromHistory(NOON, signal, FIRST_READ)
    expect(await moves()).toEqual([['price_move', -20 * HOUR, 61.1, 64.1]])
  })

  it('are derived once, even if the first write failed', async () => {
    await storeTrades([50, 40], [20, 45])
    describeAs({})
    const failing = vi.spyOn(history, 'append').mockRejectedValueOnce(new StoreFailed('no room'))
    await expect(watch.deriveFromHistory(NOON, signal, FIRST_READ)).rejects.toThrow('no room')
    await watch.deriveFromHistory(NOON, signal, FIRST_READ)
    failing.mockRestore()
    expect(await moves()).toEqual([['price_move', -20 * HOUR, 40, 45]])
  })

  it('are known from when they were derived, however long ago they happened', async () => {
    await storeTrades([50, 40], [20, 45])
    describeAs({})
    await clock.advance(MINUTE)
    await watch.deriveFromHistory(clock.now(), signal, NONE_READ)
    const isMove = ([type]: (string | number | null)[]) => type === 'price_move'
    expect((await stored((clock.now() - 1) as Millis)).filter(isMove)).toEqual([])
    expect(await moves()).toEqual([['price_move', -20 * HOUR, 40, 45]])
  })

  it('are derived once, even if the next start is before the next quarter hour', async () => {
    await storeTrades([50, 40], [0.1, 45])
    describeAs({})
    await clock.advance(MINUTE)
    await watch.deriveFromHistory(clock.now(), signal, NONE_READ)
    await clock.advance(MINUTE)
    start()
    await watch.resume(await history.recordsAt(clock.now(), null), clock.now())
    await watch.deriveFromHistory(clock.now(), signal, NONE_READ)
    expect(await moves()).toEqual([['price_move', 0, 40, 45]])
  })

  it('are known from when the quarter hour was read, even if late', async () => {
    await storeTrades([30, 40])
    describeAs({ closeTime: (NOON + QUARTER) as Millis })
    tradeAt(44)
    await clock.advance(QUARTER + MINUTE)
    await watch.readSnapshot((NOON + QUARTER) as Millis)
    expect(await stored((clock.now() - 1) as Millis)).toHaveLength(1)
    expect(new Set((await stored()).slice(1))).toEqual(
      new Set([
        ['status_change', QUARTER, 'active', 'closed'],
        ['price_move', QUARTER, 40, 44],
      ]),
    )
  })

  it('are derived once for any number of starts', async () => {
    await storeTrades([50, 40], [20, 45])
    describeAs({})
    await watch.deriveFromHistory(NOON, signal, FIRST_READ)
    const before = await moves()
    await clock.advance(2 * DAY)
    await storeTrades([-3, 41])
    start()
    await watch.resume(await history.recordsAt(clock.now(), null), clock.now())
    await watch.deriveFromHistory(clock.now(), signal, NONE_READ)
    expect(await moves()).toEqual([...before, ['price_move', 3 * HOUR, 45, 41]])
  })

  it('are not derived when this run has read them', async () => {
    await storeTrades([50, 40], [1, 40])
    describeAs({})
    await clock.advance(QUARTER)
    tradeAt(50)
    await storeTrades([-0.25, 50])
    await watch.readSnapshot((NOON + QUARTER) as Millis)
    await clock.advance(QUARTER)
    await watch.deriveFromHistory(clock.now(), signal, FIRST_READ)
    expect(await moves()).toEqual([['price_move', QUARTER, 40, 50]])
  })

  it('are measured after a restart from the last one before it', async () => {
    await storeTrades([30, 40])
    describeAs({})
    tradeAt(44)
    await watch.readSnapshot((NOON + QUARTER) as Millis)
    await watch.settle()
    await clock.advance(HOUR)
    start()
    await watch.resume(await history.recordsAt(clock.now(), null), clock.now())
    live.applyFacts({ market, facts, firstSeenAt: NOON, knownAt: NOON })
    tradeAt(46)
    await watch.readSnapshot((NOON + HOUR) as Millis)
    tradeAt(47)
    await watch.readSnapshot((NOON + HOUR + QUARTER) as Millis)
    await clock.advance(QUARTER)
    expect(await moves()).toEqual([
      ['price_move', QUARTER, 40, 44],
      ['price_move', HOUR + QUARTER, 44, 47],
    ])
  })

  it('that cannot be written are kept until they can', async () => {
    const append = vi.spyOn(history, 'append').mockRejectedValueOnce(new Error('no space left'))
    describeAs({})
    await expect(watch.write()).rejects.toThrow('no space left')
    append.mockRestore()
    expect(await stored()).toEqual([['new_market', 0, null, 'active']])
  })
})
