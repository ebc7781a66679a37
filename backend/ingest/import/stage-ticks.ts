import type { DuckDBConnection } from '@duckdb/node-api'
import { canonicalTicker, type Venue } from '../../domain/market.ts'
import { DAY } from '../../domain/units.ts'
import type { Reading } from './reading.ts'
import { quoted, ROW, type Table } from './reader-database.ts'

/** Above this many rows a file is staged day by day, so that a sort stays within memory. */
const SLICE_ROWS = 12_000_000
const NAMES_PER_REQUEST = 10_000

/** How the rows of a file become ticks of the history; SQL over the file's columns. */
export interface TickMapping {
  readonly kind: 'quotes' | 'candles'
  readonly venue: Venue
  /** Column that names the market. */
  readonly market: string
  /** Venue time in Unix ms. */
  readonly ts: string
  /** Why a row is refused, tried in order; a condition that is not true lets it pass. */
  readonly refusals: readonly (readonly [reason: string, condition: string])[]
  /** Columns after `market` and `ts`, named as in the history's table. */
  readonly columns: readonly (readonly [name: string, expression: string])[]
}

/**
 * Reads a file of ticks: refused rows are counted by reason, the rest is sorted by market and time
 * and handed to the history. Of several rows of one market and instant the first is taken.
 */
export async function stageTicks(
  table: Table,
  mapping: TickMapping,
  reading: Reading,
): Promise<void> {
  const { db, tally } = reading
  const bad = mapping.refusals
    .map(([, condition]) => `coalesce((${condition}), false)`)
    .join(' or ')
  await db.run(`create or replace temp table named as
    select ${mapping.market}::varchar as name, count(*) as n, count(*) filter (${bad}) as refused
      from ${table.from} group by name`)
  await countRefusals(table, mapping, reading)
  const [counts] = await rowsOf(db, 'select sum(n - refused)::double as good from named')
  const good = Number(counts?.['good'] ?? 0)
  if (reading.dryRun) return tally.take(good)
  if (good === 0) return
  await nameMarkets(mapping.venue, reading)
  for (const slice of await slicesOf(table, mapping, good, db)) {
    reading.signal.throwIfAborted()
    await stageSlice(table, mapping, `not (${bad}) and ${slice}`, reading)
  }
}

const rowsOf = async (db: DuckDBConnection, sql: string): Promise<Record<string, unknown>[]> =>
  (await db.runAndReadAll(sql)).getRowObjectsJS()

async function countRefusals(
  table: Table,
  { refusals }: TickMapping,
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

/** Fills the table `market_of` (name, market) with the history's numbers. */
async function nameMarkets(venue: Venue, { db, host }: Reading): Promise<void> {
  const named = await rowsOf(
    db,
    'select name from named where name is not null and n > refused order by name',
  )
  await db.run('create or replace temp table market_of (name varchar, market integer)')
  const appender = await db.createAppender('market_of')
  for (let start = 0; start < named.length; start += NAMES_PER_REQUEST) {
    const names = named.slice(start, start + NAMES_PER_REQUEST).map((row) => String(row['name']))
    const ids = await host.marketIds(
      names.map((name) => ({ venue, ticker: canonicalTicker(name) })),
    )
    names.forEach((name, index) => {
      const market = ids[index]
      if (market === undefined) return
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
  const { db, stager, tally } = reading
  const path = stager.nextPath()
  const columns = mapping.columns.map(([name, sql]) => `${sql} as ${name}`).join(', ')
  const rows = `select market_of.market, (${mapping.ts})::bigint as ts, ${columns}, ${ROW}
    from (select * from ${table.from} where ${where}) as given
    join market_of on market_of.name = given.${mapping.market}::varchar`
  const write = (sql: string): Promise<unknown> =>
    db.run(`copy (${sql}) to ${quoted(path)} (format parquet, compression snappy)`)
  await write(`select * exclude (${ROW}) from (${rows}) order by market, ts`)
  const repeated = await repeatedRows(path, db)
  if (repeated > 0) {
    const [first] = await rowsOf(
      db,
      `select min(${ROW})::double as first_row from (select ${ROW},
         row_number() over (partition by market, ts order by ${ROW}) as nth from (${rows}))
        where nth > 1`,
    )
    tally.refuse(
      'another row of the same market and instant',
      repeated,
      Number(first?.['first_row']),
    )
    await write(`select * exclude (${ROW}) from (${rows})
      qualify row_number() over (partition by market, ts order by ${ROW}) = 1 order by market, ts`)
  }
  await stager.submit(mapping.kind, path, tally.settle)
}

/** Rows of a sorted staged file that repeat the key of the row before them. */
async function repeatedRows(path: string, db: DuckDBConnection): Promise<number> {
  const [row] = await rowsOf(
    db,
    `select count(*) filter (market = market_before and ts = ts_before)::double as n
       from (select market, ts, lag(market) over () as market_before, lag(ts) over () as ts_before
               from read_parquet(${quoted(path)}))`,
  )
  return Number(row?.['n'] ?? 0)
}
