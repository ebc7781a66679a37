import { createDockview, type DockviewApi, type DockviewGroupPanel } from 'dockview-core'
import { mount, unmount, type Component } from 'svelte'
import { LINK_LETTERS } from '../commands/command.ts'
import { frameContext } from './frame-context.ts'
import AddPane from '../gallery/AddPane.svelte'
import { GroupView } from './group.svelte.ts'
import PaneActions from './PaneActions.svelte'
import PaneFrame from './PaneFrame.svelte'
import PaneTab from './PaneTab.svelte'
import type { Pane } from './pane.svelte.ts'
import { parseLine } from '../commands/parse.ts'
import type { Terminal } from '../terminal.svelte.ts'
import Watermark from './Watermark.svelte'

/** The stored state of a pane. */
interface PaneParameters {
  readonly line: string
  readonly link: string
  /** The next command of its kind reuses it; undefined otherwise, which removes it from the panel. */
  readonly preview?: true | undefined
}

export const parametersOf = ({ line, link, isKept }: Pane): PaneParameters => ({
  line,
  link,
  preview: isKept ? undefined : true,
})

/** The pane of a dock panel; a layout of an older version contains the original command. */
function paneOf(terminal: Terminal, id: string, parameters: Partial<PaneParameters>): Pane {
  const existing = terminal.panes.get(id)
  if (existing !== undefined) return existing
  const commands = parseLine(parameters.line ?? '')
  const fallback = parseLine('HELP')
  const [command] = 'message' in commands ? ('message' in fallback ? [] : fallback) : commands
  if (command === undefined) throw new Error('The command table has no HELP')
  const link = LINK_LETTERS.find((letter) => letter === parameters.link) ?? 'A'
  const pane = terminal.adopt(id, command, link)
  pane.isKept = parameters.preview !== true
  pane.isRestored = true
  return pane
}

/** A Svelte component in an element of its own, for as long as the dock keeps it. */
function island<P extends Record<string, unknown>>(
  component: Component<P>,
  propsOf: () => P,
  className: string,
) {
  const element = document.createElement('div')
  element.className = className
  let mounted: object | null = null
  let isDisposed = false
  return {
    element,
    start() {
      if (isDisposed) return
      mounted ??= mount(component, {
        target: element,
        props: propsOf(),
        context: frameContext(PaneFrame),
      })
    },
    dispose() {
      isDisposed = true
      if (mounted !== null) void unmount(mounted)
      mounted = null
    },
  }
}

/**
 * Defers building panes while a whole layout loads, because only afterwards is it known which tabs
 * are hidden. Those are built when first shown.
 */
export class WaitingPanes {
  #starts: (() => void)[] | null = null

  /** Loads many panes by `work`, then builds the visible ones. */
  layOut<T>(work: () => T): T {
    const starts: (() => void)[] = []
    this.#starts = starts
    try {
      return work()
    } finally {
      this.#starts = null
      for (const start of starts) start()
    }
  }

  /** Builds a pane: now, or after the layout has loaded. */
  add(start: () => void): void {
    if (this.#starts === null) start()
    else this.#starts.push(start)
  }
}

/** Connects the docking library to the page's components. */
export function createDock(
  host: HTMLElement,
  terminal: Terminal,
  waitingPanes: WaitingPanes,
): DockviewApi {
  const focusGroup = ({ activePanel }: DockviewGroupPanel) => activePanel?.api.setActive()
  const views = new Map<string, GroupView>()
  const dockview = createDockview(host, {
    theme: { name: 'augury', className: 'dock-theme', gap: 4 },
    disableTabsOverflowList: false,
    disableAutoResizing: true,
    createComponent: ({ id }) => {
      let pane: Pane | null = null
      const component = island(PaneFrame, () => ({ terminal, pane: pane as Pane }), 'pane-host')
      return {
        element: component.element,
        init: ({ params, api }) => {
          const current = paneOf(terminal, id, params)
          pane = current
          current.visible = api.isVisible
          api.onDidVisibilityChange(({ isVisible }) => {
            current.visible = isVisible
            if (isVisible) waitingPanes.add(() => component.start())
          })
          waitingPanes.add(() => {
            if (api.isVisible) component.start()
          })
        },
        dispose: () => component.dispose(),
      }
    },
    createTabComponent: ({ id }) => {
      let pane: Pane | null = null
      const component = island(PaneTab, () => ({ terminal, pane: pane as Pane }), 'tab-host')
      return {
        element: component.element,
        init: ({ params }) => {
          pane = paneOf(terminal, id, params)
          component.start()
        },
        dispose: () => component.dispose(),
      }
    },
    createLeftHeaderActionComponent: (group) => {
      const component = island(
        AddPane,
        () => ({ terminal, focus: () => focusGroup(group) }),
        'add-host',
      )
      return {
        element: component.element,
        init: () => component.start(),
        dispose: () => component.dispose(),
      }
    },
    createRightHeaderActionComponent: (group) => {
      const view = new GroupView()
      views.set(group.id, view)
      const component = island(PaneActions, () => ({ terminal, group: view }), 'actions-host')
      view.shownPane = group.activePanel?.id ?? null
      const subscription = group.api.onDidActivePanelChange(
        ({ panel }) => (view.shownPane = panel.id),
      )
      return {
        element: component.element,
        init: () => component.start(),
        dispose: () => {
          subscription.dispose()
          views.delete(group.id)
          component.dispose()
        },
      }
    },
    createWatermarkComponent: () => {
      const component = island(Watermark, () => ({ terminal }), 'watermark-host')
      return {
        element: component.element,
        init: () => component.start(),
        dispose: () => component.dispose(),
      }
    },
  })
  dockview.onDidMaximizedGroupChange(({ group, isMaximized }) => {
    const view = views.get(group.id)
    if (view !== undefined) view.maximised = isMaximized
  })
  return dockview
}
