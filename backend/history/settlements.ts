import type { MarketFacts, MarketResult, Venue } from '../domain/market.ts'
import type { Millis, PriceE4 } from '../domain/units.ts'
import type { MarketId } from './market-key.ts'

/** A market with a result known at an instant: its facts at listing and at the end. */
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

/** Instants of markets at which prices are requested, one entry per price. */
export interface PricesQuery {
  readonly markets: readonly MarketId[]
  readonly instants: readonly Millis[]
  /** Only rows known by then count, for each entry. */
  readonly knownBy: readonly Millis[]
  /** How far back from its instant a price may lie. */
  readonly reach: Millis
  /** Trades are as corrected by then. */
  readonly asOf: Millis
}

/** A market's prices at an instant; null when nothing was within the time limit. */
export interface MarketPrices {
  /** The newest non-block trade, or the close of a venue's bar when that is newer. */
  readonly last: { readonly price: PriceE4; readonly ts: Millis } | null
  readonly quote: {
    readonly bid: PriceE4 | null
    readonly ask: PriceE4 | null
    readonly ts: Millis
  } | null
}

/** Reads for calibration, of all markets in one pass. */
export interface Settlements {
  /**
   * Markets settled at `to` with a result, first known to be settled after `from`, by id.
   * @param query.venue null for all
   */
  settlements(query: {
    readonly from: Millis
    readonly to: Millis
    readonly venue: Venue | null
  }): Promise<Settlement[]>
  /** In request order. */
  pricesAt(pricesQuery: PricesQuery): Promise<MarketPrices[]>
}
