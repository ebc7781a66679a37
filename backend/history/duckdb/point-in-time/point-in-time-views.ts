import type { Millis } from '../../../domain/units.ts'
import type { Session } from '../engine/connections.ts'
import { TICK_KINDS } from '../ticks/spans.ts'
import { KINDS_BY_DAY, updateDays, updateSpans } from '../ticks/summaries.ts'

/** The read-only database of the stored history, and the database of the history opened over it. */
export const [PAST, OVERLAY] = ['past', 'overlay']
/** The schema that readers search first: the rows of both, under the names of the tables. */
const WHOLE = 'whole'
export const READERS_PATH = `${OVERLAY}.${WHOLE},${OVERLAY}.main`

/** Tables other than ticks, with the condition for when a row became known. */
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

const knownByClause = (at: Millis): string => `ts <= ${at} and ts + lag <= ${at}`

/**
 * Views that combine ticks of the past known at an instant with those appended since. The order of
 * arrival continues: first the rows that the past had sorted, then the unsorted ones.
 */
function viewsAt(at: Millis): string[] {
  const condition = knownByClause(at)
  return [
    `create schema ${WHOLE}`,
    ...TICK_KINDS.flatMap((kind) => [
      `create or replace view ${kind}_all as ${[
        `select *, 0 as part, rowid as seq from ${PAST}.main.${kind} where ${condition}`,
        `select *, 1 as part, rowid as seq from ${PAST}.main.${kind}_recent where ${condition}`,
        `select *, 2 as part, rowid as seq from ${OVERLAY}.main.${kind}`,
        `select *, 3 as part, rowid as seq from ${OVERLAY}.main.${kind}_recent`,
      ].join(' union all ')}`,
      ...[kind, `${kind}_recent`].map(
        (table) => `create view ${WHOLE}.${table} as
          select *, rowid as rowid from ${PAST}.main.${table} where ${condition}
          union all select *, rowid as rowid from ${OVERLAY}.main.${table}`,
      ),
    ]),
    ...KINDS_BY_DAY.map(
      (kind) => `create view ${WHOLE}.${kind}_day as
        select * from ${PAST}.main.${kind}_day where max_known <= ${at}
        union all select * from ${OVERLAY}.main.${kind}_day`,
    ),
  ]
}

/**
 * Fills a new history, whose database the session uses, with what was known at an instant. Ticks
 * are read in place, with the summaries of fully known days; partly known days are summarised
 * again, and rows of the other tables are copied. Markets keep their ids.
 */
export async function fillOverlay(session: Session, at: Millis): Promise<void> {
  const { connection } = session
  await connection.run('begin transaction')
  for (const view of viewsAt(at)) await connection.run(view)
  for (const kind of TICK_KINDS) {
    const rows = {
      from: `${PAST}.main.${kind}`,
      where: knownByClause(at),
      position: 'rowid',
      values: {},
    }
    await updateSpans(session, kind, rows)
    if (!KINDS_BY_DAY.includes(kind)) continue
    const partly = `from ${PAST}.main.${kind}_day where min_known <= ${at} and max_known > ${at}`
    await updateDays(session, kind, {
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
