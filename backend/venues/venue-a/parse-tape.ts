import { canonicalTicker, type BookLevel, type Side } from '../../domain/market.ts'
import { MINUTE, type Millis, type SizeE6 } from '../../domain/units.ts'
import { bookEvents } from '../book-events.ts'
import type { CandlePublished, VenueEvent } from '../connector.ts'
import { epochOf, listOf, scaledOf, textOf, timeOf, wireOf, type Wire } from '../fields.ts'
import { isCrossed } from '../level-book.ts'
import {
  ParseResult,
  isAhead,
  latestTime,
  priceInRange,
  restingPrice,
  stampOf,
  type ParseContext,
  type ParsedEvents,
} from '../parsed.ts'
import { legacyScaleOf, priceAt, sizeAt } from './amounts.ts'
import { isCombo } from './parse.ts'
import type { WireCandle, WireTrade } from './wire.ts'

/** `GET /markets/trades` and `GET /historical/trades`, in the order sent. */
export function parseTradesPage(body: unknown, context: ParseContext): ParsedEvents {
  const parseResult = new ParseResult()
  const page = wireOf(body)
  if (page === null) parseResult.skip('no page')
  for (const row of listOf(page?.['trades'])) parseResult.add(parseTrade(parseResult, row, context))
  return parseResult.result(textOf(page?.['cursor']))
}

/** One trade of a page or of the stream; the price is the YES leg's whichever side was bought. */
export function parseTrade(
  parseResult: ParseResult,
  value: unknown,
  context: ParseContext,
): VenueEvent | null {
  const raw = wireOf(value)
  if (raw === null) return parseResult.skip('trade is not an object')
  const wire = raw as WireTrade
  const ticker = textOf(wire.ticker) ?? textOf(wire.market_ticker)
  const tradeId = textOf(wire.trade_id)
  if (ticker === null || tradeId === null) return parseResult.skip('trade without an id')
  if (isCombo(ticker)) return parseResult.skip('combo market')
  const at = epochOf(wire.ts_ms, 'milliseconds') ?? timeOf(wire.created_time)
  if (at === null || isAhead(at, context)) return parseResult.skip('trade without a time')
  const price = priceInRange(priceAt(raw, 'yes_price', legacyScaleOf(raw)))
  if (price === null) return parseResult.skip('trade without a price')
  const size = sizeAt(raw, 'count')
  if (size === null || size === 0) return parseResult.skip('trade without a size')
  return {
    type: 'trade_printed',
    ...stampOf('venue_a', canonicalTicker(ticker), at, context),
    tradeId,
    price,
    size,
    takerSide: sideOf(wire.taker_outcome_side) ?? sideOf(wire.taker_side),
    isBlock: wire.is_block_trade === true,
  }
}

const sideOf = (value: unknown): Side | null => (value === 'yes' || value === 'no' ? value : null)

/**
 * `GET /markets/{ticker}/orderbook` (its body may lack the ticker: pass it) and `GET
 * /markets/orderbooks`.
 */
export function parseOrderbook(
  body: unknown,
  context: ParseContext,
  ticker: string | null = null,
): ParsedEvents {
  const parseResult = new ParseResult()
  const page = wireOf(body)
  const rows = page?.['orderbooks'] === undefined ? [page] : listOf(page['orderbooks'])
  for (const row of rows) {
    const wire = wireOf(row)
    const book = wireOf(wire?.['orderbook_fp']) ?? wireOf(wire?.['orderbook'])
    const bookTicker = textOf(wire?.['ticker']) ?? ticker
    if (bookTicker === null || book === null) parseResult.skip('book without a market')
    else
      for (const event of parseBook(parseResult, bookTicker, book, context)) parseResult.add(event)
  }
  return parseResult.result()
}

function parseBook(
  parseResult: ParseResult,
  ticker: string,
  book: Wire,
  context: ParseContext,
): readonly VenueEvent[] {
  const bids = parseLevels(parseResult, book, 'yes').sort((a, b) => b.price - a.price)
  const asks = parseLevels(parseResult, book, 'no')
    .map(({ price, size }) => ({ price: (10_000 - price) as BookLevel['price'], size }))
    .sort((a, b) => a.price - b.price)
  if (isCrossed({ bids, asks })) {
    parseResult.skip('crossed book')
    return []
  }
  return bookEvents({ bids, asks }, stampOf('venue_a', canonicalTicker(ticker), null, context))
}

/** The resting bids of one leg at their own prices; invalid levels are counted. */
export function parseLevels(parseResult: ParseResult, book: Wire, leg: 'yes' | 'no'): BookLevel[] {
  const dollars = book[`${leg}_dollars`] ?? book[`${leg}_dollars_fp`]
  const levels: BookLevel[] = []
  for (const row of listOf(dollars ?? book[leg])) {
    const [price, size] = listOf(row)
    const level = parseLevel(price, size, dollars === undefined || dollars === null)
    if (level === null) parseResult.skip('book level out of range')
    else if (level.size > 0) levels.push(level)
  }
  return levels
}

function parseLevel(price: unknown, size: unknown, isCents: boolean): BookLevel | null {
  const at = restingPrice(scaledOf(price, isCents ? 2 : 4))
  const contracts = scaledOf(size, 6)
  if (at === null || contracts === null || contracts < 0) return null
  return { price: at, size: contracts as SizeE6 }
}

/**
 * Candlesticks of the batch endpoint, of one market (pass its ticker), or of an event (tickers and
 * bars side by side).
 * @param width the requested period; the payload does not state it
 */
export function parseCandlesticks(
  body: unknown,
  context: ParseContext,
  width: Millis,
  ticker: string | null = null,
): ParsedEvents {
  const parseResult = new ParseResult()
  for (const [barsTicker, bars] of candleSets(wireOf(body), ticker)) {
    if (barsTicker === null) parseResult.skip('candles without a market')
    else
      for (const bar of bars)
        parseResult.add(parseCandle(parseResult, barsTicker, bar, width, context))
  }
  return parseResult.result()
}

function candleSets(
  page: Wire | null,
  ticker: string | null,
): readonly (readonly [string | null, readonly unknown[]])[] {
  const parallel = page?.['market_candlesticks']
  if (parallel !== undefined) {
    const tickers = listOf(page?.['market_tickers'])
    return listOf(parallel).map((bars, index) => [textOf(tickers[index]), listOf(bars)])
  }
  if (page?.['markets'] === undefined) return [[ticker, listOf(page?.['candlesticks'])]]
  return listOf(page['markets']).map((row) => {
    const wire = wireOf(row)
    return [textOf(wire?.['market_ticker']) ?? ticker, listOf(wire?.['candlesticks'])]
  })
}

function parseCandle(
  parseResult: ParseResult,
  ticker: string,
  value: unknown,
  width: Millis,
  context: ParseContext,
): CandlePublished | null {
  const raw = wireOf(value)
  const wire = raw as WireCandle | null
  const at = epochOf(wire?.end_period_ts, 'seconds')
  if (raw === null || wire === null || at === null || at <= width)
    return parseResult.skip('candle without a time')
  // A recording of the open bar ends after it was taken; a bar a whole width ahead has a wrong
  // time.
  if (at - width > latestTime(context) + MINUTE) return parseResult.skip('candle in the future')
  const price = candlePrices(wire.price)
  return {
    type: 'candle_published',
    ...stampOf('venue_a', canonicalTicker(ticker), at, context),
    start: (at - width) as Millis,
    width,
    ...price,
    volume: sizeAt(raw, 'volume'),
    bidClose: restingPrice(candlePrices(wire.yes_bid).close),
    askClose: restingPrice(candlePrices(wire.yes_ask).close),
  }
}

/** Open, high, low and close of one series of a bar; all null in a period without a trade. */
function candlePrices(value: unknown): Pick<CandlePublished, 'open' | 'high' | 'low' | 'close'> {
  const wire = wireOf(value) ?? {}
  const priceOf = (name: string) => priceInRange(priceAt(wire, name, 'cents'))
  const [open, high, low, close] = [
    priceOf('open'),
    priceOf('high'),
    priceOf('low'),
    priceOf('close'),
  ]
  const isWhole = open !== null && high !== null && low !== null && close !== null
  const isConsistent = isWhole && high >= Math.max(open, close, low) && low <= Math.min(open, close)
  return isConsistent
    ? { open, high, low, close }
    : { open: null, high: null, low: null, close: null }
}
