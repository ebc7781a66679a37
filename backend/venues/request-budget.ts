import type { Clock } from '../lib/clock.ts'
import type { Origin } from './connector.ts'

/** Who goes first when requests have to wait: what users look at, then catalogue, then history. */
export type Priority = 'live' | 'catalogue' | 'backfill'
const ORDER: readonly Priority[] = ['live', 'catalogue', 'backfill']

/** How urgent it is to read events of this origin. */
export const priorityOf = (origin: Origin): Priority =>
  origin === 'backfilled' ? 'backfill' : 'live'

interface Waiter {
  readonly cost: number
  readonly grant: () => void
}

/** More requests wait for a host than it could answer in time: this one was not queued. */
export class QueueFull extends Error {}

const AT_ONCE = 32
/** Waiting requests of one priority; more are refused, so that a slow host holds no memory. */
const LONGEST_QUEUE = 1_000

export interface BudgetOptions {
  /** Tokens gained per second. */
  readonly ratePerSecond: number
  /** Tokens that can be saved up. */
  readonly burst: number
  /** Requests under way at one time; history takes at most half of them. */
  readonly atOnce?: number
  readonly clock: Clock
}

/**
 * A token bucket of one host, shared by everything that asks it, with a bound on the requests under
 * way and on those that wait. Waiting requests are served by priority, then in order; a `pause` (the
 * host asked us to wait) holds back all of them.
 */
export class RequestBudget {
  readonly #rate: number
  readonly #burst: number
  readonly #clock: Clock
  readonly #waiting: Record<Priority, Waiter[]> = { live: [], catalogue: [], backfill: [] }
  readonly #atOnce: number
  #underWay = 0
  #tokens: number
  #filledAt: number
  #pausedUntil = 0
  #pumping = false

  constructor({ ratePerSecond, burst, atOnce = AT_ONCE, clock }: BudgetOptions) {
    this.#atOnce = atOnce
    this.#rate = ratePerSecond
    this.#burst = burst
    this.#clock = clock
    this.#tokens = burst
    this.#filledAt = clock.monotonic()
  }

  /**
   * Resolves when the request may be sent, with what to call once it is answered or given up.
   * @throws QueueFull, or the signal's reason
   */
  take(priority: Priority, signal: AbortSignal, cost = 1): Promise<() => void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const queue = this.#waiting[priority]
      if (queue.length >= LONGEST_QUEUE) throw new QueueFull('too many requests wait')
      const abort = () => {
        queue.splice(queue.indexOf(waiter), 1)
        reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
      }
      const waiter: Waiter = {
        cost: Math.min(cost, this.#burst),
        grant: () => {
          signal.removeEventListener('abort', abort)
          this.#underWay += 1
          resolve(() => this.#answered())
        },
      }
      signal.addEventListener('abort', abort, { once: true })
      queue.push(waiter)
      void this.#pump()
    })
  }

  /** Nothing is sent for `span` milliseconds from now; a shorter pause never cuts a longer one. */
  pause(span: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.monotonic() + span)
  }

  #answered(): void {
    this.#underWay -= 1
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
    for (const priority of ORDER) {
      const room = priority === 'backfill' ? Math.ceil(this.#atOnce / 2) : this.#atOnce
      if (this.#underWay >= room) continue
      if (this.#waiting[priority].length > 0) return this.#waiting[priority]
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
