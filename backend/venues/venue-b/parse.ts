import { categoryOf } from '../../domain/topics/topics.ts'
import { canonicalTicker, type MarketFacts, type PriceRange } from '../../domain/market.ts'
import type { Millis, MoneyE6 } from '../../domain/units.ts'
import type { VenueEvent } from '../connector.ts'
import {
  embeddedListOf,
  idOf,
  listOf,
  pick,
  scaledOf,
  textOf,
  timeOf,
  wireOf,
  type Wire,
} from '../fields.ts'
import {
  describedEvent,
  ParseResult,
  priceInRange,
  restingPrice,
  stampOf,
  type ParseContext,
  type ParsedEvents,
} from '../parsed.ts'
import { categoryText, parseEventContext, parseTags, type EventContext } from './event-context.ts'
import { outcomeOf, statusOf } from './resolution.ts'

const CONDITION_ID = /^0x[0-9a-f]{62,64}$/i
/**
 * Placeholder labels of a set that may still get a name, such as "Person B" or "Team AM", with any
 * noun.
 */
const PLACEHOLDER_LABEL = /^\p{L}+ [A-Z]{1,2}$/u
const PLACEHOLDER =
  /\b(?:person|player|team|candidate|option|party|company|country|movie|artist|film|song) [A-Z]{1,2}\b/i

export type KnownEvent = (eventId: string) => EventContext | null

/** `GET /events` (bare array) and `GET /events/keyset`: facts, quote and counters of each market. */
export function parseGammaEventsPage(
  body: unknown,
  context: ParseContext,
  remember: (event: EventContext) => void = () => undefined,
): ParsedEvents {
  const parseResult = new ParseResult()
  for (const row of rowsOf(body, 'events')) {
    const event = parseEventContext(row)
    if (event === null) parseResult.skip('event without an id')
    else {
      remember(event)
      for (const market of listOf(wireOf(row)?.['markets'])) {
        parseMarketInto(parseResult, market, event, context)
      }
    }
  }
  return parseResult.result(textOf(wireOf(body)?.['next_cursor']))
}

/** `GET /markets` (bare array), `GET /markets/keyset`, `GET /markets/{id}`. */
export function parseGammaMarketsPage(
  body: unknown,
  context: ParseContext,
  knownEvent: KnownEvent = () => null,
): ParsedEvents {
  const parseResult = new ParseResult()
  for (const row of rowsOf(body, 'markets')) {
    const embeddedEvent = parseEventContext(listOf(wireOf(row)?.['events'])[0])
    const event =
      embeddedEvent === null ? null : (knownEvent(embeddedEvent.eventId) ?? embeddedEvent)
    parseMarketInto(parseResult, row, event, context)
  }
  return parseResult.result(textOf(wireOf(body)?.['next_cursor']))
}

function rowsOf(body: unknown, name: 'events' | 'markets'): readonly unknown[] {
  if (Array.isArray(body)) return body
  const page = wireOf(body)
  if (page === null) return []
  // An event page has no `question`, and a market no `markets`: a single object is its own row.
  const rows = page[name]
  return Array.isArray(rows) && page['id'] === undefined ? rows : [page]
}

function parseMarketInto(
  parseResult: ParseResult,
  value: unknown,
  event: EventContext | null,
  context: ParseContext,
): void {
  const wire = wireOf(value)
  if (wire === null) return void parseResult.skip('market is not an object')
  const facts = parseFacts(parseResult, wire, event)
  if (facts === null) return
  const isClosed = wire['closed'] === true
  const closedAt = isClosed ? timeOf(pick(wire, 'closedTime', 'closed_time')) : null
  const endTime = endTimeOf(wire)
  const announcedTimes = isClosed ? { closeTime: endTime, expirationTime: endTime } : null
  parseResult.add(describedEvent(facts, context, closedAt, announcedTimes))
  parseResult.add(parseActivity(wire, facts, event, context))
  if (facts.status !== 'settled') parseResult.add(parseQuote(parseResult, wire, facts, context))
}

/** Facts of one catalogue row or of a `new_market` message. */
export function parseFacts(
  parseResult: ParseResult,
  wire: Wire,
  event: EventContext | null,
): MarketFacts | null {
  const conditionId = textOf(pick(wire, 'conditionId', 'condition_id', 'market'))
  if (conditionId === null || !CONDITION_ID.test(conditionId)) {
    return parseResult.skip('market without a condition id')
  }
  const outcomes = embeddedListOf(wire['outcomes'])
  if (outcomes.length !== 2) return parseResult.skip('market without two outcomes')
  const question = textOf(wire['question'])
  if (question === null) return parseResult.skip('market without a question')
  const subtitle = textOf(pick(wire, 'groupItemTitle', 'group_item_title'))
  const label = subtitle ?? question
  const isUnnamed = PLACEHOLDER.test(label) || PLACEHOLDER_LABEL.test(label)
  if (wire['active'] === false && isUnnamed) {
    return parseResult.skip('placeholder outcome')
  }
  const ticker = canonicalTicker(conditionId)
  const eventTags = parseTags(wire['tags'])
  const tags = event === null || event.tags.length === 0 ? eventTags : event.tags
  const outcome = outcomeOf(wire)
  const endTime = endTimeOf(wire)
  const closedTime = timeOf(pick(wire, 'closedTime', 'closed_time'))
  return {
    venue: 'venue_b',
    ticker,
    title: question,
    subtitle,
    description: textOf(wire['description']) ?? '',
    rulesUrl: httpAddress(textOf(wire['resolutionSource'])),
    eventId: event?.eventId ?? ticker,
    eventTitle: event?.title ?? null,
    seriesId: event?.seriesId ?? null,
    seriesTitle: event?.seriesTitle ?? null,
    category: categoryOf(categoryText(tags, event?.category ?? textOf(wire['category']))),
    tags: tags.map((tag) => tag.slug),
    status: statusOf(wire, outcome),
    ...outcome,
    openTime:
      timeOf(pick(wire, 'acceptingOrdersTimestamp')) ??
      timeOf(pick(wire, 'startDate', 'start_date')),
    closeTime: wire['closed'] === true ? (closedTime ?? endTime) : endTime,
    expirationTime: timeOf(pick(wire, 'umaEndDate')) ?? endTime,
    exclusive: event?.exclusive ?? wire['negRisk'] === true,
    priceRanges: rangesOfTick(pick(wire, 'orderPriceMinTickSize', 'order_price_min_tick_size')),
    volumeUnit: 'usd',
    aliases: [idOf(wire['id']), textOf(wire['slug'])].filter((alias) => alias !== null),
    assetIds: assetIdsOf(wire),
  }
}

/** The announced end; `closedTime` and `umaEndDate` are known only once trading has ended. */
const endTimeOf = (wire: Wire): Millis | null => timeOf(pick(wire, 'endDate', 'end_date'))

/** Token ids of YES and NO; they exceed the range of numbers, so only text is accepted. */
function assetIdsOf(wire: Wire): readonly string[] {
  const ids = embeddedListOf(pick(wire, 'clobTokenIds', 'clob_token_ids', 'assets_ids')).map(textOf)
  const texts = ids.filter((id) => id !== null)
  return ids.length === 2 && texts.length === 2 ? texts : []
}

/** One tick size over the whole dollar; empty when the tick is unknown. */
export function rangesOfTick(value: unknown): readonly PriceRange[] {
  const step = priceInRange(scaledOf(value, 4))
  if (step === null || step === 0) return []
  return [{ start: 0, end: 10_000, step } as PriceRange]
}

const httpAddress = (text: string | null): string | null =>
  text !== null && /^https?:\/\/\S+$/i.test(text) ? text : null

const moneyOf = (value: unknown): MoneyE6 | null => {
  const money = scaledOf(value, 6)
  return money !== null && money >= 0 ? (money as MoneyE6) : null
}

function parseActivity(
  wire: Wire,
  facts: MarketFacts,
  event: EventContext | null,
  context: ParseContext,
): VenueEvent | null {
  const volume = moneyOf(pick(wire, 'volumeNum', 'volume'))
  const volume24h = moneyOf(pick(wire, 'volume24hr', 'volume_24hr'))
  // The venue states open interest per event; for an event with one market it is the market's own.
  const openInterest = event?.marketCount === 1 ? event.openInterest : null
  if (volume === null && volume24h === null && openInterest === null) return null
  const stamp = stampOf('venue_b', facts.ticker, null, context)
  const lastPrice = restingPrice(scaledOf(pick(wire, 'lastTradePrice', 'last_trade_price'), 4))
  return { type: 'activity_reported', ...stamp, volume, volume24h, openInterest, lastPrice }
}

/** The catalogue's quote of outcome 0; may lag the book by minutes. */
function parseQuote(
  parseResult: ParseResult,
  wire: Wire,
  facts: MarketFacts,
  context: ParseContext,
): VenueEvent | null {
  const statedBid = pick(wire, 'bestBid', 'best_bid')
  const statedAsk = pick(wire, 'bestAsk', 'best_ask')
  if (statedBid === null && statedAsk === null) return null
  const bid = restingPrice(scaledOf(statedBid, 4))
  const ask = restingPrice(scaledOf(statedAsk, 4))
  if (bid !== null && ask !== null && bid >= ask) return parseResult.skip('crossed quote')
  const stamp = stampOf('venue_b', facts.ticker, null, context)
  return { type: 'quote_changed', ...stamp, bid, bidSize: null, ask, askSize: null }
}
