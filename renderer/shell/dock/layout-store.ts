import type { SerializedDockview } from 'dockview-core'
import {
  readStoredOrProblem,
  writeStored,
  setAside,
  type KeyValueStore,
  type StorageProblem,
} from '../../lib/key-value-store.ts'

export const LAYOUT_NAME = 'augury.layout'
/** The layouts as they were last read successfully. */
const LAST_GOOD_NAME = 'augury.layout.good'
const VERSION = 1
/** The storage keys of layouts. */
export const LAYOUT_NAMES: readonly string[] = [LAYOUT_NAME, LAST_GOOD_NAME]

export interface StoredLayouts {
  readonly active: number
  /** Dock layout of each workspace by its number. */
  readonly workspaces: Readonly<Record<string, SerializedDockview>>
}
export interface RestoredLayouts extends StoredLayouts {
  /** The stored value was rejected and set aside; the last good layouts are used. */
  readonly problem: StorageProblem | null
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** Whether a value has the shape of a dock; the library validates the rest when it loads it. */
const looksLikeDock = (value: unknown): value is SerializedDockview =>
  isRecord(value) && isRecord(value['grid']) && isRecord(value['panels'])

const layoutsOf = ({ active, workspaces }: Record<string, unknown>): StoredLayouts => ({
  active: typeof active === 'number' ? active : 1,
  workspaces: Object.fromEntries(
    Object.entries(isRecord(workspaces) ? workspaces : {}).filter(
      (entry): entry is [string, SerializedDockview] => looksLikeDock(entry[1]),
    ),
  ),
})

/**
 * Layouts stored on this machine; a layout that cannot be parsed is left out. When none can be, the
 * last good ones are used, and the stored value is set aside.
 */
export function readLayouts(storage: KeyValueStore): RestoredLayouts {
  const { value, problem } = readStoredOrProblem(storage, LAYOUT_NAME, VERSION, layoutsOf)
  if (value !== null) {
    writeStored(storage, LAST_GOOD_NAME, VERSION, value)
    return { ...value, problem: null }
  }
  if (problem !== null) setAside(storage, LAYOUT_NAME)
  const lastGood = readStoredOrProblem(storage, LAST_GOOD_NAME, VERSION, layoutsOf).value
  return { ...(lastGood ?? { active: 1, workspaces: {} }), problem }
}

/** The workspaces as another window stored them; none when they cannot be read. */
export const storedWorkspaces = (storage: KeyValueStore): StoredLayouts['workspaces'] =>
  readStoredOrProblem(storage, LAYOUT_NAME, VERSION, layoutsOf).value?.workspaces ?? {}

/** Starts with the default layouts; the stored ones are set aside. */
export function resetLayouts(store: KeyValueStore & Pick<Storage, 'removeItem'>): void {
  setAside(store, LAYOUT_NAME)
  for (const name of LAYOUT_NAMES) store.removeItem(name)
}

export const storeLayouts = (storage: KeyValueStore, layouts: StoredLayouts): boolean =>
  writeStored(storage, LAYOUT_NAME, VERSION, layouts)
