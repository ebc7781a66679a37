import type { Millis } from '../../domain/units.ts'
import type { Clock } from '../../lib/clock.ts'
import { VirtualClock } from '../../lib/virtual-clock.ts'

/**
 * Jobs that lag behind replay time while their results are not read. They sleep on their own
 * clock, which is moved through every instant that they missed before a request reads their
 * results. The results are the same as if they had kept up, since each job works at its own
 * instant.
 */
export class LaggingJobs {
  /** Clock that these jobs read and sleep on. */
  readonly clock: VirtualClock
  readonly #waitUntilSettled: () => Promise<void>
  readonly #isFollowed: () => boolean

  /**
   * @param deps.settled resolves when the work started at an instant is done
   * @param deps.isFollowed whether results are streamed to a client as they are made
   */
  constructor(deps: {
    readonly start: Millis
    readonly wallClock: Pick<Clock, 'monotonic'>
    readonly settled: () => Promise<void>
    readonly isFollowed: () => boolean
  }) {
    this.clock = new VirtualClock(deps.start, deps.wallClock)
    this.#waitUntilSettled = deps.settled
    this.#isFollowed = deps.isFollowed
  }

  /** The next instant that cannot be deferred; null without followers. */
  get nextDue(): Millis | null {
    return this.#isFollowed() ? this.clock.nextDue : null
  }

  /** Whether any work due by an instant is not done. */
  isBehind(at: Millis): boolean {
    const { nextDue } = this.clock
    return nextDue !== null && nextDue <= at
  }

  /** Does all work due by an instant, one instant after the other. */
  async catchUp(at: Millis): Promise<void> {
    while (this.isBehind(at)) {
      this.clock.moveTo(Math.max(this.clock.now(), this.clock.nextDue ?? at) as Millis)
      this.clock.wake()
      await this.#waitUntilSettled()
    }
    if (this.clock.now() < at) this.clock.moveTo(at)
  }

  /** Catches up while there are followers. */
  async runUntil(at: Millis): Promise<void> {
    if (this.#isFollowed()) await this.catchUp(at)
  }
}
