import { HOUR } from '../../domain/units.ts'
import type { FactsRow } from '../history-batch.ts'
import type { StagedKind } from '../history-copies.ts'
import type { MarketId } from '../market-key.ts'
import type { BatchAppender } from './append.ts'
import { readDoubles, readIntegers } from './columns.ts'
import type { ReadPool, Session, Writer } from './connections.ts'
import { coverImport } from './import-coverage.ts'
import type { MarketRegistry } from './registry.ts'
import { spansOf, TICK_COLUMNS, type Arrivals } from './sorted.ts'
import type { MarketSpan, Spans, TickKind } from './spans.ts'
import { summarise } from './summaries.ts'

const KIND_OF: Readonly<Record<StagedKind, TickKind>> = {
  trades: 'trade',
  quotes: 'quote',
  candles: 'candle',
  books: 'book',
  activity: 'activity',
}

const KNOWN_VERSIONS = `
  select market, known_at::double from market_version where market in (select unnest($markets))`

/** What makes a row of a kind the same row, within its market. */
const IDENTITY: Readonly<Record<StagedKind, readonly string[]>> = {
  trades: ['trade_id'],
  quotes: ['ts'],
  candles: ['start', 'width'],
  books: ['ts'],
  activity: ['ts'],
}

/** Rows compared with stored ones at a time: what bounds the memory of a repeated import. */
const SLICE_ROWS = 4_000_000
const CHECKPOINT_ROWS = 500_000

/**
 * Markets next to each other in the file, when their rows are of, and whether stored rows may equal
 * some of them.
 */
interface Slice {
  readonly first: MarketId
  readonly last: MarketId
  readonly from: number
  readonly to: number
  readonly rows: number
  readonly overlaps: boolean
}

interface AdoptInto {
  readonly writer: Writer
  readonly spans: Spans
  readonly registry: MarketRegistry
  /** Is told what the file holds before any of it can be read. */
  readonly holds: (kind: TickKind, arrived: readonly MarketSpan[]) => void
}

/**
 * Takes a staged Parquet file over into the sorted table in one transaction, in the file's order.
 * Only markets whose time range meets stored rows are compared with them, a slice at a time.
 * @param source what its rows are said to cover is stated under this name; nothing is for null
 */
export async function adopt(
  { writer, spans, registry, holds }: AdoptInto,
  staged: StagedKind,
  path: string,
  source: string | null,
): Promise<{ taken: number; known: number }> {
  const kind = KIND_OF[staged]
  const file: Arrivals = {
    from: 'read_parquet($path, file_row_number = true)',
    where: 'true',
    position: 'file_row_number',
    values: { path },
  }
  const { arrived, taken } = await writer.transaction(
    async (session) => {
      const arrived = await spansOf(session, file)
      holds(kind, arrived)
      await summarise(session, kind, file)
      let taken = 0
      for (const slice of slicesOf(arrived, (span) => meets(spans, kind, span))) {
        taken += await takeSlice(session, staged, kind, path, slice)
      }
      if (source !== null) await coverImport(session, writer, registry, { staged, path, source })
      return { arrived, taken }
    },
    ({ arrived }) => {
      for (const { market, first, last, rows } of arrived)
        spans.widen(kind, market, first, last, rows)
    },
  )
  const rows = arrived.reduce((sum, span) => sum + span.rows, 0)
  if (taken >= CHECKPOINT_ROWS) await writer.checkpoint()
  return { taken, known: rows - taken }
}

function meets(spans: Spans, kind: TickKind, arrived: MarketSpan): boolean {
  const stored = spans.of(kind, arrived.market)
  return stored !== null && stored.first <= arrived.last && stored.last >= arrived.first
}

/** Appends versions of facts, leaving out those whose (market, knownAt) is stored or came before. */
export async function adoptFacts(
  pool: ReadPool,
  appender: BatchAppender,
  rows: readonly FactsRow[],
): Promise<{ taken: number; known: number }> {
  if (rows.length === 0) return { taken: 0, known: 0 }
  const markets = [...new Set(rows.map((row) => row.market))]
  const stored = await pool.with(async (session) => {
    const keys = new Set<string>()
    for (const chunk of await session.read(KNOWN_VERSIONS, { markets })) {
      const [market, knownAt] = [readIntegers(chunk, 0), readDoubles(chunk, 1)]
      for (let i = 0; i < chunk.rowCount; i++) keys.add(`${market[i] ?? -1} ${knownAt[i] ?? 0}`)
    }
    return keys
  })
  const facts = rows.filter((row) => {
    const key = `${row.market} ${row.knownAt}`
    return !stored.has(key) && stored.add(key)
  })
  if (facts.length > 0) await appender.append({ facts })
  return { taken: facts.length, known: rows.length - facts.length }
}

/** Runs of markets that are all new (of any length) or all to be compared (bounded in rows). */
function slicesOf(
  arrived: readonly MarketSpan[],
  overlaps: (span: MarketSpan) => boolean,
): Slice[] {
  const slices: Slice[] = []
  for (const span of arrived) {
    const open = slices.at(-1)
    const overlapping = overlaps(span)
    if (open?.overlaps === overlapping && (!overlapping || open.rows + span.rows <= SLICE_ROWS)) {
      slices[slices.length - 1] = {
        ...{ ...open, last: span.market, rows: open.rows + span.rows },
        ...{ from: Math.min(open.from, span.first), to: Math.max(open.to, span.last) },
      }
    } else {
      slices.push({
        ...{ first: span.market, last: span.market, from: span.first, to: span.last },
        ...{ rows: span.rows, overlaps: overlapping },
      })
    }
  }
  return slices
}

function takeSlice(
  session: Session,
  staged: StagedKind,
  kind: TickKind,
  path: string,
  { first, last, overlaps, ...rows }: Slice,
): Promise<number> {
  const columns = TICK_COLUMNS[kind].join(', ')
  const identity = IDENTITY[staged].map((column) => `stored.${column} = arrived.${column}`)
  const unknown = `and not exists (
      select 1 from ${kind}_all as stored
       where stored.market between $first::integer and $last::integer
         and stored.ts between $from::bigint and $to::bigint
         and stored.market = arrived.market and ${identity.join(' and ')})`
  // Two sources state the time of one trade alike to the second only.
  const reach = staged === 'trades' ? HOUR : 0
  const bounds = overlaps ? { from: rows.from - reach, to: rows.to + reach } : {}
  return session.change(
    `insert into ${kind} (${columns}) select ${columns} from read_parquet($path) as arrived
      where arrived.market between $first::integer and $last::integer ${overlaps ? unknown : ''}`,
    { path, first, last, ...bounds },
  )
}
