import type { MarketView } from '../../computed/board/market-board.ts'
import { WIDTHS } from '../../domain/prices/candle.ts'
import { QUOTE_LIFE } from '../../domain/prices/price.ts'
import { DAY, MINUTE, type Millis } from '../../domain/units.ts'
import type { MarketId } from '../../history/market-key.ts'
import type { TradeRow } from '../../history/market-rows.ts'
import { marketNamed, requireReady, viewNamed, type DataServiceDeps } from './data-service.deps.ts'
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
 * Time spans that are searched for trades, backwards from the end; quiet markets need the long
 * ones.
 */
const SPANS: readonly number[] = [15 * MINUTE, 3 * 60 * MINUTE, 2 * DAY, 32 * DAY, Infinity]

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

  /** The newest `limit` trades up to and including `to`, newest first. */
  const newestTrades = async (
    market: MarketId,
    to: Millis,
    asOf: Millis,
    limit: number,
  ): Promise<TradeRow[]> => {
    const found: TradeRow[] = []
    let end = to
    for (const span of SPANS) {
      const from = Math.max(-1, to - span) as Millis
      const newest = limit - found.length
      const older = await history.trades({ market, from, to: end, asOf, newest })
      found.push(...older.reverse())
      if (found.length >= limit || from < 0) break
      end = from
    }
    return found
  }

  return {
    /** @throws NotReady, NotFound */
    async orderbook(name: string, { depth }: BookQuery): Promise<V1Book> {
      requireReady(deps)
      // The change since a day ago is not part of a book, so it is not read from history here.
      const view = board.live().get(name) ?? (await viewNamed(deps, name))
      const known = await board.book(view, null)
      const stale = known === null || isOldBook(view, isStale(view.market), clock.now())
      return v1BookOf(view.facts.ticker, known, depth, stale)
    },

    /** The newest `limit` bars, oldest first. @throws NotReady, NotFound */
    async candles(name: string, { tf, limit, before }: CandlesQuery): Promise<Candles> {
      const { market, key } = await marketNamed(deps, name)
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
      const { market, key } = await marketNamed(deps, name)
      const now = clock.now()
      const to = (before === null ? now : Math.min(now, before - 1)) as Millis
      const rows = await newestTrades(market, to, now, limit)
      return { ticker: key.ticker, trades: rows.map((row) => v1TradeOf(key, row)) }
    },
  }
}
