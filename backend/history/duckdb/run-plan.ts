import type { Feed } from '../../domain/backtest/event-columns.ts'
import { DAY, MINUTE } from '../../domain/units.ts'
import type { MarketId } from '../market-key.ts'
import type { RunQuery, RunReads } from '../run-reads.ts'
import { readDoubles, readIntegers } from './columns.ts'
import type { Bounds, Session } from './connections.ts'
import { COLUMNS, STAMP_COLUMNS } from './run-columns.ts'
import type { Stretch } from './run-messages.ts'
import type { Spans, TickKind } from './spans.ts'

/** The table of each feed. */
export const FEED_KINDS: Readonly<Record<Feed, TickKind>> = {
  trades: 'trade',
  quotes: 'quote',
  books: 'book',
  bars: 'candle',
}

/** Few enough to be put in order where the processor has them near. */
const ROWS_AT_ONCE = 131_072
/** How many rows of two columns a row of the feed weighs in memory. */
const WEIGHTS: Readonly<Record<Feed, number>> = { trades: 1, quotes: 1, books: 4, bars: 1 }
/** So many markets are named in the text of a query, where the engine skips what holds none of them. */
const MOST_NAMED = 200
/** Stretches of time that are counted at most. */
const MOST_STRETCHES = 8_192

/** Which rows of a table belong to a query; `$from` and `$until` are bound to the stretch. */
function rowsOf(feed: Feed, { markets }: RunQuery, isMost: boolean): string {
  // Numbers of our own making: they need no binding, and named they tell the engine where not to look.
  const among = isMost
    ? ''
    : markets.length <= MOST_NAMED
      ? `and market in (${[-1, ...markets].join(', ')})`
      : 'and market in (select unnest($markets)::integer)'
  return `
    from ${FEED_KINDS[feed]}_all
   where ts <= $until and ts + lag > $from and ts + lag <= $until ${among}
     ${feed === 'trades' ? 'and not is_block' : ''}`
}

/** How many rows became known in each stretch, and how late the latest of them. */
const countSql = (feed: Feed, query: RunQuery, isMost: boolean): string => `
  select ((ts + lag - $from - 1) // $stretch)::integer, count(*)::double, max(lag)::double
  ${rowsOf(feed, query, isMost)} group by 1`

/** As they lie: putting them in order here costs a fraction of what a sort of the engine does. */
export const rowsSql = (feed: Feed, query: RunQuery, isMost: boolean): string => `
  select ${[...STAMP_COLUMNS, ...COLUMNS[feed]].join(', ')}
  ${rowsOf(feed, query, isMost)} and ts > $earliest`

/** Markets that a run over a span may hear of; see the port. */
export function marketsWithRows(
  spans: Spans,
  { feeds, from, to }: Parameters<RunReads['marketsWithRows']>[0],
): MarketId[] {
  const found = new Set<MarketId>()
  for (const feed of feeds) {
    for (const [market, { first, last }] of spans.all(FEED_KINDS[feed])) {
      // A row may be known some time after it happened.
      if (first <= to && last + DAY >= from) found.add(market)
    }
  }
  return [...found].sort((a, b) => a - b)
}

/** How the rows of a feed are looked for. */
export interface FeedPlan {
  readonly feed: Feed
  /** Most stored rows belong to the query: all are read, since telling them apart would cost more. */
  readonly isMost: boolean
  /** Of the row that was known the latest after it happened. */
  readonly largestLag: number
  readonly rows: number
}
export interface RunPlan {
  readonly stretches: readonly Stretch[]
  /** Feeds with any row. */
  readonly feeds: readonly FeedPlan[]
}
/** Counts the rows of a query and cuts its range into stretches that are played at once. */
export async function planOf(session: Session, spans: Spans, query: RunQuery): Promise<RunPlan> {
  const { from, to, markets, rowsAtOnce = ROWS_AT_ONCE } = query
  const stretch = Math.max(MINUTE, Math.ceil((to - from) / MOST_STRETCHES))
  if (markets.length === 0 || to <= from) return { stretches: [], feeds: [] }
  const counts = new Float64Array(Math.ceil((to - from) / stretch))
  const feeds: FeedPlan[] = []
  for (const feed of query.feeds) {
    const isMost = holdsMost(spans, feed, markets)
    const sql = countSql(feed, query, isMost)
    let [held, largestLag] = [0, 0]
    for (const chunk of await session.read(
      sql,
      boundsOf(sql, { from, until: to, stretch, markets }),
    )) {
      const [place, rows, lag] = [readIntegers(chunk, 0), readDoubles(chunk, 1), readDoubles(chunk, 2)] // prettier-ignore
      for (let i = 0; i < chunk.rowCount; i++) {
        const at = place[i] ?? 0
        counts[at] = (counts[at] ?? 0) + (rows[i] ?? 0) * WEIGHTS[feed]
        held += rows[i] ?? 0
        largestLag = Math.max(largestLag, lag[i] ?? 0)
      }
    }
    if (held > 0) feeds.push({ feed, isMost, largestLag, rows: held })
  }
  return { stretches: stretchesOf(counts, { from, to, stretch, rowsAtOnce }), feeds }
}

/** Place of each market in a list of some; −1 for those that are not in it. */
export function placesOf(markets: readonly MarketId[]): Int32Array {
  const last = markets.reduce((most, market) => Math.max(most, market), -1)
  const places = new Int32Array(last + 1).fill(-1)
  for (const [place, market] of markets.entries()) places[market] = place
  return places
}

/** Whether at least half of the stored rows belong to these markets. */
function holdsMost(spans: Spans, feed: Feed, markets: readonly MarketId[]): boolean {
  const kind = FEED_KINDS[feed]
  let all = 0
  for (const { rows } of spans.all(kind).values()) all += rows
  return 2 * spans.over(kind, markets).rows >= all
}

/** What a text asks for, out of what is known. */
export function boundsOf(
  sql: string,
  { markets, ...bounds }: Bounds & { readonly markets: readonly number[] },
): Bounds {
  return sql.includes('$markets') ? { ...bounds, markets } : bounds
}

/** Neighbouring stretches joined while they hold no more rows than are read at once. */
function stretchesOf(
  counts: Float64Array,
  { from, to, stretch, rowsAtOnce }: { from: number; to: number; stretch: number; rowsAtOnce: number }, // prettier-ignore
): Stretch[] {
  const stretches: Stretch[] = []
  let [start, held] = [0, 0]
  const cut = (end: number): void => {
    if (held > 0) {
      const until = Math.min(to, from + end * stretch)
      stretches.push({ from: from + start * stretch, until })
    }
    ;[start, held] = [end, 0]
  }
  for (const [place, rows] of counts.entries()) {
    if (held > 0 && held + rows > rowsAtOnce) cut(place)
    held += rows
  }
  cut(counts.length)
  return stretches
}
