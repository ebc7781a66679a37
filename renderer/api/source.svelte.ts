import type { ApiFailure } from './client.ts'
import type { Iso } from './types.ts'

/** What a pane needs to know to ask: the route, how often, and how to tell the data's time. */
export interface Question<T extends object> {
  readonly path: string
  /** How often it is asked, in milliseconds. */
  readonly every: number
  /** How old its data may grow before it is late, in milliseconds. */
  readonly cadence: number
  readonly timeOf: (body: T) => Iso | null
}

/** One answer of the service that panes look at together: what is known, and how well. */
export class Source<T extends object = object> {
  readonly path: string
  readonly every: number
  readonly cadence: number
  // Closes over the body, so that a source of one body is a source of any object.
  readonly #time: () => Iso | null
  /** Last good answer; stays through failures. */
  body = $state.raw<T | null>(null)
  /** Why the newest attempt failed; null after a success. */
  failure = $state.raw<ApiFailure | null>(null)
  loading = $state(false)
  /** When the page asks again, by the page's clock; null while it is not waiting. */
  nextTryAt = $state<number | null>(null)
  constructor({ path, every, cadence, timeOf }: Question<T>) {
    this.path = path
    this.every = every
    this.cadence = cadence
    this.#time = () => (this.body === null ? null : timeOf(this.body))
  }

  /**
   * The data's own time in milliseconds; null before the first answer. No `$derived`: a source
   * outlives the component that first asked for it, a derived value does not.
   */
  get dataAt(): number | null {
    const at = Date.parse(this.#time() ?? '')
    return Number.isNaN(at) ? null : at
  }
}
