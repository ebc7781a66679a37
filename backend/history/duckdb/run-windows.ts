import type {
  BarRows,
  BookRows,
  EventWindow,
  Feed,
  QuoteRows,
  TradeRows,
} from '../../domain/backtest/event-columns.ts'
import { DAY, MINUTE, type Millis } from '../../domain/units.ts'
import type { MarketId } from '../market-key.ts'
import type { RunQuery, RunReads } from '../run-reads.ts'
import { readDoubles, readIntegers } from './columns.ts'
import type { ReadPool, Session } from './connections.ts'
import { COLUMNS, READERS, settleInstants } from './run-columns.ts'
import type { Spans, TickKind } from './spans.ts'

/** The table of each feed. */
export const FEED_KINDS: Readonly<Record<Feed, TickKind>> = {
  trades: 'trade',
  quotes: 'quote',
  books: 'book',
  bars: 'candle',
}

const ROWS_AT_ONCE = 500_000
/** How many rows of two columns a row of the feed weighs in memory. */
const WEIGHTS: Readonly<Record<Feed, number>> = { trades: 1, quotes: 1, books: 4, bars: 1 }
/** So many markets are named in the text of a query, where the engine skips what holds none of them. */
const MOST_NAMED = 200
/** More than the markets of any run, a power of two. */
const MOST_MARKETS = 2 ** 21
/** More than the rows of any table. */
const NEXT_PART = 2 ** 50
/** Stretches of time that are counted at most. */
const MOST_STRETCHES = 8_192

/** Which rows of a table belong to a query; `$from` and `$until` are bound to the stretch. */
function rowsOf(feed: Feed, { markets }: RunQuery): string {
  // Numbers of our own making: they need no binding, and named they tell the engine where not to look.
  const named = markets.length <= MOST_NAMED ? `and market in (${[-1, ...markets].join(', ')})` : ''
  return `
    from ${FEED_KINDS[feed]}_all
    join (select unnest($markets)::integer as market,
                 unnest(range(len($markets)))::integer as place) as asked using (market)
   where ts <= $until and ts + lag > $from and ts + lag <= $until ${named}
     ${feed === 'trades' ? 'and not is_block' : ''}`
}

/** How many rows became known in each stretch, and how late the latest of them. */
const countSql = (feed: Feed, query: RunQuery): string => `
  select ((ts + lag - $from - 1) // $stretch)::integer, count(*)::double, max(lag)::double
  ${rowsOf(feed, query)} group by 1`

/**
 * One number a row to sort by, when it was known and its market's place: a sort by all that decides takes
 * twice as long. Rows of one instant are looked through afterwards.
 */
const windowSql = (feed: Feed, query: RunQuery): string => `
  select (ts + lag)::double, ts::double, place, (part * ${NEXT_PART} + seq)::double,
         ${COLUMNS[feed].join(', ')}
  ${rowsOf(feed, query)} and ts > $earliest
   order by (ts + lag - $from) * ${MOST_MARKETS} + place`

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

/** A stretch of a run that is read at once. */
interface Stretch {
  readonly from: number
  readonly until: number
}
interface Plan {
  readonly stretches: readonly Stretch[]
  /** Feeds with any row, and the largest lag of one. */
  readonly feeds: ReadonlyMap<Feed, number>
}

/** The windows of a query, the next one read while the one before is played. */
export async function* runWindows(
  pool: ReadPool,
  query: RunQuery,
): AsyncGenerator<EventWindow, void, undefined> {
  const { stretches, feeds } = await pool.with((session) => planOf(session, query))
  const read = (stretch: Stretch): Promise<EventWindow> =>
    pool.with((session) => windowOf(session, query, feeds, stretch))
  let next = stretches[0] === undefined ? null : read(stretches[0])
  for (let i = 1; next !== null; i++) {
    const window: EventWindow = await next
    const after = stretches[i]
    next = after === undefined ? null : read(after)
    // Whoever stops listening does not hear of its failure either.
    next?.catch(() => {})
    yield window
  }
}

async function planOf(session: Session, query: RunQuery): Promise<Plan> {
  const { from, to, markets, rowsAtOnce = ROWS_AT_ONCE } = query
  const stretch = Math.max(MINUTE, Math.ceil((to - from) / MOST_STRETCHES))
  const counts = new Float64Array(Math.ceil((to - from) / stretch))
  const feeds = new Map<Feed, number>()
  if (markets.length === 0 || to <= from) return { stretches: [], feeds }
  for (const feed of query.feeds) {
    const bounds = { from, until: to, stretch, markets }
    for (const chunk of await session.read(countSql(feed, query), bounds)) {
      const [place, rows, lag] = [readIntegers(chunk, 0), readDoubles(chunk, 1), readDoubles(chunk, 2)] // prettier-ignore
      for (let i = 0; i < chunk.rowCount; i++) {
        const at = place[i] ?? 0
        counts[at] = (counts[at] ?? 0) + (rows[i] ?? 0) * WEIGHTS[feed]
        feeds.set(feed, Math.max(feeds.get(feed) ?? 0, lag[i] ?? 0))
      }
    }
  }
  return { stretches: stretchesOf(counts, { from, to, stretch, rowsAtOnce }), feeds }
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

async function windowOf(
  session: Session,
  query: RunQuery,
  feeds: Plan['feeds'],
  { from, until }: Stretch,
): Promise<EventWindow> {
  const rows: Record<Feed, object | null> = { trades: null, quotes: null, books: null, bars: null }
  for (const [feed, lag] of feeds) {
    const bounds = { from, until, markets: query.markets, earliest: from - lag }
    const reader = READERS[feed]
    await session.readBulk(
      windowSql(feed, query),
      bounds,
      (count) => void (rows[feed] = count === 0 ? null : reader.empty(count)),
      (chunk, row) => reader.take(rows[feed] ?? {}, chunk, row),
    )
    const read = rows[feed]
    if (read !== null) settleInstants(read)
  }
  return {
    until: until as Millis,
    trades: rows.trades as TradeRows | null,
    quotes: rows.quotes as QuoteRows | null,
    books: rows.books as BookRows | null,
    bars: rows.bars as BarRows | null,
  }
}
