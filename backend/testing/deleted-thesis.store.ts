import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Removes the row of a thesis and does nothing of what follows, as a kill in between would. */
export function deleteThesisOnly(dataDir: string, id: string): void {
  const state = new DatabaseSync(join(dataDir, 'state.sqlite'))
  state.prepare('delete from thesis where id = ?').run(id)
  state.close()
}
