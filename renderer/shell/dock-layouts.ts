import type { AddPanelOptions, DockviewApi, SerializedDockview } from 'dockview-core'
import { setAside } from '../lib/keep.ts'
import { parametersOf, type WaitingPanes } from './dock-parts.ts'
import { troubleWith } from './layout-file.ts'
import { LayoutHistory } from './layout-history.ts'
import { keptElsewhere, LAYOUT_NAME, recallLayouts, rememberLayouts } from './layout-store.ts'
import type { Pane } from './pane.svelte.ts'
import { parseLine } from './parse.ts'
import type { Terminal } from './terminal.svelte.ts'
import { WORKSPACES, type PanePlan } from './workspaces.ts'

/** Changes within this time are kept at once. */
const PAUSE_MS = 200
const TROUBLES = {
  newer:
    'The layout kept here is of a later version: it was set aside, and the last good one shown',
  unreadable: 'The layout kept here is damaged: it was set aside, and the last good one shown',
} as const

/** A layout without which of its panes are in front. */
const panesOf = (layout: SerializedDockview): string =>
  JSON.stringify(layout, (name, value: unknown) =>
    name === 'activeView' || name === 'activeGroup' ? undefined : value,
  )

/** Where a new panel goes, and how large it is. */
export type PanelPlace = Partial<AddPanelOptions>

/** Adds a pane to the dock. */
export const addPanel = (dockview: DockviewApi, pane: Pane, place: PanelPlace): void => {
  dockview.addPanel({
    ...{ id: pane.id, component: 'pane', tabComponent: 'pane', title: pane.title },
    ...{ params: parametersOf(pane), ...place },
  })
}

/** The layouts of the workspaces: shown in the dock, kept on this machine, undone each by itself. */
export class DockLayouts {
  readonly #terminal: Terminal
  readonly #dockview: DockviewApi
  readonly #waiting: WaitingPanes
  readonly #kept
  readonly #layouts: Record<string, SerializedDockview>
  readonly #histories: LayoutHistory[] = []
  #saving: ReturnType<typeof setTimeout> | null = null
  #isLoading = false
  #shown = 0
  /** The shown workspace as the dock told it when it was loaded; null when it was made anew. */
  #loadedAs: string | null = null
  #loadedPanes = ''
  /** Another window changed the shown workspace, and this one did not. */
  #isTakenElsewhere = false

  constructor(terminal: Terminal, dockview: DockviewApi, waiting: WaitingPanes) {
    this.#terminal = terminal
    this.#dockview = dockview
    this.#waiting = waiting
    this.#kept = recallLayouts(terminal.keep)
    this.#layouts = { ...this.#kept.workspaces }
  }

  /** Panes come and go by a layout now, not by hand. */
  get isLoading(): boolean {
    return this.#isLoading
  }
  /** The workspace that was open when last layouts were kept. */
  get active(): number {
    return this.#kept.active
  }
  /** What was wrong with the kept layouts, to be said; null when nothing was. */
  get trouble(): string | null {
    return this.#kept.trouble === null ? null : TROUBLES[this.#kept.trouble]
  }

  /** Opens a workspace as it was kept, else as it is planned. */
  open(number: number): void {
    if (number === this.#shown) return
    if (this.#saving !== null) this.keep()
    this.#shown = number
    const layout = this.#layouts[number]
    const workspace = WORKSPACES.find((known) => known.number === number)
    const isShown = layout !== undefined && this.#load(layout)
    if (layout !== undefined && !isShown) {
      setAside(this.#terminal.keep, LAYOUT_NAME)
      this.#terminal.say(
        `The layout of ${workspace?.name ?? number} cannot be shown: it was set aside`,
        'error',
      )
    }
    const { alone } = this.#terminal
    if (!isShown) this.#plan(alone === null ? (workspace?.plan ?? []) : [alone])
    const stands = this.#dockview.toJSON()
    this.#loadedAs = isShown ? JSON.stringify(stands) : null
    this.#loadedPanes = panesOf(stands)
    this.#isTakenElsewhere = false
    this.#terminal.focusedPane = this.#dockview.activePanel?.id ?? null
    this.keepSoon()
  }

  /** Shows a layout in place of the one that stands; false when it cannot be shown. */
  show(layout: SerializedDockview): boolean {
    this.keep()
    if (troubleWith(layout) !== null || !this.#load(layout)) return false
    this.#terminal.focusedPane = this.#dockview.activePanel?.id ?? null
    this.keep()
    return true
  }

  undo(): boolean {
    this.keep()
    return this.#restore(this.#history().undo())
  }

  redo(): boolean {
    this.keep()
    return this.#restore(this.#history().redo())
  }

  /** After a change that may be one of many. */
  keepSoon(): void {
    if (this.#isLoading) return
    if (this.#saving !== null) clearTimeout(this.#saving)
    this.#saving = setTimeout(() => this.keep(), PAUSE_MS)
  }

  /** Before a change by hand as well: two within the pause of keepSoon are two steps to undo. */
  keep(): void {
    if (this.#saving !== null) clearTimeout(this.#saving)
    this.#saving = null
    const layout = this.#dockview.toJSON()
    const text = JSON.stringify(layout)
    // The dock rounds shares as it loads: kept again unchanged, they would creep with every start.
    // Nor does a window that only looked at a workspace undo what another one made of it.
    const isChanged = panesOf(layout) !== this.#loadedPanes
    if (isChanged || (!this.#isTakenElsewhere && text !== this.#loadedAs)) {
      this.#layouts[this.#shown] = layout
    }
    this.#history().record(text)
    rememberLayouts(this.#terminal.keep, { active: this.#shown, workspaces: this.#layouts })
  }

  /** What another window keeps of other workspaces is not undone by what this one keeps. */
  takeFromElsewhere(): void {
    for (const [number, layout] of Object.entries(keptElsewhere(this.#terminal.keep))) {
      if (Number(number) !== this.#shown) this.#layouts[number] = layout
      else if (panesOf(this.#dockview.toJSON()) === this.#loadedPanes) {
        this.#layouts[number] = layout
        this.#isTakenElsewhere = true
      }
    }
  }

  /** Keeps what was not kept yet. */
  end(): void {
    if (this.#saving !== null) this.keep()
  }

  #history(): LayoutHistory {
    return (this.#histories[this.#shown] ??= new LayoutHistory((snapshot) =>
      panesOf(JSON.parse(snapshot) as SerializedDockview),
    ))
  }

  #restore(snapshot: string | null): boolean {
    if (snapshot === null) return false
    this.#load(JSON.parse(snapshot) as SerializedDockview)
    const layout = this.#dockview.toJSON()
    this.#layouts[this.#shown] = layout
    this.#history().settle(JSON.stringify(layout))
    return true
  }

  /** Shows a kept layout; one that cannot be shown leaves all as it was. */
  #load(layout: SerializedDockview): boolean {
    const before = this.#dockview.toJSON()
    return this.#layOut(() => {
      this.#terminal.panes.clear()
      try {
        this.#dockview.fromJSON(layout)
        return true
      } catch {
        this.#terminal.panes.clear()
        this.#dockview.fromJSON(before)
        return false
      }
    })
  }

  #plan(panes: readonly PanePlan[]): void {
    const { panes: standing } = this.#terminal
    this.#layOut(() => {
      standing.clear()
      this.#dockview.clear()
      const made: Pane[] = []
      for (const plan of panes) {
        const parsed = parseLine(plan.line)
        const command = 'message' in parsed ? undefined : parsed[0]
        if (command === undefined) continue
        const pane = this.#terminal.newPane(command, plan.link)
        addPanel(this.#dockview, pane, this.#placeOf(plan, made))
        made.push(pane)
      }
      const first = made[0]
      if (first !== undefined) this.#dockview.getPanel(first.id)?.api.setActive()
    })
  }

  #placeOf({ beside, side, share }: PanePlan, made: readonly Pane[]): PanelPlace {
    const reference = beside === undefined ? undefined : made[beside]
    const isAcross = side === 'left' || side === 'right'
    const { width, height } = this.#dockview
    return {
      inactive: side === 'within',
      ...(reference !== undefined && {
        position: { referencePanel: reference.id, direction: side ?? 'right' },
      }),
      ...(share !== undefined &&
        (isAcross ? { initialWidth: share * width } : { initialHeight: share * height })),
    }
  }

  #layOut<T>(work: () => T): T {
    this.#isLoading = true
    try {
      return this.#waiting.layOut(work)
    } finally {
      this.#isLoading = false
    }
  }
}
