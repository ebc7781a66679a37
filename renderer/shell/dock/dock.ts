import type { SerializedDockview } from 'dockview-core'
import type { Pane } from './pane.svelte.ts'

export type Direction = 'left' | 'right' | 'up' | 'down'

/** Position of a new pane: a tab of the focused group, or floating above the dock. */
export type Placement = 'tab' | 'float'

/** The interface of the docking library for the rest of the shell. */
export interface Dock {
  add(pane: Pane, placement: Placement): void
  activate(id: string): void
  /** Floats a pane above the dock, or docks a floating one. */
  float(id: string): void
  close(id: string): void
  /** Closes all other panes of the workspace; all of them for null. */
  closeOthers(id: string | null): void
  /** Shows the default panes of the workspace. */
  reset(): void
  toggleMaximised(id: string): void
  /** The element that contains a pane. */
  frame(id: string): HTMLElement | null
  /** Pane ids in the order of the groups and their tabs. */
  order(): readonly string[]
  /** The active pane of the group in this direction, if any. */
  neighbour(id: string, direction: Direction): string | null
  /** Moves a pane into the group in this direction, or splits there when none exists. */
  move(id: string, direction: Direction): void
  /** Stores the pane's command with the layout. */
  describe(pane: Pane): void
  /** The current layout, for saving it under a name. */
  snapshot(): SerializedDockview
  /**
   * Replaces the layout of the workspace; false when the layout cannot be parsed, and nothing
   * changed.
   */
  show(layout: SerializedDockview): boolean
  undo(): boolean
  redo(): boolean
}
