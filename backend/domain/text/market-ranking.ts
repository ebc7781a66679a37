import { LIQUIDITY_WEIGHTS } from '../liquidity/liquidity.ts'
import type { LiquidityScore } from '../liquidity/liquidity.ts'
import { venueTags } from '../market.ts'
import type { MarketFacts } from '../market.ts'
import { nthLargest } from '../statistics/nth-largest.ts'
import { namedNumbers, termsOf } from './terms.ts'
import type { NamedNumbers } from './terms.ts'
import type { TextDocument, TextHits, TextIndex } from './index-search.ts'
import { DAY } from '../units.ts'
import type { Millis } from '../units.ts'

/** Minimum share of the best text score for a result. */
const MIN_RELEVANCE = 0.15
const ENDED_FACTOR = 0.3
const CONFLICT_FACTOR = 0.2
const PER_EVENT = 3
/** Strikes within this relative distance are equal. */
const STRIKE_TOLERANCE = 0.005
/** "By the end of 2026" often closes in the first days of 2027. */
const YEAR_END_GRACE = 7 * DAY

/** The fields of a candidate that ranking uses besides its text. */
export interface SearchedMarket {
  readonly ticker: string
  /** Equal for the markets of one event, different across venues. */
  readonly eventKey: string
  readonly live: boolean
  readonly closeTime: Millis | null
  readonly volume24hUsd: number | null
  readonly liquidity: LiquidityScore
}

export interface RankedMarket {
  readonly key: number
  /** Final score, 0 to 1, not rounded. */
  readonly score: number
  /** Text relevance as a share of the best. */
  readonly relevance: number
  /** Words of the query that matched. */
  readonly matched: readonly string[]
}

/** The searchable texts of a market; the parts of its tickers count as tags. */
export const documentOf = (facts: MarketFacts): TextDocument => ({
  title: facts.title,
  subtitle: facts.subtitle ?? '',
  tags: [...venueTags(facts), facts.ticker, facts.seriesId ?? ''],
  eventTitle: facts.eventTitle ?? '',
  rules: facts.description,
})

/** Final score of a text match, methodology I1: .8 relevant, at the 90th volume percentile, high: .78. */
export const finalScore = (
  relevance: number,
  volumePercentile: number,
  liquidity: LiquidityScore,
): number => relevance * (0.6 + 0.25 * volumePercentile + 0.15 * LIQUIDITY_WEIGHTS[liquidity])

/**
 * Markets of an index that match a query, best first: text relevance, then daily dollars and
 * liquidity; ended markets and those about another year or strike rank far down; at most three of
 * an event; ties by ticker. Methodology I1.
 * @param marketOf fields of a candidate; null excludes it before anything is compared
 * @param options.exact the market whose ticker or condition id is the query, always first
 * @param options.group only documents of this group, see `TextIndex`
 * @param options.alternativesOf other terms for a term of the query, see `TextIndex`
 * @param options.perEvent maximum number of markets of an event
 * @param options.anyNumber years and strikes are not compared
 */
export function rankMarkets(
  index: TextIndex,
  query: string,
  marketOf: (key: number) => SearchedMarket | null,
  options: {
    readonly exact?: number | null
    readonly limit?: number
    readonly group?: number | null
    readonly alternativesOf?: (term: string) => Iterable<string>
    readonly perEvent?: number
    readonly anyNumber?: boolean
  } = {},
): RankedMarket[] {
  const { exact = null, limit = Infinity, group = null, perEvent = PER_EVENT } = options
  const hits = index.search(query, marketOf, MIN_RELEVANCE, group, options.alternativesOf)
  const queryNumbers = namedNumbers(termsOf(query).map(({ term }) => term))
  const conflictFactor = (hitIndex: number): number => {
    const [market, key] = [hits.items[hitIndex], hits.keys[hitIndex]]
    if (market === undefined || key === undefined) return 1
    return conflicts(queryNumbers, index.titleNumbers(key), market.closeTime) ? CONFLICT_FACTOR : 1
  }
  const scores = scoresWithoutConflicts(hits)
  let mayConflict =
    options.anyNumber !== true && queryNumbers.years.length + queryNumbers.strikes.length > 0
  // A conflict or a full event only lowers a score, so a result above every score left out is
  // final.
  for (let candidateCount = limit * 8; ;) {
    const all = candidateCount >= scores.length
    const minScore = all ? -1 : nthLargest(scores, candidateCount)
    const scoredMarkets: ScoredMarket[] = []
    for (let hitIndex = 0; hitIndex < scores.length; hitIndex++) {
      const [market, highest] = [hits.items[hitIndex], scores[hitIndex] ?? 0]
      if (highest < minScore || market === undefined) continue
      const score = mayConflict ? highest * conflictFactor(hitIndex) : highest
      const relevance = (hits.scores[hitIndex] ?? 0) / hits.best
      scoredMarkets.push({
        key: hits.keys[hitIndex] ?? -1,
        market,
        score,
        relevance,
        hit: hitIndex,
      })
    }
    const ranking = bestOfEachEvent(withExact(scoredMarkets, exact, marketOf), perEvent)
    const relevantMarkets = ranking.filter((market) => market.score >= minScore)
    if (all || relevantMarkets.length >= limit) {
      return bestOf(relevantMarkets, limit).map((market) => toRankedMarket(market, query, hits))
    }
    if (!mayConflict) candidateCount *= 4
    // Most markets are about other numbers, so the final scores are computed for all from here on.
    for (let hitIndex = 0; mayConflict && hitIndex < scores.length; hitIndex++) {
      scores[hitIndex] = (scores[hitIndex] ?? 0) * conflictFactor(hitIndex)
    }
    mayConflict = false
  }
}

/** The best ones in order. */
function bestOf(scoredMarkets: readonly ScoredMarket[], limit: number): ScoredMarket[] {
  if (limit < 1) return []
  const min =
    limit < scoredMarkets.length
      ? nthLargest(
          Float64Array.from(scoredMarkets, ({ score }) => score),
          limit,
        )
      : -1
  const best = scoredMarkets.filter(({ score }) => score >= min)
  return best.sort(byRank).slice(0, limit)
}

/** Final scores before conflicts, row by row; a plain loop, because there are many hits. */
function scoresWithoutConflicts(hits: TextHits<SearchedMarket>): Float64Array {
  const volumes = new Float64Array(hits.items.length)
  for (let hitIndex = 0; hitIndex < volumes.length; hitIndex++)
    volumes[hitIndex] = hits.items[hitIndex]?.volume24hUsd ?? 0
  const sortedVolumes = volumes.slice().sort()
  const scores = new Float64Array(volumes.length)
  for (let hitIndex = 0; hitIndex < scores.length; hitIndex++) {
    const market = hits.items[hitIndex]
    if (market === undefined) continue
    const percentile = notAbove(sortedVolumes, volumes[hitIndex] ?? 0) / sortedVolumes.length
    const relevance = (hits.scores[hitIndex] ?? 0) / hits.best
    const score = finalScore(relevance, percentile, market.liquidity)
    scores[hitIndex] = market.live ? score : score * ENDED_FACTOR
  }
  return scores
}

interface ScoredMarket {
  readonly key: number
  readonly market: SearchedMarket
  readonly score: number
  readonly relevance: number
  /** Row of the text hits; null for a market named by its ticker. */
  readonly hit: number | null
}

const toRankedMarket = (
  { key, score, relevance, hit }: ScoredMarket,
  query: string,
  hits: TextHits<SearchedMarket>,
) => ({
  key,
  score,
  relevance,
  matched: hit === null ? [query.trim().toLowerCase()] : hits.matchedBy(hit),
})

const byRank = (a: ScoredMarket, b: ScoredMarket): number =>
  b.score - a.score || (a.market.ticker < b.market.ticker ? -1 : 1)

/** Adds the named market with the full score, whether or not its text matched. */
function withExact(
  scoredMarkets: readonly ScoredMarket[],
  exact: number | null,
  marketOf: (key: number) => SearchedMarket | null,
): readonly ScoredMarket[] {
  const market = exact === null ? null : marketOf(exact)
  if (exact === null || market === null) return scoredMarkets
  const exactMatch = { key: exact, market, score: 1, relevance: 1, hit: null }
  return [exactMatch, ...scoredMarkets.filter((other) => other.key !== exact)]
}

/** The best markets of each event, in one pass without sorting all. */
function bestOfEachEvent(scoredMarkets: readonly ScoredMarket[], max: number): ScoredMarket[] {
  const events = new Map<string, ScoredMarket[]>()
  for (const candidate of scoredMarkets) {
    const existing = events.get(candidate.market.eventKey)
    if (existing === undefined) {
      events.set(candidate.market.eventKey, [candidate])
      continue
    }
    const insertAt = existing.findIndex((other) => byRank(candidate, other) < 0)
    existing.splice(insertAt < 0 ? existing.length : insertAt, 0, candidate)
    if (existing.length > max) existing.pop()
  }
  return [...events.values()].flat()
}

/** Number of ascending values that are not above a value. */
function notAbove(sortedValues: Float64Array, value: number): number {
  let low = 0
  let high = sortedValues.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sortedValues[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low
}

/** Whether the query names a year or a strike and the market is about a different one. */
function conflicts(
  queryNumbers: NamedNumbers,
  marketNumbers: NamedNumbers,
  closeTime: Millis | null,
): boolean {
  const years = marketNumbers.years.length > 0 ? marketNumbers.years : closeYears(closeTime)
  const otherYear =
    queryNumbers.years.length > 0 &&
    years.length > 0 &&
    !queryNumbers.years.some((year) => years.includes(year))
  const otherStrike =
    queryNumbers.strikes.length > 0 &&
    marketNumbers.strikes.length > 0 &&
    !queryNumbers.strikes.some((strike) =>
      marketNumbers.strikes.some((other) => sameStrike(strike, other)),
    )
  return otherYear || otherStrike
}

const sameStrike = (a: number, b: number): boolean =>
  Math.abs(a - b) <= STRIKE_TOLERANCE * Math.max(Math.abs(a), Math.abs(b))

const closeYears = (closeTime: Millis | null): readonly number[] =>
  closeTime === null
    ? []
    : [closeTime, closeTime - YEAR_END_GRACE].map((at) => new Date(at).getUTCFullYear())
