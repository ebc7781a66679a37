import type { BoardView, MarketView, SearchHit } from '../../computed/board/market-board.ts'
import { heatOf, percentilesOf } from '../../domain/trend/heat.ts'
import type { MarketStatus } from '../../domain/market.ts'
import { containsAll, haystackOf, termsOfFilter } from '../../domain/text/word-filter.ts'
import { termsOf } from '../../domain/text/terms.ts'
import { DAY, roundTo, type Millis } from '../../domain/units.ts'
import { requireReady, findView, type DataServiceDeps } from './data-service.deps.ts'
import type {
  FeaturedPage,
  FeaturedQuery,
  Heartbeat,
  MarketsPage,
  MarketsQuery,
  SearchAnswer,
  SearchQuery,
  Snapshot,
  SnapshotQuery,
  V1MarketDetail,
} from '../../contract/data-service.ts'
import { chanceOf, secondsOf, v1DetailOf, v1MarketOf } from './v1-shapes.ts'

const ACTIVE: ReadonlySet<MarketStatus> = new Set(['active'])

const byTicker = (a: MarketView, b: MarketView): number =>
  a.facts.ticker < b.facts.ticker ? -1 : a.facts.ticker > b.facts.ticker ? 1 : 0

/**
 * By dollar volume of the day descending, which compares across venues; unknown last, then by
 * ticker.
 */
const byVolume = (a: MarketView, b: MarketView): number =>
  (b.volume24hUsd ?? -1) - (a.volume24hUsd ?? -1) || byTicker(a, b)

/** Whether a hit contains every word of a query, or is the market the query names. */
const containsAllTerms = (query: string): ((searchHit: SearchHit) => boolean) => {
  const words = termsOf(query).map(({ word }) => word)
  const normalizedQuery = query.trim().toLowerCase()
  return ({ matched }) =>
    matched.includes(normalizedQuery) || words.every((word) => matched.includes(word))
}

/** Lists of active markets: all, featured, search, and quotes. */
export function createDataLists(deps: DataServiceDeps) {
  const { board, reference, clock, wsClients } = deps
  const startedAt = clock.monotonic()

  const current = (): Promise<BoardView> => {
    requireReady(deps)
    return board.at(null)
  }
  const activeOf = (snapshot: BoardView, venue: MarketsQuery['venue']): MarketView[] =>
    snapshot.list(ACTIVE).filter(({ facts }) => venue === null || facts.venue === venue)

  return {
    /** Also answers before the first load has finished, with the data available. */
    async heartbeat(): Promise<Heartbeat> {
      const now = clock.now()
      const active = board.ready ? (await board.at(null)).list(ACTIVE) : []
      const [top] = active.filter(({ volume24hUsd }) => volume24hUsd !== null).sort(byVolume)
      return {
        generated_at: secondsOf(now),
        markets_tracked: active.length,
        top_volume_market: top?.facts.ticker ?? null,
        uptime_s: Math.floor((clock.monotonic() - startedAt) / 1_000),
        ws_clients: wsClients(),
      }
    },

    /** Active markets by dollar volume of the day, descending. @throws NotReady */
    async markets(marketsQuery: MarketsQuery): Promise<MarketsPage> {
      const snapshot = await current()
      const terms = termsOfFilter(marketsQuery.q ?? '')
      const activeViews = activeOf(snapshot, marketsQuery.venue)
        .filter(({ facts }) => terms.length === 0 || containsAll(haystackOf(facts), terms))
        .sort(byVolume)
      const page = activeViews.slice(marketsQuery.offset, marketsQuery.offset + marketsQuery.limit)
      return {
        markets: page.map(v1MarketOf),
        count: page.length,
        total: activeViews.length,
        generated_at: secondsOf(snapshot.asOf),
      }
    },

    /**
     * Active markets with the highest heat. Heat uses change and volume; the volume surprise is
     * unknown until daily volumes are stored, and adds nothing.
     * @throws NotReady
     */
    async featuredMarkets({ n }: FeaturedQuery): Promise<FeaturedPage> {
      const snapshot = await current()
      const then = await reference.pricesAt((snapshot.asOf - DAY) as Millis)
      const active = activeOf(snapshot, null)
      const percentiles = percentilesOf(active.map(({ volume24hUsd }) => volume24hUsd))
      const hot = active.map((view, index) => {
        const previous = then.get(view.market)?.mark ?? null
        const change24h = view.mark === null || previous === null ? null : view.mark - previous
        const volumePercentile = percentiles[index] ?? null
        return { view, heat: heatOf({ volumeRatio: null, change24h, volumePercentile }) }
      })
      hot.sort((a, b) => b.heat - a.heat || byTicker(a.view, b.view))
      const page = hot.slice(0, n)
      return {
        markets: page.map(({ view, heat }) => ({ ...v1MarketOf(view), heat })),
        count: page.length,
        total: hot.length,
        generated_at: secondsOf(snapshot.asOf),
      }
    },

    /** One market in any state. @throws NotReady, NotFound */
    async market(name: string): Promise<V1MarketDetail> {
      return v1DetailOf(await findView(deps, name), clock.now())
    },

    /** Markets that match a query, best first. @throws NotReady */
    async search(searchQuery: SearchQuery): Promise<SearchAnswer> {
      const snapshot = await current()
      const { q, venue, strict, limit } = searchQuery
      const hits = strict
        ? snapshot.search(q, venue, Infinity).filter(containsAllTerms(q)).slice(0, limit)
        : snapshot.search(q, venue, limit)
      const results = hits.map(({ view, score }) => ({ view, score: roundTo(score, 4) }))
      results.sort((a, b) => b.score - a.score || byTicker(a.view, b.view))
      return {
        query: q,
        results: results.map(({ view, score }) => ({
          ticker: view.facts.ticker,
          venue: view.facts.venue,
          title: view.facts.title,
          subtitle: view.facts.subtitle,
          outcome: view.facts.exclusive ? view.facts.subtitle : null,
          lastPrice: chanceOf(view.lastPrice),
          volume24h: v1MarketOf(view).volume24h,
          score,
        })),
      }
    },

    /**
     * Quotes of active markets by ticker; markets without a quote are left out. @throws NotReady
     */
    async snapshot(snapshotQuery: SnapshotQuery): Promise<Snapshot> {
      const snapshot = await current()
      const quotedMarkets = activeOf(snapshot, snapshotQuery.venue)
        .filter(({ bestBid, bestAsk }) => bestBid !== null || bestAsk !== null)
        .sort(byTicker)
      return {
        generated_at: secondsOf(snapshot.asOf),
        count: quotedMarkets.length,
        markets: quotedMarkets.map((view) => {
          const { ticker, venue, lastPrice, bestBid, bestAsk, volume24h } = v1MarketOf(view)
          return { ticker, venue, last: lastPrice, bid: bestBid, ask: bestAsk, vol24h: volume24h }
        }),
      }
    },
  }
}
