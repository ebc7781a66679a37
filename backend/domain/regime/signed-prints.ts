import { knownAtIndex, newestIndex } from '../prices/mark-series.ts'

/** The taker's trade: buys YES (1) or NO (−1). */
export type TakerSign = 1 | -1

/** Trades on the book of one market, ascending by time; the caller leaves out block trades. */
export interface PrintColumns {
  readonly ts: Float64Array
  /** Cents on the YES scale. */
  readonly price: Float64Array
  /** Contracts. */
  readonly size: Float64Array
  /** As stated by the venue: 0 unknown, 1 yes, 2 no. */
  readonly taker: Uint8Array
}

/** Quotes of one market, ascending by time; NaN is an absent side or an unknown mark. */
export interface MarkedQuotes {
  readonly ts: Float64Array
  /** Last instant at which the quote is known to have been valid, not before `ts`. */
  readonly confirmedUntil: Float64Array
  readonly bid: Float64Array
  readonly ask: Float64Array
  /** Mark at the quote (A1). */
  readonly mark: Float64Array
}

/**
 * Index of the quote just before an instant if it is two-sided, marked and recent; otherwise −1.
 */
export function quoteBefore(quotes: MarkedQuotes, at: number, maxAge: number): number {
  const { ts, confirmedUntil, bid, ask, mark } = quotes
  let index = newestIndex(ts, at)
  while (index >= 0 && ts[index] === at) index--
  if (index < 0 || at - (confirmedUntil[index] ?? -Infinity) > maxAge) return -1
  const isMarked = [bid, ask, mark].every((column) => knownAtIndex(column, index) !== null)
  return isMarked ? index : -1
}

/** Prints of one side in one second, merged. */
export interface SignedPrint {
  /** Time of the first of them. */
  readonly ts: number
  /** Weighted by size, cents. */
  readonly price: number
  readonly sign: TakerSign
  /** Quote before the first of them, an index of the quotes. */
  readonly quote: number
}

/**
 * Trades from index `from` on with the taker's side and the quote before: the venue's flag,
 * otherwise Lee and Ready 1991 (above the midpoint a buyer, below it a seller, at it by the last
 * price change). Trades of one side in one second are one print; those without a side or quote are
 * left out.
 * @param to index after the last trade that counts
 */
export function signedPrints(
  trades: PrintColumns,
  quotes: MarkedQuotes,
  from: number,
  to: number,
  maxQuoteAge: number,
): SignedPrint[] {
  const { ts, price, size, taker } = trades
  const mergedPrints = new Map<string, { print: SignedPrint; paid: number; size: number }>()
  let [lastPrice, lastMove] = [NaN, 0]
  for (let i = 0; i < to; i++) {
    const tradePrice = price[i] ?? NaN
    if (tradePrice !== lastPrice && !Number.isNaN(lastPrice))
      lastMove = Math.sign(tradePrice - lastPrice)
    lastPrice = tradePrice
    if (i < from) continue
    const at = ts[i] ?? NaN
    const quote = quoteBefore(quotes, at, maxQuoteAge)
    if (quote < 0) continue
    const takerSign = taker[i] === 1 ? 1 : taker[i] === 2 ? -1 : 0
    const middle = ((quotes.bid[quote] ?? NaN) + (quotes.ask[quote] ?? NaN)) / 2
    const sign = takerSign !== 0 ? takerSign : Math.sign(tradePrice - middle) || lastMove
    if (sign === 0) continue
    const key = `${Math.floor(at / 1_000)} ${sign}`
    const group = mergedPrints.get(key)
    const contracts = size[i] ?? 0
    if (group === undefined) {
      const print = { ts: at, price: tradePrice, sign: sign as TakerSign, quote }
      mergedPrints.set(key, { print, paid: tradePrice * contracts, size: contracts })
    } else {
      group.paid += tradePrice * contracts
      group.size += contracts
    }
  }
  return [...mergedPrints.values()].map(({ print, paid: paid, size: contracts }) => ({
    ...print,
    price: contracts > 0 ? paid / contracts : print.price,
  }))
}
