import { sql, type Transaction } from 'kysely'
import type { Mode } from '../../../domain/portfolio/ledger.ts'
import type { Tick, TickStatus, TickTrigger } from '../../../domain/portfolio/tick.ts'
import type { Millis } from '../../../domain/units.ts'
import type { State } from '../../../state/open.ts'
import type { StateSchema } from '../../../state/schema.ts'
import { rowsAfter } from '../../../state/rows-after.ts'
import type { RowPosition } from '../../../http/request/list-page.ts'

/** Filter of a user's ticks; null for all. */
export interface TickFilter {
  readonly since: Millis | null
  readonly until: Millis | null
  readonly status: TickStatus | null
  /** Ticks of reconciliations are listed only when they are requested. */
  readonly trigger: TickTrigger | null
}

const columnsOf = (tick: Tick) => ({
  user_id: tick.userId,
  tick_at: tick.tickAt,
  trigger: tick.trigger,
  status: tick.status,
  slot: tick.slot,
  record: JSON.stringify(tick),
})
const tickOf = ({ record }: { record: string }): Tick => JSON.parse(record) as Tick

const MODE = sql<string | null>`json_extract(record, '$.mode')`
const MODEL_COST = sql<number | null>`json_extract(record, '$.cost.usd')`

/** Writes the next state of a tick. */
export async function writeTick(transaction: Transaction<StateSchema>, tick: Tick): Promise<void> {
  await transaction.updateTable('tick').set(columnsOf(tick)).where('id', '=', tick.id).execute()
}
/** Adds a tick. Fails when its slot was run before. */
export async function insertTick(transaction: Transaction<StateSchema>, tick: Tick): Promise<void> {
  await transaction
    .insertInto('tick')
    .values({ id: tick.id, ...columnsOf(tick) })
    .execute()
}

/** Ticks of users. */
export function createTicksStore(state: State) {
  const rows = () => state.selectFrom('tick').select('record')
  return {
    put: (tick: Tick): Promise<void> =>
      state.transaction().execute((transaction) => writeTick(transaction, tick)),
    async byId(userId: string, id: string): Promise<Tick | null> {
      const row = await rows().where('user_id', '=', userId).where('id', '=', id).executeTakeFirst()
      return row === undefined ? null : tickOf(row)
    },
    /** Newest first, after a position. */
    async page(
      userId: string,
      { since, until, status, trigger }: TickFilter,
      after: RowPosition | null,
      max: number,
    ): Promise<Tick[]> {
      let query = rows().where('user_id', '=', userId)
      query = query.where('trigger', trigger === null ? '!=' : '=', trigger ?? 'reconcile')
      if (since !== null) query = query.where('tick_at', '>=', since)
      if (until !== null) query = query.where('tick_at', '<', until)
      if (status !== null) query = query.where('status', '=', status)
      const tickRows = await rowsAfter(query, ['tick_at', 'id'], after).limit(max).execute()
      return tickRows.map(tickOf)
    },
    /**
     * The newest tick of a user in a mode, or skipped without one; null before the first. Ticks of
     * intents and of reconciliations are left out.
     */
    async last(userId: string, mode: Mode): Promise<Tick | null> {
      const row = await rows()
        .where('user_id', '=', userId)
        .where('trigger', 'not in', ['reconcile', 'intent'])
        .where((eb) => eb.or([eb(MODE, '=', mode), eb(MODE, 'is', null)]))
        .orderBy('tick_at', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row === undefined ? null : tickOf(row)
    },
    /** When the orders of a user's intents were decided after an instant, oldest first. */
    async intentOrdersSince(userId: string, at: Millis): Promise<Millis[]> {
      const tickTimes = await state
        .selectFrom('tick')
        .select('tick_at')
        .where('user_id', '=', userId)
        .where('trigger', '=', 'intent')
        .where('tick_at', '>', at)
        .orderBy('tick_at')
        .execute()
      return tickTimes.map((row) => row.tick_at as Millis)
    },
    /** When a tick on paper last completed; null before the first. */
    async lastOnPaper(userId: string): Promise<Millis | null> {
      const { at } = await state
        .selectFrom('tick')
        .select(({ fn }) => fn.max<number | null>('tick_at').as('at'))
        .where('user_id', '=', userId)
        .where('trigger', 'in', ['schedule', 'manual'])
        .where('status', '=', 'completed')
        .where(MODE, '=', 'paper')
        .executeTakeFirstOrThrow()
      return at as Millis | null
    },
    /** Cost of the models of a user's ticks from an instant on, dollars. */
    async modelCostSince(userId: string, at: Millis): Promise<number> {
      const { usd } = await state
        .selectFrom('tick')
        .select(({ fn }) => fn.sum<number | null>(MODEL_COST).as('usd'))
        .where('user_id', '=', userId)
        .where('tick_at', '>=', at)
        .executeTakeFirstOrThrow()
      return usd ?? 0
    },
    /** Ticks of this service that a stop cut off, of all users. */
    async runningTicks(): Promise<Tick[]> {
      const tickRows = await rows()
        .where('status', '=', 'running')
        .where('trigger', '!=', 'external')
        .execute()
      return tickRows.map(tickOf)
    },
    /** Number of own ticks of a mode after an instant that ran to their end. */
    async countFinished(userId: string, mode: Mode, at: Millis): Promise<number> {
      const { count } = await state
        .selectFrom('tick')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .where('trigger', 'in', ['schedule', 'manual'])
        .where('status', 'in', ['completed', 'failed'])
        .where(MODE, '=', mode)
        .where('tick_at', '>', at)
        .executeTakeFirstOrThrow()
      return count
    },
  }
}
export type TicksStore = ReturnType<typeof createTicksStore>
