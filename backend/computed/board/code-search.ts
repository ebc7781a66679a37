import { codeScore, isCode, seriesPart } from '../../domain/finder/codes.ts'
import type { FinderMarket } from '../../domain/finder/find-markets.ts'
import type { MarketId } from '../../history/market-key.ts'
import type { MarketRecord } from '../../history/market-rows.ts'
import type { FoundHit, MarketView, NearHit } from './market-board.ts'

const NEAREST = 3

type Candidates = (market: MarketId) => FinderMarket | null
type Views = (market: MarketId) => MarketView | null

/**
 * Markets that a ticker, an event or series code, or the beginning of one names, the most traded
 * first; none when the query is no code or names none.
 */
export function findByCode(
  query: string,
  records: Iterable<MarketRecord>,
  marketOf: Candidates,
  viewOf: Views,
  limit: number,
): FoundHit[] {
  const code = query.trim()
  if (!isCode(code)) return []
  const scoredMarkets = [...records].flatMap(({ market, facts }) => {
    const score = codeScore(facts, code)
    return score === 0 ? [] : [{ market, score }]
  })
  return servedHits(scoredMarkets, code, marketOf, viewOf, limit)
}

/** The nearest markets of the series of an unknown ticker. */
export function nearestOfSeries(
  query: string,
  records: Iterable<MarketRecord>,
  marketOf: Candidates,
  viewOf: Views,
): NearHit[] {
  const code = query.trim()
  const series = isCode(code) ? seriesPart(code) : null
  if (series === null) return []
  const family = [...records].flatMap(({ market, facts }) =>
    codeScore(facts, series) === 0 ? [] : [{ market, score: sharedStart(facts.ticker, code) }],
  )
  const text = `has another ticker than ${code.toUpperCase()}`
  return servedHits(family, series, marketOf, viewOf, NEAREST).map((hitEntry) => ({
    ...hitEntry,
    differences: [{ kind: 'code', text }],
  }))
}

function servedHits(
  scoredMarkets: readonly { readonly market: MarketId; readonly score: number }[],
  code: string,
  marketOf: Candidates,
  viewOf: Views,
  limit: number,
): FoundHit[] {
  return scoredMarkets
    .flatMap(({ market, score }) => {
      const candidate = marketOf(market)
      return candidate?.live === true
        ? [{ market, score, traded: candidate.volume24hUsd ?? 0 }]
        : []
    })
    .sort((a, b) => b.score - a.score || b.traded - a.traded)
    .slice(0, limit)
    .flatMap(({ market, score }) => {
      const view = viewOf(market)
      return view === null ? [] : [{ view, score, match: score, matched: [code.toLowerCase()] }]
    })
}

/** Share of a code that a ticker begins with, 0 to 1. */
function sharedStart(ticker: string, code: string): number {
  const prefix = code.toUpperCase()
  let sharedCount = 0
  while (sharedCount < prefix.length && ticker.toUpperCase()[sharedCount] === prefix[sharedCount])
    sharedCount += 1
  return sharedCount / prefix.length
}
