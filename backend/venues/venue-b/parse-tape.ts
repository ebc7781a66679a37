import { hash } from 'node:crypto'
import { canonicalTicker, type BookLevel, type OrderBook, type Side } from '../../domain/market.ts'
import type { Millis, PriceE4, SizeE6 } from '../../domain/units.ts'
import { bookEvents } from '../book-events.ts'
import type { CandlePublished, TradePrinted } from '../connector.ts'
import { epochOf, listOf, pick, scaledOf, textOf, wireOf, type Wire } from '../fields.ts'
import { isCrossed } from '../level-book.ts'
import {
  ParseResult,
  isAhead,
  priceInRange,
  restingPrice,
  stampOf,
  type ParseContext,
  type ParsedEvents,
} from '../parsed.ts'
import { isFarFrom } from './midpoints.ts'
import type { WireBook, WireMessage } from './wire.ts'

/** The outcome that an asset of a market represents; null when unknown. */
export type OutcomeOf = (ticker: string, assetId: string) => 0 | 1 | null

/** How often each identical row was seen in a walk, to distinguish equal rows. */
export type Ordinals = Map<string, number>

/**
 * `GET /v2/trades` (enveloped) and `GET /trades` (bare array) of the Data API, in the order sent.
 * The venue assigns no trade id: ids are made from the content of rows and their position among
 * equal rows, so `ordinals` must live as long as the walk.
 */
export function parseDataTradesPage(
  body: unknown,
  context: ParseContext,
  outcomeOf: OutcomeOf = () => null,
  ordinals: Ordinals = new Map(),
): ParsedEvents {
  const parseResult = new ParseResult()
  const page = wireOf(body)
  for (const row of Array.isArray(body) ? body : listOf(page?.['data'])) {
    parseResult.add(parseTrade(parseResult, row, context, outcomeOf, ordinals))
  }
  return parseResult.result(textOf(wireOf(page?.['pagination'])?.['next_cursor']))
}

function parseTrade(
  parseResult: ParseResult,
  value: unknown,
  context: ParseContext,
  outcomeOf: OutcomeOf,
  ordinals: Ordinals,
): TradePrinted | null {
  const wire = wireOf(value)
  const condition = textOf(pick(wire ?? {}, 'condition_id', 'conditionId'))
  const asset = textOf(pick(wire ?? {}, 'token_id', 'asset'))
  if (wire === null || condition === null || asset === null) {
    return parseResult.skip('trade without a market')
  }
  const transaction = textOf(pick(wire, 'transaction_hash', 'transactionHash'))
  if (transaction === null) return parseResult.skip('trade without a transaction')
  const ticker = canonicalTicker(condition)
  const index = scaledOf(pick(wire, 'outcome_index', 'outcomeIndex'), 0)
  const outcome = index === 0 || index === 1 ? index : outcomeOf(ticker, asset)
  if (outcome === null) return parseResult.skip('trade of an unknown outcome')
  const at = epochOf(wire['timestamp'], 'seconds')
  return printOf(parseResult, { ticker, asset, transaction, outcome, at }, wire, context, ordinals)
}

/**
 * A `last_trade_price` message. Without its transaction it could not be matched with the tape's
 * row.
 */
export function parseLastTrade(
  parseResult: ParseResult,
  value: Wire,
  context: ParseContext,
  outcomeOf: OutcomeOf,
  ordinals: Ordinals,
): TradePrinted | null {
  const wire = value as WireMessage
  const condition = textOf(wire.market)
  const asset = textOf(wire.asset_id)
  const transaction = textOf(wire.transaction_hash)
  if (condition === null || asset === null) return parseResult.skip('trade without a market')
  if (transaction === null) return parseResult.skip('trade without a transaction')
  const ticker = canonicalTicker(condition)
  const outcome = outcomeOf(ticker, asset)
  if (outcome === null) return parseResult.skip('trade of an unknown outcome')
  const at = epochOf(wire.timestamp, 'milliseconds')
  return printOf(parseResult, { ticker, asset, transaction, outcome, at }, value, context, ordinals)
}

interface Print {
  readonly ticker: string
  readonly asset: string
  readonly transaction: string
  readonly outcome: 0 | 1
  readonly at: Millis | null
}

/** A print in YES terms: an asset of outcome 1 trades at one dollar minus the YES price. */
function printOf(
  parseResult: ParseResult,
  print: Print,
  wire: Wire,
  context: ParseContext,
  ordinals: Ordinals,
): TradePrinted | null {
  const { ticker, outcome, at } = print
  if (at === null || isAhead(at, context)) return parseResult.skip('trade without a time')
  const paidPrice = priceInRange(scaledOf(wire['price'], 4))
  if (paidPrice === null) return parseResult.skip('trade without a price')
  const size = scaledOf(wire['size'], 6)
  if (size === null || size <= 0) return parseResult.skip('trade without a size')
  const side = wire['side'] === 'BUY' ? 'BUY' : wire['side'] === 'SELL' ? 'SELL' : null
  return {
    type: 'trade_printed',
    ...stampOf('venue_b', ticker, at, context),
    tradeId: tradeIdOf([print.transaction, print.asset, side, paidPrice, size].join('|'), ordinals),
    price: (outcome === 0 ? paidPrice : 10_000 - paidPrice) as PriceE4,
    size: size as SizeE6,
    takerSide: side === null ? null : takerSideOf(side, outcome),
    isBlock: false,
  }
}

const takerSideOf = (side: 'BUY' | 'SELL', outcome: 0 | 1): Side =>
  (side === 'BUY') === (outcome === 0) ? 'yes' : 'no'

/**
 * A stable id of a print. It leaves out the wallet, so that the socket's print and its row on the
 * tape have the same id; equal rows are numbered instead.
 */
function tradeIdOf(text: string, ordinals: Ordinals): string {
  const ordinal = ordinals.get(text) ?? 0
  ordinals.set(text, ordinal + 1)
  return hash('sha256', `${text}|${ordinal}`, 'hex').slice(0, 32)
}

/**
 * `GET /book` or `POST /books`: quote and book of each, for outcome 0's asset only.
 * @param mids the venue's midpoint of each asset; a book far from it is outdated and refused
 */
export function parseClobBooks(
  body: unknown,
  context: ParseContext,
  outcomeOf: OutcomeOf = () => 0,
  mids: ReadonlyMap<string, PriceE4> = new Map(),
): ParsedEvents {
  const parseResult = new ParseResult()
  for (const row of Array.isArray(body) ? body : [body]) {
    const parsedBook = parseBook(parseResult, row, outcomeOf)
    if (parsedBook === null) continue
    if (isFarFrom(parsedBook.book, mids.get(parsedBook.asset))) {
      parseResult.skip('book far from its midpoint')
      continue
    }
    // A response confirms the book now; a recording is valid at its own time.
    const at = context.origin === 'polled' ? null : parsedBook.at
    const stamp = stampOf('venue_b', parsedBook.ticker, at, context)
    for (const event of bookEvents(parsedBook.book, stamp)) parseResult.add(event)
  }
  return parseResult.result()
}

export interface ParsedBook {
  readonly ticker: string
  readonly asset: string
  readonly at: Millis | null
  readonly book: OrderBook
}

/**
 * One whole book, sorted; null (and counted) when crossed or not the YES book of a known market.
 */
export function parseBook(
  parseResult: ParseResult,
  value: unknown,
  outcomeOf: OutcomeOf,
): ParsedBook | null {
  const wire = wireOf(value) as WireBook | null
  const condition = textOf(wire?.market)
  const asset = textOf(wire?.asset_id)
  if (wire === null || condition === null || asset === null) {
    return parseResult.skip('book without a market')
  }
  const ticker = canonicalTicker(condition)
  if (outcomeOf(ticker, asset) !== 0) return parseResult.skip('book of another outcome')
  const bids = parseLevels(parseResult, wire.bids).sort((a, b) => b.price - a.price)
  const asks = parseLevels(parseResult, wire.asks).sort((a, b) => a.price - b.price)
  const book = { bids, asks }
  if (isCrossed(book)) return parseResult.skip('crossed book')
  return { ticker, asset, at: epochOf(wire.timestamp, 'milliseconds'), book }
}

function parseLevels(parseResult: ParseResult, value: unknown): BookLevel[] {
  const levels: BookLevel[] = []
  for (const row of listOf(value)) {
    const price = restingPrice(scaledOf(wireOf(row)?.['price'], 4))
    const size = scaledOf(wireOf(row)?.['size'], 6)
    if (price === null || size === null || size < 0) parseResult.skip('book level out of range')
    else if (size > 0) levels.push({ price, size: size as SizeE6 })
  }
  return levels
}

/** `GET /prices-history` as bars of `width`, oldest first; sampled prices, so without a volume. */
export function parsePricesHistory(
  body: unknown,
  context: ParseContext,
  ticker: string,
  width: Millis,
): ParsedEvents {
  const parseResult = new ParseResult()
  const points: { at: Millis; price: PriceE4 }[] = []
  for (const row of listOf(wireOf(body)?.['history'])) {
    const at = epochOf(wireOf(row)?.['t'], 'seconds')
    const price = priceInRange(scaledOf(wireOf(row)?.['p'], 4))
    if (at === null || price === null) parseResult.skip('price point out of range')
    else points.push({ at, price })
  }
  const bars = new Map<number, PriceE4[]>()
  // The first and last point of a bar are those in time: the venue states no order.
  for (const { at, price } of points.sort((a, b) => a.at - b.at)) {
    const start = Math.floor(at / width) * width
    const bar = bars.get(start)
    if (bar === undefined) bars.set(start, [price])
    else bar.push(price)
  }
  for (const [start, prices] of [...bars].sort(([a], [b]) => a - b)) {
    parseResult.add(barOf(canonicalTicker(ticker), start as Millis, width, prices, context))
  }
  return parseResult.result()
}

const barOf = (
  ticker: string,
  start: Millis,
  width: Millis,
  prices: readonly PriceE4[],
  context: ParseContext,
): CandlePublished => ({
  type: 'candle_published',
  ...stampOf('venue_b', ticker, (start + width) as Millis, context),
  start,
  width,
  open: prices[0] ?? null,
  high: Math.max(...prices) as PriceE4,
  low: Math.min(...prices) as PriceE4,
  close: prices.at(-1) ?? null,
  volume: null,
  bidClose: null,
  askClose: null,
})
