import { comparePlaces, SortedViews } from '../../computed/grid/sorted-views.ts'
import type { Grid, GridMarket } from '../../computed/grid/grid.ts'
import type { BoardSnapshot, MarketView } from '../../computed/market-board.ts'
import { passes } from '../../computed/market-filter.ts'
import { oncePer } from '../../computed/once-per.ts'
import { indicatorsIn, priceRatios } from '../../computed/served-indicators.ts'
import type { ServedIndicators } from '../../computed/served-indicators.ts'
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
  shaped,
} from '../../http/cursor-shape.ts'
import { rowOf } from '../../http/market-row.ts'
import { decodeCursor } from '../../http/pagination.ts'
import { isoOf } from '../../lib/clock.ts'
import { inspectActions, relatedLists } from './market-row.ts'
import type { ScreenRow } from './market.types.ts'
import { gridFor, gridIfAny, instantFor } from './markets.deps.ts'
import type { MarketsDeps } from './markets.deps.ts'
import { pageFrom } from './ranked-page.ts'
import { ORDERS } from './ranking.ts'
import { SCREEN_SORTS } from './screen.schema.ts'
import type {
  ScreenByTickersQuery,
  ScreenedTickers,
  ScreenPage,
  ScreenQuery,
  ScreenSort,
} from './screen.schema.ts'

/** What a screen asks of a market: as the grid found it, or as it is now. */
interface Screened {
  readonly ticker: Ticker
  readonly view: MarketView
  readonly indicators: Pick<
    ServedIndicators,
    'iy' | 'ee' | 'las' | 'cri' | 'tau' | 'overround' | 'hasThesis'
  >
}
type Quantity = (row: Screened) => number | null

/** Overround in cents as the fraction that screens speak of. */
const overroundShare: Quantity = ({ indicators }) =>
  indicators.overround === null ? null : indicators.overround / 100

const QUANTITIES: Readonly<Record<ScreenSort, Quantity>> = {
  iy: ({ indicators }) => indicators.iy,
  ee: ({ indicators }) => (indicators.ee === null ? null : Math.abs(indicators.ee)),
  or: overroundShare,
  las: ({ indicators }) => indicators.las,
  cri: ({ indicators }) => indicators.cri,
  tau: ({ indicators }) => indicators.tau,
  volume: ({ view }) => view.volume24hUsd,
}

/** Whether a quantity lies within bounds; unknown lies within none but absent ones. */
function within(value: number | null, low: number | null, high: number | null): boolean {
  if (low === null && high === null) return true
  return value !== null && (low === null || value >= low) && (high === null || value <= high)
}

const passesFilters =
  (asked: ScreenSelection) =>
  (row: Screened): boolean => {
    const { view, indicators } = row
    return (
      within(indicators.iy, asked.iy_min, asked.iy_max) &&
      within(indicators.ee, asked.ee_min, null) &&
      within(indicators.las, null, asked.las_max) &&
      within(overroundShare(row), asked.or_min, asked.or_max) &&
      within(indicators.cri, asked.cri_min, asked.cri_max) &&
      within(indicators.tau, asked.tau_min_days, asked.tau_max_days) &&
      within(view.price, asked.price_min, asked.price_max) &&
      within(view.volume24hUsd, asked.vol24h_min, null) &&
      (!asked.has_thesis || indicators.hasThesis) &&
      (!asked.no_thesis || !indicators.hasThesis) &&
      (!asked.has_orderbook || view.hasOrderbook) &&
      (!asked.no_orderbook || !view.hasOrderbook)
    )
  }

/** What a page of a screen was asked for; a cursor carries it to the next page. */
type ScreenSelection = Omit<ScreenQuery, 'cursor' | 'limit' | 'nextActions'> & {
  /** The grid that ranked the first page: every page is cut from its ranking. */
  readonly rankedAt: Millis
}

const isSelection = shaped<ScreenSelection>({
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
  sort: isOneOf(SCREEN_SORTS),
  order: isOneOf(ORDERS),
  asOf: isNullOr(isInstant),
  rankedAt: isInstant,
})

/** A market with the quantities that it had at the grid instant. */
function screenedAt({ view, overround }: GridMarket): Screened {
  const { iyYes, las, cri } = priceRatios(view)
  return {
    ticker: view.facts.ticker,
    view,
    indicators: { iy: iyYes, ee: null, las, cri, tau: view.tau, overround, hasThesis: false },
  }
}

/** Active markets of a grid, ranked by each quantity once. */
const rankings = oncePer(
  (grid: Grid) =>
    new SortedViews<Screened, ScreenSort>(
      [...grid.markets.values()].filter(({ view }) => view.status === 'active').map(screenedAt),
      QUANTITIES,
    ),
)

/**
 * Screens of active markets by their indicators. Ranks and filters are those of the grid; rows are
 * served as they are now, and what does not pass any more is left out.
 */
export function createMarketScreens(deps: MarketsDeps) {
  const { board, urls } = deps
  const rowIn = (snapshot: BoardSnapshot, grid: Grid | null) => {
    const indicatorsOf = indicatorsIn(snapshot, grid)
    return (view: MarketView) => {
      const indicators = indicatorsOf(view)
      const known = grid?.markets.get(view.facts.ticker)
      const regime = view.status === 'active' ? known?.regime : null
      const row: ScreenRow = {
        ...rowOf(view, urls),
        indicators,
        regimeLabel: regime?.label ?? null,
      }
      return { screened: { ticker: view.facts.ticker, view, indicators }, row }
    }
  }

  return {
    async screen(sent: ScreenQuery): Promise<ScreenPage> {
      const { cursor: text, limit, nextActions, ...filters } = sent
      const cursor = text === null ? null : decodeCursor(text, isSelection)
      const { asOf, at } = instantFor(deps, (cursor?.query ?? filters).asOf)
      const [snapshot, newest] = await Promise.all([board.at(asOf), gridFor(deps, asOf)])
      const asked = cursor?.query ?? { ...filters, rankedAt: newest?.at ?? at }
      // The grid may have moved on since the first page.
      const grid =
        newest?.at === asked.rankedAt
          ? newest
          : await gridFor(deps, Math.min(asked.rankedAt, at) as Millis)
      const keep = passesFilters(asked)
      const isNamed = passes({ ...asked, words: asked.keyword })
      const { sort, order, asOf: _asOf, rankedAt: _rankedAt, ...named } = asked
      const quantity = QUANTITIES[sort]
      const ranked =
        grid === null
          ? []
          : rankings(grid).select(
              sort,
              order,
              JSON.stringify(named),
              (row) => quantity(row) !== null && keep(row) && isNamed(row.view),
            )
      const serve = rowIn(snapshot, newest)
      const page = pageFrom(ranked, order, cursor?.after ?? null, limit, ({ ticker }) => {
        const view = snapshot.get(ticker)
        if (view === null || view.status !== 'active') return null
        const { screened, row } = serve(view)
        const key = quantity(screened)
        return key === null || !keep(screened) ? null : { row, place: [key, ticker] as const }
      })
      // Prices moved since the ranking: rows of a page stand in the order of what they say.
      const markets = [...page.rows]
        .sort((a, b) => comparePlaces(order)(a.place, b.place))
        .map(({ row }) => row)
      return {
        markets,
        count: markets.length,
        total: ranked.length,
        limit,
        offset: 0,
        nextCursor: page.nextCursor(asked),
        hasMore: page.hasMore,
        generatedAt: isoOf(at),
        ...(nextActions
          ? { nextActions: { inspect: inspectActions(markets), related: relatedLists(urls) } }
          : {}),
      }
    },

    async byTickers(asked: ScreenByTickersQuery): Promise<ScreenedTickers> {
      const { asOf } = instantFor(deps, asked.asOf)
      const { tickers } = asked
      const [snapshot, grid, found] = await Promise.all([
        board.at(asOf),
        gridIfAny(deps, asOf),
        // Ended markets are not on the board of now, yet they are known.
        board.markets(tickers, asOf),
      ])
      const named = tickers.flatMap((ticker) => found.get(ticker) ?? [])
      const views = [...new Map(named.map((view) => [view.market, view])).values()]
      const { venue, minVolume } = asked
      const serve = rowIn(snapshot, grid)
      const markets = views
        .filter(({ facts }) => venue === null || facts.venue === venue)
        .filter(({ volume24hUsd }) => minVolume === null || (volume24hUsd ?? 0) >= minVolume)
        .map((view) => serve(view).row)
      const missing = tickers.filter((ticker) => !found.has(ticker))
      return { markets, count: markets.length, missing }
    },
  }
}
export type MarketScreens = ReturnType<typeof createMarketScreens>
