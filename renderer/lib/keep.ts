/** Where small local things are kept; the page passes `localStorage`. */
export type Keep = Pick<Storage, 'getItem' | 'setItem'>

/** Why a kept value was not taken: it was written by a later version, or cannot be read. */
export type KeptTrouble = 'newer' | 'unreadable'

export interface Recalled<T> {
  /** Null when nothing was kept, or nothing that can be taken. */
  readonly value: T | null
  readonly trouble: KeptTrouble | null
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/**
 * Reads a kept value of one version, and says why it was not taken. `accept` refuses with null.
 */
export function recallOrTell<T>(
  keep: Keep,
  name: string,
  version: number,
  accept: (value: Record<string, unknown>) => T | null,
): Recalled<T> {
  let text: string | null
  try {
    text = keep.getItem(name)
  } catch {
    return { value: null, trouble: null }
  }
  if (text === null) return { value: null, trouble: null }
  const value = parsed(text)
  const record = isRecord(value) ? value : null
  const written = record?.['version']
  if (typeof written === 'number' && written > version) return { value: null, trouble: 'newer' }
  const taken = record !== null && written === version ? accept(record) : null
  return { value: taken, trouble: taken === null ? 'unreadable' : null }
}

/**
 * Reads a kept value of one version. Anything missing, of another version, unreadable or refused by
 * `accept` is null: the page then starts from its defaults.
 */
export const recall = <T>(
  keep: Keep,
  name: string,
  version: number,
  accept: (value: Record<string, unknown>) => T | null,
): T | null => recallOrTell(keep, name, version, accept).value

/** Copies what cannot be taken to a name of its own, so that what is kept next does not destroy it. */
export function setAside(keep: Keep, name: string): void {
  try {
    const text = keep.getItem(name)
    if (text !== null) keep.setItem(`${name}.aside`, text)
  } catch {
    return
  }
}

/** Keeps a value; a full or forbidden store loses it, never the page. Returns whether it was kept. */
export function remember(keep: Keep, name: string, version: number, value: object): boolean {
  try {
    keep.setItem(name, JSON.stringify({ version, ...value }))
    return true
  } catch {
    return false
  }
}

/** The same store, which says when nothing can be kept: once, until it works again. */
export function tellingKeep(keep: Keep, onrefused: () => void): Keep {
  let isRefused = false
  return {
    getItem: (name) => keep.getItem(name),
    setItem(name, text) {
      try {
        keep.setItem(name, text)
        isRefused = false
      } catch (error) {
        if (!isRefused) onrefused()
        isRefused = true
        throw error
      }
    },
  }
}
