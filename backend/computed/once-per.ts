/** A thing made from something when first asked, or handed in, and then kept as long as that is. */
export interface OncePer<Source extends object, Made> {
  (source: Source): Made
  /** Keeps what was made elsewhere. */
  keep(source: Source, made: Made): void
}

/**
 * Makes a thing once for each grid, or whatever else it is made from, and keeps it as long as that
 * is kept.
 */
export function oncePer<Source extends object, Made>(
  make: (source: Source) => Made,
): OncePer<Source, Made> {
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
