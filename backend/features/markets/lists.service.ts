import { comparePositions } from '../../computed/snapshot/sorted-views.ts'
import type { RankOrder } from '../../computed/snapshot/sorted-views.ts'
import type { BoardView, MarketView } from '../../computed/board/market-board.ts'
import { MARKET_STATUSES, VENUES } from '../../domain/market.ts'
import type { MarketFacts, MarketStatus, Ticker } from '../../domain/market.ts'
import { QUOTE_LIFE } from '../../domain/prices/price.ts'
import { topicsOf } from '../../domain/topics/topics.ts'
import { DAY, wholeMinute } from '../../domain/units.ts'
import type { Millis } from '../../domain/units.ts'
import { startOf } from '../../http/request/as-of.ts'
import {
  isInstant,
  isListOf,
  isNullOr,
  isNumber,
  isOneOf,
  isText,
  hasShape,
} from '../../http/request/cursor-shape.ts'
import { roundOrNull, sampleMark } from '../../http/presenters/market-ref.ts'
import { decodeCursor, encodeCursor } from '../../http/request/pagination.ts'
import { isoOf } from '../../lib/clock.ts'
import { SORTS } from '../../contract/markets.ts'
import type {
  LiveTickers,
  LiveTickersQuery,
  MarketPage,
  MarketsQuery,
  NewMarketPage,
  NewMarketsQuery,
  MarketSort,
} from '../../contract/markets.ts'
import { passes } from '../../computed/board/market-filter.ts'
import type { MarketFilter } from '../../computed/board/market-filter.ts'
import { depthOf, rowOf } from '../../http/presenters/market-row.ts'
import { inspectActions, relatedLists } from './market-row.ts'
import { instantFor } from './markets.deps.ts'
import type { MarketsDeps } from './markets.deps.ts'
import type { ListedRow } from '../../contract/market.ts'
import { ORDERS, pageOf, SORT_KEYS } from './ranking.ts'

const positionOf = ({ facts, firstSeenAt }: { facts: MarketFacts; firstSeenAt: Millis }) =>
  [firstSeenAt, facts.ticker] as const
const OPEN: ReadonlySet<MarketStatus> = new Set(['upcoming', 'active', 'paused'])
const ROWS_WITH_DEPTH = 10
const NEW_MARKET_SPAN = (30 * DAY) as Millis

/** Query of a page of markets; its cursor carries it to the next page. */
interface MarketSelection extends MarketFilter {
  readonly tickers: readonly Ticker[] | null
  readonly priceMin: number | null
  readonly priceMax: number | null
  /** Dollars of 24 hours. */
  readonly volumeMin: number | null
  readonly status: MarketStatus
  readonly sort: MarketSort
  readonly order: RankOrder
  readonly asOf: Millis | null
}

const isSelection = hasShape<MarketSelection>({
  words: isNullOr(isText),
  topic: isNullOr(isText),
  category: isNullOr(isText),
  venue: isNullOr(isOneOf(VENUES)),
  tickers: isNullOr(isListOf(isText)),
  priceMin: isNullOr(isNumber),
  priceMax: isNullOr(isNumber),
  volumeMin: isNullOr(isNumber),
  status: isOneOf(MARKET_STATUSES),
  sort: isOneOf(SORTS),
  order: isOneOf(ORDERS),
  asOf: isNullOr(isInstant),
})

/** Stored states of markets that may be in `status` now: some close by time alone. */
const storedStatuses = (status: MarketStatus): readonly MarketStatus[] =>
  status === 'settled' ? [status] : ['active', 'paused', status]

/** Whether price and volume are within the bounds; an unknown one passes only without a bound. */
const isWithinBounds =
  ({ priceMin, priceMax, volumeMin }: MarketSelection) =>
  ({ price, volume24hUsd }: MarketView): boolean =>
    (priceMin === null || (price !== null && price >= priceMin)) &&
    (priceMax === null || (price !== null && price <= priceMax)) &&
    (volumeMin === null || (volume24hUsd !== null && volume24hUsd >= volumeMin))

/** Lists of markets: filtered and ranked, new, and with a live quote. */
export function createMarketLists(deps: MarketsDeps) {
  const { board, urls } = deps

  /** Lists of ended markets are as of the whole minute, now as at a past instant. */
  const snapshotFor = (status: MarketStatus, asOf: Millis | null): Promise<BoardView> =>
    OPEN.has(status)
      ? board.at(asOf)
      : board.at(asOf === null ? null : wholeMinute(asOf), { statuses: storedStatuses(status) })

  /** Named markets in request order, else all in these states. */
  const candidates = (
    boardView: BoardView,
    tickers: readonly Ticker[] | null,
    statuses: ReadonlySet<MarketStatus> | null,
  ): readonly MarketView[] => {
    if (tickers === null) return boardView.list(statuses)
    const requestedViews = new Set(tickers.flatMap((ticker) => boardView.get(ticker) ?? []))
    return [...requestedViews].filter(({ status }) => statuses === null || statuses.has(status))
  }

  const withDepth = async (
    rows: readonly MarketView[],
    asOf: Millis | null,
  ): Promise<ListedRow[]> =>
    Promise.all(
      rows.map(async (view, index) => {
        if (index >= ROWS_WITH_DEPTH) return rowOf(view, urls)
        const datedBook = await board.book(view, asOf)
        return { ...rowOf(view, urls), ...depthOf(datedBook?.book ?? null) }
      }),
    )

  /** Newest record of each market first seen in (since, at], open or ended. */
  const firstSeenIn = async (since: Millis, at: Millis) => {
    const records = await deps.history.recordsBetween(since, at)
    const newest = new Map(records.map((record) => [record.market, record]))
    return [...newest.values()]
      .filter(({ firstSeenAt }) => firstSeenAt > since)
      .map(({ facts, firstSeenAt }) => ({ facts, firstSeenAt, topics: topicsOf(facts) }))
  }

  return {
    async markets(query: MarketsQuery): Promise<MarketPage> {
      const cursor = query.cursor === null ? null : decodeCursor(query.cursor, isSelection)
      const selection: MarketSelection = cursor?.query ?? {
        words: query.q,
        topic: query.topic,
        category: query.category,
        venue: query.venue,
        tickers: query.tickers,
        priceMin: query.price_min,
        priceMax: query.price_max,
        volumeMin: query.vol24h_min,
        status: query.status,
        sort: query.sort,
        order: query.order ?? (query.sort === 'closeTime' ? 'asc' : 'desc'),
        asOf: query.asOf,
      }
      const { asOf, at } = instantFor(deps, selection.asOf)
      const boardView = await snapshotFor(selection.status, asOf)
      const matchingViews = candidates(boardView, selection.tickers, new Set([selection.status]))
        .filter(passes(selection))
        .filter(isWithinBounds(selection))
      const start = cursor?.after ?? query.offset ?? 0
      const { sort, order } = selection
      const page = pageOf(matchingViews, SORT_KEYS[sort], order, start, query.limit)
      const markets = query.depth
        ? await withDepth(page.rows, asOf)
        : page.rows.map((view) => rowOf(view, urls))
      return {
        markets,
        count: markets.length,
        total: matchingViews.length,
        limit: query.limit,
        offset: typeof start === 'number' ? start : 0,
        nextCursor:
          page.hasMore && page.last !== null
            ? encodeCursor({ query: selection, after: page.last })
            : null,
        hasMore: page.hasMore,
        generatedAt: isoOf(at),
        ...(query.nextActions
          ? { nextActions: { inspect: inspectActions(markets), related: relatedLists(urls) } }
          : {}),
      }
    },

    async newMarkets(query: NewMarketsQuery): Promise<NewMarketPage> {
      const { asOf, at } = instantFor(deps, query.asOf)
      const since = startOf(query.since, at, NEW_MARKET_SPAN, '30 days')
      const firstSeenViews = (await firstSeenIn(since, at))
        .filter(passes({ ...query, words: null }))
        .sort((a, b) => comparePositions('desc')(positionOf(a), positionOf(b)))
      const tickers = firstSeenViews.slice(0, query.limit).map(({ facts }) => facts.ticker)
      const views = await board.markets(tickers, asOf)
      const markets = tickers
        .flatMap((ticker) => views.get(ticker) ?? [])
        .map((view) => ({ ...rowOf(view, urls), firstSeenAt: isoOf(view.firstSeenAt) }))
      return {
        markets,
        count: markets.length,
        total: firstSeenViews.length,
        limit: query.limit,
        offset: 0,
        nextCursor: null,
        hasMore: firstSeenViews.length > query.limit,
        generatedAt: isoOf(at),
        ...(query.nextActions
          ? { nextActions: { inspect: inspectActions(markets), related: relatedLists(urls) } }
          : {}),
      }
    },

    async liveTickers(query: LiveTickersQuery): Promise<LiveTickers> {
      const { asOf, at } = instantFor(deps, query.asOf)
      const boardView = await board.at(asOf)
      const activeViews = candidates(boardView, query.tickers, new Set<MarketStatus>(['active']))
        .filter(({ quotedAt }) => quotedAt !== null && at - quotedAt <= QUOTE_LIFE)
        .filter(passes({ ...query, words: null }))
      const { rows } = pageOf(activeViews, SORT_KEYS.volume24h, 'desc', 0, query.limit)
      const tickers = rows.map((view) => ({
        ticker: view.facts.ticker,
        venue: view.facts.venue,
        title: view.facts.title,
        price: roundOrNull(view.price),
        bestBid: roundOrNull(view.bestBid),
        bestAsk: roundOrNull(view.bestAsk),
        lastPrice: roundOrNull(view.lastPrice),
        change24h: roundOrNull(view.change24h),
        volume24h: roundOrNull(view.volume24h, 6),
        updatedAt: isoOf(view.updatedAt),
        ...sampleMark(view.facts),
      }))
      return { tickers, count: tickers.length, generatedAt: isoOf(at) }
    },
  }
}
export type MarketLists = ReturnType<typeof createMarketLists>
