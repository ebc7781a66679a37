import { DatabaseSync } from 'node:sqlite'

/** What `work` answered, or that another process holds the lock. */
export type Locked<T> = { readonly value: T } | 'held'

/**
 * Does work that only one process may do at a time. The lock is SQLite's on a file of its own: the
 * system lets go of it when a process dies, whatever way.
 */
export async function whileLocked<T>(path: string, work: () => Promise<T>): Promise<Locked<T>> {
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
