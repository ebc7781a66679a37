import type { Cents, Millis, PriceE4, SizeE6, VolumeUnit } from './units.ts'
import type { Venue } from './venue.ts'

export { VENUES } from './venue.ts'
export type { Venue } from './venue.ts'
export type { VolumeUnit } from './units.ts'

/** A ticker in upper case, or a condition id in lower case (see `canonicalTicker`). */
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
export type Side = 'yes' | 'no'

/** Prices from `start` (inclusive) to `end` move in steps of `step`. */
export interface PriceRange {
  readonly start: PriceE4
  readonly end: PriceE4
  readonly step: PriceE4
}

/**
 * A venue's description of one market at one moment: a version of its catalogue entry.
 * Missing information is null, never an empty default; texts are as the venue wrote them.
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
  /** Payout of YES once known: 10,000, 0, or a value between for scalar markets. */
  readonly settlementPrice: PriceE4 | null
  readonly openTime: Millis | null
  readonly closeTime: Millis | null
  readonly expirationTime: Millis | null
  /** At most one market of the event resolves YES. */
  readonly exclusive: boolean
  /** Price steps, ascending; empty when unknown. */
  readonly priceRanges: readonly PriceRange[]
  readonly volumeUnit: VolumeUnit
  /** Other names a user may type: the venue's numeric id, its slug. */
  readonly aliases: readonly string[]
  /** Ids of the YES and NO assets on venues that have them. */
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

/** Best bid and ask; null for an empty or unknown side. */
export interface Quote {
  readonly bid: Cents | null
  readonly ask: Cents | null
}

/** Prefix of the tickers of parlays. */
const PARLAY = 'KXMVE'

/** Whether a market is a parlay of several legs. */
export const isParlay = (ticker: Ticker): boolean => ticker.startsWith(PARLAY)

const CONDITION_ID = /^(?:pm:)?(0x[0-9a-f]{62,64})$/i

/** Whether a ticker is a condition id, which is too long for a sentence. */
export const isConditionId = (ticker: string): boolean => CONDITION_ID.test(ticker)

/**
 * The canonical spelling of a ticker: condition ids in lower case (without a `pm:` prefix),
 * everything else in upper case. Does not check that such a market exists.
 */
export function canonicalTicker(text: string): Ticker {
  const conditionId = CONDITION_ID.exec(text)?.[1]
  return conditionId === undefined ? text.toUpperCase() : conditionId.toLowerCase()
}

/**
 * Tag of markets that the demo created; it is permanent, so that they are never mistaken for real
 * ones.
 */
export const SAMPLE_TAG = 'augury-sample'

/** Whether a market was created by the demo. */
export const isSample = (facts: Pick<MarketFacts, 'tags'>): boolean =>
  facts.tags.includes(SAMPLE_TAG)

/** The venue's own tags, for search and display. */
export const venueTags = (facts: Pick<MarketFacts, 'tags'>): readonly string[] =>
  facts.tags.filter((tag) => tag !== SAMPLE_TAG)
