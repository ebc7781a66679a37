import { canonicalTicker } from '../../../domain/market.ts'
import type { Millis, PriceE4 } from '../../../domain/units.ts'
import { descriptorOf } from '../../../domain/venue.ts'
import { epochOf, listOf, scaledOf, textOf, wireOf, type Wire } from '../../../venues/fields.ts'
import { ParseResult, restingPrice, stampOf, type ParsedEvents } from '../../../venues/parsed.ts'
import {
  parseClobBooks,
  parseLastTrade,
  type OutcomeOf,
} from '../../../venues/venue-b/parse-tape.ts'
import { outcomeOfWinner } from '../../../venues/venue-b/resolution.ts'
import type { Outcome } from '../import-host.ts'
import type { Context, RecordedRow, Recording } from '../recording.ts'

const isBook = (wire: Wire): boolean =>
  textOf(wire['asset_id']) !== null && Array.isArray(wire['bids']) && Array.isArray(wire['asks'])

const assetsIn = (rows: readonly (Wire | null)[]): string[] =>
  rows
    .flatMap((row) => [row, ...listOf(row?.['price_changes']).map(wireOf)])
    .map((row) => textOf(row?.['asset_id']))
    .filter((asset) => asset !== null)

/**
 * Books of venue_b's order book service, and messages of its socket, detected by their content;
 * null for any other payload. A book or a price belongs to one asset: it is refused when no market
 * names the asset's outcome.
 */
export function venueBMessages(body: unknown): Recording | Context | null {
  const list = (Array.isArray(body) ? listOf(body) : [body]).map(wireOf)
  const [first = null] = list
  if (first === null) return null
  const type = textOf(first['event_type'])
  const recordingLayout = (
    layout: string,
    countEvent: Recording['counted'],
    rows: readonly RecordedRow[],
  ): Recording => ({
    layout,
    venue: 'venue_b',
    rank: 3,
    counted: countEvent,
    rows,
    assets: assetsIn(list),
  })
  if (isBook(first)) {
    return recordingLayout(
      'venue_b_books',
      'book_changed',
      list.map(
        (book) => (context, _catalogue, outcomeOf) =>
          namedBook(parseClobBooks(book, context, outcomeOf), book, outcomeOf),
      ),
    )
  }
  if (type === 'last_trade_price') {
    return recordingLayout(
      'venue_b_ws_trades',
      'trade_printed',
      list.map((wire) => (context, _catalogue, outcomeOf) => {
        const parseResult = new ParseResult()
        parseResult.add(parseLastTrade(parseResult, wire ?? {}, context, outcomeOf, new Map()))
        return parseResult.result()
      }),
    )
  }
  if (type === 'best_bid_ask' || type === 'price_change') {
    return recordingLayout('venue_b_ws_quotes', 'quote_changed', list.flatMap(quoteRows))
  }
  if (type === 'market_resolved') {
    const outcomes = list.map(resolutionOf)
    return {
      ...recordingLayout('venue_b_ws_resolutions', 'market_described', []),
      rank: 2,
      outcomes,
    }
  }
  if (type === 'tick_size_change') {
    return {
      layout: 'venue_b_without_history',
      venue: 'venue_b',
      rank: 4,
      contextKind: null,
      ids: [],
      titles: { events: [], series: [] },
      addTo: () => {},
    }
  }
  return null
}

/** A book of the NO outcome mirrors the YES book; a book of an unknown asset may be either. */
function namedBook(
  parsedMessage: ParsedEvents,
  book: Wire | null,
  outcomeOf: OutcomeOf,
): ParsedEvents {
  const ticker = canonicalTicker(textOf(book?.['market']) ?? '')
  const isNamed = outcomeOf(ticker, textOf(book?.['asset_id']) ?? '') !== null
  return isNamed || parsedMessage.events.length > 0
    ? parsedMessage
    : { ...parsedMessage, skipped: { 'book of an unknown outcome: import its market with it': 1 } }
}

/** One row per stated price; a message may state several, of both outcomes. */
function quoteRows(message: Wire | null): RecordedRow[] {
  const changes = listOf(message?.['price_changes']).map(wireOf)
  const messages = changes.length === 0 ? [message] : changes
  return messages.map((wire) => (context, _catalogue, outcomeOf) => {
    const parseResult = new ParseResult()
    const condition = textOf(message?.['market'])
    const at = epochOf(message?.['timestamp'], 'milliseconds')
    if (wire === null || condition === null || at === null)
      parseResult.skip('price without a market or a time')
    else if (wire['best_bid'] === undefined && wire['best_ask'] === undefined) {
      parseResult.skip('change of one level: no quote can be derived without its book')
    } else
      addQuote(parseResult, wire, canonicalTicker(condition), outcomeOf, (ticker) =>
        stampOf('venue_b', ticker, at, context),
      )
    return parseResult.result()
  })
}

function addQuote(
  parseResult: ParseResult,
  wire: Wire,
  ticker: string,
  outcomeOf: OutcomeOf,
  stampOfTicker: (ticker: string) => ReturnType<typeof stampOf>,
): void {
  const outcome = outcomeOf(ticker, textOf(wire['asset_id']) ?? '')
  if (outcome === null) {
    return void parseResult.skip('price of an unknown outcome: import its market with it')
  }
  const bid = restingPrice(scaledOf(wire['best_bid'], 4))
  const ask = restingPrice(scaledOf(wire['best_ask'], 4))
  const complement = (price: PriceE4 | null): PriceE4 | null =>
    price === null ? null : ((10_000 - price) as PriceE4)
  parseResult.add({
    type: 'quote_changed',
    ...stampOfTicker(ticker),
    bid: outcome === 0 ? bid : complement(ask),
    ask: outcome === 0 ? ask : complement(bid),
    bidSize: null,
    askSize: null,
  })
}

/** Null when the message does not state which of the two assets won. */
function resolutionOf(message: Wire | null): Outcome | null {
  const condition = textOf(message?.['market'])
  const at = epochOf(message?.['timestamp'], 'milliseconds')
  const index = listOf(message?.['assets_ids']).indexOf(message?.['winning_asset_id'])
  if (condition === null || at === null || index < 0) return null
  const { settlementPrice } = outcomeOfWinner(index)
  if (settlementPrice === null) return null
  return {
    venue: 'venue_b',
    ticker: canonicalTicker(condition),
    result: index === 0 ? 'yes' : 'no',
    settlementPrice,
    knownAt: (at + descriptorOf('venue_b').publicationDelay) as Millis,
  }
}

/** A market of the order book service converted to the catalogue's field names. */
export function gammaOfClob(wire: Wire): Wire {
  const tokens = listOf(wire['tokens']).map(wireOf)
  if (tokens.length === 0 || wire['outcomes'] !== undefined) return wire
  const winners = tokens.filter((token) => token?.['winner'] === true).length
  return {
    ...wire,
    outcomes: tokens.map((token) => token?.['outcome']),
    clobTokenIds: tokens.map((token) => token?.['token_id']),
    ...(winners === 1 && {
      outcomePrices: tokens.map((token) => (token?.['winner'] === true ? '1' : '0')),
    }),
    endDate: wire['end_date_iso'],
    slug: wire['market_slug'],
    orderPriceMinTickSize: wire['minimum_tick_size'],
    acceptingOrders: wire['accepting_orders'],
    acceptingOrdersTimestamp: wire['accepting_order_timestamp'],
  }
}
