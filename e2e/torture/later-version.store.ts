import { DatabaseSync } from 'node:sqlite'

/** Makes a file of operational rows look as if a later version had migrated it. */
export function markLater(path: string): void {
  const state = new DatabaseSync(path)
  state.exec("insert into kysely_migration (name, timestamp) values ('9999_later', '')")
  state.close()
}
