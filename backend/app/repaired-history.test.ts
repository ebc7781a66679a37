import { afterEach, expect, it } from 'vitest'
import { HOUR, SECOND, type Millis } from '../domain/units.ts'
import { openHistory, type OpenHistory } from '../history/duckdb/open.ts'
import { LIVE_SETTINGS } from '../ingest/collect/collector-settings.ts'
import { silentLogger } from '../lib/logger.ts'
import { createMarketData, type MarketData } from './market-data.ts'
import { openState, type State } from '../state/open.ts'
import { eventually } from '../testing/eventually.ts'
import { FakeClock } from '../testing/fake-clock.ts'
import { FakeVenue } from '../testing/fake-venue.ts'
import { tradeColumns } from '../testing/history-rows.ts'
import { described, traded } from '../testing/venue-events.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z') as Millis
const LOST_FROM = (NOW - 2 * HOUR) as Millis
const trade = (at: number, tradeId: string) =>
  traded(at, { venue: 'venue_a', ticker: 'BUSY', tradeId })
const STORED = trade(NOW - 20 * HOUR, 'kept')
const LOST = trade(NOW - HOUR, 'lost')

let histories: OpenHistory[] = []
let data: MarketData | null = null
let state: State | null = null
afterEach(async () => {
  await data?.stop()
  for (const history of histories) await history.close()
  await state?.destroy()
  histories = []
})

const opened = async (): Promise<OpenHistory> => {
  const history = await openHistory({ path: ':memory:', logger: silentLogger })
  histories.push(history)
  return history
}

/** A stable store over a replaceable history, as when a damaged one is rebuilt. */
const replaceable = (current: () => OpenHistory, like: OpenHistory): OpenHistory => {
  type Calls = Readonly<Record<string, (...values: unknown[]) => unknown>>
  const names = Object.keys(like)
  const forward =
    (name: string) =>
    (...values: unknown[]): unknown =>
      (current() as unknown as Calls)[name]?.(...values)
  return Object.fromEntries(names.map((name) => [name, forward(name)])) as unknown as OpenHistory
}

it('requests the trades that a repaired history lost, and stores each once', async () => {
  const clock = new FakeClock(NOW)
  const venue = new FakeVenue('venue_a', {
    open: [described(NOW, { venue: 'venue_a', ticker: 'BUSY' })],
    trades: [STORED, LOST],
  })
  const whole = await opened()
  let current = whole
  state = await openState(':memory:')
  const running = createMarketData({
    history: replaceable(() => current, whole),
    state,
    clock,
    log: silentLogger,
    onHistoryChanged: () => {},
  })
  data = running
  await running.start({
    source: 'live',
    connectors: [venue],
    settings: LIVE_SETTINGS,
    simulator: null,
    close: () => Promise.resolve(),
  })
  const asOf = (NOW + HOUR) as Millis
  const stored = async (): Promise<string[]> => {
    await clock.advance(SECOND)
    const market = current.marketIdOf('BUSY')?.market ?? -1
    const rows = await current.trades({ market, from: 0 as Millis, to: asOf, asOf })
    return rows.map(({ tradeId }) => tradeId)
  }
  await eventually(async () => expect(await stored()).toEqual(['kept', 'lost']), 50)

  const repaired = await opened()
  const [market = -1] = await repaired.marketIds([{ venue: 'venue_a', ticker: 'BUSY' }])
  const { at, price, size } = STORED
  await repaired.append({
    facts: await whole.recordsBetween(-1 as Millis, asOf),
    trades: tradeColumns([{ market, ts: at, tradeId: 'kept', price, size }]),
    coverage: [
      {
        venue: 'venue_a',
        market: null,
        feed: 'trades',
        state: 'gap',
        from: LOST_FROM,
        to: NOW,
        knownAt: clock.now(),
        reason: 'lost with a damaged file',
      },
    ],
  })
  current = repaired
  const requested = venue.requestedFor('trades').length
  expect(await stored()).toEqual(['kept'])
  expect(venue.requestedFor('trades')).toHaveLength(requested)

  running.recordDamage()
  await eventually(async () => expect(await stored()).toEqual(['kept', 'lost']), 50)
  await eventually(async () => {
    await running.flush()
    const query = { market, feed: 'trades', from: LOST_FROM, to: NOW, asOf } as const
    expect(await repaired.coverage(query)).toEqual([
      { state: 'repaired', from: LOST_FROM, to: NOW, reason: null },
    ])
  })
  expect(await stored()).toEqual(['kept', 'lost'])
})
