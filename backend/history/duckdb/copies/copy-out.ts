import type { BackupTable, CopyOptions, CopyQuery } from '../../history-copies.ts'
import type { Bounds, Session } from '../engine/connections.ts'
import { barsSql, factsSql, tickKindOf, ticksSql } from './copied-rows.ts'
import { clearBars, putBars, type CandlesOf } from './copied-bars.ts'
import { openCopy } from './copy-file.ts'
import { statementsSql } from './copied-statements.ts'
import {
  marketSlices,
  marketsOfBars,
  marketsOfStatements,
  tickSlices,
  venuesOf,
  type CopySources,
} from './copy-slices.ts'

/** Rows sorted in memory, well within the engine's memory limit. */
const ROWS_PER_BATCH = 1_000_000

/** Rows written by one statement. */
interface Piece {
  readonly sql: string
  readonly values: Bounds
}

/** Writes rows to a file sorted by (venue, ticker, time), one slice at a time; see the port. */
export async function copyTo(
  session: Session,
  sources: CopySources & { readonly candlesOf: CandlesOf },
  kind: BackupTable,
  query: CopyQuery,
  path: string,
  options: CopyOptions = {},
): Promise<{ rows: number }> {
  const { format = 'parquet', signal, onRows = () => {} } = options
  const interrupt = (): void => session.connection.interrupt()
  const file = openCopy(session, format, path)
  let rows = 0
  signal?.throwIfAborted()
  signal?.addEventListener('abort', interrupt)
  try {
    for await (const { sql, values } of pieces(session, sources, kind, query, options)) {
      signal?.throwIfAborted()
      rows += await file.add((target, copyFormat) =>
        // The target path is a parameter, so the statement is prepared once for all slices.
        session.change(`copy (${sql}) to $path (${copyFormat})`, { ...values, path: target }),
      )
      onRows(rows)
    }
    signal?.throwIfAborted()
    await file.finish()
    return { rows }
  } catch (error) {
    // Any error of a cancelled statement is the cancellation.
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', interrupt)
    await file.discard()
  }
}

/** At least one piece, so that a file without rows has its columns. */
async function* pieces(
  session: Session,
  sources: CopySources & { readonly candlesOf: CandlesOf },
  kind: BackupTable,
  query: CopyQuery,
  { format = 'parquet', width, signal, rowsAtOnce = ROWS_PER_BATCH }: CopyOptions,
): AsyncGenerator<Piece> {
  const { asOf } = query
  if (kind === 'bars') {
    if (width === undefined) throw new RangeError('bars have a width')
    const sql = barsSql(format)
    let [pendingRows, isFirst] = [0, true]
    await clearBars(session)
    for (const market of marketsOfBars(sources, query)) {
      pendingRows += await putBars(session, sources.candlesOf, market, { ...query, width }, signal)
      if (pendingRows < rowsAtOnce) continue
      yield { sql, values: {} }
      await clearBars(session)
      ;[pendingRows, isFirst] = [0, false]
    }
    if (pendingRows > 0 || isFirst) yield { sql, values: {} }
    await clearBars(session)
    return
  }
  const bounds = { from: query.from, to: query.to, asOf }
  if (kind === 'coverage' || kind === 'corrections') {
    const markets = marketsOfStatements(sources, query, kind)
    const venues =
      kind === 'coverage' ? { venues: nonEmptyList(venuesOf(sources, query, markets), '') } : {}
    const values = { ...bounds, ...venues, markets: nonEmptyList(markets, -1) }
    yield { sql: statementsSql(kind, format), values }
    return
  }
  const isCorrected = kind === 'trades' && sources.corrections.hasAnyBy(asOf)
  const sql =
    kind === 'facts'
      ? factsSql(format)
      : kind === 'changes'
        ? statementsSql(kind, format)
        : ticksSql(kind, format, isCorrected)
  const slices =
    kind === 'facts' || kind === 'changes'
      ? marketSlices(sources, query)
      : await tickSlices(session, sources, tickKindOf(kind), query, rowsAtOnce)
  const emptyQuery = { markets: [], from: query.from, to: query.to }
  for (const { markets, from, to } of slices.length > 0 ? slices : [emptyQuery]) {
    yield { sql, values: { from, to, asOf, markets: nonEmptyList(markets, -1) } }
  }
}

/** An empty list has no element type, so it gets a value that no row has. */
const nonEmptyList = <T>(values: readonly T[], emptyValue: T): readonly T[] =>
  values.length > 0 ? values : [emptyValue]
