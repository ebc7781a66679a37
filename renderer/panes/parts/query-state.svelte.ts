import { requested } from '../../api/context-questions.ts'
import type { Question, Source } from '../../api/source.svelte.ts'
import type { Pane } from '../../shell/dock/pane.svelte.ts'
import type { Terminal } from '../../shell/terminal.svelte.ts'
import { watchSources } from '../watch-sources.svelte.ts'

interface Surroundings {
  readonly terminal: Terminal
  readonly pane: Pane
}

/**
 * The query of a pane, polled while the pane is visible; or why it cannot be sent. Create it during
 * a component's initialisation.
 */
export class QueryState<T extends object> {
  readonly #around: () => Surroundings
  readonly #make: () => Question<T> | null
  readonly #question = $derived.by(() => requested(() => this.#make()))
  readonly source: Source<T> | null = $derived.by(() => {
    const question = this.#question
    if (question === null || typeof question === 'string') return null
    return this.#around().terminal.live.source(question)
  })
  readonly sources: readonly Source[] = $derived(this.source === null ? [] : [this.source])
  readonly body: T | null = $derived(this.source?.body ?? null)
  /** A question that no route answers. */
  readonly refusal: string | null = $derived.by(() => {
    const question = this.#question
    return typeof question === 'string' ? question : null
  })

  /**
   * @param make null while there is nothing to request
   * @param beside a source that the pane shows for one of its rows: included in its freshness,
   *   never waited for
   */
  constructor(
    around: () => Surroundings,
    make: () => Question<T> | null,
    beside: () => Source | null = () => null,
  ) {
    this.#around = around
    this.#make = make
    const shown = $derived.by((): readonly Source[] => {
      const other = beside()
      return other === null ? this.sources : [...this.sources, other]
    })
    watchSources(() => ({ ...around(), sources: shown }))
  }
}
