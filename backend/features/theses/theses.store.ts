import type { Evaluation, StoredSignal, Thesis } from '../../domain/theses/thesis.ts'
import type { ThesisStatus } from '../../domain/theses/status.ts'
import type { State } from '../../state/open.ts'

export interface ThesisFilter {
  readonly statuses: readonly ThesisStatus[] | null
  /** Found in title or claim, without regard to case. */
  readonly text: string | null
  readonly published: boolean | null
}

/** Position of a row in a list: its time and id. */
export interface Place {
  readonly at: number
  readonly id: string
}

const columnsOf = (thesis: Thesis) => ({
  id: thesis.id,
  user_id: thesis.userId,
  status: thesis.status,
  slug: thesis.slug,
  record: JSON.stringify(thesis),
  created_at: thesis.createdAt,
  updated_at: thesis.updatedAt,
})
const parsed = <T>(rows: readonly { record: string }[]): T[] =>
  rows.map(({ record }) => JSON.parse(record) as T)

/** Theses of users with their signals and evaluations. */
export function createThesesStore(state: State) {
  const rows = () => state.selectFrom('thesis').select('record')
  return {
    /** Theses of a user whose id begins with a text; at most two. */
    async named(userId: string, prefix: string): Promise<Thesis[]> {
      const query = rows()
        .where('user_id', '=', userId)
        .where('id', '>=', prefix)
        .where('id', '<', `${prefix}\u{10ffff}`)
      return parsed(await query.limit(2).execute())
    },
    /** Last changed first, then by id. */
    async page(
      userId: string,
      { statuses, text, published }: ThesisFilter,
      after: Place | null,
      most: number,
    ): Promise<Thesis[]> {
      let query = rows().where('user_id', '=', userId)
      if (statuses !== null) query = query.where('status', 'in', statuses)
      if (published !== null) query = query.where('slug', published ? 'is not' : 'is', null)
      if (text !== null) {
        query = query.where((where) =>
          where.or(
            ['$.title', '$.rawThesis'].map((path) => {
              const field = where.fn('json_extract', ['record', where.val(path)])
              const found = where.fn('instr', [
                where.fn('lower', [field]),
                where.val(text.toLowerCase()),
              ])
              return where(found, '>', 0)
            }),
          ),
        )
      }
      if (after !== null) {
        query = query.where((where) =>
          where.or([
            where('updated_at', '<', after.at),
            where.and([where('updated_at', '=', after.at), where('id', '>', after.id)]),
          ]),
        )
      }
      query = query.orderBy('updated_at', 'desc').orderBy('id', 'asc').limit(most)
      return parsed(await query.execute())
    },
    /** All theses of a user in these states. */
    async inStates(userId: string, statuses: readonly ThesisStatus[]): Promise<Thesis[]> {
      return parsed(
        await rows().where('user_id', '=', userId).where('status', 'in', statuses).execute(),
      )
    },
    /** Of all users. */
    async forming(): Promise<Thesis[]> {
      return parsed(await rows().where('status', '=', 'forming').execute())
    },
    async published(): Promise<Thesis[]> {
      return parsed(await rows().where('slug', 'is not', null).execute())
    },
    async bySlug(slug: string): Promise<Thesis | null> {
      return parsed<Thesis>(await rows().where('slug', '=', slug).execute())[0] ?? null
    },
    /** Name of the user who owns a thesis. */
    async authorOf(userId: string): Promise<string> {
      const query = state.selectFrom('account').select('name').where('id', '=', userId)
      return (await query.executeTakeFirst())?.name ?? ''
    },
    async add(thesis: Thesis): Promise<void> {
      await state.insertInto('thesis').values(columnsOf(thesis)).execute()
    },
    /**
     * Writes the next state of a thesis, the evaluation that made it and the signals that it
     * consumed, in one transaction. Returns false and writes nothing when the thesis is gone.
     */
    put: (
      thesis: Thesis,
      evaluation: Evaluation | null = null,
      consumed: readonly string[] = [],
    ): Promise<boolean> =>
      state.transaction().execute(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('thesis')
          .set(columnsOf(thesis))
          .where('id', '=', thesis.id)
          .executeTakeFirstOrThrow()
        if (numUpdatedRows === 0n) return false
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
          if (consumed.length > 0) {
            await transaction
              .updateTable('thesis_signal')
              .set({ evaluation_id: evaluation.id })
              .where('id', 'in', consumed)
              .execute()
          }
        }
        return true
      }),
    async remove(id: string): Promise<void> {
      await state.deleteFrom('thesis').where('id', '=', id).execute()
    },
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
    async pendingSignals(thesisId: string, most: number): Promise<StoredSignal[]> {
      const query = state
        .selectFrom('thesis_signal')
        .select('record')
        .where('thesis_id', '=', thesisId)
        .where('evaluation_id', 'is', null)
        .orderBy('created_at')
        .orderBy('id')
      return parsed(await query.limit(most).execute())
    },
    /** Newest first, at an instant or later, after a place. */
    async evaluations(
      thesisId: string,
      since: number,
      after: Place | null,
      most: number | null,
    ): Promise<Evaluation[]> {
      let query = state
        .selectFrom('thesis_evaluation')
        .select('record')
        .where('thesis_id', '=', thesisId)
        .where('evaluated_at', '>=', since)
      if (after !== null) {
        query = query.where((where) =>
          where.or([
            where('evaluated_at', '<', after.at),
            where.and([where('evaluated_at', '=', after.at), where('id', '<', after.id)]),
          ]),
        )
      }
      query = query.orderBy('evaluated_at', 'desc').orderBy('id', 'desc')
      return parsed(await (most === null ? query : query.limit(most)).execute())
    },
  }
}
export type ThesesStore = ReturnType<typeof createThesesStore>
