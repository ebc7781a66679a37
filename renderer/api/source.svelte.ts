import type { ApiFailure } from './client.ts'
import type { Path } from './path.ts'
import { isoOf } from '../lib/format.ts'
import type { Iso } from '../../backend/contract/schemas.ts'

/** A polled query: the route, the interval, and how to read the data's time. */
export interface PolledQuery<T extends object> {
  readonly path: Path<T>
  /** Polling interval in milliseconds. */
  readonly interval: number
  /**
   * Polling interval while the socket publishes every change; null: not polled. Defaults to
   * `interval`.
   */
  readonly streamedInterval?: number | null
  /** How old its data may grow before it is late, in milliseconds. */
  readonly cadence: number
  /** The answer belongs to the signed-in user, and is cleared when the user changes. */
  readonly isOwn?: boolean
  /** It shows market data, so sample data and silent venues mark it; defaults to not `isOwn`. */
  readonly isOfMarkets?: boolean
  /** @param answeredAt when the answer arrived, for bodies without a data time */
  readonly timeOf: (body: T, answeredAt: Iso) => Iso | null
}

/** One answer of the service, shared by panes, with its freshness. */
export class Source<T extends object = object> {
  readonly path: Path<T>
  readonly interval: number
  readonly streamedInterval: number | null
  readonly cadence: number
  readonly isOwn: boolean
  readonly isOfMarkets: boolean
  // Wraps the body's type, so that a source of one body is a source of any object.
  readonly #time: () => Iso | null
  /** Last good answer; kept through failures. */
  body = $state.raw<T | null>(null)
  /** Why the newest request failed; null after a success. */
  failure = $state.raw<ApiFailure | null>(null)
  loading = $state(false)
  /** When the newest good answer arrived, in the service's time; not reactive. */
  answeredAt: number | null = null
  /**
   * When the socket last confirmed what is shown, while it publishes every change. Set by the pane
   * that shows it together with the topics; read with each tick of the page's clock.
   */
  streamedAt = $state.raw<(() => number | null) | null>(null)
  /** How many paused panes show it; while there are any, its answer does not change. */
  pauses = $state(0)
  /** When the next request is due, by the page's clock; null while none is scheduled. */
  nextTryAt = $state<number | null>(null)

  constructor(query: PolledQuery<T>) {
    const { path, interval, streamedInterval = interval, cadence, isOwn = false, timeOf } = query
    this.path = path
    this.interval = interval
    this.streamedInterval = streamedInterval
    this.cadence = cadence
    this.isOwn = isOwn
    this.isOfMarkets = query.isOfMarkets ?? !isOwn
    const arrival = () => (this.answeredAt === null ? '' : isoOf(this.answeredAt))
    this.#time = () => (this.body === null ? null : timeOf(this.body, arrival()))
  }

  /** Clears the answer. */
  clear(): void {
    this.body = null
    this.failure = null
    this.answeredAt = null
    this.nextTryAt = null
  }

  /**
   * The data's own time in milliseconds; null before the first answer. No `$derived`, because a
   * source outlives the component that first requested it and a derived value does not.
   */
  get dataAt(): number | null {
    const at = Date.parse(this.#time() ?? '')
    if (Number.isNaN(at)) return null
    return Math.max(at, this.streamedAt?.() ?? at)
  }
}
