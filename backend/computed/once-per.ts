/**
 * Makes a thing once for each grid, or whatever else it is made from, and keeps it as long as that
 * is kept.
 */
export function oncePer<Source extends object, Made>(
  make: (source: Source) => Made,
): (source: Source) => Made {
  const known = new WeakMap<Source, { readonly made: Made }>()
  return (source) => {
    const found = known.get(source)
    if (found !== undefined) return found.made
    const made = make(source)
    known.set(source, { made })
    return made
  }
}
