import { HOUR, type Millis } from '../../../domain/units.ts'
import type { Writer } from '../engine/connections.ts'
import { TICK_COLUMNS } from './sorted.ts'
import { TICK_KINDS } from './spans.ts'
import { summarise } from './summaries.ts'

/** Moves of this size leave a log that is worth a checkpoint. */
const CHECKPOINT_ROWS = 500_000

/**
 * Moves the rows of hours that ended before `now` from arrival order into the tables sorted by
 * (market, ts), in one transaction, so that a reader sees every row exactly once. Rows of one
 * instant keep the order of their arrival.
 */
export async function sortClosedHours(writer: Writer, now: Millis): Promise<{ rows: number }> {
  const closedThrough = Math.floor(now / HOUR) * HOUR
  const rows = await writer.transaction(async (session) => {
    let rowsMoved = 0
    for (const kind of TICK_KINDS) {
      const arrivals = {
        from: `${kind}_recent`,
        where: 'ts < $closed',
        position: 'rowid',
        values: { closed: closedThrough },
      }
      const columns = TICK_COLUMNS[kind].join(', ')
      const movedRows = await session.change(
        `insert into ${kind} (${columns}) select ${columns} from ${arrivals.from}
          where ${arrivals.where} order by market, ts, ${arrivals.position}`,
        arrivals.values,
      )
      if (movedRows === 0) continue
      await summarise(session, kind, arrivals)
      await session.change(`delete from ${arrivals.from} where ${arrivals.where}`, arrivals.values)
      rowsMoved += movedRows
    }
    return rowsMoved
  })
  if (rows >= CHECKPOINT_ROWS) await writer.checkpoint()
  return { rows }
}
