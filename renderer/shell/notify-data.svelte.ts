import type { DataState } from '../../electron/bridge.ts'
import { dataStateOf, noteOfChange } from './data-state.ts'
import { notify, surroundings, type NotifySurroundings } from './notifier.ts'
import type { Terminal } from './terminal.svelte.ts'

/** Is the reader looking at this window? */
const isLookedAt = (): boolean => document.visibilityState === 'visible' && document.hasFocus()

/**
 * Tells whoever looks elsewhere when prices stop being current, and when they are again. To be
 * called inside an effect; returns how to stop.
 */
export function notifyOfData(
  terminal: Terminal,
  around: NotifySurroundings = surroundings((line) => {
    if (line !== null) terminal.run(line)
  }),
  isSeen: () => boolean = isLookedAt,
): () => void {
  let before: DataState | null = null
  return $effect.root(() => {
    $effect(() => {
      const now = dataStateOf(terminal)
      const note = noteOfChange(before, now)
      // Late is between the two: what was said last still stands.
      if (before === null || note !== null || now.tone !== 'late') before = now
      if (note !== null && !isSeen()) void notify(note, around)
    })
  })
}
