import { rm } from 'node:fs/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import { canonicalTicker, type Venue } from '../../../domain/market.ts'
import { venueName } from '../../../domain/venue.ts'
import { DAY, type Millis } from '../../../domain/units.ts'
import type { StagedContent, StagedKind } from '../../../history/history-copies.ts'
import { REPEATED_REASON, type Reading } from '../reading.ts'
import { quoteText, ROW, type Table } from '../reader-database.ts'
import { contentColumns, contentIn, contentOf } from './staged-content.ts'

/** A file with more rows is staged day by day, so that a sort fits into memory. */
const SLICE_ROWS = 12_000_000
const NAMES_PER_REQUEST = 10_000

type Columns = readonly (readonly [name: string, expression: string])[]

/** Maps the rows of a file to ticks of the history, as SQL over the file's columns. */
export interface TickMapping {
  readonly kind: StagedKind
  /** The venue's id, as SQL. */
  readonly venue: string
  /** The market's ticker, as SQL. */
  readonly market: string
  /** Venue time in Unix ms. */
  readonly ts: string
  /** Why a row is refused, checked in order; the row passes when no condition is true. */
  readonly refusals: readonly (readonly [reason: string, condition: string])[]
  /** Columns after `market` and `ts`, named as in the history's table. */
  readonly columns: Columns
  /**
   * Columns that with market and `ts` identify a row; a second row with the same identity is
   * refused. Trades are identified by their id alone.
   */
  readonly identity?: readonly string[]
  /** Order of the rows of one market and `ts`, as SQL; any order by default. */
  readonly order?: string
  /** The coverage of the rows is stated by another file: none is recorded for them. */
  readonly isCoverageKnown?: boolean
  /** Counters stated beside the ticks, stored where `column`, one of the columns above, changed. */
  readonly counters?: { readonly column: string; readonly columns: Columns }
}

/**
 * Reads a file of ticks: refused rows are counted by reason, the rest is sorted by market and time
 * and adopted by the history. Of several rows with the same identity the first is stored.
 */
export async function stageTicks(
  table: Table,
  mapping: TickMapping,
  reading: Reading,
): Promise<void> {
  const { db } = reading
  const refusals =
    reading.venue === null
      ? mapping.refusals
      : [
          ...mapping.refusals,
          [
            `row belongs to another venue than ${venueName(reading.venue)}`,
            `${mapping.venue} <> ${quoteText(reading.venue)}`,
          ] as const,
        ]
  const rejectionCondition = refusals
    .map(([, condition]) => `coalesce((${condition}), false)`)
    .join(' or ')
  const lag = mapping.columns.find(([name]) => name === 'lag')?.[1] ?? '0'
  const knownAt = `(${mapping.ts}) + (${lag})`
  await db.run(`create or replace temp table named as
    select ${mapping.venue} as venue, (${mapping.market})::varchar as name, count(*) as n,
           count(*) filter (${rejectionCondition}) as refused,
           min(${knownAt}) filter (not (${rejectionCondition}))::double as first_known_at
      from ${table.from} group by venue, name`)
  await countRefusals(table, refusals, reading)
  const [counts] = await rowsOf(db, 'select sum(n - refused)::double as good from named')
  const acceptedCount = Number(counts?.['good'] ?? 0)
  if (acceptedCount === 0) return
  await nameMarkets(reading)
  await countMarkets(reading)
  for (const slice of await slicesOf(table, mapping, acceptedCount, db)) {
    reading.signal.throwIfAborted()
    await stageSlice(table, mapping, `not (${rejectionCondition}) and ${slice}`, reading)
  }
}

const rowsOf = async (db: DuckDBConnection, sql: string): Promise<Record<string, unknown>[]> =>
  (await db.runAndReadAll(sql)).getRowObjectsJS()

async function countRefusals(
  table: Table,
  refusals: TickMapping['refusals'],
  { db, tally }: Reading,
): Promise<void> {
  const [total] = await rowsOf(db, 'select sum(refused)::double as n from named')
  if (Number(total?.['n'] ?? 0) === 0) return
  const cases = refusals.map(([reason, condition]) => `when ${condition} then ${quoteText(reason)}`)
  const rows = await rowsOf(
    db,
    `select reason, count(*)::double as n, min(${ROW})::double as first_row
       from (select case ${cases.join(' ')} end as reason, ${ROW} from ${table.from})
      where reason is not null group by reason order by first_row`,
  )
  for (const row of rows) {
    tally.refuse(String(row['reason']), Number(row['n']), Number(row['first_row']))
  }
}

/** Fills the table `market_of` (of_venue, of_name, market) with the history's ids. */
async function nameMarkets({ db, host, dryRun }: Reading): Promise<void> {
  const namedRows = await rowsOf(
    db,
    'select venue, name from named where name is not null and n > refused order by venue, name',
  )
  await db.run(
    'create or replace temp table market_of (of_venue varchar, of_name varchar, market integer)',
  )
  const appender = await db.createAppender('market_of')
  for (let start = 0; start < namedRows.length; start += NAMES_PER_REQUEST) {
    const keys = namedRows.slice(start, start + NAMES_PER_REQUEST).map((row) => ({
      venue: row['venue'] as Venue,
      name: String(row['name']),
    }))
    // A dry run registers nothing: any distinct numbers will do.
    const ids = dryRun
      ? keys.map((_, index) => start + index)
      : await host.marketIds(
          keys.map(({ venue, name }) => ({ venue, ticker: canonicalTicker(name) })),
        )
    keys.forEach(({ venue, name }, index) => {
      const market = ids[index]
      if (market === undefined) return
      appender.appendVarchar(venue)
      appender.appendVarchar(name)
      appender.appendInteger(market)
      appender.endRow()
    })
  }
  appender.closeSync()
}

/** Notes the markets of the file with their rows, for those that nothing describes. */
async function countMarkets({ db, staged, tally }: Reading): Promise<void> {
  const markets = await rowsOf(
    db,
    `select venue, name, (n - refused)::double as rows, first_known_at
       from named where name is not null and n > refused`,
  )
  for (const row of markets) {
    staged.add(tally, {
      venue: row['venue'] as Venue,
      name: String(row['name']),
      rows: Number(row['rows']),
      firstKnownAt: Number(row['first_known_at']) as Millis,
    })
  }
}

/** Conditions that split a large file into parts of at most a day each, packed up to the limit. */
async function slicesOf(
  table: Table,
  { ts }: TickMapping,
  rows: number,
  db: DuckDBConnection,
): Promise<string[]> {
  if (rows <= SLICE_ROWS) return ['true']
  const days = await rowsOf(
    db,
    `select ((${ts}) // ${DAY})::integer as day, count(*)::double as n
       from ${table.from} where (${ts}) is not null group by day order by day`,
  )
  const slices: string[] = []
  let from: number | null = null
  let pending = 0
  days.forEach((row, index) => {
    const day = Number(row['day'])
    from ??= day
    pending += Number(row['n'])
    const next = days[index + 1]
    if (next !== undefined && pending + Number(next['n']) <= SLICE_ROWS) return
    slices.push(`(${ts}) >= ${from * DAY} and (${ts}) < ${(day + 1) * DAY}`)
    from = null
    pending = 0
  })
  return slices
}

async function stageSlice(
  table: Table,
  mapping: TickMapping,
  conditionSql: string,
  reading: Reading,
): Promise<void> {
  const { db, stager, tally, dryRun } = reading
  let path = stager.nextPath()
  const columns = mapping.columns.map(([name, sql]) => `${sql} as ${name}`).join(', ')
  const orderColumn = mapping.order ?? '0'
  const rows = `select market_of.market, (${mapping.ts})::bigint as ts, ${columns},
         ${orderColumn} as place, ${ROW}
    from (select * from ${table.from} where ${conditionSql}) as given
    join market_of on of_name = (${mapping.market})::varchar
     and of_venue = ${mapping.venue}`
  const orderSql = `market, ts${mapping.order === undefined ? '' : `, place, ${ROW}`}`
  const write = (sql: string): Promise<unknown> =>
    db.run(`copy (${sql}) to ${quoteText(path)} (format parquet, compression snappy)`)
  await write(`select * exclude (place, ${ROW}) from (${rows}) order by ${orderSql}`)
  const stagedRows = await inspectStaged(path, mapping, db)
  let { content } = stagedRows
  if (stagedRows.repeated > 0) {
    const markedSql = `select *, ${repeatOf(mapping, `order by market, ts, place, ${ROW}`)} as repeats
      from (${rows})`
    const [first] = await rowsOf(
      db,
      `select min(${ROW})::double as first_row from (${markedSql}) where repeats`,
    )
    tally.refuse(REPEATED_REASON, stagedRows.repeated, Number(first?.['first_row']))
    await rm(path, { force: true })
    path = stager.nextPath()
    await write(`select * exclude (place, repeats, ${ROW}) from (${markedSql}) where not repeats
      order by ${orderSql}`)
    content = await contentOf(db, mapping.kind, path)
  }
  if (dryRun) {
    await rm(path, { force: true })
    return tally.addRows(content.rows)
  }
  if (mapping.counters !== undefined) await stageCounters(path, mapping.counters, reading)
  const source = mapping.isCoverageKnown === true ? null : tally.source
  const { kind } = mapping
  const { file } = tally
  await stager.submit({ kind, path, content, source, isCounted: true, file }, tally.settle)
}

/** SQL that is true for a row that repeats an earlier one. */
function repeatOf({ kind, identity = [] }: TickMapping, order: string): string {
  if (kind === 'trades') return `row_number() over (partition by market, trade_id ${order}) > 1`
  return ['market', 'ts', ...identity]
    .map((column) => `${column} is not distinct from lag(${column}) over (${order})`)
    .join(' and ')
}

/** Reads a sorted staged file back: its content, and how many of its rows repeat an earlier one. */
async function inspectStaged(
  path: string,
  mapping: TickMapping,
  db: DuckDBConnection,
): Promise<{ readonly content: StagedContent; readonly repeated: number }> {
  const file = `read_parquet(${quoteText(path)})`
  const content = contentColumns(mapping.kind)
  const sql =
    mapping.kind === 'trades'
      ? `select (count(*) - count(distinct (market, trade_id)))::double as repeated, ${content}
           from ${file}`
      : `select count(*) filter (repeats)::double as repeated, ${content}
           from (select *, ${repeatOf(mapping, '')} as repeats from ${file})`
  const [row] = await rowsOf(db, sql)
  return { content: contentIn(row), repeated: Number(row?.['repeated'] ?? 0) }
}

/** Stages the counters in a staged file, one row per change. */
async function stageCounters(
  from: string,
  { column, columns }: NonNullable<TickMapping['counters']>,
  { db, stager, tally }: Reading,
): Promise<void> {
  const selection = `select market, ts, lag, origin, ${column},
         lag(market) over () as market_before, lag(${column}) over () as column_before
    from read_parquet(${quoteText(from)}) where ${column} is not null`
  const path = stager.nextPath()
  const values = columns.map(([name, sql]) => `${sql} as ${name}`).join(', ')
  await db.run(
    `copy (select market, ts, lag, origin, ${values} from (${selection})
        where market_before is distinct from market or column_before is distinct from ${column})
       to ${quoteText(path)} (format parquet, compression snappy)`,
  )
  const content = await contentOf(db, 'activity', path)
  const { source, file } = tally
  const stagedFile = { kind: 'activity', path, content, source, isCounted: false, file } as const
  await stager.submit(stagedFile, (outcome) => {
    if ('error' in outcome) tally.settle(outcome)
  })
}
