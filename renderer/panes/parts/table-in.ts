import type { Pane } from '../../shell/pane.svelte.ts'
import type { Terminal } from '../../shell/terminal.svelte.ts'

/** What every table of a pane is given: the reader's row height and the pane's keys. */
export const tableIn = ({ settings, keys }: Terminal, pane: Pane) => ({
  rowHeight: settings.rowHeight,
  scale: settings.scale,
  label: pane.title,
  keys,
  scope: `pane:${pane.id}` as const,
})
