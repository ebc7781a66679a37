import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HOUR, MINUTE, type Millis } from '../../domain/units.ts'
import { openHistory, type OpenHistory } from '../../history/duckdb/open.ts'
import type { MarketId } from '../../history/market-key.ts'
import { silentLogger } from '../../lib/logger.ts'
import { NOON } from '../../testing/builders.ts'
import { quoteColumns, tradeColumns } from '../../testing/history-rows.ts'
import { marketFacts } from '../../testing/market-facts.ts'
import { drawsFrom } from '../../testing/second-computation/draws.ts'
import { PriceRings } from './price-rings.ts'

const HOURS = 30
const BACK = 12
const after = (hours: number): Millis => (NOON + hours * HOUR) as Millis

describe('rings of prices', () => {
  let history: OpenHistory
  let ids: MarketId[]
  const ringsOf = () =>
    new PriceRings(history, { step: HOUR, count: BACK, columns: ['marks', 'lasts'] })

  beforeEach(async () => {
    history = await openHistory({ path: ':memory:', logger: silentLogger })
    ids = await history.marketIds(
      Array.from({ length: 6 }, (_, i) => marketFacts({ ticker: `KX-${i}` })),
    )
    const { integer, pick, chance } = drawsFrom(7)
    const rows = Array.from({ length: 400 }, (_, i) => ({
      market: pick(ids.slice(0, 5)),
      ts: NOON + integer(0, HOURS * 60) * MINUTE,
      // Some arrive late, by minutes or hours.
      lag: chance(0.8) ? 1_000 : integer(1, 300) * MINUTE,
      tradeId: `${i}`,
      price: integer(1, 99) * 100,
    }))
    await history.append({
      trades: tradeColumns(rows.filter((_, i) => i % 2 === 0)),
      quotes: quoteColumns(
        rows
          .filter((_, i) => i % 2 === 1)
          .map(({ market, ts, lag, price }) => ({
            market,
            ts,
            lag,
            bid: price - 50,
            ask: price + 50,
          })),
      ),
    })
  })
  afterEach(() => history.close())

  it('that are advanced equal rings that are read again, for any changes of markets', async () => {
    const moved = ringsOf()
    const { chance } = drawsFrom(11)
    for (let hour = 1; hour <= HOURS; hour += 0.25) {
      const requested = new Set(ids.filter(() => chance(0.7)))
      await moved.moveTo(after(hour), requested)
      const fresh = ringsOf()
      await fresh.moveTo(after(hour), requested)
      for (const market of ids) expect(moved.get(market)).toEqual(fresh.get(market))
    }
  })

  it('are kept for the requested markets only', async () => {
    const rings = ringsOf()
    const [first = -1, second = -1] = ids
    await rings.moveTo(after(HOURS), new Set([first]))
    expect(rings.get(first)?.marks).toHaveLength(BACK + 1)
    expect(rings.get(second)).toBeUndefined()
    await rings.moveTo(after(HOURS + 1), new Set([second]))
    expect(rings.get(first)).toBeUndefined()
    expect(rings.get(second)?.lasts).toHaveLength(BACK + 1)
  })

  it('are undefined for a market without data', async () => {
    const rings = ringsOf()
    const silent = ids[5] ?? -1
    await rings.moveTo(after(HOURS), new Set(ids))
    expect(rings.get(silent)).toBeUndefined()
  })
})
