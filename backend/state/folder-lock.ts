import { DatabaseSync } from 'node:sqlite'

/** The result of `work`, or that another process holds the lock. */
export type LockResult<T> = { readonly value: T } | 'held'

/**
 * Runs work that only one process may run at a time. The lock is SQLite's on a file of its own:
 * the system releases it whenever a process dies.
 */
export async function whileLocked<T>(path: string, work: () => Promise<T>): Promise<LockResult<T>> {
  const lock = new DatabaseSync(path)
  try {
    try {
      lock.exec('begin exclusive')
    } catch (error) {
      if (error instanceof Error && /locked|busy/i.test(error.message)) return 'held'
      throw error
    }
    return { value: await work() }
  } finally {
    lock.close()
  }
}
