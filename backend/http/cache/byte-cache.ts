/** A response as bytes, with the tag for conditional requests. */
export interface CachedAnswer {
  readonly status: number
  /** Header name-value pairs that do not depend on the request. */
  readonly headers: readonly string[]
  readonly etag: string | null
  readonly plain: Buffer
  /** Compressed forms, computed on first use. */
  gzip: Buffer | null
  br: Buffer | null
}

interface Entry {
  readonly answer: CachedAnswer
  readonly storedAt: number
  readonly dataAt: number
  readonly life: number
}

export interface ByteCache {
  get(key: string): CachedAnswer | null
  /** @param life milliseconds for which the answer may be served */
  put(key: string, answer: CachedAnswer, life: number): void
  /**
   * Drops every entry, and those being computed once they are. Called after an import has changed
   * stored history.
   */
  clear(): void
  /**
   * Runs `make` unless it is already running for this key, and stores its answer; concurrent
   * callers share it.
   * @param lifeOf milliseconds for which an answer may be served
   */
  once(
    key: string,
    make: () => Promise<CachedAnswer>,
    lifeOf: (answer: CachedAnswer) => number,
  ): Promise<CachedAnswer>
}

/**
 * Caches response bytes by canonical address, bounded by total size; the least recently stored
 * entries are evicted first. An entry expires on process time or on data time, whichever passes
 * first, so that a fast replay does not serve stale answers.
 */
export function createByteCache(
  time: { readonly monotonic: () => number; readonly now: () => number },
  maxBytes = 32_000_000,
): ByteCache {
  const entries = new Map<string, Entry>()
  const pendingAnswers = new Map<string, Promise<CachedAnswer>>()
  let bytes = 0
  /** Number of times that the cache was cleared. */
  let clears = 0
  const drop = (key: string, entry: Entry) => {
    entries.delete(key)
    bytes -= chargedBytes(entry.answer)
  }
  const store = (key: string, answer: CachedAnswer, life: number): void => {
    const previousEntry = entries.get(key)
    if (previousEntry !== undefined) drop(key, previousEntry)
    if (life <= 0 || chargedBytes(answer) > maxBytes / 8) return
    entries.set(key, { answer, storedAt: time.monotonic(), dataAt: time.now(), life })
    bytes += chargedBytes(answer)
    for (const [oldest, entry] of entries) {
      if (bytes <= maxBytes) break
      drop(oldest, entry)
    }
  }
  return {
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined) return null
      const age = Math.abs(time.now() - entry.dataAt)
      if (time.monotonic() - entry.storedAt < entry.life && age < entry.life) {
        return entry.answer
      }
      drop(key, entry)
      return null
    },
    put: store,
    clear() {
      entries.clear()
      pendingAnswers.clear()
      bytes = 0
      clears += 1
    },
    once(key, make, lifeOf) {
      const current = pendingAnswers.get(key)
      if (current !== undefined) return current
      const clearsBefore = clears
      const pendingAnswer = make()
        .then((answer) => {
          if (clears === clearsBefore) store(key, answer, lifeOf(answer))
          return answer
        })
        .finally(() => {
          if (pendingAnswers.get(key) === pendingAnswer) pendingAnswers.delete(key)
        })
      pendingAnswers.set(key, pendingAnswer)
      return pendingAnswer
    },
  }
}

/** Bytes charged for an answer: twice the plain form covers the compressed forms. */
const chargedBytes = (answer: CachedAnswer): number => answer.plain.length * 2 + 512
