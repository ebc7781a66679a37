/**
 * A value derived from an object on first access, or stored explicitly, and cached as long as the
 * object lives.
 */
export interface MemoizedByKey<Source extends object, Made> {
  (source: Source): Made
  /** Stores a value that was computed elsewhere. */
  keep(source: Source, made: Made): void
}

/**
 * Memoizes a function by its object argument (a snapshot, for example) for as long as the object
 * lives.
 */
export function memoizeByKey<Source extends object, Made>(
  make: (source: Source) => Made,
): MemoizedByKey<Source, Made> {
  const known = new WeakMap<Source, { readonly made: Made }>()
  const madeOf = (source: Source): Made => {
    const found = known.get(source)
    if (found !== undefined) return found.made
    const made = make(source)
    known.set(source, { made })
    return made
  }
  return Object.assign(madeOf, {
    keep: (source: Source, made: Made): void => void known.set(source, { made }),
  })
}
