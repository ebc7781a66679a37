/** An answer as bytes, with what a conditional request is compared to. */
export interface CachedAnswer {
  readonly status: number
  /** Header pairs that do not depend on the request. */
  readonly headers: readonly string[]
  readonly etag: string | null
  readonly plain: Buffer
  /** Compressed forms, made when first asked for. */
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
  /** @param life milliseconds for which the answer may be given again */
  put(key: string, answer: CachedAnswer, life: number): void
  /** Forgets everything, after stored history changed under the answers. */
  clear(): void
  /** Runs `make` unless it already runs for this key; everyone gets the one result. */
  once<T>(key: string, make: () => Promise<T>): Promise<T>
}

/**
 * Ready bytes by canonical address, bounded by total size; the least recently stored go first. An
 * answer lives until its age passes on the process timer or on the clock of the data, whichever is
 * first, so that a replayed hour does not outlive itself.
 */
export function createByteCache(
  time: { readonly monotonic: () => number; readonly now: () => number },
  mostBytes = 32_000_000,
): ByteCache {
  const entries = new Map<string, Entry>()
  const running = new Map<string, Promise<unknown>>()
  let bytes = 0
  const drop = (key: string, entry: Entry) => {
    entries.delete(key)
    bytes -= weigh(entry.answer)
  }
  return {
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined) return null
      const elapsed = Math.abs(time.now() - entry.dataAt)
      if (time.monotonic() - entry.storedAt < entry.life && elapsed < entry.life) {
        return entry.answer
      }
      drop(key, entry)
      return null
    },
    put(key, answer, life) {
      const earlier = entries.get(key)
      if (earlier !== undefined) drop(key, earlier)
      if (life <= 0 || weigh(answer) > mostBytes / 8) return
      entries.set(key, { answer, storedAt: time.monotonic(), dataAt: time.now(), life })
      bytes += weigh(answer)
      for (const [oldest, entry] of entries) {
        if (bytes <= mostBytes) break
        drop(oldest, entry)
      }
    },
    clear() {
      entries.clear()
      bytes = 0
    },
    once<T>(key: string, make: () => Promise<T>): Promise<T> {
      const current = running.get(key) as Promise<T> | undefined
      if (current !== undefined) return current
      const made = make().finally(() => running.delete(key))
      running.set(key, made)
      return made
    },
  }
}

/** Bytes an answer is taken to hold: twice the plain form covers the compressed ones. */
const weigh = (answer: CachedAnswer): number => answer.plain.length * 2 + 512
