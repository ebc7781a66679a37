import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Interval of memory checks, ms. */
export const CHECK_INTERVAL = 30_000
/**
 * Minimum time between two requested collections, ms: each stops the process for some tenths of a
 * second.
 */
const MIN_PAUSE = 600_000
/** Relative and absolute growth of memory since the last collection that triggers another. */
const SHARE = 0.25
const MIN_GROWTH = 64 * 1_048_576

/** Memory readings and collections, as GarbageCollectionTrigger uses them. */
export interface ProcessMemory {
  /** Resident bytes of the process. */
  resident(): number
  /** Runs a full collection. */
  collect(): void
}

/**
 * Requests a collection when resident memory has grown. Results of the history's engine hold
 * native memory that only the collector frees but does not see, so left alone it runs too late and
 * the process keeps hundreds of megabytes of garbage.
 */
export class GarbageCollectionTrigger {
  readonly #memory: ProcessMemory
  readonly #monotonic: () => number
  /** Minimum since the last collection; freed memory is returned to the system a little later. */
  #baseline: number | null = null
  #collectedAt = -Infinity

  constructor(memory: ProcessMemory, monotonic: () => number) {
    this.#memory = memory
    this.#monotonic = monotonic
  }

  /** Collects when due; returns whether it did. */
  collectIfDue(): boolean {
    const resident = this.#memory.resident()
    this.#baseline = Math.min(this.#baseline ?? resident, resident)
    const allowedBytes = this.#baseline + Math.max(MIN_GROWTH, SHARE * this.#baseline)
    const now = this.#monotonic()
    if (resident <= allowedBytes || now - this.#collectedAt < MIN_PAUSE) return false
    this.#memory.collect()
    this.#collectedAt = now
    this.#baseline = null
    return true
  }
}

/** The memory of this process. */
export function processMemory(): ProcessMemory {
  setFlagsFromString('--expose-gc')
  // The flag takes effect in contexts created after it was set.
  const collect = runInNewContext('gc') as () => void
  return { resident: () => process.memoryUsage.rss(), collect: () => collect() }
}
