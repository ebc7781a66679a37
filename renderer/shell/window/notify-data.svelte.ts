import type { DataState } from '../../../electron/bridge.ts'
import { dataStateOf, noteOfChange } from './data-state.ts'
import { notify, notifierDeps, type NotifierDeps } from './notifier.ts'
import type { Terminal } from '../terminal.svelte.ts'

/** Whether this window is visible and focused. */
const isLookedAt = (): boolean => document.visibilityState === 'visible' && document.hasFocus()

/**
 * Notifies a user who looks elsewhere when prices become stale, and when they are current again.
 * Call it inside an effect; returns a function that stops it.
 */
export function notifyOfData(
  terminal: Terminal,
  deps: NotifierDeps = notifierDeps((line) => {
    if (line !== null) terminal.run(line)
  }),
  isSeen: () => boolean = isLookedAt,
): () => void {
  let previous: DataState | null = null
  return $effect.root(() => {
    $effect(() => {
      const now = dataStateOf(terminal)
      const note = noteOfChange(previous, now)
      // Without a notification the last one is still valid.
      if (previous === null || note !== null) previous = now
      if (note !== null && !isSeen()) void notify(note, deps)
    })
  })
}
