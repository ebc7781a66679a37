import type { Millis } from '../../../domain/units.ts'
import { Conflict } from '../../../lib/errors.ts'
import type { State } from '../../../state/open.ts'
import { rowsAfter } from '../../../state/rows-after.ts'
import type { RowPosition } from '../../../http/request/list-page.ts'

export type TextKind = 'view' | 'strategy'

/** Fields that every view and strategy of a user has. */
export interface TextRow {
  readonly id: string
  readonly createdAt: Millis
  readonly updatedAt: Millis
}

/** Views or strategies of users, in the order of their rank, oldest first within one. */
export function createTextsStore<Row extends TextRow>(
  state: State,
  kind: TextKind,
  rankOf: (row: Row) => number,
) {
  const rowOf = ({ record }: { record: string }): Row => JSON.parse(record) as Row
  return {
    /** @throws Conflict when the user has `max` rows */
    add: (userId: string, row: Row, max: number): Promise<void> =>
      state.transaction().execute(async (transaction) => {
        const { count } = await transaction
          .selectFrom('portfolio_text')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('user_id', '=', userId)
          .where('kind', '=', kind)
          .executeTakeFirstOrThrow()
        if (count >= max) throw new Conflict(`at most ${max} are stored`)
        const storedFields = { rank: rankOf(row), record: JSON.stringify(row) }
        await transaction
          .insertInto('portfolio_text')
          .values({ id: row.id, user_id: userId, kind, ...storedFields })
          .execute()
      }),
    /** Changes a row atomically; null when the user has no such row. */
    change: (userId: string, id: string, change: (row: Row) => Row): Promise<Row | null> =>
      state.transaction().execute(async (transaction) => {
        const storedRow = await transaction
          .selectFrom('portfolio_text')
          .select('record')
          .where('id', '=', id)
          .where('user_id', '=', userId)
          .where('kind', '=', kind)
          .executeTakeFirst()
        if (storedRow === undefined) return null
        const next = change(rowOf(storedRow))
        await transaction
          .updateTable('portfolio_text')
          .set({ rank: rankOf(next), record: JSON.stringify(next) })
          .where('id', '=', id)
          .execute()
        return next
      }),
    async remove(userId: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await state
        .deleteFrom('portfolio_text')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .where('kind', '=', kind)
        .executeTakeFirst()
      return numDeletedRows === 1n
    },
    /** At most so many rows after a position. */
    async page(userId: string, after: RowPosition | null, max: number): Promise<Row[]> {
      const query = state
        .selectFrom('portfolio_text')
        .select('record')
        .where('user_id', '=', userId)
        .where('kind', '=', kind)
      const rows = await rowsAfter(query, ['rank', 'id'], after, 'asc').limit(max).execute()
      return rows.map(rowOf)
    },
  }
}
export type TextsStore<Row extends TextRow> = ReturnType<typeof createTextsStore<Row>>
