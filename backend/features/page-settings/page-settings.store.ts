import type { Millis } from '../../domain/units.ts'
import { InvalidInput } from '../../lib/errors.ts'
import type { State } from '../../state/open.ts'

export interface PageSettingsRow {
  readonly settings: Readonly<Record<string, unknown>>
  readonly updatedAt: Millis
}

/** Longest settings, in characters of their JSON. */
const MAX_LENGTH = 4_000

/** @throws InvalidInput for settings that are too long */
function textOf(settings: PageSettingsRow['settings']): string {
  const text = JSON.stringify(settings)
  if (text.length <= MAX_LENGTH) return text
  throw new InvalidInput(`settings must have at most ${MAX_LENGTH} characters of JSON`)
}

async function storedSettings(state: State, userId: string): Promise<PageSettingsRow | null> {
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
}

/** Settings of the terminal: one row for each user who changed any. */
export const createPageSettingsStore = (state: State) => ({
  get: (userId: string): Promise<PageSettingsRow | null> => storedSettings(state, userId),
  /** Merges settings into the stored ones. @returns all settings */
  change: (
    userId: string,
    settings: PageSettingsRow['settings'],
    updatedAt: Millis,
  ): Promise<PageSettingsRow> =>
    state.transaction().execute(async (transaction) => {
      const previous = await storedSettings(transaction, userId)
      const row = { settings: { ...previous?.settings, ...settings }, updatedAt }
      const values = { settings: textOf(row.settings), updated_at: updatedAt }
      await transaction
        .insertInto('page_settings')
        .values({ user_id: userId, ...values })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
        .execute()
      return row
    }),
})
