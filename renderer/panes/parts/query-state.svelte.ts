import { queryOrMessage } from '../../api/context-queries.ts'
import type { PolledQuery, Source } from '../../api/source.svelte.ts'
import type { Pane } from '../../shell/dock/pane.svelte.ts'
import type { Terminal } from '../../shell/terminal.svelte.ts'
import { watchSources } from '../watch-sources.svelte.ts'

interface PaneHost {
  readonly terminal: Terminal
  readonly pane: Pane
}

/**
 * The query of a pane, polled while the pane is visible; or why it cannot be sent. Create it during
 * a component's initialisation.
 */
export class QueryState<T extends object> {
  readonly #host: () => PaneHost
  readonly #createQuery: () => PolledQuery<T> | null
  readonly #query = $derived.by(() => queryOrMessage(() => this.#createQuery()))
  readonly source: Source<T> | null = $derived.by(() => {
    const query = this.#query
    if (query === null || typeof query === 'string') return null
    return this.#host().terminal.live.source(query)
  })
  readonly sources: readonly Source[] = $derived(this.source === null ? [] : [this.source])
  readonly body: T | null = $derived(this.source?.body ?? null)
  /** Why no route answers the command; null when one does. */
  readonly refusal: string | null = $derived.by(() => {
    const query = this.#query
    return typeof query === 'string' ? query : null
  })

  /**
   * @param createQuery null while there is nothing to request
   * @param extraSource a source that the pane shows for one of its rows: included in its freshness,
   *   never waited for
   */
  constructor(
    host: () => PaneHost,
    createQuery: () => PolledQuery<T> | null,
    extraSource: () => Source | null = () => null,
  ) {
    this.#host = host
    this.#createQuery = createQuery
    const visible = $derived.by((): readonly Source[] => {
      const other = extraSource()
      return other === null ? this.sources : [...this.sources, other]
    })
    watchSources(() => ({ ...host(), sources: visible }))
  }
}
