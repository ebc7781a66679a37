import type { Grid, GridMarket } from '../../computed/grid/grid.ts'
import { SortedViews } from '../../computed/grid/sorted-views.ts'
import { marketEdges } from '../../computed/market-edges.ts'
import { passes } from '../../computed/market-filter.ts'
import { oncePer } from '../../computed/once-per.ts'
import { gridAt } from '../../domain/change-rows.ts'
import { EVENT_TYPES, OBSERVABILITIES } from '../../domain/event-type-rules.ts'
import { VENUES } from '../../domain/market.ts'
import { passesRegimeFilter, REGIME_SORT_KEYS, REGIME_SORTS } from '../../domain/regime-scan.ts'
import type { RegimeFilter, RegimeScanRow, RegimeSort } from '../../domain/regime-scan.ts'
import { REGIME_LABELS } from '../../domain/regime-label.ts'
import { regimeBreakdown } from '../../domain/regime.ts'
import type { MarketRegime } from '../../domain/regime.ts'
import type { Millis } from '../../domain/units.ts'
import {
  isFlag,
  isInstant,
  isNullOr,
  isNumber,
  isOneOf,
  isText,
  shaped,
} from '../../http/cursor-shape.ts'
import { servedSignals } from '../../http/market-regime.ts'
import { rowOf } from '../../http/market-row.ts'
import { addressOf, get } from '../../http/next-actions.ts'
import { decodeCursor } from '../../http/pagination.ts'
import { isoOf } from '../../lib/clock.ts'
import { inspectActions, relatedLists } from './market-row.ts'
import type { RegimeRow } from './market.types.ts'
import { gridFor, instantFor } from './markets.deps.ts'
import type { MarketsDeps } from './markets.deps.ts'
import { pageFrom } from './ranked-page.ts'
import { ORDERS } from './ranking.ts'
import type { RegimePage, RegimeScanQuery, RetiredHistory } from './regime.schema.ts'

/** A market of the grid that has a regime. */
interface ScannedMarket extends RegimeScanRow {
  readonly known: GridMarket
  readonly regime: MarketRegime
}

/** What a page of a scan was asked for; a cursor carries it to the next page. */
type ScanSelection = Omit<RegimeScanQuery, 'cursor' | 'limit' | 'nextActions'> & {
  /** The grid that ranked the first page: every page is cut from its ranking. */
  readonly rankedAt: Millis
}

const isSelection = shaped<ScanSelection>({
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

/** Markets of a grid with a regime, ranked by each quantity once. */
const rankings = oncePer((grid: Grid) => {
  const edges = marketEdges(grid)
  const rows = [...grid.markets.values()].flatMap((known): ScannedMarket[] => {
    const { view, regime, eventType, observability } = known
    if (regime === null) return []
    const { ticker, venue, category } = view.facts
    const sizes = (edges.get(ticker) ?? []).map(({ edge }) => Math.abs(edge))
    return [
      {
        known,
        regime,
        ticker,
        venue,
        category,
        topics: view.topics,
        label: regime.label,
        score: regime.score,
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

/** Bounds of the query in the words of the domain; names are matched by `passes`. */
const filterOf = (asked: ScanSelection): RegimeFilter => ({
  ...(asked.as_min === null ? {} : { leastScore: asked.as_min }),
  ...(asked.as_max === null ? {} : { mostScore: asked.as_max }),
  ...(asked.event_type === null ? {} : { eventType: asked.event_type }),
  ...(asked.observability === null ? {} : { observability: asked.observability }),
  ...(asked.has_edge === null ? {} : { hasEdge: asked.has_edge }),
  ...(asked.min_volume === null ? {} : { leastVolumeUsd: asked.min_volume }),
})

/** Markets by who is paid by crossing (methodology A11 and part M). */
export function createRegimeReads(deps: MarketsDeps) {
  const { board, urls } = deps

  /** Rows that pass, in rank order, and how many there are of each label before the label's filter. */
  const found = (grid: Grid, asked: ScanSelection) => {
    const { sort, order, asOf: _asOf, rankedAt: _rankedAt, label, ...named } = asked
    const filter = filterOf(asked)
    const isNamed = passes({ ...asked, words: null })
    const keep = (row: ScannedMarket): boolean =>
      passesRegimeFilter(row, filter) && isNamed(row.known.view)
    const views = rankings(grid)
    const name = JSON.stringify(named)
    const withAny = views.select(sort, order, name, keep)
    const byLabel = { maker: 0, taker: 0, neutral: 0 }
    for (const { row } of withAny) byLabel[row.label] += 1
    const ranked =
      label === null
        ? withAny
        : views.select(sort, order, `${label} ${name}`, (row) => row.label === label && keep(row))
    return { ranked, byLabel }
  }

  return {
    async scan(sent: RegimeScanQuery): Promise<RegimePage> {
      const { cursor: text, limit, nextActions, ...filters } = sent
      const cursor = text === null ? null : decodeCursor(text, isSelection)
      const { asOf, at } = instantFor(deps, (cursor?.query ?? filters).asOf)
      const [snapshot, newest] = await Promise.all([board.at(asOf), gridFor(deps, asOf)])
      const asked = cursor?.query ?? { ...filters, rankedAt: newest?.at ?? at }
      // The grid may have moved on since the first page.
      const rankedAt = Math.min(asked.rankedAt, at) as Millis
      const isRanked = newest === null || newest.at === rankedAt
      const grid = isRanked ? newest : await deps.context.gridOf(gridAt(rankedAt))
      const { ranked, byLabel } =
        grid === null
          ? { ranked: [], byLabel: { maker: 0, taker: 0, neutral: 0 } }
          : found(grid, asked)
      const page = pageFrom(
        ranked,
        asked.order,
        cursor?.after ?? null,
        limit,
        ({ ticker, regime, known }): RegimeRow | null => {
          const view = snapshot.get(ticker)
          if (view === null || view.status !== 'active') return null
          return {
            ...rowOf(view, urls),
            score: regime.score,
            asScore: regime.score,
            label: regime.label,
            trendLabel: known.trendLabel,
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
        nextCursor: page.nextCursor(asked),
        hasMore: page.hasMore,
        byLabel,
        generatedAt: isoOf(at),
        ...(nextActions
          ? { nextActions: { inspect: inspectActions(markets), related: relatedLists(urls) } }
          : {}),
      }
    },

    /** Where the content of the retired regime history went. */
    retired(): RetiredHistory {
      const { baseUrl } = urls
      return {
        error: 'Gone',
        code: 'GONE',
        replacements: [
          get('Markets by adverse selection', addressOf(baseUrl, '/api/public/regime/scan')),
          get(
            'Hourly spread, depth and flow of one market',
            addressOf(baseUrl, '/api/public/market-microstructure-history'),
          ),
        ],
      }
    },
  }
}
export type RegimeReads = ReturnType<typeof createRegimeReads>
