import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { SqliteDatabase } from 'kysely'
import { StoreFailed } from '../lib/errors.ts'

/**
 * `node:sqlite` in the shape that Kysely's SQLite dialect drives. Rows are plain objects and
 * integers plain numbers: our times and counts stay below 2^53.
 */
export function kyselyDatabase(database: DatabaseSync): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare(sql) {
      const statement = told(() => database.prepare(sql))
      // A statement without result columns is a write; node:sqlite has no `reader` of its own.
      const reader = statement.columns().length > 0
      return {
        reader,
        all: (parameters) => told(() => statement.all(...(parameters as SQLInputValue[]))),
        run: (parameters) => {
          // A full disk has ended the transaction already: taking it back then would hide why.
          if (sql === ROLLBACK && !database.isTransaction) return UNCHANGED
          const { changes, lastInsertRowid } = told(() =>
            statement.run(...(parameters as SQLInputValue[])),
          )
          return { changes: Number(changes), lastInsertRowid: BigInt(lastInsertRowid) }
        },
        iterate: (parameters) =>
          statement.iterate(...(parameters as SQLInputValue[])) as IterableIterator<unknown>,
      }
    },
  }
}

/** As Kysely says it. */
const ROLLBACK = 'rollback'
const UNCHANGED = { changes: 0, lastInsertRowid: 0n }

/** Result codes that speak of the file and its disk, not of the statement: sqlite.org/rescode.html. */
const STORE_CODES: ReadonlySet<number> = new Set([5, 6, 7, 8, 10, 11, 13, 14, 26])

/** Failures of the store itself come out as StoreFailed; those of a statement as they are. */
function told<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
    if (!STORE_CODES.has(code)) throw error
    throw new StoreFailed('The operational rows cannot be read or written now', { cause: error })
  }
}
