import type { SearchedView, SearchHit } from '../../computed/market-board.ts'
import { canonicalTicker } from '../../domain/market.ts'
import { roundTo } from '../../domain/units.ts'
import { volumeUsd } from '../../domain/volume.ts'
import { isoOf } from '../../lib/clock.ts'
import { linksOf, rounded } from '../../http/market-ref.ts'
import { rowOf } from '../../http/market-row.ts'
import { inspectActions, relatedLists } from './market-row.ts'
import { instantFor } from './markets.deps.ts'
import type { MarketsDeps } from './markets.deps.ts'
import { HIT_TYPES } from './search.schema.ts'
import type { ScanAnswer, ScanQuery, SearchAnswer, SearchQuery } from './search.schema.ts'

const atLeast = (value: number | null, least: number | null): boolean =>
  least === null || (value !== null && value >= least)

/** Whether a market passes the filters of a scan; an unknown quantity passes no filter on it. */
const scanFilter =
  (asked: ScanQuery) =>
  ({ facts, price, volume, volume24hUsd }: SearchedView): boolean => {
    const { closeTime } = facts
    const { expires_before: before, expires_after: after, price_max: dearest } = asked
    return (
      (asked.venue === null || facts.venue === asked.venue) &&
      (asked.include_subcent || price === null || price >= 1) &&
      atLeast(price, asked.price_min) &&
      (dearest === null || (price !== null && price <= dearest)) &&
      atLeast(volumeUsd(volume, facts.volumeUnit, price), asked.vol_min) &&
      atLeast(volume24hUsd, asked.vol24h_min) &&
      (before === null || (closeTime !== null && closeTime < before)) &&
      (after === null || (closeTime !== null && closeTime > after))
    )
  }

/** Score descending, then dollars of the day, then ticker. */
const byScore = (a: SearchHit, b: SearchHit): number =>
  b.score - a.score ||
  (b.view.volume24hUsd ?? -1) - (a.view.volume24hUsd ?? -1) ||
  (a.view.facts.ticker < b.view.facts.ticker ? -1 : 1)

/** Search by words: the site search of mixed hits, and the scan of active markets. */
export function createMarketSearch(deps: MarketsDeps) {
  const { board, urls } = deps
  return {
    async search(asked: SearchQuery): Promise<SearchAnswer> {
      const { asOf, at } = instantFor(deps, asked.asOf)
      const types = new Set<string>(asked.type ?? HIT_TYPES)
      const wanted = types.has('market')
      const snapshot = await board.at(asOf)
      // The exact name of a market in any state goes first.
      const exact = wanted ? await board.market(canonicalTicker(asked.q), asOf) : null
      const isExact = (id: string): boolean => id === `market:${exact?.facts.ticker ?? ''}`
      const others = wanted ? snapshot.search(asked.q, null, asked.limit) : []
      const hits = [
        ...(exact === null ? [] : [{ view: exact, score: 1, matched: [asked.q] }]),
        ...others.filter(({ view }) => view.facts.ticker !== exact?.facts.ticker).sort(byScore),
      ]
      const named = hits.map(({ view, score }) => ({
        id: `market:${view.facts.ticker}`,
        type: 'market' as const,
        title: view.facts.title,
        href: linksOf(view, urls).pageUrl,
        description: view.facts.subtitle ?? view.facts.eventTitle ?? '',
        badge: view.facts.category,
        meta: {
          ticker: view.facts.ticker,
          venue: view.facts.venue,
          price: rounded(view.price),
          volume24h: rounded(view.volume24h, 6),
        },
        score: roundTo(score, 4),
      }))
      const texts = (await deps.texts?.(asked.q, at, types, asked.limit)) ?? []
      const results = [
        ...named,
        ...texts.map((hit) => ({ ...hit, meta: null, score: roundTo(hit.score, 4) })),
      ]
        // An exact ticker is first; equal scores keep markets before texts.
        .sort((a, b) => Number(isExact(b.id)) - Number(isExact(a.id)) || b.score - a.score)
        .slice(0, asked.limit)
      const served = new Set(results.map(({ id }) => id))
      const markets = hits
        .filter(({ view }) => served.has(`market:${view.facts.ticker}`))
        .map(({ view }) => rowOf(view, urls))
      return { query: asked.q, results, markets, count: results.length }
    },

    async scan(asked: ScanQuery): Promise<ScanAnswer> {
      const { asOf, at } = instantFor(deps, asked.asOf)
      const snapshot = await board.at(asOf)
      const hits = snapshot.search(asked.q, scanFilter(asked), asked.limit)
      const results = [...hits].sort(byScore).map(({ view, score, matched }) => ({
        ...rowOf(view, urls),
        score: roundTo(score, 4),
        matched: [...matched],
      }))
      return {
        query: asked.q,
        results,
        count: results.length,
        generatedAt: isoOf(at),
        ...(asked.nextActions
          ? { nextActions: { inspect: inspectActions(results), related: relatedLists(urls) } }
          : {}),
      }
    },
  }
}
export type MarketSearch = ReturnType<typeof createMarketSearch>
