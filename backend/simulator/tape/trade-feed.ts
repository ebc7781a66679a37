import { DAY, HOUR } from '../../domain/units.ts'
import type { SimMarket } from '../catalogue/market.ts'
import { decodeCursor, encodeCursor } from '../page-cursor.ts'
import type { SimTrade } from './sim-trade.ts'
import type { Tape } from './trades.ts'

export interface TradeQuery {
  readonly markets: readonly SimMarket[]
  /** Bounds in ms, both inclusive. */
  readonly from: number
  readonly to: number
  readonly blocks: boolean | null
  readonly limit: number
  readonly cursor: string | null
}

/** Newest first; equal times by market, then by place within the hour. */
const newerFirst = (a: SimTrade, b: SimTrade): number =>
  b.at - a.at || a.market.key - b.market.key || b.index - a.index

/**
 * One page of trades, newest first, and the cursor of the next (empty at the end); null when the
 * cursor is invalid.
 */
export function tradePage(
  query: TradeQuery,
  tape: Tape,
): { trades: SimTrade[]; cursor: string } | null {
  const mark = query.cursor === null || query.cursor === '' ? null : decodeCursor(query.cursor)
  if (query.cursor !== null && query.cursor !== '' && mark?.length !== 3) return null
  const [at, key, index] = (mark ?? []).map(Number)
  const isAfterMark = (trade: SimTrade): boolean =>
    at === undefined ||
    key === undefined ||
    index === undefined ||
    trade.at < at ||
    (trade.at === at &&
      (trade.market.key > key || (trade.market.key === key && trade.index < index)))
  const trades: SimTrade[] = []
  const firstOpenAt = query.markets.reduce(
    (first, market) => Math.min(first, market.openAt),
    Infinity,
  )
  const firstHour = Math.floor(Math.max(query.from, firstOpenAt) / HOUR)
  const lastCloseAt = query.markets.reduce((last, market) => Math.max(last, market.closeAt), 0)
  let alive: readonly SimMarket[] = []
  let day = Number.NaN
  for (
    let hour = Math.floor(Math.min(query.to, at ?? Infinity, lastCloseAt) / HOUR);
    hour >= firstHour;
    hour--
  ) {
    if (Math.floor(hour / 24) !== day) {
      day = Math.floor(hour / 24)
      const [start, end] = [day * DAY, (day + 1) * DAY]
      alive = query.markets.filter((market) => market.openAt < end && market.closeAt >= start)
    }
    const hourTrades: SimTrade[] = []
    for (const market of alive) {
      for (const trade of tape.hour(market, hour))
        if (
          trade.at >= query.from &&
          trade.at <= query.to &&
          isAfterMark(trade) &&
          (query.blocks === null || trade.isBlock === query.blocks)
        )
          hourTrades.push(trade)
    }
    hourTrades.sort(newerFirst)
    for (const trade of hourTrades) {
      if (trades.length === query.limit) return { trades, cursor: cursorOf(trades) }
      trades.push(trade)
    }
  }
  return { trades, cursor: '' }
}

function cursorOf(trades: readonly SimTrade[]): string {
  const last = trades.at(-1)
  return last === undefined ? '' : encodeCursor([last.at, last.market.key, last.index])
}

/** Trades in (from, to], ascending. */
export function tradesWithin(market: SimMarket, from: number, to: number, tape: Tape): SimTrade[] {
  const trades: SimTrade[] = []
  for (let hour = Math.floor(from / HOUR); hour <= Math.floor(to / HOUR); hour++)
    for (const trade of tape.hour(market, hour))
      if (trade.at > from && trade.at <= to) trades.push(trade)
  return trades
}

/** Trades published in (from, to]: new, late and corrected ones. */
export const tradesEmitted = (
  market: SimMarket,
  from: number,
  to: number,
  tape: Tape,
): SimTrade[] => [
  ...tradesWithin(market, from, to, tape),
  ...tape.edits.reportedWithin(from, to).filter((trade) => trade.market === market),
]
