import type { Terminal } from '../terminal.svelte.ts'
import { showAlerts } from './alert-notices.svelte.ts'
import { syncSettings } from './settings/settings-sync.svelte.ts'
import { watchTrading } from './trading-state.svelte.ts'

/**
 * Subscriptions of the page for a signed-in user. Call it inside an effect; returns a stop
 * function.
 */
export function followUser(terminal: Terminal): () => void {
  const stops = [
    watchTrading(terminal),
    // A window of a single pane leaves alerts and settings to the terminal that opened it.
    ...(terminal.singlePane === null ? [showAlerts(terminal), syncSettings(terminal)] : []),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
