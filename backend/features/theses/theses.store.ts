import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { sql } from 'kysely'
import {
  storedThesis,
  type Evaluation,
  type StoredSignal,
  type Thesis,
} from '../../domain/theses/thesis.ts'
import type { ThesisStatus } from '../../domain/theses/status.ts'
import { DAY, type Millis } from '../../domain/units.ts'
import type { OutgoingEvent } from '../../domain/webhooks/payload.ts'
import type { Delivery } from '../../domain/webhooks/delivery.ts'
import { newId } from '../../lib/ids.ts'
import { insertDelivery } from '../../state/delivery-rows.ts'
import { deleteThesisNotices, type EventOutbox } from '../../state/event-outbox.ts'
import { listOf } from '../../state/many-rows.ts'
import type { State } from '../../state/open.ts'
import { rowsAfter } from '../../state/rows-after.ts'
import type { RowPosition } from '../../http/request/list-page.ts'

/** Earlier signals that are compared with those of an evaluation. */
const MAX_CONSUMED = 1_000

export interface ThesisFilter {
  readonly statuses: readonly ThesisStatus[] | null
  /** Found in title or claim, without regard to case. */
  readonly text: string | null
  readonly published: boolean | null
}

/** A time span with both ends, Unix ms. */
export interface Span {
  readonly from: number
  readonly until: number
}
/** Everything up to an instant. */
export const spanUntil = (at: number): Span => ({ from: 0, until: at })

const columnsOf = (thesis: Thesis) => ({
  id: thesis.id,
  user_id: thesis.userId,
  status: thesis.status,
  slug: thesis.slug,
  record: JSON.stringify(thesis),
  created_at: thesis.createdAt,
  updated_at: thesis.updatedAt,
})
const parseRecords = <T>(rows: readonly { record: string }[]): T[] =>
  rows.map(({ record }) => JSON.parse(record) as T)
const thesesOf = (rows: readonly { record: string }[]): Thesis[] =>
  rows.map(({ record }) => storedThesis(record))

/** Whether title or claim contain a text, in any case. */
const containsText = (thesis: Pick<Thesis, 'title' | 'rawThesis'>, text: string): boolean =>
  [thesis.title, thesis.rawThesis].some((thesisText) =>
    thesisText.toLowerCase().includes(text.toLowerCase()),
  )

/** The plus keeps the planner from reading all theses of the user by their index. */
const userThesesByIdPrefix = (userId: string, prefix: string) =>
  sql`+user_id = ${userId} and id >= ${prefix} and id < ${`${prefix}\u{10ffff}`}`

/** A state is about a tenth of its JSON. */
const packRecord = (thesis: Thesis): string =>
  deflateRawSync(JSON.stringify(thesis)).toString('base64')
/** States of theses made before states were kept are stored as JSON. */
const unpackRecord = ({ record }: { record: string }): Thesis =>
  storedThesis(
    record.startsWith('{') ? record : inflateRawSync(Buffer.from(record, 'base64')).toString(),
  )
const stateOf = (thesis: Thesis) => ({
  id: newId('ts', thesis.updatedAt),
  thesis_id: thesis.id,
  record: packRecord(thesis),
  at: thesis.updatedAt,
})

/** Theses of users with their signals and evaluations. */
export function createThesesStore(state: State, outbox: EventOutbox) {
  const rows = () => state.selectFrom('thesis').select('record')
  /** SQLite's `lower` changes ASCII letters only, so texts are compared here. */
  const idsWithText = async (userId: string, text: string): Promise<string[]> => {
    const thesisRows = await state
      .selectFrom('thesis')
      .select((row) => [
        'id',
        row.fn<string>('json_extract', ['record', row.val('$.title')]).as('title'),
        row.fn<string>('json_extract', ['record', row.val('$.rawThesis')]).as('rawThesis'),
      ])
      .where('user_id', '=', userId)
      .execute()
    return thesisRows.filter((thesis) => containsText(thesis, text)).map(({ id }) => id)
  }
  return {
    /** Theses of a user whose id begins with a text; at most two. */
    async byIdPrefix(userId: string, prefix: string): Promise<Thesis[]> {
      const query = sql<{ record: string }>`
        select record from thesis where ${userThesesByIdPrefix(userId, prefix)} limit 2`
      return thesesOf((await query.execute(state)).rows)
    },
    /** The same, each with its newest evaluation. */
    async byIdPrefixWithNewest(
      userId: string,
      prefix: string,
    ): Promise<{ readonly thesis: Thesis; readonly newest: Evaluation | null }[]> {
      const query = sql<{ record: string; newest: string | null }>`
        select record, (
            select evaluation.record from thesis_evaluation as evaluation
            where evaluation.thesis_id = thesis.id
            order by evaluation.evaluated_at desc, evaluation.id desc limit 1
          ) as newest
        from thesis where ${userThesesByIdPrefix(userId, prefix)} limit 2`
      return (await query.execute(state)).rows.map(({ record, newest }) => ({
        thesis: storedThesis(record),
        newest: newest === null ? null : (JSON.parse(newest) as Evaluation),
      }))
    },
    /** Last changed first, then by id. */
    async page(
      userId: string,
      { statuses, text, published }: ThesisFilter,
      after: RowPosition | null,
      max: number,
    ): Promise<Thesis[]> {
      let query = rows().where('user_id', '=', userId)
      if (statuses !== null) query = query.where('status', 'in', statuses)
      if (published !== null) query = query.where('slug', published ? 'is not' : 'is', null)
      if (text !== null) query = query.where('id', 'in', listOf(await idsWithText(userId, text)))
      if (after !== null) {
        query = query.where((eb) =>
          eb.or([
            eb('updated_at', '<', after.at),
            eb.and([eb('updated_at', '=', after.at), eb('id', '>', after.id)]),
          ]),
        )
      }
      query = query.orderBy('updated_at', 'desc').orderBy('id', 'asc').limit(max)
      return thesesOf(await query.execute())
    },
    /** The same list as it was at an instant, of theses that still exist. */
    async pageAt(
      userId: string,
      { statuses, text, published }: ThesisFilter,
      { asOf, after, max }: { asOf: Millis; after: RowPosition | null; max: number },
    ): Promise<Thesis[]> {
      return (await this.visibleAt(userId, asOf))
        .filter(
          (thesis) =>
            thesis.userId === userId &&
            (statuses?.includes(thesis.status) ?? true) &&
            (published === null || (thesis.slug !== null) === published) &&
            (text === null || containsText(thesis, text)),
        )
        .sort((left, right) => right.updatedAt - left.updatedAt || (left.id < right.id ? -1 : 1))
        .filter(
          ({ updatedAt, id }) =>
            after === null || updatedAt < after.at || (updatedAt === after.at && id > after.id),
        )
        .slice(0, max)
    },
    /** All theses of a user in these states. */
    async thesesInStates(userId: string, statuses: readonly ThesisStatus[]): Promise<Thesis[]> {
      return thesesOf(
        await rows().where('user_id', '=', userId).where('status', 'in', statuses).execute(),
      )
    },
    /** Of all users. */
    async forming(): Promise<Thesis[]> {
      return thesesOf(await rows().where('status', '=', 'forming').execute())
    },
    async publishedTheses(): Promise<Thesis[]> {
      return thesesOf(await rows().where('slug', 'is not', null).execute())
    },
    async bySlug(slug: string): Promise<Thesis | null> {
      return thesesOf(await rows().where('slug', '=', slug).execute())[0] ?? null
    },
    /** Name of the user who owns a thesis. */
    async authorOf(userId: string): Promise<string> {
      const query = state.selectFrom('account').select('name').where('id', '=', userId)
      return (await query.executeTakeFirst())?.name ?? ''
    },
    /** Adds a thesis; with the one that it continues, in its next state. */
    add: (thesis: Thesis, parent: Thesis | null = null): Promise<void> =>
      state.transaction().execute(async (transaction) => {
        await transaction.insertInto('thesis').values(columnsOf(thesis)).execute()
        await transaction.insertInto('thesis_state').values(stateOf(thesis)).execute()
        if (parent === null) return
        const updateQuery = transaction.updateTable('thesis').set(columnsOf(parent))
        await updateQuery.where('id', '=', parent.id).execute()
        await transaction.insertInto('thesis_state').values(stateOf(parent)).execute()
      }),
    /** The thesis as it was at an instant; null before it existed. */
    async at(id: string, asOf: Millis): Promise<Thesis | null> {
      const row = await state
        .selectFrom('thesis_state')
        .select('record')
        .where('thesis_id', '=', id)
        .where('at', '<=', asOf)
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row === undefined ? null : unpackRecord(row)
    },
    /** Theses of a user, and of others that are published, as they were at an instant. */
    async visibleAt(userId: string | null, asOf: Millis): Promise<Thesis[]> {
      let query = state
        .selectFrom('thesis_state as current')
        .innerJoin('thesis', 'thesis.id', 'current.thesis_id')
        .select('current.record')
        .where('current.at', '<=', asOf)
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('thesis_state as later')
                .select('later.id')
                .whereRef('later.thesis_id', '=', 'current.thesis_id')
                .where('later.at', '<=', asOf)
                .where((laterQuery) =>
                  laterQuery.or([
                    laterQuery('later.at', '>', laterQuery.ref('current.at')),
                    laterQuery.and([
                      laterQuery('later.at', '=', laterQuery.ref('current.at')),
                      laterQuery('later.id', '>', laterQuery.ref('current.id')),
                    ]),
                  ]),
                ),
            ),
          ),
        )
      query =
        userId === null
          ? query.where('thesis.slug', 'is not', null)
          : query.where((eb) =>
              eb.or([eb('thesis.user_id', '=', userId), eb('thesis.slug', 'is not', null)]),
            )
      return (await query.execute()).map(unpackRecord)
    },
    /**
     * Writes the next state of a thesis, the evaluation that made it, the signals that it consumed,
     * its events and notices, in one transaction. Returns false and writes nothing when the thesis is
     * gone.
     */
    put: (
      thesis: Thesis,
      evaluation: Evaluation | null = null,
      consumedIds: readonly string[] = [],
      events: readonly OutgoingEvent[] = [],
      notices: readonly Delivery[] = [],
    ): Promise<boolean> =>
      state.transaction().execute(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('thesis')
          .set(columnsOf(thesis))
          .where('id', '=', thesis.id)
          .executeTakeFirstOrThrow()
        if (numUpdatedRows === 0n) return false
        await transaction.insertInto('thesis_state').values(stateOf(thesis)).execute()
        if (evaluation !== null) {
          await transaction
            .insertInto('thesis_evaluation')
            .values({
              id: evaluation.id,
              thesis_id: thesis.id,
              record: JSON.stringify(evaluation),
              evaluated_at: evaluation.evaluatedAt,
            })
            .execute()
          if (consumedIds.length > 0) {
            await transaction
              .updateTable('thesis_signal')
              .set({ evaluation_id: evaluation.id })
              .where('id', 'in', consumedIds)
              .execute()
          }
        }
        for (const event of events) await outbox.publish(transaction, event)
        for (const notice of notices) await insertDelivery(transaction, notice, null)
        return true
      }),
    remove: (id: string): Promise<void> =>
      state.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('thesis').where('id', '=', id).execute()
        await deleteThesisNotices(transaction, id)
      }),
    /** Adds a signal; returns the number of signals that wait. */
    addSignal: (signal: StoredSignal): Promise<number> =>
      state.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('thesis_signal')
          .values({
            id: signal.id,
            thesis_id: signal.thesisId,
            evaluation_id: null,
            record: JSON.stringify(signal),
            created_at: signal.createdAt,
          })
          .execute()
        const { count } = await transaction
          .selectFrom('thesis_signal')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('thesis_id', '=', signal.thesisId)
          .where('evaluation_id', 'is', null)
          .executeTakeFirstOrThrow()
        return count
      }),
    /** Signals that no evaluation consumed yet, oldest first. */
    async pendingSignals(thesisId: string, max: number): Promise<StoredSignal[]> {
      const query = state
        .selectFrom('thesis_signal')
        .select('record')
        .where('thesis_id', '=', thesisId)
        .where('evaluation_id', 'is', null)
        .orderBy('created_at')
        .orderBy('id')
      return parseRecords(await query.limit(max).execute())
    },
    /** The newest signals of earlier evaluations that were sent from a day before the first of these on. */
    async consumedNear(
      thesisId: string,
      signals: readonly StoredSignal[],
    ): Promise<StoredSignal[]> {
      if (signals.length === 0) return []
      const query = state
        .selectFrom('thesis_signal')
        .select('record')
        .where('thesis_id', '=', thesisId)
        .where('evaluation_id', 'is not', null)
        .where('created_at', '>=', Math.min(...signals.map(({ at }) => at)) - DAY)
        .orderBy('created_at', 'desc')
      return parseRecords(await query.limit(MAX_CONSUMED).execute())
    },
    /** Number of signals that were sent in a time span. */
    async signalCount(thesisId: string, { from, until }: Span): Promise<number> {
      const { count } = await state
        .selectFrom('thesis_signal')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('thesis_id', '=', thesisId)
        .where('created_at', '>=', from)
        .where('created_at', '<=', until)
        .executeTakeFirstOrThrow()
      return count
    },
    async evaluationCount(thesisId: string, { from, until }: Span): Promise<number> {
      const { count } = await state
        .selectFrom('thesis_evaluation')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('thesis_id', '=', thesisId)
        .where('evaluated_at', '>=', from)
        .where('evaluated_at', '<=', until)
        .executeTakeFirstOrThrow()
      return count
    },
    /** Evaluations of all theses of a user, newest first, each with the title of its thesis. */
    async evaluationsOf(
      userId: string,
      { from, until }: Span,
      max: number,
    ): Promise<{ readonly title: string; readonly evaluation: Evaluation }[]> {
      const thesisRows = await state
        .selectFrom('thesis_evaluation')
        .innerJoin('thesis', 'thesis.id', 'thesis_evaluation.thesis_id')
        .select((row) => [
          'thesis_evaluation.record as record',
          row.fn<string>('json_extract', ['thesis.record', row.val('$.title')]).as('title'),
        ])
        .where('thesis.user_id', '=', userId)
        .where('evaluated_at', '>=', from)
        .where('evaluated_at', '<=', until)
        .orderBy('evaluated_at', 'desc')
        .orderBy('thesis_evaluation.id', 'desc')
        .limit(max)
        .execute()
      return thesisRows.map(({ title, record }) => ({
        title,
        evaluation: JSON.parse(record) as Evaluation,
      }))
    },
    /** Evaluations of a time span, newest first, after a position. */
    async evaluations(
      thesisId: string,
      { from, until }: Span,
      after: RowPosition | null,
      max: number | null,
    ): Promise<Evaluation[]> {
      const query = state
        .selectFrom('thesis_evaluation')
        .select('record')
        .where('thesis_id', '=', thesisId)
        .where('evaluated_at', '>=', from)
        .where('evaluated_at', '<=', until)
      const sortedQuery = rowsAfter(query, ['evaluated_at', 'id'], after)
      return parseRecords(await (max === null ? sortedQuery : sortedQuery.limit(max)).execute())
    },
  }
}
export type ThesesStore = ReturnType<typeof createThesesStore>
