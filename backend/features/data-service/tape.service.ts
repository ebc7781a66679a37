import type { MarketView } from '../../computed/board/market-board.ts'
import { WIDTHS } from '../../domain/prices/candle.ts'
import { QUOTE_LIFE } from '../../domain/prices/price.ts'
import type { Millis } from '../../domain/units.ts'
import { newestTrades } from '../../history/newest-trades.ts'
import { findMarket, requireReady, findView, type DataServiceDeps } from './data-service.deps.ts'
import type {
  BookQuery,
  Candles,
  CandlesQuery,
  Trades,
  TradesQuery,
  V1Book,
} from '../../contract/data-service.ts'
import { v1BookOf, v1CandleOf, v1TradeOf } from './v1-shapes.ts'

/**
 * Whether a book is stale: nothing confirms it now.
 * @param isFeedStale whether the market's feed is not delivering
 */
export const isOldBook = (view: MarketView, isFeedStale: boolean, now: Millis): boolean =>
  isFeedStale ||
  view.status !== 'active' ||
  view.quotedAt === null ||
  now - view.quotedAt > QUOTE_LIFE

/** Book, bars and trades of one market. */
export function createDataTape(deps: DataServiceDeps) {
  const { board, history, isStale, clock } = deps

  return {
    /** @throws NotReady, NotFound */
    async orderbook(name: string, { depth }: BookQuery): Promise<V1Book> {
      requireReady(deps)
      // The change since a day ago is not part of a book, so it is not read from history here.
      const view = board.live().get(name) ?? (await findView(deps, name))
      const book = await board.book(view, null)
      const stale = book === null || isOldBook(view, isStale(view.market), clock.now())
      return v1BookOf(view.facts.ticker, book, depth, stale)
    },

    /** The newest `limit` bars, oldest first. @throws NotReady, NotFound */
    async candles(name: string, { tf, limit, before }: CandlesQuery): Promise<Candles> {
      const { market, key } = await findMarket(deps, name)
      const now = clock.now()
      const width = WIDTHS[tf]
      const end = (before === null ? now + 1 : before * 1_000) as Millis
      const rows = await history.candles({ market, width, asOf: now, before: end, limit })
      const last = rows.length - 1
      return {
        ticker: key.ticker,
        timeframe: tf,
        candles: rows.map((row, index) =>
          v1CandleOf(row, index === last && row.start + width > now),
        ),
      }
    },

    /** The newest `limit` trades, newest first. @throws NotReady, NotFound */
    async trades(name: string, { limit, before }: TradesQuery): Promise<Trades> {
      const { market, key } = await findMarket(deps, name)
      const now = clock.now()
      const to = (before === null ? now : Math.min(now, before - 1)) as Millis
      const rows = await newestTrades(history, { market, to, asOf: now, limit })
      return { ticker: key.ticker, trades: rows.map((row) => v1TradeOf(key, row)) }
    },
  }
}
