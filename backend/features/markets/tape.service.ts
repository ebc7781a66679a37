import { WIDTHS } from '../../domain/prices/candle.ts'
import type { BookLevel, Venue } from '../../domain/market.ts'
import { centsOf, contractsOf } from '../../domain/units.ts'
import type { Millis, PriceE4 } from '../../domain/units.ts'
import type { QuoteBarRow, TradeRow } from '../../history/market-rows.ts'
import { newestTrades } from '../../history/newest-trades.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import { isoOf } from '../../lib/clock.ts'
import type {
  DepthBars,
  DepthQuery,
  QuoteBar,
  QuoteBars,
  QuoteBarsQuery,
  Tape,
  TapeQuery,
} from '../../contract/market-tape.ts'
import type { LocateMarket } from './locate-market.ts'
import { instantFor } from './markets.deps.ts'
import type { MarketsDeps } from './markets.deps.ts'

const centsOrNull = (price: PriceE4 | null): number | null =>
  price === null ? null : centsOf(price)

const levelOf = ({ price, size }: BookLevel) => ({
  price: centsOf(price),
  size: contractsOf(size),
})

const barOf = (row: QuoteBarRow): QuoteBar => ({
  t: row.start / 1_000,
  at: isoOf(row.start),
  bid: centsOrNull(row.bid),
  ask: centsOrNull(row.ask),
  o: centsOrNull(row.open),
  h: centsOrNull(row.high),
  l: centsOrNull(row.low),
  c: centsOrNull(row.close),
})

/** Spans in which the quotes of a market were not received, as known at `to`. */
async function quoteGaps(
  history: HistoryStore,
  market: number,
  from: Millis,
  to: Millis,
): Promise<QuoteBars['gaps']> {
  const spans = await history.coverage({ market, feed: 'quotes', from, to, asOf: to })
  return spans.flatMap((span) =>
    span.state === 'gap' ? [{ from: isoOf(span.from), to: isoOf(span.to) }] : [],
  )
}

/**
 * A page of trades, newest first, and the end of the next one. Trades of one instant stay together,
 * unless they alone fill the page.
 * @param rows one more than the page holds, when there are more
 */
function tapePage(rows: readonly TradeRow[], limit: number) {
  const next = rows[limit]
  if (next === undefined) return { served: rows, nextBefore: null }
  const complete = rows.filter(({ ts }) => ts > next.ts)
  return complete.length === 0
    ? { served: rows.slice(0, limit), nextBefore: next.ts }
    : { served: complete, nextBefore: (next.ts + 1) as Millis }
}

/** Quotes and trades of one market over time. */
export function createMarketTape(deps: MarketsDeps, locate: LocateMarket) {
  const { history } = deps
  return {
    /** @throws NotFound, NotReady */
    async quoteBars(text: string, query: QuoteBarsQuery): Promise<QuoteBars> {
      const instant = instantFor(deps, query.asOf)
      const { market, venue, ticker } = await locate(text, query.venue, instant)
      const timeframe = query.timeframe ?? query.tf ?? '1m'
      const { at } = instant
      // One extra bar shows whether older ones exist.
      const rows = await history.quoteBars({
        market,
        width: WIDTHS[timeframe],
        asOf: at,
        before: query.before ?? ((at + 1) as Millis),
        limit: query.limit + 1,
      })
      const served = rows.slice(-query.limit)
      const oldest = served[0]
      return {
        ticker,
        venue,
        timeframe,
        priceUnit: 'cents',
        bars: served.map(barOf),
        gaps: oldest === undefined ? [] : await quoteGaps(history, market, oldest.start, at),
        count: served.length,
        nextBefore:
          rows.length > served.length && oldest !== undefined ? isoOf(oldest.start) : null,
      }
    },

    /** @throws NotFound, NotReady */
    async depth(text: string, { timeframe, limit, asOf }: DepthQuery): Promise<DepthBars> {
      const instant = instantFor(deps, asOf)
      const anyVenue: Venue | null = null
      const { market, venue, ticker } = await locate(text, anyVenue, instant)
      const width = WIDTHS[timeframe]
      const rows = await history.bookBars({ market, width, asOf: instant.at, limit })
      const oldest = rows[0]
      return {
        ticker,
        venue,
        timeframe,
        priceUnit: 'cents',
        bars: rows.map(({ start, book }) => ({
          t: start / 1_000,
          at: isoOf(start),
          bids: book.bids.map(levelOf),
          asks: book.asks.map(levelOf),
        })),
        gaps:
          oldest === undefined ? [] : await quoteGaps(history, market, oldest.start, instant.at),
        count: rows.length,
      }
    },

    /** @throws NotFound, NotReady */
    async tape(text: string, { limit, before, asOf }: TapeQuery): Promise<Tape> {
      const instant = instantFor(deps, asOf)
      const anyVenue: Venue | null = null
      const { market, venue, ticker } = await locate(text, anyVenue, instant)
      const to = Math.min(instant.at, before === null ? Infinity : before - 1) as Millis
      const rows = await newestTrades(history, {
        market,
        to,
        asOf: instant.at,
        limit: limit + 1,
      })
      const { served, nextBefore } = tapePage(rows, limit)
      return {
        ticker,
        venue,
        priceUnit: 'cents',
        trades: served.map((row) => ({
          id: row.tradeId,
          at: isoOf(row.ts),
          price: centsOf(row.price),
          size: contractsOf(row.size),
          side: row.takerSide,
          ...(row.isBlock ? { block: true as const } : {}),
        })),
        count: served.length,
        nextBefore: nextBefore === null ? null : isoOf(nextBefore),
      }
    },
  }
}
export type MarketTape = ReturnType<typeof createMarketTape>
