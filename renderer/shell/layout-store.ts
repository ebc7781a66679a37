import type { SerializedDockview } from 'dockview-core'
import { recall, remember, type Keep } from '../lib/keep.ts'

const NAME = 'augury.layout'
const VERSION = 1

export interface KeptLayouts {
  readonly active: number
  /** Dock layout of each workspace by its number. */
  readonly workspaces: Readonly<Record<string, SerializedDockview>>
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** Has the shape of a dock: the library itself judges the rest when it loads it. */
const looksLikeDock = (value: unknown): value is SerializedDockview =>
  isRecord(value) && isRecord(value['grid']) && isRecord(value['panels'])

/** Layouts kept on this machine; a layout that cannot be read is left out. */
export function recallLayouts(keep: Keep): KeptLayouts {
  const kept = recall(keep, NAME, VERSION, ({ active, workspaces }) => ({
    active: typeof active === 'number' ? active : 1,
    workspaces: Object.fromEntries(
      Object.entries(isRecord(workspaces) ? workspaces : {}).filter(
        (entry): entry is [string, SerializedDockview] => looksLikeDock(entry[1]),
      ),
    ),
  }))
  return kept ?? { active: 1, workspaces: {} }
}

export const rememberLayouts = (keep: Keep, layouts: KeptLayouts): void =>
  remember(keep, NAME, VERSION, layouts)
