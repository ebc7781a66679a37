import { join } from 'node:path'
import { DAY, HOUR, MINUTE, SECOND, type Millis } from '../domain/units.ts'
import { openHistory } from '../history/duckdb/open.ts'
import { silentLogger } from '../lib/logger.ts'
import { quoteColumns, tradeColumns } from './history-rows.ts'
import { marketFacts } from './market-facts.ts'

/** Before the day, so that the previous day has prices too. */
const BEFORE = 2 * DAY
const PRICE = 5_000

/**
 * A quote a minute and a trade every two minutes of each market, for the day and the two before.
 */
export async function recordDay(
  dataDir: string,
  day: { readonly markets: number; readonly from: number },
): Promise<void> {
  const { markets: count, from: start } = day
  const history = await openHistory({
    path: join(dataDir, 'history.duckdb'),
    logger: silentLogger,
  })
  const keys = Array.from({ length: count }, (_, n) => ({
    venue: 'venue_a' as const,
    ticker: `KXR-${n}`,
  }))
  const markets = await history.marketIds(keys)
  const openTime = (start - BEFORE - HOUR) as Millis
  await history.append({
    facts: markets.map((market, n) => ({
      market,
      knownAt: (start - BEFORE) as Millis,
      facts: marketFacts({
        ticker: `KXR-${n}`,
        eventId: `KXR${n % 10}`,
        openTime,
        closeTime: (start + 60 * DAY) as Millis,
      }),
    })),
  })
  for (let from = start - BEFORE; from < start + DAY; from += HOUR) {
    const minutes = Array.from({ length: 60 }, (_, n) => from + n * MINUTE)
    const priceAt = (market: number, at: number): number =>
      PRICE + 100 * Math.round(20 * Math.sin(market + at / HOUR)) + 100 * ((at / MINUTE) % 3)
    const quotes = minutes.flatMap((at) =>
      markets.map((market, n) => ({
        market,
        ts: at + n * 997,
        lag: 200,
        bid: priceAt(n, at) - 100,
        ask: priceAt(n, at) + 100,
        bidSize: 50e6,
        askSize: 50e6,
      })),
    )
    const trades = minutes
      .filter((at) => (at / MINUTE) % 2 === 0)
      .flatMap((at) =>
        markets.map((market, n) => ({
          market,
          ts: at + 30 * SECOND + n * 501,
          lag: 200,
          tradeId: `${market}-${at}`,
          price: priceAt(n, at),
          size: 10e6,
          taker: 1 as const,
        })),
      )
    await history.append({ quotes: quoteColumns(quotes), trades: tradeColumns(trades) })
  }
  await history.sortClosedHours((start + DAY) as Millis)
  await history.close()
}
