import { hash } from 'node:crypto'
import { canonicalTicker, type BookLevel, type OrderBook, type Side } from '../../domain/market.ts'
import type { Millis, PriceE4, SizeE6 } from '../../domain/units.ts'
import { bookEvents } from '../book-events.ts'
import type { CandlePublished, TradePrinted } from '../connector.ts'
import { epochOf, listOf, pick, scaledOf, textOf, wireOf, type Wire } from '../fields.ts'
import { isCrossed } from '../level-book.ts'
import {
  Harvest,
  isAhead,
  priceInRange,
  restingPrice,
  stampOf,
  type ParseContext,
  type Parsed,
} from '../parsed.ts'
import { isFarFrom } from './midpoints.ts'
import type { WireBook, WireMessage } from './wire.ts'

/** Which outcome of a market an asset stands for; null when not known. */
export type OutcomeOf = (ticker: string, assetId: string) => 0 | 1 | null

/** How often each identical row was seen in a walk: what tells one from the other. */
export type Ordinals = Map<string, number>

/**
 * `GET /v2/trades` (enveloped) and `GET /trades` (bare array) of the Data API, in the order sent.
 * The venue gives no trade id: rows are named by what they say and by their place among equals, so
 * `ordinals` has to live as long as the walk.
 */
export function parseDataTradesPage(
  body: unknown,
  context: ParseContext,
  outcomeOf: OutcomeOf = () => null,
  ordinals: Ordinals = new Map(),
): Parsed {
  const harvest = new Harvest()
  const page = wireOf(body)
  for (const row of Array.isArray(body) ? body : listOf(page?.['data'])) {
    harvest.add(parseTrade(harvest, row, context, outcomeOf, ordinals))
  }
  return harvest.done(textOf(wireOf(page?.['pagination'])?.['next_cursor']))
}

function parseTrade(
  harvest: Harvest,
  value: unknown,
  context: ParseContext,
  outcomeOf: OutcomeOf,
  ordinals: Ordinals,
): TradePrinted | null {
  const wire = wireOf(value)
  const condition = textOf(pick(wire ?? {}, 'condition_id', 'conditionId'))
  const asset = textOf(pick(wire ?? {}, 'token_id', 'asset'))
  if (wire === null || condition === null || asset === null) {
    return harvest.skip('trade without a market')
  }
  const transaction = textOf(pick(wire, 'transaction_hash', 'transactionHash'))
  if (transaction === null) return harvest.skip('trade without a transaction')
  const ticker = canonicalTicker(condition)
  const index = scaledOf(pick(wire, 'outcome_index', 'outcomeIndex'), 0)
  const outcome = index === 0 || index === 1 ? index : outcomeOf(ticker, asset)
  if (outcome === null) return harvest.skip('trade of an unknown outcome')
  const at = epochOf(wire['timestamp'], 'seconds')
  return printOf(harvest, { ticker, asset, transaction, outcome, at }, wire, context, ordinals)
}

/** A `last_trade_price` message. Without its transaction it could not be told from the tape's row. */
export function parseLastTrade(
  harvest: Harvest,
  value: Wire,
  context: ParseContext,
  outcomeOf: OutcomeOf,
  ordinals: Ordinals,
): TradePrinted | null {
  const wire = value as WireMessage
  const condition = textOf(wire.market)
  const asset = textOf(wire.asset_id)
  const transaction = textOf(wire.transaction_hash)
  if (condition === null || asset === null) return harvest.skip('trade without a market')
  if (transaction === null) return harvest.skip('trade without a transaction')
  const ticker = canonicalTicker(condition)
  const outcome = outcomeOf(ticker, asset)
  if (outcome === null) return harvest.skip('trade of an unknown outcome')
  const at = epochOf(wire.timestamp, 'milliseconds')
  return printOf(harvest, { ticker, asset, transaction, outcome, at }, value, context, ordinals)
}

interface Print {
  readonly ticker: string
  readonly asset: string
  readonly transaction: string
  readonly outcome: 0 | 1
  readonly at: Millis | null
}

/** A print in YES terms: an asset of outcome 1 trades at what YES leaves of the dollar. */
function printOf(
  harvest: Harvest,
  print: Print,
  wire: Wire,
  context: ParseContext,
  ordinals: Ordinals,
): TradePrinted | null {
  const { ticker, outcome, at } = print
  if (at === null || isAhead(at, context)) return harvest.skip('trade without a time')
  const paid = priceInRange(scaledOf(wire['price'], 4))
  if (paid === null) return harvest.skip('trade without a price')
  const size = scaledOf(wire['size'], 6)
  if (size === null || size <= 0) return harvest.skip('trade without a size')
  const side = wire['side'] === 'BUY' ? 'BUY' : wire['side'] === 'SELL' ? 'SELL' : null
  return {
    type: 'trade_printed',
    ...stampOf('venue_b', ticker, at, context),
    tradeId: tradeIdOf([print.transaction, print.asset, side, paid, size].join('|'), ordinals),
    price: (outcome === 0 ? paid : 10_000 - paid) as PriceE4,
    size: size as SizeE6,
    takerSide: side === null ? null : takerSideOf(side, outcome),
    isBlock: false,
  }
}

const takerSideOf = (side: 'BUY' | 'SELL', outcome: 0 | 1): Side =>
  (side === 'BUY') === (outcome === 0) ? 'yes' : 'no'

/**
 * A stable name for a print. The wallet stays out of it, so that the socket's print and the tape's
 * row of it have one name; equal rows are counted instead.
 */
function tradeIdOf(text: string, ordinals: Ordinals): string {
  const ordinal = ordinals.get(text) ?? 0
  ordinals.set(text, ordinal + 1)
  return hash('sha256', `${text}|${ordinal}`, 'hex').slice(0, 32)
}

/**
 * `GET /book` or `POST /books`: quote and book of each, of outcome 0's asset only.
 * @param mids what the venue states as the middle of each asset's book; a book far from it is an old
 *   one that nobody keeps, and is refused
 */
export function parseClobBooks(
  body: unknown,
  context: ParseContext,
  outcomeOf: OutcomeOf = () => 0,
  mids: ReadonlyMap<string, PriceE4> = new Map(),
): Parsed {
  const harvest = new Harvest()
  for (const row of Array.isArray(body) ? body : [body]) {
    const parsed = parseBook(harvest, row, outcomeOf)
    if (parsed === null) continue
    if (isFarFrom(parsed.book, mids.get(parsed.asset))) {
      harvest.skip('book far from its midpoint')
      continue
    }
    // An answer confirms the book now; a recording is worth the instant it carries.
    const at = context.origin === 'polled' ? null : parsed.at
    const stamp = stampOf('venue_b', parsed.ticker, at, context)
    for (const event of bookEvents(parsed.book, stamp)) harvest.add(event)
  }
  return harvest.done()
}

export interface ParsedBook {
  readonly ticker: string
  readonly asset: string
  readonly at: Millis | null
  readonly book: OrderBook
}

/** One whole book, sorted; null (and counted) when crossed or not of a known market's YES. */
export function parseBook(
  harvest: Harvest,
  value: unknown,
  outcomeOf: OutcomeOf,
): ParsedBook | null {
  const wire = wireOf(value) as WireBook | null
  const condition = textOf(wire?.market)
  const asset = textOf(wire?.asset_id)
  if (wire === null || condition === null || asset === null) {
    return harvest.skip('book without a market')
  }
  const ticker = canonicalTicker(condition)
  if (outcomeOf(ticker, asset) !== 0) return harvest.skip('book of another outcome')
  const bids = parseLevels(harvest, wire.bids).sort((a, b) => b.price - a.price)
  const asks = parseLevels(harvest, wire.asks).sort((a, b) => a.price - b.price)
  const book = { bids, asks }
  if (isCrossed(book)) return harvest.skip('crossed book')
  return { ticker, asset, at: epochOf(wire.timestamp, 'milliseconds'), book }
}

function parseLevels(harvest: Harvest, value: unknown): BookLevel[] {
  const levels: BookLevel[] = []
  for (const row of listOf(value)) {
    const price = restingPrice(scaledOf(wireOf(row)?.['price'], 4))
    const size = scaledOf(wireOf(row)?.['size'], 6)
    if (price === null || size === null || size < 0) harvest.skip('book level out of range')
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
): Parsed {
  const harvest = new Harvest()
  const bars = new Map<number, PriceE4[]>()
  for (const row of listOf(wireOf(body)?.['history'])) {
    const at = epochOf(wireOf(row)?.['t'], 'seconds')
    const price = priceInRange(scaledOf(wireOf(row)?.['p'], 4))
    if (at === null || price === null) harvest.skip('price point out of range')
    else {
      const start = Math.floor(at / width) * width
      const bar = bars.get(start)
      if (bar === undefined) bars.set(start, [price])
      else bar.push(price)
    }
  }
  for (const [start, prices] of [...bars].sort(([a], [b]) => a - b)) {
    harvest.add(barOf(canonicalTicker(ticker), start as Millis, width, prices, context))
  }
  return harvest.done()
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
