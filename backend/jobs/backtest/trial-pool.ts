/** Strategies that play at once in a study: the service must go on beside them. */
export const MOST_AT_ONCE = 2

/**
 * Does a piece of work for each item, two at a time, and answers in the order of the items. The first
 * that fails ends the others. Rejects with its error, or with the signal's reason.
 */
export async function inPool<Item, Result>(
  items: readonly Item[],
  signal: AbortSignal,
  work: (item: Item, index: number, signal: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  const results: Result[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      either.throwIfAborted()
      const index = next++
      results[index] = await work(items[index] as Item, index, either)
    }
  }
  const workers = Array.from({ length: Math.min(MOST_AT_ONCE, items.length) }, () =>
    worker().catch((error: unknown) => {
      stop.abort(error)
      throw error
    }),
  )
  const ends = await Promise.allSettled(workers)
  signal.throwIfAborted()
  if (ends.some(({ status }) => status === 'rejected')) throw stop.signal.reason
  return results
}

/** How far work of several pieces is, where some of them go on at once. */
export class Share {
  readonly #whole: number
  readonly #told: (progress: number) => void
  readonly #going = new Map<object, number>()
  #done = 0
  #last = 0

  /** @param whole weight of all pieces */
  constructor(whole: number, told: (progress: number) => void) {
    this.#whole = whole
    this.#told = told
  }

  /** A piece of a weight: call `at` with its own progress, and `end` once it is over. */
  piece(weight: number): { at: (progress: number) => void; end: () => void } {
    const key = {}
    return {
      at: (progress) => {
        this.#going.set(key, progress * weight)
        this.#tell()
      },
      end: () => {
        this.#going.delete(key)
        this.#done += weight
        this.#tell()
      },
    }
  }

  /** Never goes back. */
  #tell(): void {
    let sum = this.#done
    for (const part of this.#going.values()) sum += part
    const progress = Math.min(1, sum / this.#whole)
    if (progress <= this.#last) return
    this.#last = progress
    this.#told(progress)
  }
}
