import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import { DAY, HOUR, type Millis } from '../../../domain/units.ts'
import type {
  ContextRows,
  IndexRow,
  JudgementRow,
  RegimeLabelRow,
  ServedRow,
  SnapshotRow,
} from '../../context-store.ts'
import {
  appendColumns,
  blobs,
  bytes,
  doubles,
  flags,
  integers,
  readDoubles,
  readIntegers,
  readTexts,
  texts,
  wholes,
  wholesOrNull,
  type ColumnSource,
} from '../engine/columns.ts'
import type { Session, Writer } from '../engine/connections.ts'

/** The code of a label in the table is its position in this list. */
export const REGIME_SIDES = ['maker', 'taker', 'neutral'] as const

/** All snapshots are kept this long, then one per hour. */
const FULL_COPY_SPAN = 2 * DAY
const HOURLY_COPY_SPAN = 90 * DAY

const pack = promisify(deflate)

/** Rows with an instant, how they are identified and how they are stored. */
interface Kind<Row extends { readonly at: Millis }> {
  readonly table: string
  /** Columns that identify a row within one instant; the text equals that of `key`. */
  readonly keyColumns: string
  readonly storedKeys: (session: Session, sql: string, bounds: TimeRange) => Promise<string[]>
  readonly key: (row: Row) => string
  readonly columns: (rows: readonly Row[]) => ColumnSource[] | Promise<ColumnSource[]>
}

/** First and last instant of a set of rows. */
type TimeRange = { readonly first: Millis; readonly last: Millis }

const times = (rows: readonly { readonly at: Millis }[]): ColumnSource =>
  wholes(Float64Array.from(rows, (row) => row.at))

async function textKeys(session: Session, sql: string, timeRange: TimeRange): Promise<string[]> {
  const keys: string[] = []
  for (const chunk of await session.read(sql, timeRange)) {
    const at = readDoubles(chunk, 0)
    const columns = Array.from({ length: chunk.columnCount - 1 }, (_, i) => readTexts(chunk, i + 1))
    for (let i = 0; i < chunk.rowCount; i++) {
      keys.push(keyOf(at[i] ?? 0, ...columns.map((column) => column[i] ?? '')))
    }
  }
  return keys
}

async function marketKeys(session: Session, sql: string, timeRange: TimeRange): Promise<string[]> {
  const keys: string[] = []
  for (const chunk of await session.read(sql, timeRange)) {
    const [at, market] = [readDoubles(chunk, 0), readIntegers(chunk, 1)]
    for (let i = 0; i < chunk.rowCount; i++) keys.push(keyOf(at[i] ?? 0, market[i] ?? -1))
  }
  return keys
}

const keyOf = (at: number, ...names: readonly (string | number)[]): string =>
  [at, ...names].join(' ')

const INDICES: Kind<IndexRow> = {
  table: 'index_reading',
  keyColumns: 'scope',
  storedKeys: textKeys,
  key: (row) => keyOf(row.at, row.scope),
  columns: (rows) => [
    texts(rows.map((row) => row.scope)),
    times(rows),
    doubles(rows.map((row) => row.value)),
    doubles(rows.map((row) => row.disagreement)),
    doubles(rows.map((row) => row.geoRisk)),
    doubles(rows.map((row) => row.breadth)),
    doubles(rows.map((row) => row.activity)),
    texts(rows.map((row) => row.body)),
    wholesOrNull(rows.map((row) => row.knownAt ?? null)),
  ],
}

const SNAPSHOTS: Kind<SnapshotRow> = {
  table: 'world_snapshot',
  keyColumns: 'region',
  storedKeys: textKeys,
  key: (row) => keyOf(row.at, row.region),
  columns: async (rows) => [
    texts(rows.map((row) => row.region)),
    times(rows),
    blobs(await Promise.all(rows.map((row) => pack(row.body)))),
  ],
}

const REGIMES: Kind<RegimeLabelRow> = {
  table: 'regime_label',
  keyColumns: 'market',
  storedKeys: marketKeys,
  key: (row) => keyOf(row.at, row.market),
  columns: (rows) => [
    integers(Int32Array.from(rows, (row) => row.market)),
    times(rows),
    doubles(rows.map((row) => row.score)),
    bytes(Uint8Array.from(rows, (row) => REGIME_SIDES.indexOf(row.label))),
    doubles(rows.map((row) => row.alpha)),
    integers(Int32Array.from(rows, (row) => row.trades)),
    doubles(rows.map((row) => row.spread)),
    doubles(rows.map((row) => row.bidDepthUsd)),
    doubles(rows.map((row) => row.askDepthUsd)),
    doubles(rows.map((row) => row.volume24h)),
  ],
}

const JUDGEMENTS: Kind<JudgementRow> = {
  table: 'judgement',
  keyColumns: 'kind, id',
  storedKeys: textKeys,
  key: (row) => keyOf(row.at, row.kind, row.id),
  columns: (rows) => [
    texts(rows.map((row) => row.kind)),
    texts(rows.map((row) => row.id)),
    times(rows),
    texts(rows.map((row) => row.body)),
  ],
}

/**
 * Stores the rows that are not stored yet, all kinds in one transaction; durable when it resolves.
 */
export async function appendContext(
  writer: Writer,
  { indices = [], snapshots = [], regimes = [], judgements = [], served = [] }: ContextRows,
): Promise<void> {
  await writer.transaction(async (session) => {
    await appendServed(writer, served)
    await appendNew(writer, session, INDICES, indices)
    await appendNew(writer, session, SNAPSHOTS, snapshots)
    await appendNew(writer, session, REGIMES, regimes)
    await appendNew(writer, session, JUDGEMENTS, judgements)
  })
}

/** These rows are identified by their order alone, so the writer must write each of them once. */
async function appendServed(writer: Writer, rows: readonly ServedRow[]): Promise<void> {
  if (rows.length === 0) return
  const appender = await writer.appender('context_served')
  const instants = (instantOf: (row: ServedRow) => Millis | null) =>
    wholesOrNull(rows.map(instantOf))
  const columns = [
    times(rows),
    flags(rows.map(({ isRunning }) => isRunning)),
    flags(rows.map(({ hasDayEarlier }) => hasDayEarlier)),
    instants(({ contextAt }) => contextAt),
    instants(({ worldAt }) => worldAt),
    instants(({ worldContextAt }) => worldContextAt),
    instants(({ publishedContextAt }) => publishedContextAt),
    instants(({ publishedWorldAt }) => publishedWorldAt),
  ]
  appendColumns(appender, columns, rows.length)
  appender.flushSync()
}

async function appendNew<Row extends { readonly at: Millis }>(
  writer: Writer,
  session: Session,
  { table, keyColumns, storedKeys, key, columns }: Kind<Row>,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return
  const timeRange = rows.reduce<TimeRange>(
    ({ first, last }, { at }) => ({ first: at < first ? at : first, last: at > last ? at : last }),
    { first: Infinity as Millis, last: -Infinity as Millis },
  )
  const sql = `select computed_at::double, ${keyColumns} from ${table}
    where computed_at between $first and $last`
  const storedKeySet = new Set(await storedKeys(session, sql, timeRange))
  const newRows = rows.filter((row) => {
    const name = key(row)
    if (storedKeySet.has(name)) return false
    storedKeySet.add(name)
    return true
  })
  if (newRows.length === 0) return
  const appender = await writer.appender(table)
  appendColumns(appender, await columns(newRows), newRows.length)
  appender.flushSync()
}

const THIN_OUT = `
  delete from world_snapshot
   where computed_at <= $oldest
      or computed_at <= $thinned and (region, computed_at) not in (
           select (region, max(computed_at)) from world_snapshot where computed_at <= $thinned
            group by region, (computed_at + ${HOUR - 1}) // ${HOUR})`

/** Keeps one snapshot per hour and region of the hours before the last two days; see the port. */
export async function thinSnapshots(writer: Writer, now: Millis): Promise<void> {
  // Only whole hours: the last snapshot of an hour is not known before the hour has ended.
  const thinningLimit = Math.floor((now - FULL_COPY_SPAN) / HOUR) * HOUR
  await writer.transaction((session) =>
    session.change(THIN_OUT, { oldest: now - HOURLY_COPY_SPAN, thinned: thinningLimit }),
  )
}
