/** Strategies that run at once in a study, so that the service stays responsive beside them. */
export const MAX_CONCURRENT = 2

/**
 * Runs work for each item, two at a time, and returns the results in the order of the items. The
 * first failure ends the others. Rejects with its error, or with the signal's reason.
 */
export async function runInPool<Item, Result>(
  items: readonly Item[],
  signal: AbortSignal,
  work: (item: Item, index: number, signal: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const stop = new AbortController()
  const cancelSignal = AbortSignal.any([signal, stop.signal])
  const results: Result[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      cancelSignal.throwIfAborted()
      const index = next++
      results[index] = await work(items[index] as Item, index, cancelSignal)
    }
  }
  const workers = Array.from({ length: Math.min(MAX_CONCURRENT, items.length) }, () =>
    worker().catch((error: unknown) => {
      stop.abort(error)
      throw error
    }),
  )
  const workerResults = await Promise.allSettled(workers)
  signal.throwIfAborted()
  if (workerResults.some(({ status }) => status === 'rejected')) throw stop.signal.reason
  return results
}

/** Overall progress of work in several pieces, some of which run at once. */
export class Share {
  readonly #totalShare: number
  readonly #onReport: (progress: number) => void
  readonly #going = new Map<object, number>()
  #doneCount = 0
  #last = 0

  /** @param total weight of all pieces */
  constructor(total: number, onProgress: (progress: number) => void) {
    this.#totalShare = total
    this.#onReport = onProgress
  }

  /** Adds a piece with a weight: call `at` with its own progress, and `end` once it is over. */
  piece(weight: number): { at: (progress: number) => void; end: () => void } {
    const key = {}
    return {
      at: (progress) => {
        this.#going.set(key, progress * weight)
        this.#report()
      },
      end: () => {
        this.#going.delete(key)
        this.#doneCount += weight
        this.#report()
      },
    }
  }

  /** The progress never decreases. */
  #report(): void {
    let sum = this.#doneCount
    for (const part of this.#going.values()) sum += part
    const progress = Math.min(1, sum / this.#totalShare)
    if (progress <= this.#last) return
    this.#last = progress
    this.#onReport(progress)
  }
}
