import type { ChartDrawing } from '../../contract/charts/drawings.ts'
import type { Millis } from '../../domain/units.ts'
import { Conflict } from '../../lib/errors.ts'
import type { State } from '../../state/open.ts'

export interface DrawingsRow {
  readonly ticker: string
  readonly drawings: readonly ChartDrawing[]
  readonly updatedAt: Millis
}

/** Chart drawings of users: one row for each market of a user. */
export const createDrawingsStore = (state: State) => ({
  async all(userId: string): Promise<DrawingsRow[]> {
    const rows = await state
      .selectFrom('chart_drawing')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('updated_at', 'desc')
      .orderBy('ticker')
      .execute()
    return rows.map(({ ticker, drawings, updated_at: updatedAt }) => ({
      ticker,
      drawings: JSON.parse(drawings) as ChartDrawing[],
      updatedAt: updatedAt as Millis,
    }))
  },
  /**
   * Replaces the drawings of a market; without drawings its row is removed.
   * @throws Conflict when `max` other markets have drawings
   */
  replace: (userId: string, row: DrawingsRow, max: number): Promise<void> =>
    state.transaction().execute(async (transaction) => {
      const { ticker, updatedAt } = row
      await transaction
        .deleteFrom('chart_drawing')
        .where('user_id', '=', userId)
        .where('ticker', '=', ticker)
        .execute()
      if (row.drawings.length === 0) return
      const { count } = await transaction
        .selectFrom('chart_drawing')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      if (count >= max) {
        throw new Conflict(
          `Drawings are stored for at most ${max} markets. Remove those of another market first`,
        )
      }
      const drawings = JSON.stringify(row.drawings)
      await transaction
        .insertInto('chart_drawing')
        .values({ user_id: userId, ticker, drawings, updated_at: updatedAt })
        .execute()
    }),
})
export type DrawingsStore = ReturnType<typeof createDrawingsStore>
