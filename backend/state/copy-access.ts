import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { StoreFailed } from '../lib/errors.ts'
import { openState } from './open.ts'

/** Tables and rows that are copied. */
const COPIED_TABLES = [
  { table: 'account', which: 'true' },
  { table: 'access_key', which: 'revoked_at is null' },
] as const

/**
 * Creates operational rows at `target` with the users and active keys of `source` and nothing
 * else, so that the same users can sign in. A missing source has none.
 * @throws StoreFailed when the source cannot be read
 */
export async function copyAccess(source: string, target: string): Promise<void> {
  const copiedState = await openState(target)
  await copiedState.destroy()
  if (!existsSync(source)) return
  let from: DatabaseSync | null = null
  const to = new DatabaseSync(target, { enableForeignKeyConstraints: true })
  try {
    from = new DatabaseSync(source, { readOnly: true, timeout: 5_000 })
    to.exec('begin')
    for (const { table, which } of COPIED_TABLES) {
      const rows = from.prepare(`select * from ${table} where ${which}`).all()
      const knownColumns = columnsOf(to, table)
      for (const row of rows) {
        // An older schema has fewer columns: the missing ones are null here.
        const names = Object.keys(row).filter((name) => knownColumns.has(name))
        const marks = names.map(() => '?').join(', ')
        to.prepare(`insert into ${table} (${names.join(', ')}) values (${marks})`).run(
          ...names.map((name) => row[name] ?? null),
        )
      }
    }
    to.exec('commit')
  } catch (cause) {
    throw new StoreFailed(`The users of ${source} could not be read`, { cause })
  } finally {
    from?.close()
    to.close()
  }
}

const columnsOf = (database: DatabaseSync, table: string): ReadonlySet<string> =>
  new Set(
    database
      .prepare('select name from pragma_table_info(?)')
      .all(table)
      .map(({ name }) => String(name)),
  )
