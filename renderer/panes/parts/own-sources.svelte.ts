import type { Source } from '../../api/source.svelte.ts'
import type { Pane } from '../../shell/pane.svelte.ts'
import type { Terminal } from '../../shell/terminal.svelte.ts'
import { watchSources } from '../watch-sources.svelte.ts'

interface Owned {
  readonly terminal: Terminal
  readonly pane: Pane
  readonly sources: readonly Source[]
}

/**
 * Has sources asked that are answered to a known reader alone, once there is one: asking as nobody
 * is an error. To be called while the component is made.
 */
export function watchOwn(owned: () => Owned): void {
  const isKnown = $derived(owned().terminal.account.standing === 'known')
  watchSources(() => ({ ...owned(), sources: isKnown ? owned().sources : [] }))
}
