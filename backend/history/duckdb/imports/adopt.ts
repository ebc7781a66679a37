import { HOUR } from '../../../domain/units.ts'
import type { FactsRow } from '../../history-batch.ts'
import { StoreFailed } from '../../../lib/errors.ts'
import type { AdoptOptions, ImportStep, StagedKind } from '../../history-copies.ts'
import type { MarketId } from '../../market-key.ts'
import type { BatchAppender } from '../ticks/append.ts'
import { readDoubles, readIntegers } from '../engine/columns.ts'
import type { ReadPool, Session, Writer } from '../engine/connections.ts'
import { coverImport } from './import-coverage.ts'
import { noteStep, notingStep } from './import-steps.ts'
import type { MarketRegistry } from '../facts/registry.ts'
import { TICK_COLUMNS, type Arrivals } from '../ticks/sorted.ts'
import type { MarketSpan, Spans, TickKind } from '../ticks/spans.ts'
import { readStaged, refuseOtherContent, TICK_OF } from './staged-content.ts'
import { summarise } from '../ticks/summaries.ts'

const KNOWN_VERSIONS = `
  select market, known_at::double from market_version where market in (select unnest($markets))`

/** Columns that identify a row of a kind within its market. */
const IDENTITY: Readonly<Record<StagedKind, readonly string[]>> = {
  trades: ['trade_id'],
  quotes: ['ts'],
  candles: ['start', 'width'],
  books: ['ts'],
  activity: ['ts'],
}

/** Rows compared with stored ones at a time; limits the memory of a repeated import. */
const SLICE_ROWS = 4_000_000
const CHECKPOINT_ROWS = 500_000

/**
 * Adjacent markets in the file, the time range of their rows, and whether stored rows may equal
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
  /** Called with the content of the file before any of it can be read. */
  readonly onContent: (kind: TickKind, arrivedSpans: readonly MarketSpan[]) => void
}

/**
 * Adopts a staged Parquet file into the sorted table in one transaction, in the file's order. Only
 * markets whose time range overlaps stored rows are compared with them, one slice at a time.
 * @throws StoreFailed when the rows read differ from those that the writer of the file counted
 */
export async function adopt(
  { writer, spans, registry, onContent }: AdoptInto,
  stagedKind: StagedKind,
  path: string,
  { source, content, step }: AdoptOptions,
): Promise<{ taken: number; known: number }> {
  const kind = TICK_OF[stagedKind]
  const file: Arrivals = {
    from: 'read_parquet($path, file_row_number = true)',
    where: 'true',
    position: 'file_row_number',
    values: { path },
  }
  const { arrived, taken } = await writer.transaction(
    async (session) => {
      const { arrived, content: read } = await readStaged(session, stagedKind, file)
      if (content !== undefined) refuseOtherContent(read, content)
      onContent(kind, arrived)
      await summarise(session, kind, file)
      let takenRows = 0
      for (const slice of slicesOf(arrived, (span) => overlapsAny(spans, kind, span))) {
        takenRows += await storeSlice(session, stagedKind, kind, path, slice)
      }
      if (source !== undefined)
        await coverImport(session, writer, registry, { staged: stagedKind, path, source })
      if (step !== undefined) {
        const knownRows = arrived.reduce((sum, span) => sum + span.rows, 0) - takenRows
        await noteStep(session, step, { taken: takenRows, known: knownRows })
      }
      return { arrived, taken: takenRows }
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

function overlapsAny(spans: Spans, kind: TickKind, arrivedSpan: MarketSpan): boolean {
  const storedSpan = spans.get(kind, arrivedSpan.market)
  return (
    storedSpan !== null &&
    storedSpan.first <= arrivedSpan.last &&
    storedSpan.last >= arrivedSpan.first
  )
}

/** Appends versions of facts without those whose (market, knownAt) is stored or occurred before. */
export async function adoptFacts(
  pool: ReadPool,
  appender: BatchAppender,
  rows: readonly FactsRow[],
  step?: ImportStep,
): Promise<{ taken: number; known: number }> {
  if (rows.length === 0) return { taken: 0, known: 0 }
  const markets = [...new Set(rows.map((row) => row.market))]
  const storedKeys = await pool.with(async (session) => {
    const keys = new Set<string>()
    for (const chunk of await session.read(KNOWN_VERSIONS, { markets })) {
      const [market, knownAt] = [readIntegers(chunk, 0), readDoubles(chunk, 1)]
      for (let i = 0; i < chunk.rowCount; i++) keys.add(`${market[i] ?? -1} ${knownAt[i] ?? 0}`)
    }
    return keys
  })
  const facts = rows.filter((row) => {
    const key = `${row.market} ${row.knownAt}`
    return !storedKeys.has(key) && storedKeys.add(key)
  })
  const adoptionCounts = { taken: facts.length, known: rows.length - facts.length }
  if (facts.length > 0) await appender.append({ facts }, notingStep(step, adoptionCounts))
  return adoptionCounts
}

/** Runs of markets that are all new (of any length) or all to be compared (bounded in rows). */
function slicesOf(
  arrivedSpans: readonly MarketSpan[],
  overlaps: (span: MarketSpan) => boolean,
): Slice[] {
  const slices: Slice[] = []
  for (const span of arrivedSpans) {
    const open = slices.at(-1)
    const overlapping = overlaps(span)
    if (open?.overlaps === overlapping && (!overlapping || open.rows + span.rows <= SLICE_ROWS)) {
      slices[slices.length - 1] = {
        ...open,
        last: span.market,
        rows: open.rows + span.rows,
        from: Math.min(open.from, span.first),
        to: Math.max(open.to, span.last),
      }
    } else {
      slices.push({
        first: span.market,
        last: span.market,
        from: span.first,
        to: span.last,
        rows: span.rows,
        overlaps: overlapping,
      })
    }
  }
  return slices
}

async function storeSlice(
  session: Session,
  stagedKind: StagedKind,
  kind: TickKind,
  path: string,
  { first, last, overlaps, ...rows }: Slice,
): Promise<number> {
  const columns = TICK_COLUMNS[kind].join(', ')
  const identity = IDENTITY[stagedKind].map((column) => `stored.${column} = arrived.${column}`)
  const unknown = `and not exists (
      select 1 from ${kind}_all as stored
       where stored.market between $first::integer and $last::integer
         and stored.ts between $from::bigint and $to::bigint
         and stored.market = arrived.market and ${identity.join(' and ')})`
  // Two sources agree on the time of a trade only to the second.
  const marginMs = stagedKind === 'trades' ? HOUR : 0
  const bounds = overlaps ? { from: rows.from - marginMs, to: rows.to + marginMs } : {}
  const takenRows = await session.change(
    `insert into ${kind} (${columns}) select ${columns} from read_parquet($path) as arrived
      where arrived.market between $first::integer and $last::integer ${overlaps ? unknown : ''}`,
    { path, first, last, ...bounds },
  )
  if (!overlaps && takenRows !== rows.rows) {
    throw new StoreFailed(
      `Of ${rows.rows} staged rows that are new, ${takenRows} could be inserted: nothing of the file was stored`,
    )
  }
  return takenRows
}
