import type { MarketFacts, OrderBook } from '../domain/market.ts'
import type { Millis, MoneyE6, PriceE4, SizeE6 } from '../domain/units.ts'
import type { MarketId } from './market-key.ts'

/** A venue's later correction of a trade: other figures, or null when it was busted. */
export interface TradeCorrection {
  readonly market: MarketId
  readonly tradeId: string
  readonly knownAt: Millis
  readonly corrected: Omit<TradeRow, 'tradeId'> | null
}

/** A market with the version of its facts that was known at the requested instant. */
export interface MarketRecord {
  readonly market: MarketId
  readonly facts: MarketFacts
  /** When the first version was known. */
  readonly firstSeenAt: Millis
  /** When this version was known. */
  readonly knownAt: Millis
}

/** A stored book and its time. */
export interface StoredBook {
  readonly book: OrderBook
  readonly ts: Millis
}

/** Newest numbers of one market at an instant; null where none was known. */
export interface MarketNumbers {
  readonly market: MarketId
  /** Newest non-block trade. */
  readonly last: { readonly price: PriceE4; readonly ts: Millis } | null
  readonly quote: {
    readonly bid: PriceE4 | null
    readonly ask: PriceE4 | null
    readonly bidSize: SizeE6 | null
    readonly askSize: SizeE6 | null
    readonly ts: Millis
    /** When this quote was known. */
    readonly knownAt: Millis
  } | null
  readonly activity: {
    readonly volume: SizeE6 | MoneyE6 | null
    readonly volume24h: SizeE6 | MoneyE6 | null
    readonly openInterest: SizeE6 | MoneyE6 | null
    /** Price of the newest trade as the venue reported it then. */
    readonly lastPrice: PriceE4 | null
    readonly ts: Millis
  } | null
  /** Sum of the sizes in the best five levels per side of the newest book. */
  readonly depth: { readonly bid: SizeE6; readonly ask: SizeE6; readonly ts: Millis } | null
}

/** Origin of a bar: its trades, a bar of the venue, or the mids of recorded quotes. */
export type CandleSource = 'trades' | 'venue' | 'mids'

/** A returned bar; v is null for price-only history. Prices in 1e-4 dollars. */
export interface CandleRow {
  readonly start: Millis
  readonly open: PriceE4
  readonly high: PriceE4
  readonly low: PriceE4
  readonly close: PriceE4
  readonly volume: SizeE6 | null
  readonly source: CandleSource
  /** The bar overlaps a gap of its feed that was not repaired by then. */
  readonly crossesGap: boolean
}

export interface TradeRow {
  readonly tradeId: string
  readonly ts: Millis
  readonly price: PriceE4
  readonly size: SizeE6
  readonly takerSide: 'yes' | 'no' | null
  readonly isBlock: boolean
}

export interface QuoteRow {
  readonly ts: Millis
  readonly bid: PriceE4 | null
  readonly ask: PriceE4 | null
}

/** The quotes of one bar: the newest sides, and the midpoints of books up to ten cents wide. */
export interface QuoteBarRow {
  readonly start: Millis
  readonly bid: PriceE4 | null
  readonly ask: PriceE4 | null
  /** Null when no book of the bar was narrow enough, like the three below. */
  readonly open: PriceE4 | null
  readonly high: PriceE4 | null
  readonly low: PriceE4 | null
  readonly close: PriceE4 | null
}

/** The newest book of one bar, five levels per side. */
export interface BookBarRow {
  readonly start: Millis
  readonly book: OrderBook
}

/** One hour of methodology part M, microstructure history; null where nothing was known. */
export interface MicrostructureRow {
  readonly start: Millis
  readonly bid: PriceE4 | null
  readonly ask: PriceE4 | null
  /** Payout dollars in the best five levels, 1e-6. */
  readonly bidDepth: MoneyE6 | null
  readonly askDepth: MoneyE6 | null
  readonly trades: number
  /** Contracts bought by takers of YES, and of NO. */
  readonly buyVolume: SizeE6
  readonly sellVolume: SizeE6
}
