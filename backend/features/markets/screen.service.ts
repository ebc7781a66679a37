import { measuredRegime } from '../../domain/regime/label.ts'
import { comparePositions, SortedViews } from '../../computed/snapshot/sorted-views.ts'
import type { ContextSnapshot, MarketQuantities } from '../../computed/snapshot/context-snapshot.ts'
import type { BoardView, MarketView } from '../../computed/board/market-board.ts'
import { passes } from '../../computed/board/market-filter.ts'
import { memoizeByKey } from '../../computed/memoized-by-key.ts'
import { indicatorsIn, priceRatios } from '../../computed/served-indicators.ts'
import type { ServedIndicators } from '../../computed/served-indicators.ts'
import { WORLD_LIST_PARAMS } from '../../domain/world/world-lists.ts'
import { VENUES } from '../../domain/market.ts'
import type { Ticker } from '../../domain/market.ts'
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
import { rowOf } from '../../http/presenters/market-row.ts'
import { decodeCursor } from '../../http/request/pagination.ts'
import { isoOf } from '../../lib/clock.ts'
import { inspectActions, relatedLists } from './market-row.ts'
import type { ScreenRow } from '../../contract/market.ts'
import { instantFor, rankingSnapshotFor, snapshotFor } from './markets.deps.ts'
import type { MarketsDeps } from './markets.deps.ts'
import { pageFrom } from './ranked-page.ts'
import { ORDERS } from './ranking.ts'
import { SCREEN_SORTS } from '../../contract/markets.ts'
import type {
  ScreenByTickersQuery,
  ScreenedTickers,
  ScreenPage,
  ScreenQuery,
  ScreenSort,
} from '../../contract/markets.ts'

/** Quantities a screen uses, from the snapshot or current. */
interface ScreenedMarket {
  readonly ticker: Ticker
  readonly view: MarketView
  readonly indicators: Pick<
    ServedIndicators,
    'iy' | 'ee' | 'las' | 'cri' | 'tau' | 'overround' | 'hasThesis'
  >
}
type Quantity = (row: ScreenedMarket) => number | null

/** Overround as a fraction, the unit of screens, from cents. */
const overroundShare: Quantity = ({ indicators }) =>
  indicators.overround === null ? null : indicators.overround / 100

/**
 * The default order: yields that can be traded, then other markets from 50 cents outwards. The
 * yields of longshots are the largest of all and would always come first.
 */
const tradableYield: Quantity = ({ view, indicators: { iy, las, tau, cri } }) => {
  if (iy === null || cri === null) return null
  const { yieldPrices, yieldLas, yieldTau, yieldVolumeUsd } = WORLD_LIST_PARAMS
  const isTradable =
    isWithin(view.price, yieldPrices.min, yieldPrices.max) &&
    isWithin(las, null, yieldLas) &&
    isWithin(tau, yieldTau, null) &&
    isWithin(view.volume24hUsd, yieldVolumeUsd, null)
  return isTradable ? iy : -cri
}

const QUANTITIES: Readonly<Record<ScreenSort | 'tradable', Quantity>> = {
  tradable: tradableYield,
  iy: ({ indicators }) => indicators.iy,
  ee: ({ indicators }) => (indicators.ee === null ? null : Math.abs(indicators.ee)),
  or: overroundShare,
  las: ({ indicators }) => indicators.las,
  cri: ({ indicators }) => indicators.cri,
  tau: ({ indicators }) => indicators.tau,
  volume: ({ view }) => view.volume24hUsd,
}

/** Whether a quantity lies within bounds; an unknown one passes only without bounds. */
function isWithin(value: number | null, low: number | null, high: number | null): boolean {
  if (low === null && high === null) return true
  return value !== null && (low === null || value >= low) && (high === null || value <= high)
}

const passesFilters =
  (query: ScreenSelection) =>
  (row: ScreenedMarket): boolean => {
    const { view, indicators } = row
    return (
      isWithin(indicators.iy, query.iy_min, query.iy_max) &&
      isWithin(indicators.ee, query.ee_min, null) &&
      isWithin(indicators.las, null, query.las_max) &&
      isWithin(overroundShare(row), query.or_min, query.or_max) &&
      isWithin(indicators.cri, query.cri_min, query.cri_max) &&
      isWithin(indicators.tau, query.tau_min_days, query.tau_max_days) &&
      isWithin(view.price, query.price_min, query.price_max) &&
      isWithin(view.volume24hUsd, query.vol24h_min, null) &&
      (!query.has_thesis || indicators.hasThesis) &&
      (!query.no_thesis || !indicators.hasThesis) &&
      (!query.has_orderbook || view.hasOrderbook) &&
      (!query.no_orderbook || !view.hasOrderbook)
    )
  }

/** Query of a page of a screen; its cursor carries it to the next page. */
type ScreenSelection = Omit<ScreenQuery, 'cursor' | 'limit' | 'nextActions'> & {
  /** The snapshot that ranked the first page; every page uses its ranking. */
  readonly rankedAt: Millis
}

const isSelection = hasShape<ScreenSelection>({
  keyword: isNullOr(isText),
  category: isNullOr(isText),
  venue: isNullOr(isOneOf(VENUES)),
  topic: isNullOr(isText),
  iy_min: isNullOr(isNumber),
  iy_max: isNullOr(isNumber),
  ee_min: isNullOr(isNumber),
  las_max: isNullOr(isNumber),
  or_min: isNullOr(isNumber),
  or_max: isNullOr(isNumber),
  cri_min: isNullOr(isNumber),
  cri_max: isNullOr(isNumber),
  tau_min_days: isNullOr(isNumber),
  tau_max_days: isNullOr(isNumber),
  price_min: isNullOr(isNumber),
  price_max: isNullOr(isNumber),
  vol24h_min: isNullOr(isNumber),
  has_thesis: isFlag,
  no_thesis: isFlag,
  has_orderbook: isFlag,
  no_orderbook: isFlag,
  sort: isNullOr(isOneOf(SCREEN_SORTS)),
  order: isOneOf(ORDERS),
  asOf: isNullOr(isInstant),
  rankedAt: isInstant,
})

/** A market with its quantities at the snapshot instant. */
function screenMarket({ view, overround }: MarketQuantities): ScreenedMarket {
  const { iyYes, las, cri } = priceRatios(view)
  return {
    ticker: view.facts.ticker,
    view,
    indicators: { iy: iyYes, ee: null, las, cri, tau: view.tau, overround, hasThesis: false },
  }
}

/** Active markets of a snapshot, ranked once by each quantity. */
const rankings = memoizeByKey(
  (snapshot: ContextSnapshot) =>
    new SortedViews<ScreenedMarket, keyof typeof QUANTITIES>(
      [...snapshot.markets.values()]
        .filter(({ view }) => view.status === 'active')
        .map(screenMarket),
      QUANTITIES,
    ),
)

/**
 * Screens of active markets by their indicators. Ranks and filters use the snapshot; rows carry
 * current values, and those that no longer pass are left out.
 */
export function createMarketScreens(deps: MarketsDeps) {
  const { board, urls } = deps
  const rowIn = (boardView: BoardView, snapshot: ContextSnapshot | null) => {
    const indicatorsOf = indicatorsIn(boardView, snapshot)
    return (view: MarketView) => {
      const indicators = indicatorsOf(view)
      const quantities = snapshot?.markets.get(view.facts.ticker)
      const regime = view.status === 'active' ? quantities?.regime : null
      const row: ScreenRow = {
        ...rowOf(view, urls),
        indicators,
        regimeLabel: regime ? measuredRegime(regime, regime.nTrades).label : null,
      }
      return { screened: { ticker: view.facts.ticker, view, indicators }, row }
    }
  }

  return {
    async screen(screenQuery: ScreenQuery): Promise<ScreenPage> {
      const { cursor: text, limit, nextActions, ...filters } = screenQuery
      const cursor = text === null ? null : decodeCursor(text, isSelection)
      const { asOf, at } = instantFor(deps, (cursor?.query ?? filters).asOf)
      const [boardView, newest] = await Promise.all([board.at(asOf), snapshotFor(deps, asOf)])
      const selection = cursor?.query ?? { ...filters, rankedAt: newest?.at ?? at }
      // The snapshot may have changed since the first page.
      const snapshot = await rankingSnapshotFor(deps, selection.rankedAt, newest, { at })
      const keep = passesFilters(selection)
      const isNamed = passes({ ...selection, words: selection.keyword })
      const { sort: sortKey, order, asOf: _asOf, rankedAt: _rankedAt, ...screenFilters } = selection
      const sort = sortKey ?? 'tradable'
      const quantity = QUANTITIES[sort]
      const rankedMarkets =
        snapshot === null
          ? []
          : rankings(snapshot).select(
              sort,
              order,
              JSON.stringify(screenFilters),
              (row) => quantity(row) !== null && keep(row) && isNamed(row.view),
            )
      const serve = rowIn(boardView, newest)
      const page = pageFrom(rankedMarkets, order, cursor?.after ?? null, limit, ({ ticker }) => {
        const view = boardView.get(ticker)
        if (view === null || view.status !== 'active') return null
        const { screened, row } = serve(view)
        const key = quantity(screened)
        return key === null || !keep(screened) ? null : { row, position: [key, ticker] as const }
      })
      // Prices may have changed since the ranking: rows of a page are sorted by their served
      // values.
      const markets = [...page.rows]
        .sort((a, b) => comparePositions(order)(a.position, b.position))
        .map(({ row }) => row)
      return {
        markets,
        count: markets.length,
        total: rankedMarkets.length,
        limit,
        offset: 0,
        nextCursor: page.nextCursor(selection),
        hasMore: page.hasMore,
        generatedAt: isoOf(at),
        ...(nextActions
          ? { nextActions: { inspect: inspectActions(markets), related: relatedLists(urls) } }
          : {}),
      }
    },

    async byTickers(query: ScreenByTickersQuery): Promise<ScreenedTickers> {
      const { asOf } = instantFor(deps, query.asOf)
      const { tickers } = query
      const [boardView, snapshot, viewsByTicker] = await Promise.all([
        board.at(asOf),
        snapshotFor(deps, asOf),
        // Ended markets are not on the current board, but they are known.
        board.markets(tickers, asOf),
      ])
      const screenFilters = tickers.flatMap((ticker) => viewsByTicker.get(ticker) ?? [])
      const views = [...new Map(screenFilters.map((view) => [view.market, view])).values()]
      const { venue, minVolume } = query
      const serve = rowIn(boardView, snapshot)
      const markets = views
        .filter(({ facts }) => venue === null || facts.venue === venue)
        .filter(({ volume24hUsd }) => minVolume === null || (volume24hUsd ?? 0) >= minVolume)
        .map((view) => serve(view).row)
      const missing = tickers.filter((ticker) => !viewsByTicker.has(ticker))
      return { markets, count: markets.length, missing }
    },
  }
}
export type MarketScreens = ReturnType<typeof createMarketScreens>
