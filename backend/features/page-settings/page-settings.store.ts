import type { Millis } from '../../domain/units.ts'
import type { State } from '../../state/open.ts'

export interface PageSettingsRow {
  readonly settings: Readonly<Record<string, unknown>>
  readonly updatedAt: Millis
}

/** Settings of the terminal: one row for each user who changed any. */
export const createPageSettingsStore = (state: State) => ({
  async get(userId: string): Promise<PageSettingsRow | null> {
    const row = await state
      .selectFrom('page_settings')
      .selectAll()
      .where('user_id', '=', userId)
      .executeTakeFirst()
    if (row === undefined) return null
    return {
      settings: JSON.parse(row.settings) as PageSettingsRow['settings'],
      updatedAt: row.updated_at as Millis,
    }
  },
  async replace(userId: string, { settings, updatedAt }: PageSettingsRow): Promise<void> {
    const values = { settings: JSON.stringify(settings), updated_at: updatedAt }
    await state
      .insertInto('page_settings')
      .values({ user_id: userId, ...values })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
      .execute()
  },
})
