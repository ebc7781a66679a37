import type { KeyBinding } from '../../lib/keyboard.ts'
import { specOf } from '../commands/commands.ts'
import type { Direction } from '../dock/dock.ts'
import type { Pane } from '../dock/pane.svelte.ts'
import type { Terminal } from '../terminal.svelte.ts'
import { toggleWatch } from '../commands/watch/watchlist-actions.ts'
import { WORKSPACES } from '../dock/workspaces.ts'

const DIRECTIONS: readonly (readonly [string, Direction])[] = [
  ['ArrowLeft', 'left'],
  ['ArrowRight', 'right'],
  ['ArrowUp', 'up'],
  ['ArrowDown', 'down'],
]

const CONTROLS = 'button, a, summary, input, [role="option"], [role="button"], [contenteditable]'

/** The keys that act wherever the focus is. */
export function globalKeys(terminal: Terminal, showKeys: () => void): readonly KeyBinding[] {
  const withFocusedPane =
    (act: (pane: Pane) => unknown): KeyBinding['run'] =>
    () => {
      const pane = terminal.panes.get(terminal.focusedPane ?? '')
      if (pane === undefined) return false
      act(pane)
      return true
    }
  const focusNumber = (number: number) => () => {
    const id = terminal.dock?.order()[number - 1]
    if (id !== undefined) terminal.dock?.activate(id)
  }
  const focusNext = (by: number) => () => {
    const order = terminal.dock?.order() ?? []
    const focusedIndex = order.indexOf(terminal.focusedPane ?? '')
    const next = order[(focusedIndex + by + order.length) % Math.max(1, order.length)]
    if (next !== undefined) terminal.dock?.activate(next)
  }
  const move = (direction: Direction) =>
    withFocusedPane((pane) => {
      terminal.dock?.move(pane.id, direction)
      terminal.showNotice(`${pane.title} moved ${direction}`)
    })
  const startMoving = withFocusedPane((pane) => {
    terminal.showNotice(`Moving ${pane.title}: arrow keys move, Enter or Esc ends`)
    const unbind = terminal.keys.bind('menu', [
      ...DIRECTIONS.map(([chord, direction]) => ({
        chord,
        label: direction,
        run: move(direction),
      })),
      ...['Enter', 'Escape'].map((chord) => ({
        chord,
        label: 'end moving',
        run: () => {
          unbind()
          terminal.showNotice('Moved')
        },
      })),
    ])
  })
  const pause = withFocusedPane((pane) => terminal.pausing.toggle(pane))
  return [
    { chord: '/', label: 'command bar', run: () => terminal.prefill('') },
    { chord: '$mod+k', label: 'command bar', run: () => terminal.prefill('') },
    { chord: 'F8', label: 'halt trading', run: () => terminal.run('HALT') },
    { chord: 'F6', label: 'next pane', run: focusNext(1) },
    { chord: 'Shift+F6', label: 'previous pane', run: focusNext(-1) },
    ...DIRECTIONS.map(([key, direction]) => ({
      chord: `$mod+Shift+${key}`,
      label: `pane ${direction}`,
      run: withFocusedPane((pane) => {
        const next = terminal.dock?.neighbour(pane.id, direction) ?? null
        if (next !== null) terminal.dock?.activate(next)
      }),
    })),
    { chord: 'Control+m', label: 'move pane with arrow keys', run: startMoving },
    {
      chord: '$mod+Shift+f',
      label: 'maximise, restore',
      run: withFocusedPane((pane) => terminal.dock?.toggleMaximised(pane.id)),
    },
    {
      chord: '$mod+w',
      label: 'close',
      run: withFocusedPane((pane) => terminal.dock?.close(pane.id)),
    },
    {
      chord: 'Alt+w',
      label: 'close',
      run: withFocusedPane((pane) => terminal.dock?.close(pane.id)),
    },
    { chord: '$mod+z', label: 'undo', run: () => terminal.run('UNDO') },
    { chord: '$mod+Shift+z', label: 'redo', run: () => terminal.run('REDO') },
    {
      chord: '$mod+Shift+o',
      label: 'open in new window',
      run: withFocusedPane((pane) => terminal.popOut(pane)),
    },
    {
      chord: '$mod+Shift+e',
      label: 'save as CSV',
      run: withFocusedPane((pane) => terminal.shareAnswer(pane, 'csv')),
    },
    {
      chord: '$mod+Shift+c',
      label: 'save as image',
      run: withFocusedPane((pane) => terminal.shareAnswer(pane, 'png')),
    },
    {
      chord: '$mod+Shift+l',
      label: 'copy as command',
      run: withFocusedPane((pane) => {
        const line = terminal.lineOf(pane)
        void navigator.clipboard.writeText(line).then(
          () => terminal.showNotice(`Copied ${line}`),
          () => terminal.showNotice('The browser denied clipboard access', 'error'),
        )
      }),
    },
    {
      chord: 'Space',
      label: 'pause, resume the pane',
      run: (event) => {
        // A focused control handles the key itself.
        const { target } = event
        if (target instanceof Element && target.closest(CONTROLS) !== null) return false
        return pause(event)
      },
    },
    {
      chord: 'w',
      label: 'add the pane’s market to the watchlist, or remove it',
      run: withFocusedPane((pane) => {
        const ticker = specOf(pane.command.verb).needsMarket ? terminal.tickerOf(pane) : null
        if (ticker !== null) toggleWatch(terminal, ticker)
      }),
    },
    {
      chord: 'r',
      label: 'refresh the pane',
      run: withFocusedPane((pane) => terminal.refresh(pane)),
    },
    { chord: 'l', label: 'next link group', run: withFocusedPane((pane) => terminal.relink(pane)) },
    { chord: '$mod+,', label: 'settings', run: () => terminal.run('SET') },
    { chord: '[Shift]+?', label: 'keys of this pane', run: showKeys },
    {
      chord: 'F1',
      label: 'help for the command',
      run: () => {
        const verb = terminal.panes.get(terminal.focusedPane ?? '')?.command.verb
        terminal.run(verb === undefined || verb === 'HELP' ? 'HELP' : `HELP ${verb}`)
      },
    },
    ...WORKSPACES.map(({ number, name }) => ({
      chord: `Alt+Digit${number}`,
      label: `workspace ${name}`,
      run: () => terminal.goTo(String(number)),
    })),
    ...Array.from({ length: 9 }, (_, index) => index + 1).flatMap((number) => [
      {
        chord: `$mod+Digit${number}`,
        label: `pane ${number}`,
        run: focusNumber(number),
      },
      {
        chord: `Alt+Shift+Digit${number}`,
        label: `pane ${number}`,
        run: focusNumber(number),
      },
    ]),
  ]
}
