import type { MarketFacts, MarketResult, Venue } from '../domain/market.ts'
import type { Millis, PriceE4 } from '../domain/units.ts'
import type { MarketId } from './market-key.ts'

/** A market whose final answer was known at an instant: as it was listed, and as it ended. */
export interface Settlement {
  readonly market: MarketId
  /** From the first version of its facts; `firstSeenAt` is when that was known. */
  readonly listing: Pick<
    MarketFacts,
    | 'title'
    | 'eventId'
    | 'eventTitle'
    | 'seriesTitle'
    | 'category'
    | 'tags'
    | 'openTime'
    | 'closeTime'
  > & { readonly firstSeenAt: Millis }
  /** From the newest version. */
  readonly result: MarketResult
  readonly closeTime: Millis | null
  /** When it was first known to be settled. */
  readonly settledKnownAt: Millis
  /** When a result was first known, which may be before it was final. */
  readonly resultKnownAt: Millis
}

/** Instants of markets at which prices are asked for, one place a price. */
export interface PricesAsked {
  readonly markets: readonly MarketId[]
  readonly instants: readonly Millis[]
  /** Only rows known by then count, place by place. */
  readonly knownBy: readonly Millis[]
  /** How far back from its instant a price may lie. */
  readonly reach: Millis
  /** Trades stand as corrected by then. */
  readonly asOf: Millis
}

/** What a market's prices stood on at an instant; null where nothing was in reach. */
export interface PricesStanding {
  /** The newest trade that is no block trade, or close of a venue's bar where that is newer. */
  readonly last: { readonly price: PriceE4; readonly ts: Millis } | null
  readonly quote: {
    readonly bid: PriceE4 | null
    readonly ask: PriceE4 | null
    readonly ts: Millis
  } | null
}

/** What calibration reads, of all markets in one pass. */
export interface Settlements {
  /**
   * Markets that stand settled at `to` with a result, first known to be so after `from`, by id.
   * @param query.venue null for both
   */
  settlements(query: {
    readonly from: Millis
    readonly to: Millis
    readonly venue: Venue | null
  }): Promise<Settlement[]>
  /** In the order asked. */
  pricesStanding(asked: PricesAsked): Promise<PricesStanding[]>
}
