import { CLOSE_CHORD } from '../../lib/chord.ts'
import { specOf } from '../commands/commands.ts'
import type { MenuItem } from '../../ui/menu/menu.ts'
import type { Pane } from './pane.svelte.ts'
import type { Terminal } from '../terminal.svelte.ts'

/** The menu of a pane: that of its header and of its tab. */
export function paneMenu(terminal: Terminal, pane: Pane): readonly MenuItem[] {
  const line = terminal.lineOf(pane)
  const keyOf = (standard: string) => terminal.keySettings.chordOf('global', standard)
  const drawing = terminal.dock?.frame(pane.id)?.querySelector('canvas, [role="img"]')
  const copy = async (noun: string, text: string) => {
    try {
      await navigator.clipboard.writeText(text)
      terminal.showNotice(`Copied ${noun}`)
    } catch {
      terminal.showNotice(`The browser denied clipboard access: ${text}`, 'error')
    }
  }
  return [
    {
      label: 'Maximise or restore',
      key: keyOf('$mod+Shift+f'),
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
      key: keyOf('$mod+Shift+o'),
      run: () => terminal.popOut(pane),
    },
    ...(specOf(pane.command.verb).route === null && pane.visibleRows === null
      ? []
      : [
          {
            label: 'Save as CSV',
            key: keyOf('$mod+Shift+e'),
            run: () => terminal.shareAnswer(pane, 'csv'),
          },
        ]),
    ...(drawing instanceof Element
      ? [
          {
            label: 'Save as image',
            key: keyOf('$mod+Shift+c'),
            run: () => terminal.shareAnswer(pane, 'png'),
          },
        ]
      : []),
    ...(pane.sources.length > 0
      ? [
          {
            label: terminal.pausing.isPaused(pane) ? 'Resume' : 'Pause',
            key: keyOf('Space'),
            run: () => terminal.pausing.toggle(pane),
          },
        ]
      : []),
    { label: `Link group ${pane.link}: next`, key: keyOf('l'), run: () => terminal.relink(pane) },
    {
      label: 'Copy as command',
      key: keyOf('$mod+Shift+l'),
      run: () => void copy('the command', line),
    },
    {
      label: 'Copy link',
      run: () => void copy('the link', `${location.origin}/#c=${encodeURIComponent(line)}`),
    },
    { label: 'Close', key: keyOf(CLOSE_CHORD), run: () => terminal.dock?.close(pane.id) },
    { label: 'Close others', run: () => terminal.dock?.closeOthers(pane.id) },
    { label: 'Close all panes', run: () => terminal.dock?.closeOthers(null) },
    { label: 'Reset workspace layout', run: () => terminal.dock?.reset() },
  ]
}
