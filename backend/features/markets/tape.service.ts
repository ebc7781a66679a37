import { WIDTHS } from '../../domain/prices/candle.ts'
import type { BookLevel, Venue } from '../../domain/market.ts'
import { centsOf, contractsOf } from '../../domain/units.ts'
import type { Millis, PriceE4 } from '../../domain/units.ts'
import type { QuoteBarRow, TradeRow } from '../../history/market-rows.ts'
import { newestTrades } from '../../history/newest-trades.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import type { MarketId } from '../../history/market-key.ts'
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
  market: MarketId,
  from: Millis,
  to: Millis,
): Promise<QuoteBars['gaps']> {
  const spans = await history.coverage({ market, feed: 'quotes', from, to, asOf: to })
  return spans.flatMap((span) =>
    span.state === 'gap' ? [{ from: isoOf(span.from), to: isoOf(span.to) }] : [],
  )
}

/** Quotes and trades of one market over time. */
export function createMarketTape(deps: MarketsDeps, locate: LocateMarket) {
  const { history } = deps

  /**
   * A page of trades up to `to`, newest first, and the end of the next one. Trades of one instant
   * stay together: those that fill a page alone are served even beyond its limit.
   */
  const tapePage = async (
    market: MarketId,
    { to, asOf, limit }: { readonly to: Millis; readonly asOf: Millis; readonly limit: number },
  ): Promise<{ readonly served: readonly TradeRow[]; readonly nextBefore: Millis | null }> => {
    const rows = await newestTrades(history, { market, to, asOf, limit: limit + 1 })
    const next = rows[limit]
    if (next === undefined) return { served: rows, nextBefore: null }
    const complete = rows.filter(({ ts }) => ts > next.ts)
    if (complete.length > 0) return { served: complete, nextBefore: (next.ts + 1) as Millis }
    const from = (next.ts - 1) as Millis
    const sameInstant = await history.trades({ market, from, to: next.ts, asOf })
    return { served: sameInstant.toReversed(), nextBefore: next.ts }
  }

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
      const servedBars = rows.slice(-query.limit)
      const oldest = servedBars[0]
      return {
        ticker,
        venue,
        timeframe,
        priceUnit: 'cents',
        bars: servedBars.map(barOf),
        gaps: oldest === undefined ? [] : await quoteGaps(history, market, oldest.start, at),
        count: servedBars.length,
        nextBefore:
          rows.length > servedBars.length && oldest !== undefined ? isoOf(oldest.start) : null,
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
      const { served, nextBefore } = await tapePage(market, { to, asOf: instant.at, limit })
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
