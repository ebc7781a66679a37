import type { Source } from '../api/source.svelte.ts'
import type { Pane } from '../shell/pane.svelte.ts'
import type { Terminal } from '../shell/terminal.svelte.ts'

interface Watched {
  readonly terminal: Terminal
  readonly pane: Pane
  readonly sources: readonly Source[]
}

/**
 * Has a pane's sources asked while the pane is in view, and lets its header judge its age by them.
 * To be called while the component is made.
 */
export function watchSources(watched: () => Watched): void {
  $effect(() => {
    const { terminal, pane, sources } = watched()
    pane.sources = sources
    if (!pane.visible) return
    const held = sources.map((source) => terminal.live.hold(source))
    return () => held.forEach((release) => release())
  })
}
