import { cliffRatio, impliedYieldYes, tauAt } from '../prices/indicators.ts'
import { headlinePrice, QUOTE_LIFE, usableBook } from '../prices/price.ts'
import { sampleSd } from '../statistics/statistics.ts'
import { HOUR, MINUTE, roundTo } from '../units.ts'
import type { Cents, Millis } from '../units.ts'

/** Derived state is sampled at each quarter hour (methodology 0.8). */
export const QUARTER_HOUR = (15 * MINUTE) as Millis
/** Minimum move, in cents, for a row. */
const CHANGE_STEP = 1
/** Window of the rates below. */
const RATE_WINDOW = (48 * HOUR) as Millis
const HOURS_A_YEAR = 8_760

/** The newest quarter hour at or before `at`. */
export const quarterHourOf = (at: Millis): Millis =>
  (Math.floor(at / QUARTER_HOUR) * QUARTER_HOUR) as Millis

/** One served change: the new price, in cents, and the ratios at that price. */
export interface PriceChangeRow {
  readonly at: Millis
  readonly price: Cents
  /** Cents since the previous row; 0 in the first. */
  readonly delta: number
  /** Implied yield of YES in percent a year. */
  readonly iy: number | null
  readonly cri: number | null
}

export interface PricePoint {
  readonly ts: Millis
  readonly price: Cents
}
export interface QuotePoint {
  readonly ts: Millis
  readonly bid: Cents | null
  readonly ask: Cents | null
}

/** Inputs of a market's headline price; both ascending by `ts`. */
export interface PriceHistory {
  /** Trades on the book; the caller leaves out block trades. */
  readonly trades: readonly PricePoint[]
  readonly quotes: readonly QuotePoint[]
  /** How long a quote is valid after its row; 15 minutes when rows repeat while confirmed. */
  readonly quoteLife?: Millis
}

/**
 * Headline prices at ascending instants, null when there was none; each uses only what happened at
 * or before it.
 */
export function headlinePricesAt(
  history: PriceHistory,
  instants: readonly Millis[],
): (Cents | null)[] {
  const { trades, quotes, quoteLife = QUOTE_LIFE } = history
  let trade = -1
  let quote = -1
  return instants.map((at) => {
    while ((trades[trade + 1]?.ts ?? Infinity) <= at) trade++
    while ((quotes[quote + 1]?.ts ?? Infinity) <= at) quote++
    const quoteAt = quotes[quote]
    const currentQuote = quoteAt !== undefined && at - quoteAt.ts <= quoteLife
    const book = usableBook({
      bid: quoteAt?.bid ?? null,
      ask: quoteAt?.ask ?? null,
      ageMs: currentQuote ? 0 : null,
      paused: false,
    })
    return headlinePrice({ last: trades[trade]?.price ?? null, ...book }).price
  })
}

/** Window of change rows: after `from` up to `to`. The price at `from` is the first row. */
export interface ChangeWindow {
  readonly from: Millis
  readonly to: Millis
  /** Close time as known at an instant. */
  readonly closeTimeAt: (at: Millis) => Millis | null
}

/**
 * Change rows of a market, oldest first: the price at the window's start (or the first price after
 * it) with delta 0, then one row for each quarter hour at which the headline price differs from
 * the previous row by a cent or more. Methodology A8.
 * @param history from early enough before the window to know the price at its start
 */
export function changeRows(history: PriceHistory, window: ChangeWindow): PriceChangeRow[] {
  const instants: Millis[] = [window.from]
  for (let at = quarterHourOf(window.from) + QUARTER_HOUR; at <= window.to; at += QUARTER_HOUR)
    instants.push(at as Millis)
  const prices = headlinePricesAt(history, instants)
  const rows: PriceChangeRow[] = []
  for (const [index, at] of instants.entries()) {
    const price = prices[index] ?? null
    if (price === null) continue
    const previous = rows.at(-1)
    const delta = previous === undefined ? 0 : roundTo(price - previous.price, 4)
    if (previous !== undefined && Math.abs(delta) < CHANGE_STEP) continue
    const iy = impliedYieldYes(price, tauAt(window.closeTimeAt(at), at))
    rows.push({ at, price, delta, iy, cri: cliffRatio(price) })
  }
  return rows
}

/** Frequency and size of a market's price changes. */
export interface ChangeRates {
  /** Changes per hour over 48 hours, 2 decimals. */
  readonly iar: number | null
  /** Realised volatility in percent a year, 1 decimal. */
  readonly rv: number | null
}

/**
 * Rates over the changes of the 48 hours up to `at`; null for fewer than three changes, less than
 * an hour between first and last, or a market observed for less than 48 hours. Methodology A8.
 * @param rows changes ascending, without the first observation (which is not a change)
 */
export function changeRates(
  rows: readonly Pick<PriceChangeRow, 'at' | 'price' | 'delta'>[],
  at: Millis,
  firstObservedAt: Millis,
): ChangeRates {
  const unknown: ChangeRates = { iar: null, rv: null }
  const recent = rows.filter((row) => row.at > at - RATE_WINDOW && row.at <= at)
  const [first, last] = [recent[0], recent.at(-1)]
  if (first === undefined || last === undefined || recent.length < 3) return unknown
  const hours = (last.at - first.at) / HOUR
  if (hours < 1 || at - firstObservedAt < RATE_WINDOW) return unknown
  const perHour = recent.length / hours
  const iar = roundTo(perHour, 2)
  if (recent.some((row) => row.price <= 0)) return { iar, rv: null }
  const deviation = sampleSd(recent.map((row) => row.delta / row.price))
  if (deviation === null) return { iar, rv: null }
  return { iar, rv: roundTo(100 * deviation * Math.sqrt(perHour * HOURS_A_YEAR), 1) }
}
