import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { SqliteDatabase } from 'kysely'

/**
 * `node:sqlite` in the shape that Kysely's SQLite dialect drives. Rows are plain objects and
 * integers plain numbers: our times and counts stay below 2^53.
 */
export function kyselyDatabase(database: DatabaseSync): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare(sql) {
      const statement = database.prepare(sql)
      // A statement without result columns is a write; node:sqlite has no `reader` of its own.
      const reader = statement.columns().length > 0
      return {
        reader,
        all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
        run: (parameters) => {
          const { changes, lastInsertRowid } = statement.run(...(parameters as SQLInputValue[]))
          return { changes: Number(changes), lastInsertRowid: BigInt(lastInsertRowid) }
        },
        iterate: (parameters) =>
          statement.iterate(...(parameters as SQLInputValue[])) as IterableIterator<unknown>,
      }
    },
  }
}
