import type { SerializedDockview } from 'dockview-core'
import { recallOrTell, remember, setAside, type Keep, type KeptTrouble } from '../lib/keep.ts'

export const LAYOUT_NAME = 'augury.layout'
/** The layouts as they were when last they could be read. */
const GOOD = 'augury.layout.good'
const VERSION = 1
/** All that layouts are kept under. */
export const LAYOUT_NAMES: readonly string[] = [LAYOUT_NAME, GOOD]

export interface KeptLayouts {
  readonly active: number
  /** Dock layout of each workspace by its number. */
  readonly workspaces: Readonly<Record<string, SerializedDockview>>
}
export interface RecalledLayouts extends KeptLayouts {
  /** What was kept could not be taken: it was set aside, and the last good ones stand in. */
  readonly trouble: KeptTrouble | null
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** Has the shape of a dock: the library itself judges the rest when it loads it. */
const looksLikeDock = (value: unknown): value is SerializedDockview =>
  isRecord(value) && isRecord(value['grid']) && isRecord(value['panels'])

const layoutsOf = ({ active, workspaces }: Record<string, unknown>): KeptLayouts => ({
  active: typeof active === 'number' ? active : 1,
  workspaces: Object.fromEntries(
    Object.entries(isRecord(workspaces) ? workspaces : {}).filter(
      (entry): entry is [string, SerializedDockview] => looksLikeDock(entry[1]),
    ),
  ),
})

/**
 * Layouts kept on this machine; a layout that cannot be read is left out. When none can be, the
 * last good ones are taken, and what was kept is set aside.
 */
export function recallLayouts(keep: Keep): RecalledLayouts {
  const { value, trouble } = recallOrTell(keep, LAYOUT_NAME, VERSION, layoutsOf)
  if (value !== null) {
    remember(keep, GOOD, VERSION, value)
    return { ...value, trouble: null }
  }
  if (trouble !== null) setAside(keep, LAYOUT_NAME)
  const good = recallOrTell(keep, GOOD, VERSION, layoutsOf).value
  return { ...(good ?? { active: 1, workspaces: {} }), trouble }
}

/** The workspaces as another window has kept them; none when they cannot be read. */
export const keptElsewhere = (keep: Keep): KeptLayouts['workspaces'] =>
  recallOrTell(keep, LAYOUT_NAME, VERSION, layoutsOf).value?.workspaces ?? {}

/** Begins with the first layouts: those that were kept are set aside. */
export function startAfresh(store: Keep & Pick<Storage, 'removeItem'>): void {
  setAside(store, LAYOUT_NAME)
  for (const name of LAYOUT_NAMES) store.removeItem(name)
}

export const rememberLayouts = (keep: Keep, layouts: KeptLayouts): boolean =>
  remember(keep, LAYOUT_NAME, VERSION, layouts)
