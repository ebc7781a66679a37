import type { Feed } from '../../../domain/backtest/event-columns.ts'
import { DAY } from '../../../domain/units.ts'
import type { EventReads } from '../../event-streams.ts'
import type { MarketId } from '../../market-key.ts'
import type { Bounds } from '../engine/connections.ts'
import type { Spans, TickKind } from '../ticks/spans.ts'
import { sqlColumns } from './columns.ts'

/** The table of each feed. */
export const FEED_KINDS: Readonly<Record<Feed, TickKind>> = {
  trades: 'trade',
  quotes: 'quote',
  books: 'book',
  bars: 'candle',
}

/** Up to this many markets are listed in the SQL, so that the engine skips blocks without them. */
const MAX_NAMED_MARKETS = 200

/** Which markets of a table a query reads; `all` when most rows are needed and a filter would cost more. */
export type MarketFilter = 'all' | readonly MarketId[]

/** Whether at least half of the stored rows belong to these markets. */
export function marketFilter(spans: Spans, feed: Feed, markets: readonly MarketId[]): MarketFilter {
  const kind = FEED_KINDS[feed]
  let all = 0
  for (const { rows } of spans.all(kind).values()) all += rows
  return 2 * spans.spanOf(kind, markets).rows >= all ? 'all' : markets
}

/** Rows of a feed known after `$from` and by `$until`. */
function rowsOf(feed: Feed, filter: MarketFilter): string {
  return `
    from ${FEED_KINDS[feed]}_all
   where ts <= $until and ts + lag > $from and ts + lag <= $until ${marketCondition(filter)}
     ${feed === 'trades' ? 'and not is_block' : ''}`
}

function marketCondition(filter: MarketFilter): string {
  if (filter === 'all') return ''
  if (filter.length > MAX_NAMED_MARKETS) return 'and market in (select unnest($markets)::integer)'
  return `and market in (${[-1, ...filter].join(', ')})`
}

/** Rows that became known in each bucket of `$bucket` milliseconds, and the largest lag among them. */
export const countSql = (feed: Feed, filter: MarketFilter): string => `
  select ((ts + lag - $from - 1) // $bucket)::integer, count(*)::double, max(lag)::double
  ${rowsOf(feed, filter)} group by 1`

/** Rows in no particular order; `$earliest` lets the engine skip blocks. */
export const scanSql = (feed: Feed, filter: MarketFilter): string => `
  select ${sqlColumns(feed).join(', ')} ${rowsOf(feed, filter)} and ts > $earliest`

/** The parameters of a query: `markets` only when its SQL needs them. */
export const boundsFor = (filter: MarketFilter, bounds: Bounds): Bounds =>
  filter !== 'all' && filter.length > MAX_NAMED_MARKETS ? { ...bounds, markets: filter } : bounds

/** Markets that may have events in a span; see `EventReads`. */
export function marketsWithRows(
  spans: Spans,
  { feeds, from, to }: Parameters<EventReads['marketsWithRows']>[0],
): MarketId[] {
  const marketIds = new Set<MarketId>()
  for (const feed of feeds) {
    for (const [market, { first, last }] of spans.all(FEED_KINDS[feed])) {
      // A row may become known some time after it happened.
      if (first <= to && last + DAY >= from) marketIds.add(market)
    }
  }
  return [...marketIds].sort((a, b) => a - b)
}
