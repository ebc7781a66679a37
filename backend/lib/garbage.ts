import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Looks at resident memory so often. */
export const LOOK_EVERY = 30_000
/** Between two collections that are asked for: each stops the process for some tenths of a second. */
const LEAST_PAUSE = 600_000
/** Share and bytes by which memory may grow over what was left of the last collection. */
const SHARE = 0.25
const LEAST_GROWTH = 64 * 1_048_576

/** What a keeper of memory looks at and asks for. */
export interface ProcessMemory {
  /** Resident bytes of the process. */
  resident(): number
  /** Runs a full collection. */
  collect(): void
}

/**
 * Asks for a collection when resident memory has grown. Answers of the history's engine hold native
 * memory that only the collector frees and that it does not see, so that left to itself it comes too
 * late and the process keeps hundreds of megabytes of garbage.
 */
export class GarbageKeeper {
  readonly #memory: ProcessMemory
  readonly #monotonic: () => number
  /** Least that was seen since the last collection; what it freed is returned a little later. */
  #left: number | null = null
  #collectedAt = -Infinity

  constructor(memory: ProcessMemory, monotonic: () => number) {
    this.#memory = memory
    this.#monotonic = monotonic
  }

  /** Collects when it is time to; true when it did. */
  look(): boolean {
    const resident = this.#memory.resident()
    this.#left = Math.min(this.#left ?? resident, resident)
    const mayStand = this.#left + Math.max(LEAST_GROWTH, SHARE * this.#left)
    const now = this.#monotonic()
    if (resident <= mayStand || now - this.#collectedAt < LEAST_PAUSE) return false
    this.#memory.collect()
    this.#collectedAt = now
    this.#left = null
    return true
  }
}

/** The memory of this process. */
export function processMemory(): ProcessMemory {
  setFlagsFromString('--expose-gc')
  // The flag shows itself in contexts that are made after it was set.
  const collect = runInNewContext('gc') as () => void
  return { resident: () => process.memoryUsage.rss(), collect: () => collect() }
}
