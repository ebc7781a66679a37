import type { MarketRow, NearRow } from '../../contract/market.ts'
import type { NearQuestion } from '../../domain/answers/nearest-topics.ts'
import type { LiquidityScore } from '../../domain/liquidity/liquidity.ts'
import type { BookLevel, MarketFacts, MarketStatus, OrderBook } from '../../domain/market.ts'
import { tauDays } from '../../domain/prices/indicators.ts'
import { centsOf, contractsOf, roundTo } from '../../domain/units.ts'
import type { Cents, Millis } from '../../domain/units.ts'
import type { Urls } from '../next-actions.ts'
import { isoOrNull, linksOf, roundOrNull, sampleMark } from './market-ref.ts'
import { isoOf } from '../../lib/clock.ts'

/** A market with every field of a list row. */
interface ListedMarket {
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

/** Presents a market as a list row. */
export function rowOf(view: ListedMarket, urls: Urls): MarketRow {
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
    // A void market refunds its cost, so it has no result.
    result: facts.result === 'void' ? null : facts.result,
    price: roundOrNull(view.price),
    bestBid: roundOrNull(view.bestBid),
    bestAsk: roundOrNull(view.bestAsk),
    spread: roundOrNull(view.spread),
    lastPrice: roundOrNull(view.lastPrice),
    change24h: roundOrNull(view.change24h),
    volume: roundOrNull(view.volume, 6),
    volume24h: roundOrNull(view.volume24h, 6),
    volumeUnit: facts.volumeUnit,
    openInterest: roundOrNull(view.openInterest, 6),
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

/** The best five levels per side: bids descending, asks ascending; empty if no book is known. */
export const depthOf = (book: OrderBook | null) => ({
  bidLevels: book === null ? [] : levelsOf(book.bids),
  askLevels: book === null ? [] : levelsOf(book.asks),
})

interface Near {
  readonly view: ListedMarket
  readonly score: number
  readonly differences: readonly { readonly text: string }[]
}

const differsOf = ({ differences }: Near): string[] => differences.map(({ text }) => text)

/** Presents a market near a question in a sentence. */
export const nearQuestionOf = (nearHit: Near): NearQuestion => ({
  title: nearHit.view.facts.title,
  differs: differsOf(nearHit),
})

/** Presents a market near a question as a list row. */
export const nearRowOf = (nearHit: Near, urls: Urls): NearRow => ({
  ...rowOf(nearHit.view, urls),
  score: roundTo(nearHit.score, 4),
  differs: differsOf(nearHit),
})
