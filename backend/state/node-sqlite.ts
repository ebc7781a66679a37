import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { SqliteDatabase } from 'kysely'
import { StoreFailed } from '../lib/errors.ts'

/**
 * `node:sqlite` in the shape that Kysely's SQLite dialect drives. Rows are plain objects and
 * integers plain numbers: our times and counts stay below 2^53.
 */
export function kyselyDatabase(database: DatabaseSync): SqliteDatabase {
  const kept = new Map<string, Prepared>()
  /** The statement of a text: parsed once, since a text comes again with other values. */
  const prepared = (sql: string): Prepared => {
    const known = kept.get(sql)
    if (known !== undefined) {
      kept.delete(sql)
      kept.set(sql, known)
      return known
    }
    const statement = told(() => database.prepare(sql))
    // A statement without result columns is a write; node:sqlite has no `reader` of its own.
    const made = { statement, reader: statement.columns().length > 0 }
    if (!KEPT.test(sql)) return made
    kept.set(sql, made)
    const oldest = kept.keys().next()
    if (kept.size > MOST_KEPT && oldest.done !== true) kept.delete(oldest.value)
    return made
  }
  return {
    close: () => {
      kept.clear()
      database.close()
    },
    prepare(sql) {
      const { statement, reader } = prepared(sql)
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
        // Rows that are read one by one need a statement which nobody else begins anew meanwhile.
        iterate: (parameters) =>
          database
            .prepare(sql)
            .iterate(...(parameters as SQLInputValue[])) as IterableIterator<unknown>,
      }
    },
  }
}

interface Prepared {
  readonly statement: StatementSync
  readonly reader: boolean
}
/** What changes the schema is said once. */
const KEPT = /^\s*(?:select|insert|update|delete|with|begin|commit|rollback|savepoint|release)\b/i
/** More than the texts that the stores have; lists of values make texts of many lengths. */
const MOST_KEPT = 500

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
