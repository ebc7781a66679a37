/** Where small local things are kept; the page passes `localStorage`. */
export type Keep = Pick<Storage, 'getItem' | 'setItem'>

/**
 * Reads a kept value of one version. Anything missing, of another version, unreadable or refused by
 * `accept` is null: the page then starts from its defaults.
 */
export function recall<T>(
  keep: Keep,
  name: string,
  version: number,
  accept: (value: Record<string, unknown>) => T | null,
): T | null {
  try {
    const value = JSON.parse(keep.getItem(name) ?? 'null') as unknown
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
    const record = value as Record<string, unknown>
    return record['version'] === version ? accept(record) : null
  } catch {
    return null
  }
}

/** Keeps a value; a full or forbidden store loses the layout, never the page. */
export function remember(keep: Keep, name: string, version: number, value: object): void {
  try {
    keep.setItem(name, JSON.stringify({ version, ...value }))
  } catch {
    return
  }
}
