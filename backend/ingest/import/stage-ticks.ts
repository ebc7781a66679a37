import { rm } from 'node:fs/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import { canonicalTicker, type Venue } from '../../domain/market.ts'
import { DAY } from '../../domain/units.ts'
import type { StagedKind } from '../../history/history-copies.ts'
import { REPEATED, type Reading } from './reading.ts'
import { quoted, ROW, type Table } from './reader-database.ts'

/** Above this many rows a file is staged day by day, so that a sort stays within memory. */
const SLICE_ROWS = 12_000_000
const NAMES_PER_REQUEST = 10_000

type Columns = readonly (readonly [name: string, expression: string])[]

/** How the rows of a file become ticks of the history; SQL over the file's columns. */
export interface TickMapping {
  readonly kind: StagedKind
  /** The venue's name, as SQL. */
  readonly venue: string
  /** What names the market, as SQL. */
  readonly market: string
  /** Venue time in Unix ms. */
  readonly ts: string
  /** Why a row is refused, tried in order; a condition that is not true lets it pass. */
  readonly refusals: readonly (readonly [reason: string, condition: string])[]
  /** Columns after `market` and `ts`, named as in the history's table. */
  readonly columns: Columns
  /**
   * Columns that beside market and `ts` make two rows the same one, so that the second is refused;
   * trades are told apart by their id alone.
   */
  readonly identity?: readonly string[]
  /** Order of the rows of one market and `ts`, as SQL; any order by default. */
  readonly order?: string
  /** What the rows cover is told by another file: nothing is stated of them. */
  readonly isCoverageTold?: boolean
  /** Counters told beside the ticks: kept where `column`, one of the columns above, changed. */
  readonly counters?: { readonly column: string; readonly columns: Columns }
}

/**
 * Reads a file of ticks: refused rows are counted by reason, the rest is sorted by market and time
 * and handed to the history. Of several rows that are the same one the first is taken.
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
            `row is not of ${reading.venue}`,
            `${mapping.venue} <> ${quoted(reading.venue)}`,
          ] as const,
        ]
  const bad = refusals.map(([, condition]) => `coalesce((${condition}), false)`).join(' or ')
  await db.run(`create or replace temp table named as
    select ${mapping.venue} as venue, (${mapping.market})::varchar as name, count(*) as n,
           count(*) filter (${bad}) as refused
      from ${table.from} group by venue, name`)
  await countRefusals(table, refusals, reading)
  const [counts] = await rowsOf(db, 'select sum(n - refused)::double as good from named')
  const good = Number(counts?.['good'] ?? 0)
  if (good === 0) return
  await nameMarkets(reading)
  for (const slice of await slicesOf(table, mapping, good, db)) {
    reading.signal.throwIfAborted()
    await stageSlice(table, mapping, `not (${bad}) and ${slice}`, reading)
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
  const cases = refusals.map(([reason, condition]) => `when ${condition} then ${quoted(reason)}`)
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

/** Fills the table `market_of` (of_venue, of_name, market) with the history's numbers. */
async function nameMarkets({ db, host, dryRun }: Reading): Promise<void> {
  const named = await rowsOf(
    db,
    'select venue, name from named where name is not null and n > refused order by venue, name',
  )
  await db.run(
    'create or replace temp table market_of (of_venue varchar, of_name varchar, market integer)',
  )
  const appender = await db.createAppender('market_of')
  for (let start = 0; start < named.length; start += NAMES_PER_REQUEST) {
    const keys = named.slice(start, start + NAMES_PER_REQUEST).map((row) => ({
      venue: row['venue'] as Venue,
      name: String(row['name']),
    }))
    // Nothing is registered on a dry run: any numbers that differ will do.
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

/** Conditions that cut a large file into parts of at most a day each, packed up to the limit. */
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
  let held = 0
  days.forEach((row, index) => {
    const day = Number(row['day'])
    from ??= day
    held += Number(row['n'])
    const next = days[index + 1]
    if (next !== undefined && held + Number(next['n']) <= SLICE_ROWS) return
    slices.push(`(${ts}) >= ${from * DAY} and (${ts}) < ${(day + 1) * DAY}`)
    from = null
    held = 0
  })
  return slices
}

async function stageSlice(
  table: Table,
  mapping: TickMapping,
  where: string,
  reading: Reading,
): Promise<void> {
  const { db, stager, tally, dryRun } = reading
  const path = stager.nextPath()
  const columns = mapping.columns.map(([name, sql]) => `${sql} as ${name}`).join(', ')
  const place = mapping.order ?? '0'
  const rows = `select market_of.market, (${mapping.ts})::bigint as ts, ${columns},
         ${place} as place, ${ROW}
    from (select * from ${table.from} where ${where}) as given
    join market_of on of_name = (${mapping.market})::varchar
     and of_venue = ${mapping.venue}`
  const sorted = `market, ts${mapping.order === undefined ? '' : `, place, ${ROW}`}`
  const write = (sql: string): Promise<unknown> =>
    db.run(`copy (${sql}) to ${quoted(path)} (format parquet, compression snappy)`)
  await write(`select * exclude (place, ${ROW}) from (${rows}) order by ${sorted}`)
  const repeated = await repeatedRows(path, mapping, db)
  if (repeated > 0) {
    const marked = `select *, ${repeatOf(mapping, `order by market, ts, place, ${ROW}`)} as repeats
      from (${rows})`
    const [first] = await rowsOf(
      db,
      `select min(${ROW})::double as first_row from (${marked}) where repeats`,
    )
    tally.refuse(REPEATED, repeated, Number(first?.['first_row']))
    await write(`select * exclude (place, repeats, ${ROW}) from (${marked}) where not repeats
      order by ${sorted}`)
  }
  if (dryRun) {
    const [count] = await rowsOf(
      db,
      `select count(*)::double as n from read_parquet(${quoted(path)})`,
    )
    await rm(path, { force: true })
    return tally.take(Number(count?.['n'] ?? 0))
  }
  if (mapping.counters !== undefined) await stageCounters(path, mapping.counters, reading)
  const source = mapping.isCoverageTold === true ? null : tally.source
  await stager.submit(mapping.kind, path, source, tally.settle)
}

/** SQL that is true for a row that says again what one before it said. */
function repeatOf({ kind, identity = [] }: TickMapping, order: string): string {
  if (kind === 'trades') return `row_number() over (partition by market, trade_id ${order}) > 1`
  return ['market', 'ts', ...identity]
    .map((column) => `${column} is not distinct from lag(${column}) over (${order})`)
    .join(' and ')
}

/** Rows of a sorted staged file that repeat one before them. */
async function repeatedRows(
  path: string,
  mapping: TickMapping,
  db: DuckDBConnection,
): Promise<number> {
  const file = `read_parquet(${quoted(path)})`
  const sql =
    mapping.kind === 'trades'
      ? `select (count(*) - count(distinct (market, trade_id)))::double as n from ${file}`
      : `select count(*) filter (repeats)::double as n
           from (select ${repeatOf(mapping, '')} as repeats from ${file})`
  const [row] = await rowsOf(db, sql)
  return Number(row?.['n'] ?? 0)
}

/** Stages the counters that a staged file tells of, one row a change. */
async function stageCounters(
  from: string,
  { column, columns }: NonNullable<TickMapping['counters']>,
  { db, stager, tally }: Reading,
): Promise<void> {
  const told = `select market, ts, lag, origin, ${column},
         lag(market) over () as market_before, lag(${column}) over () as column_before
    from read_parquet(${quoted(from)}) where ${column} is not null`
  const path = stager.nextPath()
  const values = columns.map(([name, sql]) => `${sql} as ${name}`).join(', ')
  await db.run(
    `copy (select market, ts, lag, origin, ${values} from (${told})
        where market_before is distinct from market or column_before is distinct from ${column})
       to ${quoted(path)} (format parquet, compression snappy)`,
  )
  await stager.submit('activity', path, tally.source, (outcome) => {
    if ('error' in outcome) tally.settle(outcome)
  })
}
