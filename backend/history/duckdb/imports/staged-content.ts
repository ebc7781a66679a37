import { StoreFailed } from '../../../lib/errors.ts'
import type { StagedContent, StagedKind } from '../../history-copies.ts'
import { readTexts } from '../engine/columns.ts'
import type { Session } from '../engine/connections.ts'
import { TICK_COLUMNS, type Arrivals } from '../ticks/sorted.ts'
import { spansIn, type MarketSpan, type TickKind } from '../ticks/spans.ts'

/** The tick table that rows of a staged file belong to. */
export const TICK_OF: Readonly<Record<StagedKind, TickKind>> = {
  trades: 'trade',
  quotes: 'quote',
  candles: 'candle',
  books: 'book',
  activity: 'activity',
}

/**
 * SQL of an aggregate over the rows of a staged file: its content hash as text. It depends on every
 * cell but not on the order, so that the writer and the history may compute it in different passes.
 */
export const contentHashSql = (kind: StagedKind): string =>
  `coalesce(bit_xor(hash(${TICK_COLUMNS[TICK_OF[kind]].join(', ')})), 0)::varchar`

/** The bounds of each market's rows in a staged file, and its content, read in one pass. */
export async function readStaged(
  session: Session,
  kind: StagedKind,
  { from, where, values }: Arrivals,
): Promise<{ readonly arrived: MarketSpan[]; readonly content: StagedContent }> {
  const chunks = await session.read(
    `select market::integer, min(ts)::double, max(ts)::double, count(*)::double,
            ${contentHashSql(kind)}
       from ${from} where ${where} group by 1 order by 1`,
    values,
  )
  const arrivedSpans = [...spansIn(chunks)]
  const rows = arrivedSpans.reduce((sum, span) => sum + span.rows, 0)
  const hashes = chunks.flatMap((chunk) => readTexts(chunk, 4))
  const hash = hashes.reduce((all, text) => all ^ BigInt(text ?? 0), 0n).toString()
  return { arrived: arrivedSpans, content: { rows, hash } }
}

/** @throws StoreFailed when the rows that were read are not those that the writer of the file counted */
export function refuseOtherContent(read: StagedContent, writtenContent: StagedContent): void {
  if (read.rows === writtenContent.rows && read.hash === writtenContent.hash) return
  throw new StoreFailed(
    read.rows === writtenContent.rows
      ? `The staged file was read with other content than was written (${writtenContent.rows} rows): nothing of it was stored. Start the import again`
      : `The staged file has ${writtenContent.rows} rows, and ${read.rows} were read: nothing of it was stored. Start the import again`,
  )
}
