import { categoryOf } from '../../domain/topics/topics.ts'
import {
  canonicalTicker,
  type MarketFacts,
  type MarketResult,
  type MarketStatus,
  type PriceRange,
} from '../../domain/market.ts'
import { announcedEndOf } from '../../domain/announced-end.ts'
import type { Millis, PriceE4 } from '../../domain/units.ts'
import type { AnnouncedEnd, VenueEvent } from '../connector.ts'
import { listOf, scaledOf, textOf, timeOf, wireOf, type Wire } from '../fields.ts'
import {
  describedEvent,
  ParseResult,
  priceInRange,
  restingPrice,
  stampOf,
  type ParseContext,
  type ParsedEvents,
} from '../parsed.ts'
import { legacyScaleOf, priceAt, sizeAt } from './amounts.ts'
import {
  emptyCatalogue,
  parseEventContext,
  titleOf,
  type Catalogue,
  type EventContext,
} from './catalogue.ts'
import type { WireMarket } from './wire.ts'

const STATUSES: ReadonlyMap<string, MarketStatus> = new Map(
  Object.entries({
    initialized: 'upcoming',
    unopened: 'upcoming',
    active: 'active',
    open: 'active',
    inactive: 'paused',
    paused: 'paused',
    closed: 'closed',
    determined: 'resolving',
    disputed: 'resolving',
    amended: 'resolving',
    finalized: 'settled',
    settled: 'settled',
  } satisfies Record<string, MarketStatus>),
)
const RESULTS: readonly MarketResult[] = ['yes', 'no', 'scalar', 'void']
const TICKER = /^[A-Z0-9][A-Z0-9._-]{0,119}$/i

/** `GET /markets` or `GET /markets/{ticker}`: facts, quote and counters of each market. */
export function parseMarketsPage(
  body: unknown,
  context: ParseContext,
  catalogue: Catalogue = emptyCatalogue,
): ParsedEvents {
  const parseResult = new ParseResult()
  const page = wireOf(body)
  if (page === null) parseResult.skip('no page')
  const rows = page?.['market'] === undefined ? listOf(page?.['markets']) : [page['market']]
  for (const row of rows) parseMarketInto(parseResult, row, null, context, catalogue)
  return parseResult.result(textOf(page?.['cursor']))
}

/**
 * `GET /events` with nested markets, `GET /events/{ticker}` (markets nested or beside the event),
 * or a bare array of events as collectors store it.
 */
export function parseEventsPage(
  body: unknown,
  context: ParseContext,
  catalogue: Catalogue = emptyCatalogue,
  remember: (event: EventContext) => EventContext = (event) => event,
): ParsedEvents {
  const parseResult = new ParseResult()
  for (const row of eventRows(body)) {
    const eventContext = parseEventContext(row)
    if (eventContext === null) parseResult.skip('event without a ticker')
    else {
      const event = remember(eventContext)
      for (const market of listOf(wireOf(row)?.['markets'])) {
        parseMarketInto(parseResult, market, event, context, catalogue)
      }
    }
  }
  return parseResult.result(textOf(wireOf(body)?.['cursor']))
}

function eventRows(body: unknown): readonly unknown[] {
  if (Array.isArray(body)) return body
  const page = wireOf(body)
  const single = wireOf(page?.['event'])
  if (single === null) return listOf(page?.['events'])
  return [{ ...single, markets: single['markets'] ?? page?.['markets'] }]
}

function parseMarketInto(
  parseResult: ParseResult,
  value: unknown,
  event: EventContext | null,
  context: ParseContext,
  catalogue: Catalogue,
): void {
  const wire = wireOf(value)
  if (wire === null) return void parseResult.skip('market is not an object')
  const facts = parseFacts(parseResult, wire, event, catalogue)
  if (facts === null) return
  const settledAt = facts.status === 'settled' ? timeOf((wire as WireMarket).settlement_ts) : null
  parseResult.add(describedEvent(facts, context, settledAt, announcedEnd(wire, facts)))
  parseResult.add(parseActivity(wire, facts, context))
  if (facts.status !== 'settled') parseResult.add(parseQuote(parseResult, wire, facts, context))
}

function parseFacts(
  parseResult: ParseResult,
  raw: Wire,
  parentEvent: EventContext | null,
  catalogue: Catalogue,
): MarketFacts | null {
  const wire = raw as WireMarket
  const ticker = textOf(wire.ticker)
  if (ticker === null || !TICKER.test(ticker)) return parseResult.skip('market without a ticker')
  if (isCombo(ticker) || textOf(wire.mve_collection_ticker) !== null)
    return parseResult.skip('combo market')
  const status = STATUSES.get(textOf(wire.status) ?? '')
  if (status === undefined) return parseResult.skip('unknown market status')
  const eventId = parentEvent?.eventId ?? textOf(wire.event_ticker) ?? ticker
  const event = parentEvent ?? catalogue.event(eventId)
  const seriesId = event?.seriesId ?? null
  const series = seriesId === null ? null : catalogue.series(seriesId)
  const label = textOf(wire.yes_sub_title)
  const rules = [textOf(wire.rules_primary), textOf(wire.rules_secondary)]
  const result = status === 'settled' || status === 'resolving' ? resultOf(wire.result) : null
  return {
    venue: 'venue_a',
    ticker: canonicalTicker(ticker),
    title: titleOf(event, label, textOf(wire.title), ticker),
    subtitle: label,
    description: rules.filter((rule) => rule !== null).join('\n'),
    rulesUrl: series?.rulesUrl ?? null,
    eventId,
    eventTitle: event?.title ?? null,
    seriesId,
    seriesTitle: series?.title ?? null,
    category: categoryOf(series?.category ?? event?.category ?? null),
    tags: series?.tags ?? [],
    status,
    result,
    settlementPrice: settlementOf(result, scaledOf(wire.settlement_value_dollars, 4)),
    openTime: timeOf(wire.open_time),
    closeTime: timeOf(wire.close_time),
    expirationTime: expirationsOf(wire)[0] ?? null,
    exclusive: event?.exclusive ?? false,
    priceRanges: parsePriceRanges(wire.price_ranges),
    volumeUnit: 'contracts',
    aliases: [],
    assetIds: [],
  }
}

/** Expected, latest and former expiration, as far as they are stated. */
const expirationsOf = (wire: WireMarket): readonly Millis[] =>
  [wire.expected_expiration_time, wire.latest_expiration_time, wire.expiration_time].flatMap(
    (time) => timeOf(time) ?? [],
  )

/** The end announced before a market closed; null for one that trades, or without a statement about early closes. */
function announcedEnd(wire: WireMarket, facts: MarketFacts): AnnouncedEnd | null {
  const { status, closeTime, expirationTime } = facts
  const isOver = status === 'closed' || status === 'resolving' || status === 'settled'
  if (!isOver || typeof wire.can_close_early !== 'boolean') return null
  if (!wire.can_close_early) return { closeTime, expirationTime }
  return announcedEndOf(facts, expirationsOf(wire))
}

/** Combos have tickers of their own kind and outnumber all other markets. */
export const isCombo = (ticker: string): boolean => ticker.toUpperCase().startsWith('KXMVE')

/** The venue's result; null until it has one. */
export const resultOf = (value: unknown): MarketResult | null =>
  RESULTS.find((result) => result === value) ?? null

/**
 * Payout of YES: the stated value, else the one implied by the result; a void market refunds the
 * cost.
 */
export function settlementOf(
  result: MarketResult | null,
  settlementValue: number | null,
): PriceE4 | null {
  if (result === null || result === 'void') return null
  const impliedPrice = result === 'yes' ? 10_000 : result === 'no' ? 0 : null
  return priceInRange(settlementValue) ?? priceInRange(impliedPrice)
}

/** The venue's price grid, ascending; invalid ranges are left out. */
export function parsePriceRanges(value: unknown): readonly PriceRange[] {
  return listOf(value)
    .map((row) => {
      const wire = wireOf(row)
      const start = priceInRange(scaledOf(wire?.['start'], 4))
      const end = priceInRange(scaledOf(wire?.['end'], 4))
      const step = priceInRange(scaledOf(wire?.['step'], 4))
      if (start === null || end === null || step === null || step === 0) return null
      return start < end ? { start, end, step } : null
    })
    .filter((range) => range !== null)
    .sort((a, b) => a.start - b.start)
}

function parseActivity(wire: Wire, facts: MarketFacts, context: ParseContext): VenueEvent | null {
  const volume = sizeAt(wire, 'volume')
  const volume24h = sizeAt(wire, 'volume_24h')
  const openInterest = sizeAt(wire, 'open_interest')
  if (volume === null && volume24h === null && openInterest === null) return null
  const stamp = stampOf('venue_a', facts.ticker, null, context)
  const lastPrice = restingPrice(priceAt(wire, 'last_price', legacyScaleOf(wire)))
  return { type: 'activity_reported', ...stamp, volume, volume24h, openInterest, lastPrice }
}

/** The quote inside a market object or a ticker message; null when it has no usable quote. */
export function parseQuote(
  parseResult: ParseResult,
  wire: Wire,
  facts: Pick<MarketFacts, 'ticker'>,
  context: ParseContext,
  at: VenueEvent['at'] | null = null,
): VenueEvent | null {
  const scale = legacyScaleOf(wire)
  const statedBid = priceAt(wire, 'yes_bid', scale)
  const statedAsk = priceAt(wire, 'yes_ask', scale)
  if (statedBid === null && statedAsk === null) return null
  const bid = restingPrice(statedBid)
  const ask = restingPrice(statedAsk)
  if (bid !== null && ask !== null && bid >= ask) return parseResult.skip('crossed quote')
  return {
    type: 'quote_changed',
    ...stampOf('venue_a', facts.ticker, at, context),
    bid,
    bidSize: bid === null ? null : sizeAt(wire, 'yes_bid_size'),
    ask,
    askSize: ask === null ? null : sizeAt(wire, 'yes_ask_size'),
  }
}
