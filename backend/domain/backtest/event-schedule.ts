import type { Millis } from '../units.ts'
import type { FactsVersion, MarketIndex } from './event-columns.ts'
import type { Order, OrderEnd } from './broker/orders.ts'
import type { BacktestState } from './backtest-state.ts'
import { EVENT_PRIORITIES, TimerHeap, type Timer } from './timer-heap.ts'

/** An event that is due at an instant. */
export type ScheduledEvent =
  | { readonly kind: 'version'; readonly version: FactsVersion }
  | { readonly kind: 'timetable'; readonly market: MarketIndex }
  | { readonly kind: 'timer'; readonly name: string; readonly every: number | null }
  | { readonly kind: 'arrival'; readonly order: Order }
  | { readonly kind: 'cancel'; readonly order: Order; readonly why: OrderEnd }
  | { readonly kind: 'sample' }

/**
 * Schedules events that are due between rows and keeps the run's horizon up to date. Venue events
 * are known for all markets from the start; they are kept in a heap apart from the few events of
 * the strategy, which come and go.
 */
export class EventSchedule {
  readonly #venueEvents = new TimerHeap<ScheduledEvent>()
  readonly #strategyEvents = new TimerHeap<ScheduledEvent>()
  readonly #state: BacktestState

  constructor(state: BacktestState) {
    this.#state = state
  }

  put(at: Millis, priority: number, event: ScheduledEvent, rank = 0): void {
    const heap = priority < EVENT_PRIORITIES.timer ? this.#venueEvents : this.#strategyEvents
    heap.put({ at, priority, rank, value: event })
    if (at >= this.#state.horizon) return
    this.#state.horizon = at
    this.#state.stop = 0
  }

  /**
   * Removes and returns the next event due before a row known at `knownAt`; null when that row is
   * next.
   */
  popBefore(knownAt: number): Timer<ScheduledEvent> | null {
    const heap = this.#first()
    const { next } = heap
    if (
      next !== null &&
      (next.at < knownAt || (next.at === knownAt && next.priority < EVENT_PRIORITIES.timer))
    ) {
      return heap.pop()
    }
    this.#state.horizon = next?.at ?? Infinity
    return null
  }

  /** Removes and returns the next event due by the end of a run; null when none is left. */
  popUntil(end: Millis): Timer<ScheduledEvent> | null {
    const heap = this.#first()
    const { next } = heap
    return next !== null && next.at <= end ? heap.pop() : null
  }

  /** The heap with the next event. At equal instants venue events come first. */
  #first(): TimerHeap<ScheduledEvent> {
    const { next: strategyEvent } = this.#strategyEvents
    const { next: venueEvent } = this.#venueEvents
    if (strategyEvent === null) return this.#venueEvents
    return venueEvent !== null && venueEvent.at <= strategyEvent.at
      ? this.#venueEvents
      : this.#strategyEvents
  }
}
