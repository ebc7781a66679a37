/**
 * A value derived from an object on first access, or stored explicitly, and cached as long as the
 * object lives.
 */
export interface MemoizedByKey<Source extends object, Made> {
  (source: Source): Made
  /** Stores a value that was computed elsewhere. */
  keep(source: Source, created: Made): void
}

/**
 * Memoizes a function by its object argument (a snapshot, for example) for as long as the object
 * lives.
 */
export function memoizeByKey<Source extends object, Made>(
  make: (source: Source) => Made,
): MemoizedByKey<Source, Made> {
  const cache = new WeakMap<Source, { readonly created: Made }>()
  const valueOf = (source: Source): Made => {
    const found = cache.get(source)
    if (found !== undefined) return found.created
    const created = make(source)
    cache.set(source, { created })
    return created
  }
  return Object.assign(valueOf, {
    keep: (source: Source, created: Made): void => void cache.set(source, { created }),
  })
}
