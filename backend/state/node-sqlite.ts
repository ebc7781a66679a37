import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { SqliteDatabase } from 'kysely'
import { LRUCache } from 'lru-cache'
import { StoreFailed } from '../lib/errors.ts'

/**
 * Adapts `node:sqlite` to Kysely's SQLite dialect. Rows are plain objects and integers plain
 * numbers: our times and counts stay below 2^53.
 * @param onCommit called after every statement that may have ended a transaction
 */
export function kyselyDatabase(
  database: DatabaseSync,
  onCommit: () => void = () => {},
): SqliteDatabase {
  const statements = new LRUCache<string, PreparedStatement>({ max: MAX_ENTRIES })
  /** Prepared statement of a text: parsed once, since the same text returns with other values. */
  const prepare = (sql: string): PreparedStatement => {
    const existing = statements.get(sql)
    if (existing !== undefined) return existing
    const statement = withStoreErrors(() => database.prepare(sql))
    // A statement without result columns is a write; node:sqlite has no `reader` of its own.
    const preparedStatement = { statement, reader: statement.columns().length > 0 }
    if (!CACHEABLE.test(sql)) return preparedStatement
    statements.set(sql, preparedStatement)
    return preparedStatement
  }
  return {
    close: () => {
      statements.clear()
      database.close()
    },
    prepare(sql) {
      const { statement, reader } = prepare(sql)
      return {
        reader,
        all: (parameters) => {
          const rows = withStoreErrors(() => statement.all(...(parameters as SQLInputValue[])))
          // A write can return rows.
          if (!database.isTransaction && !READS.test(sql)) onCommit()
          return rows
        },
        run: (parameters) => {
          // A full disk has already ended the transaction: a rollback would hide the reason.
          if (sql === ROLLBACK && !database.isTransaction) return NO_CHANGES
          const { changes, lastInsertRowid } = withStoreErrors(() =>
            statement.run(...(parameters as SQLInputValue[])),
          )
          if (!database.isTransaction) onCommit()
          return { changes: Number(changes), lastInsertRowid: BigInt(lastInsertRowid) }
        },
        // Streaming rows requires a statement of its own, which no other query resets meanwhile.
        iterate: (parameters) =>
          database
            .prepare(sql)
            .iterate(...(parameters as SQLInputValue[])) as IterableIterator<unknown>,
      }
    },
  }
}

interface PreparedStatement {
  readonly statement: StatementSync
  readonly reader: boolean
}
/** Schema changes run only once and are not cached. */
const CACHEABLE =
  /^\s*(?:select|insert|update|delete|with|begin|commit|rollback|savepoint|release)\b/i
/** Statements that cannot have written anything. */
const READS = /^\s*select\b/i
/** More than the number of texts in the stores; lists of values make texts of many lengths. */
const MAX_ENTRIES = 500

/** Kysely's rollback statement. */
const ROLLBACK = 'rollback'
const NO_CHANGES = { changes: 0, lastInsertRowid: 0n }

/** Result codes about the file and its disk, not the statement: sqlite.org/rescode.html. */
const STORE_CODES: ReadonlySet<number> = new Set([5, 6, 7, 8, 10, 11, 13, 14, 26])

/** Failures of the store become StoreFailed; failures of a statement are rethrown. */
function withStoreErrors<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
    if (!STORE_CODES.has(code)) throw error
    throw new StoreFailed('The operational rows cannot be read or written at the moment', {
      cause: error,
    })
  }
}
