import { mostTraded } from '../../computed/board/most-traded.ts'
import { measuredRegime } from '../../domain/regime/label.ts'
import type { ContextSnapshot, MarketQuantities } from '../../computed/snapshot/context-snapshot.ts'
import { SortedViews } from '../../computed/snapshot/sorted-views.ts'
import { marketEdges } from '../../computed/market-edges.ts'
import { passes } from '../../computed/board/market-filter.ts'
import { memoizeByKey } from '../../computed/memoized-by-key.ts'
import { EVENT_TYPES, OBSERVABILITIES } from '../../domain/topics/event-type-rules.ts'
import { VENUES } from '../../domain/market.ts'
import { passesRegimeFilter, REGIME_SORT_KEYS, REGIME_SORTS } from '../../domain/regime/scan.ts'
import type { RegimeFilter, RegimeScanRow, RegimeSort } from '../../domain/regime/scan.ts'
import { REGIME_LABELS } from '../../domain/regime/label.ts'
import { regimeBreakdown } from '../../domain/regime/regime.ts'
import type { MarketRegime } from '../../domain/regime/regime.ts'
import type { Millis } from '../../domain/units.ts'
import {
  isFlag,
  isInstant,
  isNullOr,
  isNumber,
  isOneOf,
  isText,
  hasShape,
} from '../../http/request/cursor-shape.ts'
import { servedSignals } from '../../http/presenters/market-regime.ts'
import { rowOf } from '../../http/presenters/market-row.ts'
import { absoluteUrl, get } from '../../http/next-actions.ts'
import { decodeCursor } from '../../http/request/pagination.ts'
import { isoOf } from '../../lib/clock.ts'
import { inspectActions, relatedLists } from './market-row.ts'
import type { RegimeRow } from '../../contract/market.ts'
import { instantFor, rankingSnapshotFor, snapshotFor } from './markets.deps.ts'
import type { MarketsDeps } from './markets.deps.ts'
import { pageFrom } from './ranked-page.ts'
import { ORDERS } from './ranking.ts'
import type { RegimePage, RegimeScanQuery, RetiredHistory } from '../../contract/market-history.ts'

/** A market of the snapshot that has a regime. */
interface ScannedMarket extends RegimeScanRow {
  readonly quantities: MarketQuantities
  readonly regime: MarketRegime
}

/** Query of a page of a scan; its cursor carries it to the next page. */
type ScanSelection = Omit<RegimeScanQuery, 'cursor' | 'limit' | 'nextActions'> & {
  /** The snapshot that ranked the first page; every page uses its ranking. */
  readonly rankedAt: Millis
}

const isSelection = hasShape<ScanSelection>({
  label: isNullOr(isOneOf(REGIME_LABELS)),
  as_min: isNullOr(isNumber),
  as_max: isNullOr(isNumber),
  venue: isNullOr(isOneOf(VENUES)),
  event_type: isNullOr(isOneOf(EVENT_TYPES)),
  observability: isNullOr(isOneOf(OBSERVABILITIES)),
  has_edge: isNullOr(isFlag),
  category: isNullOr(isText),
  topic: isNullOr(isText),
  min_volume: isNullOr(isNumber),
  sort: isOneOf(REGIME_SORTS),
  order: isOneOf(ORDERS),
  asOf: isNullOr(isInstant),
  rankedAt: isInstant,
})

/** Markets of a snapshot with a regime, ranked once by each quantity. */
const rankings = memoizeByKey((snapshot: ContextSnapshot) => {
  const edges = marketEdges(snapshot)
  const rows = [...snapshot.markets.values()].flatMap((quantities): ScannedMarket[] => {
    const { view, regime, eventType, observability } = quantities
    if (regime === null) return []
    const { ticker, venue, category } = view.facts
    const sizes = (edges.get(ticker) ?? []).map(({ edge }) => Math.abs(edge))
    return [
      {
        quantities,
        regime,
        ticker,
        venue,
        category,
        topics: view.topics,
        ...measuredRegime(regime, regime.nTrades),
        eventType,
        observability,
        volume24hUsd: view.volume24hUsd,
        spread: regime.signals.spreadCents,
        bidDepthUsd: regime.signals.bidDepthUsd,
        askDepthUsd: regime.signals.askDepthUsd,
        edge: sizes.length === 0 ? null : Math.max(...sizes),
        tau: view.tau,
      },
    ]
  })
  return new SortedViews<ScannedMarket, RegimeSort>(rows, REGIME_SORT_KEYS)
})

/** Filter bounds in domain terms; names are matched by `passes`. */
const filterOf = (query: ScanSelection): RegimeFilter => ({
  ...(query.as_min === null ? {} : { minScore: query.as_min }),
  ...(query.as_max === null ? {} : { maxScore: query.as_max }),
  ...(query.event_type === null ? {} : { eventType: query.event_type }),
  ...(query.observability === null ? {} : { observability: query.observability }),
  ...(query.has_edge === null ? {} : { hasEdge: query.has_edge }),
  ...(query.min_volume === null ? {} : { minVolumeUsd: query.min_volume }),
})

/** Regime scan of markets (methodology A11 and part M). */
export function createRegimeService(deps: MarketsDeps) {
  const { board, urls } = deps

  /** Rows that pass in rank order, and counts by label before the label filter. */
  const findRows = (snapshot: ContextSnapshot, query: ScanSelection) => {
    const { sort, order, asOf: _asOf, rankedAt: _rankedAt, label, ...filters } = query
    const filter = filterOf(query)
    const isNamed = passes({ ...query, words: null })
    const keep = (row: ScannedMarket): boolean =>
      passesRegimeFilter(row, filter) && isNamed(row.quantities.view)
    const views = rankings(snapshot)
    const name = JSON.stringify(filters)
    const anyRanked = views.select(sort, order, name, keep)
    const byLabel = { maker: 0, taker: 0, neutral: 0, unknown: 0 }
    for (const { row } of anyRanked) byLabel[row.label] += 1
    const rankedMarkets =
      label === null
        ? anyRanked
        : views.select(sort, order, `${label} ${name}`, (row) => row.label === label && keep(row))
    return { ranked: rankedMarkets, byLabel }
  }

  return {
    async scan(scanQuery: RegimeScanQuery): Promise<RegimePage> {
      const { cursor: text, limit, nextActions, ...filters } = scanQuery
      const cursor = text === null ? null : decodeCursor(text, isSelection)
      const { asOf, at } = instantFor(deps, (cursor?.query ?? filters).asOf)
      const [boardView, newest] = await Promise.all([board.at(asOf), snapshotFor(deps, asOf)])
      const selection = cursor?.query ?? { ...filters, rankedAt: newest?.at ?? at }
      // The snapshot may have changed since the first page.
      const snapshot = await rankingSnapshotFor(deps, selection.rankedAt, newest, { at })
      const { ranked, byLabel } =
        snapshot === null
          ? { ranked: [], byLabel: { maker: 0, taker: 0, neutral: 0, unknown: 0 } }
          : findRows(snapshot, selection)
      const page = pageFrom(
        ranked,
        selection.order,
        cursor?.after ?? null,
        limit,
        ({ ticker, regime, score, label, quantities }): RegimeRow | null => {
          const view = boardView.get(ticker)
          if (view === null || view.status !== 'active') return null
          return {
            ...rowOf(view, urls),
            score,
            asScore: score,
            label,
            trendLabel: quantities.trendLabel,
            signals: servedSignals(regime.signals),
            breakdown: regimeBreakdown(regime),
            computedAt: isoOf(regime.computedAt),
          }
        },
      )
      const markets = [...page.rows]
      return {
        markets,
        count: markets.length,
        total: ranked.length,
        nextCursor: page.nextCursor(selection),
        hasMore: page.hasMore,
        byLabel,
        generatedAt: isoOf(at),
        ...(nextActions
          ? { nextActions: { inspect: inspectActions(markets), related: relatedLists(urls) } }
          : {}),
      }
    },

    /** Points to the replacements of the retired regime history. */
    retiredHistory(): RetiredHistory {
      const { baseUrl } = urls
      const ticker = mostTraded(board.live())?.facts.ticker ?? null
      return {
        error: 'Gone',
        code: 'GONE',
        replacements: [
          get('Markets by adverse selection', absoluteUrl(baseUrl, '/api/public/regime/scan')),
          get(
            'Hourly spread, depth and flow of one market',
            absoluteUrl(baseUrl, '/api/public/market-microstructure-history', { ticker }),
          ),
        ],
      }
    },
  }
}
export type RegimeService = ReturnType<typeof createRegimeService>
