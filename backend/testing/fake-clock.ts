import type { Clock } from '../lib/clock.ts'
import type { Millis } from '../domain/units.ts'

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

interface Sleeper {
  readonly due: number
  readonly wake: () => void
}

/** A clock that advances only on request. Sleepers wake in the order of their due times. */
export class FakeClock implements Clock {
  #now: number
  #elapsed = 0
  #sleepers: Sleeper[] = []

  constructor(start: string | number = '2026-11-20T14:00:00.000Z') {
    this.#now = typeof start === 'number' ? start : Date.parse(start)
  }

  now(): Millis {
    return this.#now as Millis
  }

  monotonic(): number {
    return this.#elapsed
  }

  sleep(span: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const due = this.#elapsed + Math.max(0, span)
      const abort = (): void => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper)
        reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'))
      }
      const wake = (): void => {
        // A signal of a whole service would collect a listener for each sleep.
        signal?.removeEventListener('abort', abort)
        resolve()
      }
      const sleeper: Sleeper = { due, wake }
      this.#sleepers.push(sleeper)
      signal?.addEventListener('abort', abort, { once: true })
    })
  }

  /**
   * Advances time, waking sleepers on the way and letting their continuations run.
   * @param settled resolves when the work that a sleeper started is done; by default, after one
   *   turn of the event loop
   */
  async advance(span: number, settled = nextTurn): Promise<void> {
    const end = this.#elapsed + span
    for (;;) {
      const next = this.#sleepers
        .filter((sleeper) => sleeper.due <= end)
        .sort((a, b) => a.due - b.due)[0]
      if (next === undefined) break
      this.#moveTo(next.due)
      this.#sleepers = this.#sleepers.filter((other) => other !== next)
      next.wake()
      await settled()
    }
    this.#moveTo(end)
    await settled()
  }

  /** Lets a span pass at once, as while the machine sleeps: who was due wakes once, at its end. */
  async sleepThrough(span: number): Promise<void> {
    const end = this.#elapsed + span
    const due = this.#sleepers.filter((sleeper) => sleeper.due <= end)
    this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.due > end)
    this.#moveTo(end)
    for (const { wake } of due.sort((a, b) => a.due - b.due)) wake()
    await nextTurn()
  }

  #moveTo(elapsed: number): void {
    this.#now += elapsed - this.#elapsed
    this.#elapsed = elapsed
  }
}
