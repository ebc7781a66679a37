import type { MarketView } from '../../computed/market-board.ts'
import { isSample } from '../../domain/market.ts'
import type { BookLevel, MarketFacts, OrderBook } from '../../domain/market.ts'
import { tauDays } from '../../domain/indicators.ts'
import { centsOf, contractsOf, roundTo } from '../../domain/units.ts'
import type { Millis } from '../../domain/units.ts'
import { addressOf, get, inspectUrl, marketPageUrl, marketUrl } from '../../http/next-actions.ts'
import type { Action, Urls } from '../../http/next-actions.ts'
import { isoOf } from '../../lib/clock.ts'
import type { MarketRef, MarketRow } from './market.types.ts'

export const isoOrNull = (at: Millis | null): string | null => (at === null ? null : isoOf(at))
/** A number as it is served, rounded half away from zero. */
export const rounded = (value: number | null, places = 2): number | null =>
  value === null ? null : roundTo(value, places)

/** What rows of made-up markets say in addition. */
export const sampleMark = (facts: Pick<MarketFacts, 'tags'>): { sample?: true } =>
  isSample(facts) ? { sample: true } : {}

/** A market as lists serve it. */
export function rowOf(view: MarketView, urls: Urls): MarketRow {
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
    pageUrl: marketPageUrl(urls, view.slug),
    apiUrl: marketUrl(urls, facts.ticker),
    inspectUrl: inspectUrl(urls, facts.ticker),
    ...sampleMark(facts),
  }
}

export const refOf = (view: MarketView, urls: Urls): MarketRef => ({
  ticker: view.facts.ticker,
  venue: view.facts.venue,
  title: view.facts.title,
  price: rounded(view.price),
  url: inspectUrl(urls, view.facts.ticker),
})

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

const INSPECTED = 3
/** What to read next about the first rows of a list. */
export const inspectActions = (rows: readonly MarketRow[]): Action[] =>
  rows.slice(0, INSPECTED).map((row) => get(`Inspect ${row.title}`, row.inspectUrl))

/** Lists that belong beside any list of markets. */
export const relatedLists = (urls: Urls): Action[] => [
  get('Screen markets by yield and spread', addressOf(urls.baseUrl, '/api/public/screen')),
  get('Markets first seen in the last day', addressOf(urls.baseUrl, '/api/public/newmarkets')),
  get('What changed in the last hour', addressOf(urls.baseUrl, '/api/changes')),
]

/** Time of the newest data among rows, as an HTTP date. */
export function newestOf(views: readonly MarketView[]): Millis | null {
  let newest: Millis | null = null
  for (const { updatedAt } of views) if (newest === null || updatedAt > newest) newest = updatedAt
  return newest
}
