import { specOf } from '../commands/commands.ts'
import type { MenuItem } from '../../ui/menu/menu.ts'
import type { Pane } from './pane.svelte.ts'
import type { Terminal } from '../terminal.svelte.ts'

/** The menu of a pane: that of its header and of its tab. */
export function paneMenu(terminal: Terminal, pane: Pane): readonly MenuItem[] {
  const line = terminal.lineOf(pane)
  const drawing = terminal.dock?.frame(pane.id)?.querySelector('canvas, [role="img"]')
  const copy = async (what: string, text: string) => {
    try {
      await navigator.clipboard.writeText(text)
      terminal.say(`Copied ${what}`)
    } catch {
      terminal.say(`The browser denied clipboard access: ${text}`, 'error')
    }
  }
  return [
    {
      label: 'Maximise or restore',
      key: 'Ctrl+Shift+F',
      run: () => terminal.dock?.toggleMaximised(pane.id),
    },
    {
      label: 'Duplicate',
      run: () => void terminal.open(pane.command, 'tab', pane.link),
    },
    {
      label: 'Float or dock',
      run: () => terminal.dock?.float(pane.id),
    },
    {
      label: 'Open in new window',
      key: 'Ctrl+Shift+O',
      run: () => terminal.popOut(pane),
    },
    ...(specOf(pane.command.verb).route === null && pane.rowsShown === null
      ? []
      : [
          {
            label: 'Save as CSV',
            key: 'Ctrl+Shift+E',
            run: () => terminal.shareAnswer(pane, 'csv'),
          },
        ]),
    ...(drawing instanceof Element
      ? [
          {
            label: 'Save as image',
            key: 'Ctrl+Shift+C',
            run: () => terminal.shareAnswer(pane, 'png'),
          },
        ]
      : []),
    ...(pane.sources.length > 0
      ? [
          {
            label: terminal.pausing.holds(pane) ? 'Resume' : 'Pause',
            key: 'Space',
            run: () => terminal.pausing.toggle(pane),
          },
        ]
      : []),
    { label: `Link group ${pane.link}: next`, key: 'l', run: () => terminal.relink(pane) },
    { label: 'Copy as command', key: 'Ctrl+Shift+L', run: () => void copy('the command', line) },
    {
      label: 'Copy link',
      run: () => void copy('the link', `${location.origin}/#c=${encodeURIComponent(line)}`),
    },
    { label: 'Close', key: 'Ctrl+W', run: () => terminal.dock?.close(pane.id) },

    { label: 'Close others', run: () => terminal.dock?.closeOthers(pane.id) },
    { label: 'Close all panes', run: () => terminal.dock?.closeOthers(null) },
    { label: 'Reset workspace layout', run: () => terminal.dock?.reset() },
  ]
}
