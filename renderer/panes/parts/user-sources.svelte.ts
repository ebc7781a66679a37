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
export function watchUserSources(owned: () => Owned): void {
  const isKnown = $derived(owned().terminal.account.signInState === 'known')
  watchSources(() => ({ ...owned(), sources: isKnown ? owned().sources : [] }))
}
