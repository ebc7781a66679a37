import type { AddPanelOptions, DockviewApi, SerializedDockview } from 'dockview-core'
import { setAside } from '../../lib/key-value-store.ts'
import { parametersOf, type WaitingPanes } from './dock-parts.ts'
import { layoutProblem } from './layout-file.ts'
import { LayoutHistory } from './layout-history.ts'
import { storedWorkspaces, LAYOUT_NAME, readLayouts, storeLayouts } from './layout-store.ts'
import type { Pane } from './pane.svelte.ts'
import { parseLine } from '../commands/parse.ts'
import type { Terminal } from '../terminal.svelte.ts'
import { WORKSPACES, type PanePlan } from './workspaces.ts'

/** Changes within this time are stored together. */
const PAUSE_MS = 200
const PROBLEM_TEXTS = {
  newer:
    'The saved layout is from a newer version. It was set aside; the last valid layout is shown',
  unreadable: 'The saved layout is damaged. It was set aside; the last valid layout is shown',
} as const

/** A layout without its active tabs. */
const panesOf = (layout: SerializedDockview): string =>
  JSON.stringify(layout, (name, value: unknown) =>
    name === 'activeView' || name === 'activeGroup' ? undefined : value,
  )

/** Position and size of a new panel. */
export type PanelOptions = Partial<AddPanelOptions>

/** Adds a pane to the dock. */
export const addPanel = (dockview: DockviewApi, pane: Pane, options: PanelOptions): void => {
  dockview.addPanel({
    id: pane.id,
    component: 'pane',
    tabComponent: 'pane',
    title: pane.title,
    params: parametersOf(pane),
    ...options,
  })
}

/**
 * The layouts of the workspaces: shown in the dock, stored on this machine, each with its own undo
 * history.
 */
export class DockLayouts {
  readonly #terminal: Terminal
  readonly #dockview: DockviewApi
  readonly #waitingPanes: WaitingPanes
  readonly #stored
  readonly #layouts: Record<string, SerializedDockview>
  readonly #histories: LayoutHistory[] = []
  #saveTimer: ReturnType<typeof setTimeout> | null = null
  #isLoading = false
  #shown = 0
  /**
   * The shown workspace as the dock serialised it after loading; null when it was created from
   * defaults.
   */
  #loadedAs: string | null = null
  #loadedPanes = ''
  /** Another window changed the shown workspace, and this one did not. */
  #isTakenElsewhere = false

  constructor(terminal: Terminal, dockview: DockviewApi, waitingPanes: WaitingPanes) {
    this.#terminal = terminal
    this.#dockview = dockview
    this.#waitingPanes = waitingPanes
    this.#stored = readLayouts(terminal.storage)
    this.#layouts = { ...this.#stored.workspaces }
  }

  /** Panes are being added and removed by a layout, not by the user. */
  get isLoading(): boolean {
    return this.#isLoading
  }
  /** The workspace that was open when layouts were last stored. */
  get active(): number {
    return this.#stored.active
  }
  /** The error of the stored layouts, as a message; null when there was none. */
  get problem(): string | null {
    return this.#stored.problem === null ? null : PROBLEM_TEXTS[this.#stored.problem]
  }

  /** Opens a workspace from its stored layout, else from its default. */
  open(number: number): void {
    if (number === this.#shown) return
    if (this.#saveTimer !== null) this.save()
    this.#shown = number
    const layout = this.#layouts[number]
    const workspace = WORKSPACES.find((candidate) => candidate.number === number)
    const isShown = layout !== undefined && this.#load(layout)
    if (layout !== undefined && !isShown) {
      setAside(this.#terminal.storage, LAYOUT_NAME)
      this.#terminal.showNotice(
        `The layout of ${workspace?.name ?? number} cannot be shown and was set aside`,
        'error',
      )
    }
    const { singlePane } = this.#terminal
    if (!isShown) this.#plan(singlePane === null ? (workspace?.plan ?? []) : [singlePane])
    const loadedLayout = this.#dockview.toJSON()
    this.#loadedAs = isShown ? JSON.stringify(loadedLayout) : null
    this.#loadedPanes = panesOf(loadedLayout)
    this.#isTakenElsewhere = false
    this.#terminal.focusedPane = this.#dockview.activePanel?.id ?? null
    this.scheduleSave()
  }

  /** Replaces the current layout; false when the new one cannot be shown. */
  show(layout: SerializedDockview): boolean {
    this.save()
    if (layoutProblem(layout) !== null || !this.#load(layout)) return false
    this.#terminal.focusedPane = this.#dockview.activePanel?.id ?? null
    this.save()
    return true
  }

  /** Replaces the current layout with the default one of the workspace. */
  reset(): void {
    this.save()
    const workspace = WORKSPACES.find(({ number }) => number === this.#shown)
    this.#plan(workspace?.plan ?? [])
    this.#terminal.focusedPane = this.#dockview.activePanel?.id ?? null
    this.save()
  }

  undo(): boolean {
    this.save()
    return this.#restore(this.#history().undo())
  }

  redo(): boolean {
    this.save()
    return this.#restore(this.#history().redo())
  }

  /** Debounced storing, for a change that may be one of many. */
  scheduleSave(): void {
    if (this.#isLoading) return
    if (this.#saveTimer !== null) clearTimeout(this.#saveTimer)
    this.#saveTimer = setTimeout(() => this.save(), PAUSE_MS)
  }

  /** Also before a user's change: two changes within the delay of scheduleSave are two undo steps. */
  save(): void {
    if (this.#saveTimer !== null) clearTimeout(this.#saveTimer)
    this.#saveTimer = null
    const layout = this.#dockview.toJSON()
    const text = JSON.stringify(layout)
    // The dock rounds shares as it loads: storing them unchanged would let them drift with every
    // start. It would also overwrite another window's changes to a workspace that this window only
    // displayed.
    const isChanged = panesOf(layout) !== this.#loadedPanes
    if (isChanged || (!this.#isTakenElsewhere && text !== this.#loadedAs)) {
      this.#layouts[this.#shown] = layout
    }
    this.#history().record(text)
    storeLayouts(this.#terminal.storage, { active: this.#shown, workspaces: this.#layouts })
  }

  /** Storing must not overwrite what another window stored for other workspaces. */
  reloadLayouts(): void {
    for (const [number, layout] of Object.entries(storedWorkspaces(this.#terminal.storage))) {
      if (Number(number) !== this.#shown) this.#layouts[number] = layout
      else if (panesOf(this.#dockview.toJSON()) === this.#loadedPanes) {
        this.#layouts[number] = layout
        this.#isTakenElsewhere = true
      }
    }
  }

  /** Stores pending changes. */
  flush(): void {
    if (this.#saveTimer !== null) this.save()
  }

  #history(): LayoutHistory {
    return (this.#histories[this.#shown] ??= new LayoutHistory((snapshot) =>
      panesOf(JSON.parse(snapshot) as SerializedDockview),
    ))
  }

  #restore(snapshot: string | null): boolean {
    if (snapshot === null) return false
    this.#load(JSON.parse(snapshot) as SerializedDockview)
    this.#terminal.focusedPane = this.#dockview.activePanel?.id ?? null
    const layout = this.#dockview.toJSON()
    this.#layouts[this.#shown] = layout
    this.#history().settle(JSON.stringify(layout))
    this.scheduleSave()
    return true
  }

  /** Shows a stored layout; a layout that cannot be shown changes nothing. */
  #load(layout: SerializedDockview): boolean {
    const previous = this.#dockview.toJSON()
    return this.#withLayout(() => {
      this.#terminal.panes.clear()
      try {
        this.#dockview.fromJSON(layout)
        return true
      } catch {
        this.#terminal.panes.clear()
        this.#dockview.fromJSON(previous)
        return false
      }
    })
  }

  #plan(panes: readonly PanePlan[]): void {
    const { panes: open } = this.#terminal
    this.#withLayout(() => {
      open.clear()
      this.#dockview.clear()
      const createdPanes: Pane[] = []
      for (const plan of panes) {
        const commands = parseLine(plan.line)
        const command = 'message' in commands ? undefined : commands[0]
        if (command === undefined) continue
        const pane = this.#terminal.newPane(command, plan.link)
        addPanel(this.#dockview, pane, this.#placeOf(plan, createdPanes))
        createdPanes.push(pane)
      }
      const first = createdPanes[0]
      if (first !== undefined) this.#dockview.getPanel(first.id)?.api.setActive()
    })
  }

  #placeOf(
    { reference: besidePane, side, share }: PanePlan,
    createdPanes: readonly Pane[],
  ): PanelOptions {
    const reference = besidePane === undefined ? undefined : createdPanes[besidePane]
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

  #withLayout<T>(work: () => T): T {
    this.#isLoading = true
    try {
      return this.#waitingPanes.layOut(work)
    } finally {
      this.#isLoading = false
    }
  }
}
