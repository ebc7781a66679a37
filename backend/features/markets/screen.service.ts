import type { BoardSnapshot, MarketView } from '../../computed/market-board.ts'
import { tauAt } from '../../domain/indicators.ts'
import { VENUES } from '../../domain/market.ts'
import type { MarketStatus } from '../../domain/market.ts'
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
import { decodeCursor, encodeCursor } from '../../http/pagination.ts'
import { isoOf } from '../../lib/clock.ts'
import { indicatorsIn } from './indicators.ts'
import { passes } from '../../computed/market-filter.ts'
import { rowOf } from '../../http/market-row.ts'
import { inspectActions, relatedLists } from './market-row.ts'
import { instantFor } from './markets.deps.ts'
import type { MarketsDeps } from './markets.deps.ts'
import type { Indicators } from '../../http/market-schemas.ts'
import type { ScreenRow } from './market.types.ts'
import { ORDERS, pageOf } from './ranking.ts'
import { SCREEN_SORTS } from './screen.schema.ts'
import type {
  ScreenByTickersQuery,
  ScreenedTickers,
  ScreenPage,
  ScreenQuery,
  ScreenSort,
} from './screen.schema.ts'

const ACTIVE: ReadonlySet<MarketStatus> = new Set(['active'])

interface Screened {
  readonly view: MarketView
  readonly indicators: Indicators
}
type Quantity = (row: Screened) => number | null

/** Overround in cents as the fraction that screens speak of. */
const overroundShare: Quantity = ({ indicators }) =>
  indicators.overround === null ? null : indicators.overround / 100

const QUANTITIES: Readonly<Record<ScreenSort, Quantity>> = {
  iy: ({ indicators }) => indicators.iy,
  ee: ({ indicators }) => indicators.ee,
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
  /** When the first page was made: every page ranks by the days that were left then. */
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

/** Screens of active markets by their indicators. */
export function createMarketScreens(deps: MarketsDeps) {
  const { board, urls } = deps
  const screenRow = ({ view, indicators }: Screened): ScreenRow => ({
    ...rowOf(view, urls),
    indicators,
    regimeLabel: null,
  })
  const inSnapshot = (snapshot: BoardSnapshot, at: Millis) => {
    const indicatorsOf = indicatorsIn(snapshot, at)
    return (view: MarketView): Screened => ({ view, indicators: indicatorsOf(view) })
  }

  /**
   * Rows with the indicators of an earlier instant: days run on between two pages, and with them
   * yields, so that a position of the first page is found again only by the days left then.
   */
  const rankedIn = (snapshot: BoardSnapshot, rankedAt: Millis) => {
    if (rankedAt === snapshot.asOf) return inSnapshot(snapshot, rankedAt)
    const indicatorsOf = indicatorsIn(snapshot, rankedAt)
    return (view: MarketView): Screened => ({
      view,
      indicators: indicatorsOf({ ...view, tau: tauAt(view.facts.closeTime, rankedAt) }),
    })
  }

  return {
    async screen(sent: ScreenQuery): Promise<ScreenPage> {
      const { cursor: text, limit, nextActions, ...filters } = sent
      const cursor = text === null ? null : decodeCursor(text, isSelection)
      const { asOf, at } = instantFor(deps, (cursor?.query ?? filters).asOf)
      const snapshot = await board.at(asOf)
      const asked = cursor?.query ?? { ...filters, rankedAt: snapshot.asOf }
      const quantity = QUANTITIES[asked.sort]
      const found = new Map(
        snapshot
          .list(ACTIVE)
          .filter(passes({ ...asked, words: asked.keyword }))
          .map(rankedIn(snapshot, asked.rankedAt))
          .filter((row) => quantity(row) !== null && passesFilters(asked)(row))
          .map((row) => [row.view, row]),
      )
      const key = (view: MarketView): number | null => {
        const row = found.get(view)
        return row === undefined ? null : quantity(row)
      }
      const page = pageOf([...found.keys()], key, asked.order, cursor?.after ?? 0, limit)
      const markets = page.rows.map(inSnapshot(snapshot, at)).map(screenRow)
      return {
        markets,
        count: markets.length,
        total: found.size,
        limit,
        offset: 0,
        nextCursor:
          page.hasMore && page.last !== null
            ? encodeCursor({ query: asked, after: page.last })
            : null,
        hasMore: page.hasMore,
        generatedAt: isoOf(at),
        ...(nextActions
          ? { nextActions: { inspect: inspectActions(markets), related: relatedLists(urls) } }
          : {}),
      }
    },

    async byTickers(asked: ScreenByTickersQuery): Promise<ScreenedTickers> {
      const { asOf, at } = instantFor(deps, asked.asOf)
      const snapshot = await board.at(asOf)
      const { tickers } = asked
      // Ended markets are not on the board of now, yet they are known.
      const found = await board.markets(tickers, asOf)
      const named = tickers.flatMap((ticker) => found.get(ticker) ?? [])
      const views = [...new Map(named.map((view) => [view.market, view])).values()]
      const { venue, minVolume } = asked
      const markets = views
        .filter(({ facts }) => venue === null || facts.venue === venue)
        .filter(({ volume24hUsd }) => minVolume === null || (volume24hUsd ?? 0) >= minVolume)
        .map(inSnapshot(snapshot, at))
        .map(screenRow)
      const missing = tickers.filter((ticker) => !found.has(ticker))
      return { markets, count: markets.length, missing }
    },
  }
}
export type MarketScreens = ReturnType<typeof createMarketScreens>
