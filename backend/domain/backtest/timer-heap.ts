import type { Millis } from '../units.ts'

/** Order of events at one instant (methodology L1); quotes and books are 3, trades and bars 4. */
export const EVENT_PRIORITIES = {
  version: 1,
  timetable: 1.5,
  settlement: 2,
  timer: 8,
  order: 9,
  sample: 10,
} as const

/** A value that is due at an instant. */
export interface Timer<T> {
  readonly at: Millis
  /** One of `EVENT_PRIORITIES`. */
  readonly priority: number
  /** Order within a priority: the market number where there is one. */
  readonly rank: number
  readonly value: T
}

interface QueuedTimer<T> extends Timer<T> {
  readonly seq: number
}

/** Priority queue (binary heap) ordered by instant, priority, rank, then insertion. */
export class TimerHeap<T> {
  readonly #heap: QueuedTimer<T>[] = []
  #seq = 0

  get next(): Timer<T> | null {
    return this.#heap[0] ?? null
  }

  get size(): number {
    return this.#heap.length
  }

  put(timer: Timer<T>): void {
    const heap = this.#heap
    const { at, priority, rank, value } = timer
    const entry = { at, priority, rank, value, seq: this.#seq++ }
    heap.push(entry)
    let child = heap.length - 1
    while (child > 0) {
      const parent = (child - 1) >> 1
      const parentTimer = heap[parent] as QueuedTimer<T>
      if (!isBefore(entry, parentTimer)) break
      heap[child] = parentTimer
      child = parent
    }
    heap[child] = entry
  }

  pop(): Timer<T> | null {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined) return null
    if (heap.length === 0) return first
    let parent = 0
    for (;;) {
      let child = 2 * parent + 1
      if (child >= heap.length) break
      const right = heap[child + 1]
      if (right !== undefined && isBefore(right, heap[child] as QueuedTimer<T>)) child++
      const childTimer = heap[child] as QueuedTimer<T>
      if (!isBefore(childTimer, last)) break
      heap[parent] = childTimer
      parent = child
    }
    heap[parent] = last
    return first
  }
}

const isBefore = <T>(a: QueuedTimer<T>, b: QueuedTimer<T>): boolean =>
  (a.at - b.at || a.priority - b.priority || a.rank - b.rank || a.seq - b.seq) < 0
