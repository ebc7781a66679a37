import { tauDays } from '../domain/indicators.ts'
import type { LiquidityScore } from '../domain/liquidity.ts'
import type { BookLevel, MarketFacts, MarketStatus, OrderBook } from '../domain/market.ts'
import { centsOf, contractsOf } from '../domain/units.ts'
import type { Cents, Millis } from '../domain/units.ts'
import { isoOf } from '../lib/clock.ts'
import { isoOrNull, linksOf, rounded, sampleMark } from './market-ref.ts'
import type { MarketRow } from './market-schemas.ts'
import type { Urls } from './next-actions.ts'

/** A market with all that a row of a list says of it. */
interface Listed {
  readonly facts: MarketFacts
  readonly slug: string
  readonly topics: readonly string[]
  readonly status: MarketStatus
  readonly price: Cents | null
  readonly bestBid: Cents | null
  readonly bestAsk: Cents | null
  readonly spread: Cents | null
  readonly lastPrice: Cents | null
  readonly change24h: number | null
  readonly volume: number | null
  readonly volume24h: number | null
  readonly openInterest: number | null
  readonly liquidityScore: LiquidityScore
  readonly tau: number | null
  readonly updatedAt: Millis
}

/** A market as lists serve it. */
export function rowOf(view: Listed, urls: Urls): MarketRow {
  const { facts } = view
  return {
    ticker: facts.ticker,
    venue: facts.venue,
    title: facts.title,
    subtitle: facts.subtitle,
    slug: view.slug,
    eventId: facts.eventId,
    eventTitle: facts.eventTitle,
    seriesId: facts.seriesId,
    category: facts.category,
    topics: [...view.topics],
    status: view.status,
    // A void market pays its cost back: it has no result.
    result: facts.result === 'void' ? null : facts.result,
    price: rounded(view.price),
    bestBid: rounded(view.bestBid),
    bestAsk: rounded(view.bestAsk),
    spread: rounded(view.spread),
    lastPrice: rounded(view.lastPrice),
    change24h: rounded(view.change24h),
    volume: rounded(view.volume, 6),
    volume24h: rounded(view.volume24h, 6),
    volumeUnit: facts.volumeUnit,
    openInterest: rounded(view.openInterest, 6),
    liquidityScore: view.liquidityScore,
    openTime: isoOrNull(facts.openTime),
    closeTime: isoOrNull(facts.closeTime),
    tauDays: tauDays(view.tau),
    updatedAt: isoOf(view.updatedAt),
    ...linksOf(view, urls),
    ...sampleMark(facts),
  }
}

const SERVED_LEVELS = 5
const levelsOf = (levels: readonly BookLevel[]) =>
  levels
    .slice(0, SERVED_LEVELS)
    .map(({ price, size }) => ({ price: centsOf(price), size: contractsOf(size) }))

/** The best five levels a side: bids descending, asks ascending; empty where no book is known. */
export const depthOf = (book: OrderBook | null) => ({
  bidLevels: book === null ? [] : levelsOf(book.bids),
  askLevels: book === null ? [] : levelsOf(book.asks),
})
