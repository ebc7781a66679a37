import type { Candle } from '../../backend/contract/market-history.ts'
import type { QuoteBars } from '../../backend/contract/market-tape.ts'
import {
  chartPrice,
  usableBook,
  type HeadlinePrice,
  type PriceSource,
} from '../../backend/domain/prices/price.ts'
import type { TradedBar } from '../../backend/domain/trend/study-series.ts'
import type { Cents } from '../../backend/domain/units.ts'
import type { Slot } from './series.ts'

/** A market is quiet when nothing traded for this long and no book is known; its price is old then. */
const QUIET_SECONDS = 86_400

/** Open, high, low and close of the midpoint. */
export interface MidBar {
  readonly o: number
  readonly h: number
  readonly l: number
  readonly c: number
}

/** One place on the time axis with everything that a chart draws there. */
export interface ChartBar extends Slot {
  /** Best sides at the end of the bar; null when no quote was known. */
  readonly bid: number | null
  readonly ask: number | null
  readonly mid: MidBar | null
  /** The price at the end of the bar, by the rule of the headline; null when none was known. */
  readonly price: number | null
  readonly source: PriceSource | null
  /** Whether the price is carried from a trade more than a day ago. */
  readonly isOld: boolean
}

/** The newest known state of the market, which the last bar shows. */
export interface CurrentPrice extends HeadlinePrice {
  readonly bid: number | null
  readonly ask: number | null
}

export interface BarsInput {
  /** Ascending. */
  readonly candles: readonly Candle[]
  readonly quotes: Pick<QuoteBars, 'bars' | 'gaps'> | null
  readonly seconds: number
  /** Time in the last bar, Unix seconds; null ends with the data. A settled market ends there. */
  readonly end: number | null
  /** At most this many bars, the newest. */
  readonly max: number
}

/** The candle, if it is one of trades: by the venue or by us, not of midpoints. */
export const tradedCandle = (candle: Candle | null): Candle | null =>
  candle !== null && (candle.v !== null || candle.source === 'venue') ? candle : null

/** The trades of each bar; null where none are known. */
export const tradedBars = (bars: readonly ChartBar[]): readonly (TradedBar | null)[] =>
  bars.map(({ time, candle }) => {
    const candleOfTrades = tradedCandle(candle)
    return candleOfTrades === null
      ? null
      : {
          time,
          high: candleOfTrades.h,
          low: candleOfTrades.l,
          close: candleOfTrades.c,
          volume: candleOfTrades.v,
        }
  })

interface Span {
  readonly from: number
  readonly to: number
}

/** Whether a span in which quotes were missing overlaps (from, to]. */
function overlapsGap(gaps: readonly Span[], from: number, to: number): boolean {
  return gaps.some((gap) => gap.from < to && gap.to > from)
}

/** Price of a book and a last trade, in cents. */
const priceOf = (bid: number | null, ask: number | null, last: number | null): HeadlinePrice => {
  const book = usableBook({
    bid: bid as Cents | null,
    ask: ask as Cents | null,
    ageMs: 0,
    paused: false,
  })
  return chartPrice({ bid: book.bid, ask: book.ask, last: last as Cents | null })
}

/**
 * Puts trades and quotes on an even time axis. A quote stays until the next one or until its feed
 * was interrupted, a last trade stays until the next one; so a market with few trades has a price
 * in every bar, and missing data leave a gap.
 */
export function chartBars({ candles, quotes, seconds, end: givenEnd, max }: BarsInput): ChartBar[] {
  const quoteBars = quotes?.bars ?? []
  const gaps = (quotes?.gaps ?? []).map(({ from, to }) => ({
    from: Date.parse(from) / 1000,
    to: Date.parse(to) / 1000,
  }))
  const ends = [candles.at(-1)?.t, quoteBars.at(-1)?.t].filter(isNumber)
  const starts = [candles[0]?.t, quoteBars[0]?.t].filter(isNumber)
  if (starts.length === 0) return []
  const end = floorTo(givenEnd ?? Math.max(...ends), seconds)
  const start = Math.max(floorTo(Math.min(end, ...starts), seconds), end - (max - 1) * seconds)
  const bars: ChartBar[] = []
  let [nextCandle, nextQuote] = [0, 0]
  let last: { readonly price: number; readonly time: number } | null = null
  let book: { readonly bid: number | null; readonly ask: number | null } | null = null
  for (; (candles[nextCandle]?.t ?? Infinity) < start; nextCandle++) {
    const trades = tradedCandle(candles[nextCandle] ?? null)
    if (trades !== null) last = { price: trades.c, time: trades.t }
  }
  for (; (quoteBars[nextQuote]?.t ?? Infinity) < start; nextQuote++)
    book = quoteBars[nextQuote] ?? null
  for (let time = start; time <= end; time += seconds) {
    while ((candles[nextCandle]?.t ?? Infinity) < time) nextCandle += 1
    const candle = candles[nextCandle]?.t === time ? (candles[nextCandle] ?? null) : null
    if (candle !== null) nextCandle += 1
    const trades = tradedCandle(candle)
    if (trades !== null) last = { price: trades.c, time }
    const quote = quoteBars[nextQuote]?.t === time ? (quoteBars[nextQuote] ?? null) : null
    if (quote !== null) {
      nextQuote += 1
      book = quote
    } else if (book !== null && overlapsGap(gaps, time, time + seconds)) book = null
    const { bid, ask } = book ?? { bid: null, ask: null }
    // A feed gap ends what is known; only a new trade or quote starts the line again.
    if (quote === null && trades === null && overlapsGap(gaps, time, time + seconds)) last = null
    const headline = priceOf(bid, ask, last?.price ?? null)
    // Price-only history has bars of midpoints and no quotes.
    const isPriceOnly = headline.price === null && candle !== null
    const price = isPriceOnly ? candle.c : headline.price
    const source = isPriceOnly ? 'mid' : headline.source
    const mid =
      quote !== null && quote.o !== null && quote.h !== null && quote.l !== null && quote.c !== null
        ? withPreviousMid(quote.o, quote.h, quote.l, quote.c, bars.at(-1)?.mid?.c ?? quote.o)
        : source === 'mid' && price !== null
          ? { o: price, h: price, l: price, c: price }
          : null
    bars.push({
      time,
      candle,
      bid,
      ask,
      mid: mid ?? (trades === null ? candle : null),
      price,
      source,
      isOld: source === 'last' && last !== null && time - last.time > QUIET_SECONDS,
    })
  }
  return bars
}

/** The bars with the newest known price in the last one. */
export function withCurrent(
  bars: readonly ChartBar[],
  { bid, ask, price, source }: CurrentPrice,
): readonly ChartBar[] {
  const newest = bars.at(-1)
  if (newest === undefined || price === null) return bars
  const mid = source === 'mid' ? withMid(newest.mid, price) : newest.mid
  return [...bars.slice(0, -1), { ...newest, bid, ask, price, source, mid }]
}

/** A bar of quotes that begins with the midpoint that was valid before its first quote. */
const withPreviousMid = (o: number, h: number, l: number, c: number, before: number): MidBar => ({
  o: before,
  h: Math.max(h, before, o),
  l: Math.min(l, before, o),
  c,
})

const withMid = (bar: MidBar | null, price: number): MidBar => ({
  o: bar?.o ?? price,
  h: Math.max(bar?.h ?? price, price),
  l: Math.min(bar?.l ?? price, price),
  c: price,
})

const isNumber = (value: number | null | undefined): value is number =>
  value !== undefined && value !== null
const floorTo = (time: number, seconds: number): number => Math.floor(time / seconds) * seconds
