import type { Pane } from '../../shell/dock/pane.svelte.ts'
import type { OpenMenu } from '../../ui/menu/menu.ts'
import type { Terminal } from '../../shell/terminal.svelte.ts'

/** Common properties of every table in a pane: the user's row height and the pane's keys. */
export const tableProps = (terminal: Terminal, pane: Pane) => ({
  rowHeight: terminal.settings.rowHeight,
  scale: terminal.settings.scale,
  label: pane.title,
  keys: terminal.keys,
  onmenu: (menu: OpenMenu) => (terminal.menu = menu),
  scope: `pane:${pane.id}` as const,
})
