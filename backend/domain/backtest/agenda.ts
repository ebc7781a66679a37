import type { Millis } from '../units.ts'
import type { FactsVersion, MarketIndex } from './event-columns.ts'
import type { Order, OrderEnd } from './orders.ts'
import type { RunState } from './run-state.ts'
import { PLACES, Wakes, type Wake } from './wakes.ts'

/** What is due at an instant. */
export type Due =
  | { readonly kind: 'version'; readonly version: FactsVersion }
  | { readonly kind: 'timetable'; readonly market: MarketIndex }
  | { readonly kind: 'timer'; readonly name: string; readonly every: number | null }
  | { readonly kind: 'arrival'; readonly order: Order }
  | { readonly kind: 'cancel'; readonly order: Order; readonly why: OrderEnd }
  | { readonly kind: 'sample' }

/**
 * What is due between events; it keeps the run's horizon. What venues will say is known for all markets from the
 * start, and lies apart from the few things that a strategy has under way, which come and go.
 */
export class Agenda {
  readonly #news = new Wakes<Due>()
  readonly #own = new Wakes<Due>()
  readonly #state: RunState

  constructor(state: RunState) {
    this.#state = state
  }

  put(at: Millis, place: number, thing: Due, rank = 0): void {
    const wakes = place < PLACES.timer ? this.#news : this.#own
    wakes.put({ at, place, rank, thing })
    if (at >= this.#state.horizon) return
    this.#state.horizon = at
    this.#state.stop = 0
  }

  /** What is due before a row known at `known`, one after another; null when that row is next. */
  takeBefore(known: number): Wake<Due> | null {
    const wakes = this.#first()
    const { next } = wakes
    if (next !== null && (next.at < known || (next.at === known && next.place < PLACES.timer))) {
      return wakes.take()
    }
    this.#state.horizon = next?.at ?? Infinity
    return null
  }

  /** What is due by the end of a run, one after another. */
  takeBy(end: Millis): Wake<Due> | null {
    const wakes = this.#first()
    const { next } = wakes
    return next !== null && next.at <= end ? wakes.take() : null
  }

  /** Those of which something is due next; at one instant news come first. */
  #first(): Wakes<Due> {
    const { next: own } = this.#own
    const { next: news } = this.#news
    if (own === null) return this.#news
    return news !== null && news.at <= own.at ? this.#news : this.#own
  }
}
