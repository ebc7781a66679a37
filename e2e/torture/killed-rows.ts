import type { State } from '../../backend/state/open.ts'

/** A row of the killed writer of operational rows; its number is its id. */
export const importRow = (row: number) => ({
  id: String(row),
  state: 'done',
  files: JSON.stringify({ path: `file-${row}.csv`, rows: row }),
  started_at: row,
  ended_at: row + 1,
  created_at: row,
})

/** The number of the newest row, -1 without one. */
export async function lastImport(state: State): Promise<number> {
  const row = await state
    .selectFrom('import_run')
    .select('created_at')
    .orderBy('created_at', 'desc')
    .executeTakeFirst()
  return row?.created_at ?? -1
}
