import type { Session } from '../engine/connections.ts'
import { readDoubles } from '../engine/columns.ts'
import { CARRIED_VALUES, type CarriedKind } from './newest.ts'
import type { Arrivals } from './sorted.ts'
import { TICK_KINDS, type TickKind } from './spans.ts'

/**
 * A table with one row per key that summarises sorted rows. New rows are summarised as a new
 * generation beside the existing ones and then merged by key; no primary key, index or update is
 * needed.
 */
interface Summary {
  readonly table: string
  readonly key: string
  /** Summary rows of the arrivals, with the generation as last column. */
  readonly arrivalsSql: (arrivals: Arrivals, code: number) => string
  /** The table merged to one row per key; the generation column follows. */
  readonly mergedSql: string
}

const SPAN: Summary = {
  table: 'market_span',
  key: 'kind, market',
  arrivalsSql: ({ from, where }, code) =>
    `select ${code}, market, min(ts), max(ts), count(*), $generation
       from ${from} where ${where} group by market order by market`,
  mergedSql: 'kind, market, min(first_ts), max(last_ts), sum(row_count)::bigint',
}

const DAY_BOUNDS = `market, ts // 86400000 as day, min(ts) as first_ts, min(ts + lag) as min_known,
  max(ts + lag) as max_known`

const TRADE_DAY: Summary = {
  table: 'trade_day',
  key: 'market, day',
  arrivalsSql: ({ from, where }) =>
    `select market, day, first_ts, min_known, max_known, newest.ts, newest.id, newest.price, $generation
       from (select ${DAY_BOUNDS},
                    max(struct_pack(ts := ts, id := trade_id, price := price))
                      filter (where not is_block) as newest
               from ${from} where ${where} group by market, day)
      order by day, market`,
  mergedSql: `market, day, min(first_ts), min(min_known), max(max_known), max(last_ts),
    arg_max(last_id, (last_ts, last_id)), arg_max(last_price, (last_ts, last_id))`,
}

const carriedDay = (kind: CarriedKind): Summary => {
  const names = Object.keys(CARRIED_VALUES[kind])
  const packedFields = Object.entries(CARRIED_VALUES[kind]).map(
    ([name, value]) => `${name} := ${value}`,
  )
  return {
    table: `${kind}_day`,
    key: 'market, day',
    arrivalsSql: ({ from, where, position }) =>
      `select market, day, first_ts, min_known, max_known, newest.ts, newest.lag,
              ${names.map((name) => `newest.${name}`).join(', ')}, $generation
         from (select ${DAY_BOUNDS},
                      arg_max(struct_pack(ts := ts, lag := lag, ${packedFields.join(', ')}),
                        (ts, lag, ${position})) as newest
                 from ${from} where ${where} group by market, day)
        order by day, market`,
    mergedSql: `market, day, min(first_ts), min(min_known), max(max_known),
      unnest(arg_max(struct_pack(last_ts, last_lag, ${names.join(', ')}),
        (last_ts, last_lag, generation)))`,
  }
}

const DAYS: Partial<Record<TickKind, Summary>> = {
  trade: TRADE_DAY,
  quote: carriedDay('quote'),
  book: carriedDay('book'),
  activity: carriedDay('activity'),
}

/** Kinds of ticks with day summaries. */
export const KINDS_BY_DAY: readonly TickKind[] = TICK_KINDS.filter((kind) => kind in DAYS)

/**
 * Summarises rows that are about to enter the sorted table of a kind; same transaction as the rows.
 */
export async function summarise(
  session: Session,
  kind: TickKind,
  arrivals: Arrivals,
): Promise<void> {
  await updateSpans(session, kind, arrivals)
  await updateDays(session, kind, arrivals)
}

/** Updates the bounds of each market's rows. */
export const updateSpans = (session: Session, kind: TickKind, arrivals: Arrivals): Promise<void> =>
  mergeArrivals(session, SPAN, arrivals, TICK_KINDS.indexOf(kind))

/** Updates the day summaries of rows; does nothing for a kind without them. */
export async function updateDays(
  session: Session,
  kind: TickKind,
  arrivals: Arrivals,
): Promise<void> {
  const days = DAYS[kind]
  if (days !== undefined) await mergeArrivals(session, days, arrivals, 0)
}

async function mergeArrivals(
  session: Session,
  { table, key, arrivalsSql: arrivalsSql, mergedSql: mergedSql }: Summary,
  arrivals: Arrivals,
  code: number,
): Promise<void> {
  const [newest] = await session.read(`select coalesce(max(generation), 0)::double from ${table}`)
  const generation = (newest === undefined ? 0 : (readDoubles(newest, 0)[0] ?? 0)) + 1
  await session.change(`insert into ${table} ${arrivalsSql(arrivals, code)}`, {
    ...arrivals.values,
    generation,
  })
  const touchedClause = `(${key}) in (select (${key}) from ${table} where generation = $generation)`
  await session.change(
    `insert into ${table} select ${mergedSql}, $generation + 1 from ${table}
      where ${touchedClause} group by ${key} order by ${key}`,
    { generation },
  )
  await session.change(
    `delete from ${table} where generation <= $generation and ${touchedClause}`,
    {
      generation,
    },
  )
}
