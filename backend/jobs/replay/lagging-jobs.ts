import type { Millis } from '../../domain/units.ts'
import type { Clock } from '../../lib/clock.ts'
import { VirtualClock } from '../../lib/virtual-clock.ts'

/**
 * Jobs whose work nobody looks at lag behind the time of a replay: they sleep on a clock of their own,
 * which is moved through every instant that they missed before anybody is answered from what they
 * make. What they make is the same as if they had kept up, since each works at its own instant.
 */
export class LaggingJobs {
  /** What these jobs read the time from and sleep on. */
  readonly clock: VirtualClock
  readonly #settled: () => Promise<void>
  readonly #isFollowed: () => boolean

  /**
   * @param deps.settled resolves when what was begun at an instant is done
   * @param deps.isFollowed whether anybody is told of what they make as they make it
   */
  constructor(deps: {
    readonly start: Millis
    readonly wallClock: Pick<Clock, 'monotonic'>
    readonly settled: () => Promise<void>
    readonly isFollowed: () => boolean
  }) {
    this.clock = new VirtualClock(deps.start, deps.wallClock)
    this.#settled = deps.settled
    this.#isFollowed = deps.isFollowed
  }

  /** The next instant that cannot wait; null while nobody follows. */
  get nextDue(): Millis | null {
    return this.#isFollowed() ? this.clock.nextDue : null
  }

  /** Whether anything was due by an instant and is not done. */
  isBehind(at: Millis): boolean {
    const { nextDue } = this.clock
    return nextDue !== null && nextDue <= at
  }

  /** Does all that was due by an instant, one instant after the other. */
  async catchUp(at: Millis): Promise<void> {
    while (this.isBehind(at)) {
      this.clock.moveTo(Math.max(this.clock.now(), this.clock.nextDue ?? at) as Millis)
      this.clock.wake()
      await this.#settled()
    }
    if (this.clock.now() < at) this.clock.moveTo(at)
  }

  /** Keeps up where anybody follows. */
  async reach(at: Millis): Promise<void> {
    if (this.#isFollowed()) await this.catchUp(at)
  }
}
