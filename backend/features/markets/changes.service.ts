import { MARKET_STATUSES, VENUES } from '../../domain/market.ts'
import type { MarketView } from '../../computed/board/market-board.ts'
import type { Venue } from '../../domain/market.ts'
import { DAY } from '../../domain/units.ts'
import type { Millis } from '../../domain/units.ts'
import { CHANGE_TYPES } from '../../domain/changes/change-type.ts'
import type { ChangeRow } from '../../history/change-events.ts'
import type { ChangeType } from '../../domain/changes/change-type.ts'
import type { MarketId } from '../../history/market-key.ts'
import { startOf } from '../../http/request/as-of.ts'
import {
  isInstant,
  isListOf,
  isNullOr,
  isOneOf,
  isText,
  hasShape,
} from '../../http/request/cursor-shape.ts'
import { refOf } from '../../http/presenters/market-ref.ts'
import { decodeCursor, encodeCursor } from '../../http/request/pagination.ts'
import { isoOf } from '../../lib/clock.ts'
import type { ChangesAnswer, ChangesQuery } from '../../contract/market-history.ts'
import { passes } from '../../computed/board/market-filter.ts'
import { tickerOf } from '../../http/request/ticker.ts'
import { instantFor } from './markets.deps.ts'
import type { MarketsDeps } from './markets.deps.ts'

const MAX_RANGE = (30 * DAY) as Millis

/** Query of a page of changes; the window stays that of the first page. */
interface ChangeSelection {
  readonly since: Millis
  readonly asOf: Millis
  readonly types: readonly ChangeType[] | null
  readonly ticker: string | null
  readonly topic: string | null
  readonly venue: Venue | null
}

const isSelection = hasShape<ChangeSelection>({
  since: isInstant,
  asOf: isInstant,
  types: isNullOr(isListOf(isOneOf(CHANGE_TYPES))),
  ticker: isNullOr(isText),
  topic: isNullOr(isText),
  venue: isNullOr(isOneOf(VENUES)),
})

/** Change events of markets, newest first. */
export function createMarketChanges(deps: MarketsDeps) {
  const { board, history, urls } = deps

  /** Markets that match the filters; null for all, none if the ticker is unknown. */
  const marketsOf = async (query: ChangeSelection): Promise<readonly MarketId[] | null> => {
    const { ticker, topic, venue } = query
    const keep = passes({ topic, venue, words: null, category: null })
    if (ticker !== null) {
      const view = await board.market(tickerOf(ticker), query.asOf)
      return view !== null && keep(view) ? [view.market] : []
    }
    if (topic === null && venue === null) return null
    const snapshot = await board.at(query.asOf, { statuses: MARKET_STATUSES })
    return snapshot
      .list(null)
      .filter(keep)
      .map(({ market }) => market)
  }

  const viewsOf = async (
    rows: readonly ChangeRow[],
    asOf: Millis | null,
  ): Promise<(market: MarketId) => MarketView | null> => {
    const views = await board.markets(
      rows.map(({ market }) => history.keyOf(market).ticker),
      asOf,
    )
    return (market) => views.get(history.keyOf(market).ticker) ?? null
  }

  return {
    async changes(query: ChangesQuery): Promise<ChangesAnswer> {
      const cursor = query.cursor === null ? null : decodeCursor(query.cursor, isSelection)
      const { asOf, at } = instantFor(deps, cursor?.query.asOf ?? query.asOf)
      const since = cursor === null ? query.since : { at: cursor.query.since }
      const { type: types, ticker, topic, venue } = query
      const selection: ChangeSelection = {
        ...(cursor?.query ?? { types, ticker, topic, venue }),
        since: startOf(since, at, MAX_RANGE, '30 days'),
        asOf: at,
      }
      const rows = await history.changes({
        since: selection.since,
        asOf: selection.asOf,
        types: selection.types,
        markets: await marketsOf(selection),
        after:
          cursor === null
            ? null
            : { at: (cursor.after[0] ?? selection.asOf) as Millis, id: cursor.after[1] },
        limit: query.limit + 1,
      })
      const page = rows.slice(0, query.limit)
      const viewOf = await viewsOf(page, asOf)
      const changes = page.flatMap(({ market, id, type, before, after, delta, at: changedAt }) => {
        const view = viewOf(market)
        if (view === null) return []
        return [{ ...refOf(view, urls), id, type, before, after, delta, at: isoOf(changedAt) }]
      })
      const last = page.at(-1)
      const hasMore = rows.length > page.length
      return {
        since: isoOf(selection.since),
        to: isoOf(selection.asOf),
        changes,
        count: changes.length,
        nextCursor:
          hasMore && last !== undefined
            ? encodeCursor({ query: selection, after: [last.at, last.id] })
            : null,
        hasMore,
      }
    },
  }
}
export type MarketChanges = ReturnType<typeof createMarketChanges>
