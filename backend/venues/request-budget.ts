import type { Clock } from '../lib/clock.ts'
import type { Origin } from './connector.ts'

/** Priority of waiting requests: data that users view, then the catalogue, then history. */
export type Priority = 'live' | 'catalogue' | 'backfill'
const PRIORITIES: readonly Priority[] = ['live', 'catalogue', 'backfill']

/** Priority for reading events of this origin. */
export const priorityOf = (origin: Origin): Priority =>
  origin === 'backfilled' ? 'backfill' : 'live'

interface Waiter {
  readonly cost: number
  readonly grant: () => void
}

/** More requests wait for a host than it could answer in time: this one was not queued. */
export class QueueFull extends Error {}

const DEFAULT_CONCURRENT = 32
/**
 * Maximum number of waiting requests of one priority; more are refused, so that a slow host does
 * not fill memory.
 */
const MAX_QUEUE_LENGTH = 1_000

export interface BudgetOptions {
  /** Tokens gained per second. */
  readonly ratePerSecond: number
  /** Maximum number of saved tokens. */
  readonly burst: number
  /** Maximum number of concurrent requests; history takes at most half of them. */
  readonly maxConcurrent?: number
  readonly clock: Clock
}

/**
 * Token bucket of one host, shared by all its callers, with a limit on concurrent and on waiting
 * requests. Waiting requests are served by priority, then in order; a `pause` (the host requested
 * a wait) holds back all of them.
 */
export class RequestBudget {
  readonly #rate: number
  readonly #burst: number
  readonly #clock: Clock
  readonly #waiters: Record<Priority, Waiter[]> = { live: [], catalogue: [], backfill: [] }
  readonly #maxConcurrent: number
  #pendingCount = 0
  #tokens: number
  #filledAt: number
  #pausedUntil = 0
  #pumping = false

  constructor({ ratePerSecond, burst, maxConcurrent = DEFAULT_CONCURRENT, clock }: BudgetOptions) {
    this.#maxConcurrent = maxConcurrent
    this.#rate = ratePerSecond
    this.#burst = burst
    this.#clock = clock
    this.#tokens = burst
    this.#filledAt = clock.monotonic()
  }

  /**
   * Resolves when the request may be sent, with a function to call once it is answered or
   * abandoned.
   * @throws QueueFull, or the signal's reason
   */
  acquire(priority: Priority, signal: AbortSignal, cost = 1): Promise<() => void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const queue = this.#waiters[priority]
      if (queue.length >= MAX_QUEUE_LENGTH) throw new QueueFull('too many requests wait')
      const abort = () => {
        queue.splice(queue.indexOf(waiter), 1)
        reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
      }
      const waiter: Waiter = {
        cost: Math.min(cost, this.#burst),
        grant: () => {
          signal.removeEventListener('abort', abort)
          this.#pendingCount += 1
          resolve(() => this.#handleAnswer())
        },
      }
      signal.addEventListener('abort', abort, { once: true })
      queue.push(waiter)
      void this.#pump()
    })
  }

  /**
   * Sends nothing for `span` milliseconds from now; a shorter pause never shortens a longer one.
   */
  pause(span: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.monotonic() + span)
  }

  #handleAnswer(): void {
    this.#pendingCount -= 1
    void this.#pump()
  }

  async #pump(): Promise<void> {
    if (this.#pumping) return
    this.#pumping = true
    for (let queue = this.#next(); queue !== null; queue = this.#next()) {
      const wait = this.#waitFor(queue[0]?.cost ?? 0)
      if (wait > 0) {
        await this.#clock.sleep(wait)
        continue
      }
      const waiter = queue.shift()
      this.#tokens -= waiter?.cost ?? 0
      waiter?.grant()
    }
    this.#pumping = false
  }

  #next(): Waiter[] | null {
    for (const priority of PRIORITIES) {
      const capacity =
        priority === 'backfill' ? Math.ceil(this.#maxConcurrent / 2) : this.#maxConcurrent
      if (this.#pendingCount >= capacity) continue
      if (this.#waiters[priority].length > 0) return this.#waiters[priority]
    }
    return null
  }

  #waitFor(cost: number): number {
    const now = this.#clock.monotonic()
    this.#tokens = Math.min(
      this.#burst,
      this.#tokens + ((now - this.#filledAt) / 1_000) * this.#rate,
    )
    this.#filledAt = now
    const missing = cost - this.#tokens
    const refill = missing <= 1e-9 ? 0 : Math.ceil((missing / this.#rate) * 1_000)
    return Math.max(refill, this.#pausedUntil - now)
  }
}
