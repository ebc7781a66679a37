import type { Cents, Millis, PriceE4, SizeE6 } from './units.ts'

export type Venue = 'venue_a' | 'venue_b'
export const VENUES: readonly Venue[] = ['venue_a', 'venue_b']

/** A venue_a ticker in upper case, or a venue_b condition id in lower case (see `canonicalTicker`). */
export type Ticker = string

export type MarketStatus = 'upcoming' | 'active' | 'paused' | 'closed' | 'resolving' | 'settled'
export const MARKET_STATUSES: readonly MarketStatus[] = [
  'upcoming',
  'active',
  'paused',
  'closed',
  'resolving',
  'settled',
]
/** How a market ended; `void` returns cost and is served as null. */
export type MarketResult = 'yes' | 'no' | 'scalar' | 'void'
export type VolumeUnit = 'contracts' | 'usd'
export type Side = 'yes' | 'no'

/** Prices from `start` (inclusive) to `end` move in steps of `step`. */
export interface PriceRange {
  readonly start: PriceE4
  readonly end: PriceE4
  readonly step: PriceE4
}

/**
 * What a venue says of one market at one moment: a version of its catalogue entry.
 * Absent information is null, never an empty guess; texts are as the venue wrote them.
 */
export interface MarketFacts {
  readonly venue: Venue
  readonly ticker: Ticker
  readonly title: string
  readonly subtitle: string | null
  /** Rules text. */
  readonly description: string
  readonly rulesUrl: string | null
  readonly eventId: string
  readonly eventTitle: string | null
  readonly seriesId: string | null
  readonly seriesTitle: string | null
  /** Normalised by `categoryOf`. */
  readonly category: string
  /** Venue tags, in the venue's order. */
  readonly tags: readonly string[]
  readonly status: MarketStatus
  readonly result: MarketResult | null
  /** What YES pays once known: 10,000, 0, or a value between for scalar markets. */
  readonly settlementPrice: PriceE4 | null
  readonly openTime: Millis | null
  readonly closeTime: Millis | null
  readonly expirationTime: Millis | null
  /** At most one market of the event can end YES. */
  readonly exclusive: boolean
  /** Price grid, ascending; empty when unknown. */
  readonly priceRanges: readonly PriceRange[]
  readonly volumeUnit: VolumeUnit
  /** Other names a user may type: the venue's numeric id, its slug. */
  readonly aliases: readonly string[]
  /** Ids of the YES and NO assets where the venue has such (venue_b token ids). */
  readonly assetIds: readonly string[]
}

/** One price level of a book on the YES scale. */
export interface BookLevel {
  readonly price: PriceE4
  readonly size: SizeE6
}

/** A book on the YES scale: bids descending, asks ascending. */
export interface OrderBook {
  readonly bids: readonly BookLevel[]
  readonly asks: readonly BookLevel[]
}

/** Best bid and ask; null where a side is empty or unknown. */
export interface Quote {
  readonly bid: Cents | null
  readonly ask: Cents | null
}

/** Parlays of venue_a carry it at the front of their tickers. */
const PARLAY = 'KXMVE'

/** Whether a market is a parlay of several legs. */
export const isParlay = (ticker: Ticker): boolean => ticker.startsWith(PARLAY)

const CONDITION_ID = /^(?:pm:)?(0x[0-9a-f]{62,64})$/i

/**
 * The one spelling of a ticker: condition ids lower case (a `pm:` prefix is dropped), everything
 * else upper case. Does not say whether such a market exists.
 */
export function canonicalTicker(text: string): Ticker {
  const conditionId = CONDITION_ID.exec(text)?.[1]
  return conditionId === undefined ? text.toUpperCase() : conditionId.toLowerCase()
}

/** Tag of markets that the demo made up; it stays with them, so they are never taken for real. */
export const SAMPLE_TAG = 'augury-sample'

/** Whether a market was made up by the demo. */
export const isSample = (facts: Pick<MarketFacts, 'tags'>): boolean =>
  facts.tags.includes(SAMPLE_TAG)

/** The venue's own tags: what may be searched and shown. */
export const venueTags = (facts: Pick<MarketFacts, 'tags'>): readonly string[] =>
  facts.tags.filter((tag) => tag !== SAMPLE_TAG)
