import { LRUCache } from 'lru-cache'
import type { Clock } from '../../lib/clock.ts'

interface Entry<T> {
  readonly value: Promise<T>
  readonly madeAt: number
  readonly dataAt: number
}

/** Memoizes expensive answers for a limited time. */
export interface AnswerCache<T> {
  /** Whether a fresh answer is cached under this key. */
  has(key: string): boolean
  /** Returns the cached answer, or runs `make`; concurrent callers share one run. */
  once(key: string, make: () => Promise<T>): Promise<T>
  /** Drops every entry. Called after an import has changed stored history. */
  clear(): void
}

/**
 * Caches the newest answers. An entry expires after `life` milliseconds of process time or of data
 * time, whichever passes first. Failures are not cached.
 * @param life milliseconds
 * @param max largest number of entries; those used least recently are evicted first
 */
export function createAnswerCache<T>(
  clock: Pick<Clock, 'now' | 'monotonic'>,
  life: number,
  max = 500,
): AnswerCache<T> {
  const entries = new LRUCache<string, Entry<T>>({ max })
  const freshEntryOf = (key: string): Entry<T> | null => {
    const storedEntry = entries.get(key)
    if (storedEntry === undefined) return null
    const isFresh =
      clock.monotonic() - storedEntry.madeAt < life &&
      Math.abs(clock.now() - storedEntry.dataAt) < life
    if (isFresh) return storedEntry
    entries.delete(key)
    return null
  }
  return {
    has: (key) => freshEntryOf(key) !== null,
    once(key, make) {
      const freshEntry = freshEntryOf(key)
      if (freshEntry !== null) return freshEntry.value
      const entry = { value: make(), madeAt: clock.monotonic(), dataAt: clock.now() }
      entries.set(key, entry)
      entry.value.catch(() => {
        if (entries.get(key) === entry) entries.delete(key)
      })
      return entry.value
    },
    clear: () => entries.clear(),
  }
}
