import type { Millis } from '../../domain/units.ts'
import type { Session } from './connections.ts'
import { TICK_KINDS } from './spans.ts'
import { KINDS_BY_DAY, noteDays, noteSpans } from './summaries.ts'

/** The database of a stored history that is only read, and that of the history begun over it. */
export const [PAST, BEGUN] = ['past', 'begun']
/** Where readers look first: what stands in both, under the names of the tables. */
const WHOLE = 'whole'
export const READERS_PATH = `${BEGUN}.${WHOLE},${BEGUN}.main`

/** Tables beside the ticks, and when a row of theirs became known. */
const KNOWN_WHEN = {
  market_version: 'known_at',
  change_event: 'coalesce(known_at, happened_at)',
  coverage: 'known_at',
  trade_correction: 'known_at',
  index_reading: 'coalesce(known_at, computed_at)',
  world_snapshot: 'computed_at',
  regime_label: 'computed_at',
  judgement: 'computed_at',
  context_served: 'served_at',
} as const

const knownBy = (at: Millis): string => `ts <= ${at} and ts + lag <= ${at}`

/**
 * Views in which ticks of the past that were known at an instant stand with those that were appended
 * since. The order of arrival goes on: first what the past had sorted, then what it had not.
 */
function viewsAt(at: Millis): string[] {
  const known = knownBy(at)
  return [
    `create schema ${WHOLE}`,
    ...TICK_KINDS.flatMap((kind) => [
      `create or replace view ${kind}_all as ${[
        `select *, 0 as part, rowid as seq from ${PAST}.main.${kind} where ${known}`,
        `select *, 1 as part, rowid as seq from ${PAST}.main.${kind}_recent where ${known}`,
        `select *, 2 as part, rowid as seq from ${BEGUN}.main.${kind}`,
        `select *, 3 as part, rowid as seq from ${BEGUN}.main.${kind}_recent`,
      ].join(' union all ')}`,
      ...[kind, `${kind}_recent`].map(
        (table) => `create view ${WHOLE}.${table} as
          select *, rowid as rowid from ${PAST}.main.${table} where ${known}
          union all select *, rowid as rowid from ${BEGUN}.main.${table}`,
      ),
    ]),
    ...KINDS_BY_DAY.map(
      (kind) => `create view ${WHOLE}.${kind}_day as
        select * from ${PAST}.main.${kind}_day where max_known <= ${at}
        union all select * from ${BEGUN}.main.${kind}_day`,
    ),
  ]
}

/**
 * Fills a new history, whose database the session uses, with what was known at an instant: ticks are read
 * where they stand, with their summaries of days that were known as a whole; days that were known in part
 * are summed up anew, and rows of the other tables are copied. Markets keep their numbers.
 */
export async function beginFrom(session: Session, at: Millis): Promise<void> {
  const { connection } = session
  await connection.run('begin transaction')
  for (const view of viewsAt(at)) await connection.run(view)
  for (const kind of TICK_KINDS) {
    const rows = {
      from: `${PAST}.main.${kind}`,
      where: knownBy(at),
      ...{ position: 'rowid', values: {} },
    }
    await noteSpans(session, kind, rows)
    if (!KINDS_BY_DAY.includes(kind)) continue
    const partly = `from ${PAST}.main.${kind}_day where min_known <= ${at} and max_known > ${at}`
    await noteDays(session, kind, {
      ...rows,
      where: `${rows.where} and ts >= (select min(first_ts) ${partly})
        and (market, ts // 86400000) in (select (market, day) ${partly})`,
    })
  }
  await connection.run(`insert into market select * from ${PAST}.main.market order by id`)
  for (const [table, knownAt] of Object.entries(KNOWN_WHEN)) {
    await connection.run(
      `insert into ${table} by name select * from ${PAST}.main.${table}
        where ${knownAt} <= ${at} order by rowid`,
    )
  }
  await connection.run('commit')
}
