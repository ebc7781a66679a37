import { sql } from 'kysely'
import type { Intent, IntentBasis, IntentStatus } from '../../domain/portfolio/intent.ts'
import { OPEN_INTENTS } from '../../domain/portfolio/intent.ts'
import type { Millis } from '../../domain/units.ts'
import type { State } from '../../state/open.ts'
import { rowsAfter } from '../../state/rows-after.ts'
import type { RowPosition } from '../../http/request/list-page.ts'

/** Filter of a user's intents. */
export interface IntentFilter {
  readonly statuses: readonly IntentStatus[] | null
  readonly ticker: string | null
  readonly thesisId: string | null
}

/** Idempotency key of a write, with the hash of its body. */
export interface IdempotencyKey {
  readonly route: string
  readonly key: string
  readonly bodyHash: string
}

export interface IntentsStore {
  /**
   * Adds an intent and, with a key, the answer that repeated requests get; answers older than
   * `since` are deleted.
   */
  add(
    intent: Intent,
    repeat: { key: IdempotencyKey; answer: object; since: Millis } | null,
  ): Promise<void>
  /** The answer stored under a key since an instant; null if there is none. */
  storedAnswer(
    userId: string,
    key: IdempotencyKey,
    since: Millis,
  ): Promise<{ readonly bodyHash: string; readonly answer: object } | null>
  byId(userId: string, id: string): Promise<Intent | null>
  /** Newest first, after a position. */
  page(
    userId: string,
    filter: IntentFilter,
    after: RowPosition | null,
    max: number,
  ): Promise<Intent[]>
  /** Of all users. */
  open(): Promise<Intent[]>
  countOpen(userId: string): Promise<number>
  /** Users who have created an intent. */
  users(): Promise<string[]>
}

const THESIS_OF_RECORD = sql<string | null>`json_extract(record, '$.thesisId')`

/** Rows of earlier versions have no thesis, no strategy and no judgement, and are traded on paper only. */
const intentOf = ({ record }: { record: string }): Intent => ({
  thesisId: null,
  strategyId: null,
  exchange: null,
  softJudgedAt: null,
  ...(JSON.parse(record) as Omit<Intent, keyof IntentBasis | 'exchange' | 'softJudgedAt'> &
    Partial<Intent>),
})

export function createIntentsStore(state: State): IntentsStore {
  return {
    add: (intent, repeat) =>
      state.transaction().execute(async (transaction) => {
        const { id, userId, status, ticker, createdAt } = intent
        await transaction
          .insertInto('intent')
          .values({
            id,
            user_id: userId,
            status,
            ticker,
            created_at: createdAt,
            record: JSON.stringify(intent),
          })
          .execute()
        if (repeat === null) return
        const { route, key, bodyHash } = repeat.key
        await transaction
          .deleteFrom('repeated_write')
          .where('user_id', '=', userId)
          .where('made_at', '<=', repeat.since)
          .execute()
        const answer = {
          user_id: userId,
          route,
          key,
          body_hash: bodyHash,
          made_at: createdAt,
          answer: JSON.stringify(repeat.answer),
        }
        await transaction
          .insertInto('repeated_write')
          .values(answer)
          .onConflict((conflict) =>
            conflict.columns(['user_id', 'route', 'key']).doUpdateSet(answer),
          )
          .execute()
      }),
    async storedAnswer(userId, { route, key }, since) {
      const row = await state
        .selectFrom('repeated_write')
        .select(['body_hash', 'answer'])
        .where('user_id', '=', userId)
        .where('route', '=', route)
        .where('key', '=', key)
        .where('made_at', '>', since)
        .executeTakeFirst()
      if (row === undefined) return null
      return { bodyHash: row.body_hash, answer: JSON.parse(row.answer) as object }
    },
    async byId(userId, id) {
      const row = await state
        .selectFrom('intent')
        .select('record')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return row === undefined ? null : intentOf(row)
    },
    async page(userId, { statuses, ticker, thesisId }, after, max) {
      let query = state.selectFrom('intent').select('record').where('user_id', '=', userId)
      if (statuses !== null) query = query.where('status', 'in', statuses)
      if (ticker !== null) query = query.where('ticker', '=', ticker)
      if (thesisId !== null) query = query.where(THESIS_OF_RECORD, '=', thesisId)
      const rows = await rowsAfter(query, ['created_at', 'id'], after).limit(max).execute()
      return rows.map(intentOf)
    },
    async open() {
      const rows = await state
        .selectFrom('intent')
        .select('record')
        .where('status', 'in', OPEN_INTENTS)
        .orderBy('created_at')
        .orderBy('id')
        .execute()
      return rows.map(intentOf)
    },
    async countOpen(userId) {
      const { count } = await state
        .selectFrom('intent')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .where('status', 'in', OPEN_INTENTS)
        .executeTakeFirstOrThrow()
      return count
    },
    async users() {
      const rows = await state.selectFrom('intent').select('user_id').distinct().execute()
      return rows.map(({ user_id: userId }) => userId)
    },
  }
}
