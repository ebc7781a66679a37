import type { Pane } from '../../shell/dock/pane.svelte.ts'
import type { Terminal } from '../../shell/terminal.svelte.ts'

/** Common properties of every table in a pane: the user's row height and the pane's keys. */
export const tableIn = ({ settings, keys }: Terminal, pane: Pane) => ({
  rowHeight: settings.rowHeight,
  scale: settings.scale,
  label: pane.title,
  keys,
  scope: `pane:${pane.id}` as const,
})
