import type { ApiFailure } from './client.ts'
import { isoOf } from '../lib/format.ts'
import type { Iso } from './types.ts'

/** What a pane needs to know to ask: the route, how often, and how to tell the data's time. */
export interface Question<T extends object> {
  readonly path: string
  /** How often it is asked, in milliseconds. */
  readonly every: number
  /** How often while the socket tells every change of it; null: not at all. As `every` if absent. */
  readonly everyFed?: number | null
  /** How old its data may grow before it is late, in milliseconds. */
  readonly cadence: number
  /** The answer is made for who is signed in, and forgotten when somebody else is. */
  readonly isOwn?: boolean
  /** It shows what markets do, so that sample data and silent venues mark it; unless `isOwn` if absent. */
  readonly isOfMarkets?: boolean
  /** @param answeredAt when the answer arrived, for bodies that state no time of their own */
  readonly timeOf: (body: T, answeredAt: Iso) => Iso | null
}

/** One answer of the service that panes look at together: what is known, and how well. */
export class Source<T extends object = object> {
  readonly path: string
  readonly every: number
  readonly everyFed: number | null
  readonly cadence: number
  readonly isOwn: boolean
  readonly isOfMarkets: boolean
  // Closes over the body, so that a source of one body is a source of any object.
  readonly #time: () => Iso | null
  /** Last good answer; stays through failures. */
  body = $state.raw<T | null>(null)
  /** Why the newest attempt failed; null after a success. */
  failure = $state.raw<ApiFailure | null>(null)
  loading = $state(false)
  /** When the newest good answer arrived, in the service's time; not reactive. */
  answeredAt: number | null = null
  /**
   * When the socket last confirmed what is shown, while it tells every change of it. Set by who
   * shows it together with the topics; read anew with each tick of the page's clock.
   */
  fedAt = $state.raw<(() => number | null) | null>(null)
  /** How many panes that hold still show it: while any does, its answer stays as it is. */
  pauses = $state(0)
  /** When the page asks again, by the page's clock; null while it is not waiting. */
  nextTryAt = $state<number | null>(null)

  constructor(question: Question<T>) {
    const { path, every, everyFed = every, cadence, isOwn = false, timeOf } = question
    this.path = path
    this.every = every
    this.everyFed = everyFed
    this.cadence = cadence
    this.isOwn = isOwn
    this.isOfMarkets = question.isOfMarkets ?? !isOwn
    const arrival = () => (this.answeredAt === null ? '' : isoOf(this.answeredAt))
    this.#time = () => (this.body === null ? null : timeOf(this.body, arrival()))
  }

  /** Forgets what was answered. */
  clear(): void {
    this.body = null
    this.failure = null
    this.answeredAt = null
    this.nextTryAt = null
  }

  /**
   * The data's own time in milliseconds; null before the first answer. No `$derived`: a source
   * outlives the component that first asked for it, a derived value does not.
   */
  get dataAt(): number | null {
    const at = Date.parse(this.#time() ?? '')
    if (Number.isNaN(at)) return null
    return Math.max(at, this.fedAt?.() ?? at)
  }
}
