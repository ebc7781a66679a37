import type { Source } from '../../api/source.svelte.ts'
import type { Pane } from '../../shell/dock/pane.svelte.ts'
import type { Terminal } from '../../shell/terminal.svelte.ts'
import { watchSources } from '../watch-sources.svelte.ts'

interface Owned {
  readonly terminal: Terminal
  readonly pane: Pane
  readonly sources: readonly Source[]
}

/**
 * Requests sources that need a signed-in user, once there is one: an anonymous request is an error.
 * Call it during a component's initialisation.
 */
export function watchUserSources(watched: () => Owned): void {
  const isKnown = $derived(watched().terminal.account.signInState === 'known')
  watchSources(() => ({ ...watched(), sources: isKnown ? watched().sources : [] }))
}
