import type { Clock } from '../lib/clock.ts'

interface Kept<T> {
  readonly value: Promise<T>
  readonly madeAt: number
  readonly dataAt: number
}

/** Answers that are dear to make, given again for a while. */
export interface AnswerMemory<T> {
  /** Whether an answer stands that would be given again now. */
  has(key: string): boolean
  /** The standing answer, or the one that `make` makes; those who ask meanwhile get the same. */
  once(key: string, make: () => Promise<T>): Promise<T>
  /** Forgets everything, after stored history changed under the answers. */
  clear(): void
}

/**
 * Keeps the newest answers for `life` on the process timer and on the clock of the data, whichever
 * ends first. Failures are not kept.
 * @param most answers kept; the oldest go first
 */
export function createAnswerMemory<T>(
  clock: Pick<Clock, 'now' | 'monotonic'>,
  life: number,
  most = 500,
): AnswerMemory<T> {
  const kept = new Map<string, Kept<T>>()
  const standing = (key: string): Kept<T> | null => {
    const found = kept.get(key)
    if (found === undefined) return null
    const isFresh =
      clock.monotonic() - found.madeAt < life && Math.abs(clock.now() - found.dataAt) < life
    if (isFresh) return found
    kept.delete(key)
    return null
  }
  return {
    has: (key) => standing(key) !== null,
    once(key, make) {
      const found = standing(key)
      if (found !== null) return found.value
      const entry = { value: make(), madeAt: clock.monotonic(), dataAt: clock.now() }
      kept.set(key, entry)
      entry.value.catch(() => {
        if (kept.get(key) === entry) kept.delete(key)
      })
      const oldest = kept.size > most ? kept.keys().next().value : undefined
      if (oldest !== undefined) kept.delete(oldest)
      return entry.value
    },
    clear: () => kept.clear(),
  }
}
