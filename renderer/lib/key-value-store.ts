/** Storage for small local data; the page passes `localStorage`. */
export type KeyValueStore = Pick<Storage, 'getItem' | 'setItem'>

/** Why a stored value was rejected: it was written by a later version, or cannot be read. */
export type StorageProblem = 'newer' | 'unreadable'

export interface Recalled<T> {
  /** Null when nothing was stored, or nothing usable. */
  readonly value: T | null
  readonly problem: StorageProblem | null
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/**
 * Reads a stored value of one version, with the reason when it is rejected. `accept` rejects with
 * null.
 */
export function readStoredOrProblem<T>(
  storage: KeyValueStore,
  name: string,
  version: number,
  accept: (value: Record<string, unknown>) => T | null,
): Recalled<T> {
  let text: string | null
  try {
    text = storage.getItem(name)
  } catch {
    return { value: null, problem: null }
  }
  if (text === null) return { value: null, problem: null }
  const value = parseJson(text)
  const record = isRecord(value) ? value : null
  const storedVersion = record?.['version']
  if (typeof storedVersion === 'number' && storedVersion > version)
    return { value: null, problem: 'newer' }
  const accepted = record !== null && storedVersion === version ? accept(record) : null
  return { value: accepted, problem: accepted === null ? 'unreadable' : null }
}

/**
 * Reads a stored value of one version. Returns null when it is missing, of another version,
 * unreadable or rejected by `accept`; the page then starts from its defaults.
 */
export const readStored = <T>(
  storage: KeyValueStore,
  name: string,
  version: number,
  accept: (value: Record<string, unknown>) => T | null,
): T | null => readStoredOrProblem(storage, name, version, accept).value

/** Copies an unreadable value to a key of its own, so that the next write does not overwrite it. */
export function setAside(storage: KeyValueStore, name: string): void {
  try {
    const text = storage.getItem(name)
    if (text !== null) storage.setItem(`${name}.aside`, text)
  } catch {
    return
  }
}

/**
 * Stores a value. A full or blocked storage loses the value but does not break the page. Returns
 * whether it was stored.
 */
export function writeStored(
  storage: KeyValueStore,
  name: string,
  version: number,
  value: object,
): boolean {
  try {
    storage.setItem(name, JSON.stringify({ version, ...value }))
    return true
  } catch {
    return false
  }
}

/** The same storage with a callback when a write fails: once, until a write succeeds again. */
export function reportingStorage(storage: KeyValueStore, onrefused: () => void): KeyValueStore {
  let isRefused = false
  return {
    getItem: (name) => storage.getItem(name),
    setItem(name, text) {
      try {
        storage.setItem(name, text)
        isRefused = false
      } catch (error) {
        if (!isRefused) onrefused()
        isRefused = true
        throw error
      }
    },
  }
}
