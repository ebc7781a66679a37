/**
 * A value derived from an object on first access, or stored explicitly, and cached as long as the
 * object lives.
 */
export interface MemoizedByKey<Source extends object, Made> {
  (source: Source): Made
  /** Stores a value that was computed elsewhere. */
  store(source: Source, value: Made): void
}

/**
 * Memoizes a function by its object argument (a snapshot, for example) for as long as the object
 * lives. A promise that rejects is dropped, so the next access makes another.
 */
export function memoizeByKey<Source extends object, Made>(
  make: (source: Source) => Made,
): MemoizedByKey<Source, Made> {
  const cache = new WeakMap<Source, { readonly created: Made }>()
  const valueOf = (source: Source): Made => {
    const cachedEntry = cache.get(source)
    if (cachedEntry !== undefined) return cachedEntry.created
    const entry = { created: make(source) }
    cache.set(source, entry)
    if (entry.created instanceof Promise) {
      entry.created.catch(() => {
        if (cache.get(source) === entry) cache.delete(source)
      })
    }
    return entry.created
  }
  return Object.assign(valueOf, {
    store: (source: Source, value: Made): void => void cache.set(source, { created: value }),
  })
}
