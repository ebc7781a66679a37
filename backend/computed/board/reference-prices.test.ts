import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY, HOUR, type Millis, type PriceE4 } from '../../domain/units.ts'
import { openHistory } from '../../history/duckdb/open.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import type { MarketId } from '../../history/market-key.ts'
import { silentLogger } from '../../lib/logger.ts'
import { marketFacts } from '../../testing/market-facts.ts'
import { ReferencePrices } from './reference-prices.ts'

const NOW = Date.parse('2026-11-20T14:00:30Z') as Millis
const KNOWN = (NOW - 3 * DAY) as Millis

describe('prices of a day ago', () => {
  let history: HistoryStore
  let market: MarketId

  beforeEach(async () => {
    history = await openHistory({ path: ':memory:', logger: silentLogger })
    const [id = -1] = await history.marketIds([{ venue: 'venue_a', ticker: 'KXOVER' }])
    market = id
  })
  afterEach(() => history.close())

  const bothWays = async (): Promise<{ alone: number | null; afterAll: number | null }> => {
    const reference = new ReferencePrices(history)
    const alone = await reference.dayBeforeOf(market, NOW)
    await reference.dayBefore(NOW)
    return { alone, afterAll: await reference.dayBeforeOf(market, NOW) }
  }

  // [conventions.as-of.never-changes]
  it('are the same for a settled market, whether all were read before or not', async () => {
    const facts = marketFacts({
      ticker: 'KXOVER',
      status: 'settled',
      result: 'yes',
      settlementPrice: 10_000 as PriceE4,
      closeTime: (KNOWN - HOUR) as Millis,
    })
    await history.append({ facts: [{ market, knownAt: KNOWN, facts }] })
    expect(await bothWays()).toEqual({ alone: 100, afterAll: 100 })
  })

  it('are the last mark of a closed market, however old its book is', async () => {
    const facts = marketFacts({ ticker: 'KXOVER', status: 'closed', closeTime: KNOWN })
    await history.append({
      facts: [{ market, knownAt: KNOWN, facts }],
      quotes: {
        market: Int32Array.of(market),
        ts: Float64Array.of(KNOWN - HOUR),
        lag: Float64Array.of(0),
        origin: Uint8Array.of(0),
        bid: Int32Array.of(4_000),
        ask: Int32Array.of(4_200),
        bidSize: Float64Array.of(1),
        askSize: Float64Array.of(1),
      },
    })
    const { alone, afterAll } = await bothWays()
    expect(alone).not.toBeNull()
    expect(afterAll).toBe(alone)
  })
})
