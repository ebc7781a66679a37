import { rankMarkets } from '../text/market-ranking.ts'
import type { RankedMarket, SearchedMarket } from '../text/market-ranking.ts'
import type { TextIndex } from '../text/index-search.ts'
import type { Millis } from '../units.ts'
import { compare } from './differences.ts'
import type { Comparison, Difference } from './differences.ts'
import { termsOfPlace } from './places.ts'
import { readQuestion } from './question.ts'
import type { Question } from './question.ts'
import { plainText } from './reading.ts'
import type { MarketReading } from './reading.ts'

/** Number of ranked markets that are compared with the question. */
const CANDIDATES = 150
const COMPARED_PER_EVENT = 6
const PER_EVENT = 3
/** Markets above this share of the best score, and of each lower bound, are ordered by money. */
const EQUAL_SHARE = 0.8
/** Factor for each statement that a market adds to the question. */
const ADDITION_FACTOR = 0.85
/** Factor of a market in which a name of the question is only one of the outcomes. */
const OUTCOME_FACTOR = 0.9
/** Factor of a market with less than this many dollars traded in a day and held. */
const THIN_BELOW = 1_000
const THIN_FACTOR = 0.8
const NEAREST = 3

/** The fields of a candidate that the finder uses besides its text. */
export interface FinderMarket extends SearchedMarket {
  readonly openInterestUsd: number | null
}

/** A market that a question finds. */
export interface FoundMarket {
  readonly key: number
  /** 0 to 1; those of an event follow each other, so that it is at most that of the market before. */
  readonly score: number
  /** 0 to 1, of the market alone. */
  readonly match: number
  readonly matched: readonly string[]
}

/** A market that is near a question, with what differs. */
export interface NearMarket extends FoundMarket {
  readonly differences: readonly Difference[]
}

export interface MarketSearchResult {
  /** Markets that ask the question, by event and outcome, best first. */
  readonly markets: readonly FoundMarket[]
  /** When none asks it: the nearest, one of an event. */
  readonly nearest: readonly NearMarket[]
  /** Whether a market asks the question. */
  readonly matchesQuestion: (market: MarketReading) => boolean
}

/** The comparison of a market that is named by its ticker. */
const SAME: Comparison = {
  differences: [],
  coverage: 1,
  additions: 0,
  namesFound: 0,
  numberGap: 0,
  isOutcome: false,
}

interface Candidate {
  readonly ranked: RankedMarket
  readonly market: FinderMarket
  readonly comparison: Comparison
  readonly score: number
}

/**
 * Markets that ask a question: places, names, dates, numbers and negation agree. Events are ordered
 * by their best market, then by the money in them; within an event the best three outcomes.
 * @param readingOf reading of a candidate
 * @param options.asOf dates "tomorrow"
 */
export function findMarkets(
  index: TextIndex,
  query: string,
  marketOf: (key: number) => FinderMarket | null,
  readingOf: (key: number) => MarketReading,
  options: {
    readonly asOf: Millis
    readonly exact?: number | null
    readonly limit?: number
    readonly group?: number | null
  },
): MarketSearchResult {
  const { asOf, exact = null, limit = CANDIDATES, group = null } = options
  const question = readQuestion(query, asOf, index)
  const alternatives = alternativesIn(question)
  const ranking = rankMarkets(index, plainText(query), marketOf, {
    exact,
    limit: Math.max(limit, CANDIDATES),
    group,
    alternativesOf: (term) => alternatives.get(term) ?? [],
    perEvent: COMPARED_PER_EVENT,
    anyNumber: true,
  })
  const candidates = ranking.flatMap((rankedMarket): Candidate[] => {
    const market = marketOf(rankedMarket.key)
    if (market === null) return []
    if (rankedMarket.key === exact)
      return [{ ranked: rankedMarket, market, comparison: SAME, score: 1 }]
    const comparison = compare(question, readingOf(rankedMarket.key))
    const { coverage, additions, isOutcome } = comparison
    const factor =
      ADDITION_FACTOR ** additions *
      (isOutcome ? OUTCOME_FACTOR : 1) *
      (moneyIn(market) < THIN_BELOW ? THIN_FACTOR : 1)
    return [
      { ranked: rankedMarket, market, comparison, score: rankedMarket.score * coverage * factor },
    ]
  })
  const matches = candidates.filter(({ comparison }) => comparison.differences.length === 0)
  const markets = descending(byEvent(matches, PER_EVENT).slice(0, limit).map(toFoundMarket))
  return {
    markets,
    nearest: markets.length > 0 ? [] : nearestOf(candidates, hasNames(question)),
    matchesQuestion: (market) => compare(question, market).differences.length === 0,
  }
}

/** Other terms for each term of a question. */
function alternativesIn({ words, places }: Question): ReadonlyMap<string, Iterable<string>> {
  const alternatives = new Map<string, Iterable<string>>()
  for (const place of places) {
    const terms = termsOfPlace(place)
    for (const term of terms) alternatives.set(term, terms)
  }
  for (const { term, terms } of words) alternatives.set(term, terms)
  return alternatives
}

/** Candidates event by event, the best event first, at most `max` of each. */
function byEvent(candidates: readonly Candidate[], max: number): Candidate[] {
  const events = new Map<string, Candidate[]>()
  for (const candidate of [...candidates].sort(orderAmong(candidates))) {
    const existing = events.get(candidate.market.eventKey)
    if (existing === undefined) events.set(candidate.market.eventKey, [candidate])
    else if (existing.length < max) existing.push(candidate)
  }
  return [...events.values()].flat()
}

/** Similar scores are equal: then the money in the market decides, then the exact score. */
function orderAmong(candidates: readonly Candidate[]) {
  const best = candidates.reduce((max, { score }) => Math.max(max, score), 0)
  const bandOf = ({ score }: Candidate): number =>
    score > 0 ? Math.floor(Math.log(score / best) / Math.log(EQUAL_SHARE)) : Number.MAX_SAFE_INTEGER
  return (a: Candidate, b: Candidate): number =>
    bandOf(a) - bandOf(b) ||
    moneyIn(b.market) - moneyIn(a.market) ||
    b.score - a.score ||
    (a.market.ticker < b.market.ticker ? -1 : 1)
}

const moneyIn = ({ volume24hUsd, openInterestUsd }: FinderMarket): number =>
  (volume24hUsd ?? 0) + (openInterestUsd ?? 0)

const toFoundMarket = ({ ranked, score }: Candidate): FoundMarket => ({
  key: ranked.key,
  score,
  match: score,
  matched: ranked.matched,
})

/** Scores that never rise along the list, because an event's outcomes stay together. */
function descending(markets: readonly FoundMarket[]): FoundMarket[] {
  let min = 1
  return markets.map((market) => {
    min = Math.min(min, market.score)
    return { ...market, score: min }
  })
}

const hasNames = ({ places, words }: Question): boolean =>
  places.length > 0 || words.some(({ isName }) => isName)

/**
 * The nearest markets of different events: fewest differences first, then the nearest number. One
 * of the question's names has to occur, if it has any.
 */
function nearestOf(candidates: readonly Candidate[], needsName: boolean): NearMarket[] {
  const byScore = orderAmong(candidates)
  const nearCandidates = candidates.filter(
    ({ comparison }) => !needsName || comparison.namesFound > 0,
  )
  nearCandidates.sort(
    (a, b) =>
      a.comparison.differences.length - b.comparison.differences.length ||
      a.comparison.numberGap - b.comparison.numberGap ||
      byScore(a, b),
  )
  const events = new Map<string, Candidate>()
  for (const candidate of nearCandidates) {
    if (!events.has(candidate.market.eventKey)) events.set(candidate.market.eventKey, candidate)
  }
  return [...events.values()].slice(0, NEAREST).map((candidate) => ({
    ...toFoundMarket(candidate),
    differences: candidate.comparison.differences,
  }))
}
