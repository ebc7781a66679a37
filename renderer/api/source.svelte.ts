import type { ApiFailure } from './client.ts'
import type { Iso } from './types.ts'

/** One answer of the service that panes look at together: what is known, and how well. */
export class Source<T extends object = object> {
  readonly path: string
  /** How often it is asked again, in milliseconds. */
  readonly every: number
  readonly #timeOf: (body: T) => Iso | null
  /** Last good answer; stays through failures. */
  body = $state.raw<T | null>(null)
  /** Why the newest attempt failed; null after a success. */
  failure = $state.raw<ApiFailure | null>(null)
  loading = $state(false)
  /** When the page asks again, by the page's clock; null while it is not waiting. */
  nextTryAt = $state<number | null>(null)
  /** The data's own time in milliseconds; null before the first answer. */
  readonly dataAt: number | null = $derived.by(() => {
    const iso = this.body === null ? null : this.#timeOf(this.body)
    const at = iso === null ? Number.NaN : Date.parse(iso)
    return Number.isNaN(at) ? null : at
  })

  constructor(path: string, every: number, timeOf: (body: T) => Iso | null) {
    this.path = path
    this.every = every
    this.#timeOf = timeOf
  }
}

/** What a pane needs to know to ask: the route, how often, and which field tells its time. */
export interface Question<T extends object> {
  readonly path: string
  readonly every: number
  readonly timeOf: (body: T) => Iso | null
}
