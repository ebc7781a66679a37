import type { SerializedDockview } from 'dockview-core'
import type { Pane } from './pane.svelte.ts'

export type Direction = 'left' | 'right' | 'up' | 'down'

/** Where a new pane goes: a tab of the focused group, or floating above the dock. */
export type Placement = 'tab' | 'float'

/** What the rest of the shell may ask of the docking library. */
export interface Dock {
  add(pane: Pane, placement: Placement): void
  activate(id: string): void
  /** Lifts a pane above the dock, or puts a floating one back. */
  float(id: string): void
  close(id: string): void
  toggleMaximised(id: string): void
  /** The element that a pane draws in. */
  frame(id: string): HTMLElement | null
  /** Pane ids in the order of the groups and their tabs. */
  order(): readonly string[]
  /** The pane shown in the group that lies in this direction, if any. */
  neighbour(id: string, direction: Direction): string | null
  /** Moves a pane into the group in this direction, or splits there when none exists. */
  move(id: string, direction: Direction): void
  /** Stores the pane's command with the layout. */
  describe(pane: Pane): void
  /** The layout as it stands, to be kept under a name. */
  snapshot(): SerializedDockview
  /** Lays the workspace out anew; false when the layout cannot be read, and nothing changed. */
  show(layout: SerializedDockview): boolean
  undo(): boolean
  redo(): boolean
}
