import type { FoundHits, SearchedView } from '../../computed/board/market-board.ts'
import { noMatchText } from '../../domain/answers/nearest-topics.ts'
import { canonicalTicker } from '../../domain/market.ts'
import { roundTo } from '../../domain/units.ts'
import { volumeUsd } from '../../domain/liquidity/volume.ts'
import { isoOf } from '../../lib/clock.ts'
import { linksOf, roundOrNull } from '../../http/presenters/market-ref.ts'
import { nearQuestionOf, nearRowOf, rowOf } from '../../http/presenters/market-row.ts'
import { inspectActions, relatedLists } from './market-row.ts'
import { instantFor } from './markets.deps.ts'
import type { MarketsDeps } from './markets.deps.ts'
import { HIT_TYPES } from '../../contract/markets.ts'
import type { ScanAnswer, ScanQuery, SearchAnswer, SearchQuery } from '../../contract/markets.ts'

const atLeast = (value: number | null, min: number | null): boolean =>
  min === null || (value !== null && value >= min)

/** Whether a market passes the filters of a scan; an unknown quantity fails a filter on it. */
const scanFilter =
  (scanQuery: ScanQuery) =>
  ({ facts, price, volume, volume24hUsd }: SearchedView): boolean => {
    const { closeTime } = facts
    const { expires_before: before, expires_after: after, price_max: maxPrice } = scanQuery
    return (
      (scanQuery.venue === null || facts.venue === scanQuery.venue) &&
      (scanQuery.include_subcent || price === null || price >= 1) &&
      atLeast(price, scanQuery.price_min) &&
      (maxPrice === null || (price !== null && price <= maxPrice)) &&
      atLeast(volumeUsd(volume, facts.volumeUnit, price), scanQuery.vol_min) &&
      atLeast(volume24hUsd, scanQuery.vol24h_min) &&
      (before === null || (closeTime !== null && closeTime < before)) &&
      (after === null || (closeTime !== null && closeTime > after))
    )
  }

/** Search by words: the site search over all kinds, and the scan of active markets. */
export function createMarketSearch(deps: MarketsDeps) {
  const { board, urls } = deps
  /** Why no market is listed, and the markets nearest to the text. */
  const nearFields = (query: string, { nearest }: FoundHits) => ({
    note: noMatchText(query, nearest.map(nearQuestionOf)),
    nearest: nearest.map((nearHit) => nearRowOf(nearHit, urls)),
  })
  return {
    async search(searchQuery: SearchQuery): Promise<SearchAnswer> {
      const { asOf, at } = instantFor(deps, searchQuery.asOf)
      const types = new Set<string>(searchQuery.type ?? HIT_TYPES)
      const includesMarkets = types.has('market')
      const snapshot = await board.at(asOf)
      // A market whose name is exactly the query comes first, in any state.
      const exact = includesMarkets
        ? await board.market(canonicalTicker(searchQuery.q), asOf)
        : null
      const isExact = (id: string): boolean => id === `market:${exact?.facts.ticker ?? ''}`
      const searchHits = includesMarkets
        ? snapshot.find(searchQuery.q, null, searchQuery.limit)
        : null
      const others = searchHits?.hits ?? []
      const hits = [
        ...(exact === null ? [] : [{ view: exact, score: 1, matched: [searchQuery.q] }]),
        ...others.filter(({ view }) => view.facts.ticker !== exact?.facts.ticker),
      ]
      const namedHits = hits.map(({ view, score }) => ({
        id: `market:${view.facts.ticker}`,
        type: 'market' as const,
        title: view.facts.title,
        href: linksOf(view, urls).pageUrl,
        description: view.facts.subtitle ?? view.facts.eventTitle ?? '',
        badge: view.facts.category,
        meta: {
          ticker: view.facts.ticker,
          venue: view.facts.venue,
          price: roundOrNull(view.price),
          volume24h: roundOrNull(view.volume24h, 6),
        },
        score: roundTo(score, 4),
      }))
      const texts = (await deps.texts?.(searchQuery.q, at, types, searchQuery.limit)) ?? []
      const results = [
        ...namedHits,
        ...texts.map((textHit) => ({ ...textHit, meta: null, score: roundTo(textHit.score, 4) })),
      ]
        // An exact ticker comes first; with equal scores markets come before texts.
        .sort((a, b) => Number(isExact(b.id)) - Number(isExact(a.id)) || b.score - a.score)
        .slice(0, searchQuery.limit)
      const servedIds = new Set(results.map(({ id }) => id))
      const markets = hits
        .filter(({ view }) => servedIds.has(`market:${view.facts.ticker}`))
        .map(({ view }) => rowOf(view, urls))
      return {
        query: searchQuery.q,
        results,
        markets,
        count: results.length,
        ...(hits.length > 0 || searchHits === null ? {} : nearFields(searchQuery.q, searchHits)),
      }
    },

    async scan(scanQuery: ScanQuery): Promise<ScanAnswer> {
      const { asOf, at } = instantFor(deps, scanQuery.asOf)
      const snapshot = await board.at(asOf)
      const searchHits = snapshot.find(scanQuery.q, scanFilter(scanQuery), scanQuery.limit)
      const results = searchHits.hits.map(({ view, score, matched }) => ({
        ...rowOf(view, urls),
        score: roundTo(score, 4),
        matched: [...matched],
      }))
      return {
        query: scanQuery.q,
        results,
        count: results.length,
        ...(results.length > 0 ? {} : nearFields(scanQuery.q, searchHits)),
        generatedAt: isoOf(at),
        ...(scanQuery.nextActions
          ? { nextActions: { inspect: inspectActions(results), related: relatedLists(urls) } }
          : {}),
      }
    },
  }
}
export type MarketSearch = ReturnType<typeof createMarketSearch>
