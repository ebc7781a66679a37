import { setImmediate as turn } from 'node:timers/promises'
import { nextWorldSnapshotAt } from '../../computed/world/snapshot-schedule.ts'
import { HOUR, type Millis } from '../../domain/units.ts'
import { sleepUnless, type Clock } from '../../lib/clock.ts'
import { Conflict } from '../../lib/errors.ts'
import type { VirtualClock } from '../../lib/virtual-clock.ts'
import type { LaggingJobs } from './lagging-jobs.ts'

export type ReplaySpeed = number | 'max' | 'step'

export interface ReplayState {
  readonly state: 'running' | 'paused' | 'ended'
  readonly now: Millis
  readonly from: Millis
  readonly to: Millis
  readonly speed: ReplaySpeed
}

/** Real time between two moves of a paced replay. */
const BEAT_MS = 20
/** A paced replay that is behind by more real time than this does not catch up. */
const MAX_LAG_MS = 1_000

/**
 * Moves the clock of a replay from one stop to the next. A stop is an instant at which a job of
 * the service is due, or the end of the requested span. Events until then are emitted first, each
 * at its own instant; the clock waits until the jobs of the stop are done.
 */
export class ReplayPlayer {
  readonly #clock: VirtualClock
  readonly #wallClock: Clock
  readonly #emitUntil: (at: Millis) => Promise<void>
  readonly #waitUntilSettled: () => Promise<void>
  readonly #onReplayEnd: () => Promise<void>
  readonly #laggingJobs: Pick<LaggingJobs, 'nextDue' | 'runUntil'> | null
  readonly #bounds: { readonly from: Millis; readonly to: Millis }
  #speed: ReplaySpeed
  #isRunning: boolean
  #pendingMove: Promise<unknown> = Promise.resolve()
  #wakeUp: () => void = () => {}

  constructor(deps: {
    clock: VirtualClock
    wallClock: Clock
    emitUntil: (at: Millis) => Promise<void>
    /** Resolves when the work started at this instant is done. */
    settled: () => Promise<void>
    /** Called whenever the end is reached; the end waits for it. */
    ended?: () => Promise<void>
    /** Jobs that keep up only while they have followers. */
    lagging?: Pick<LaggingJobs, 'nextDue' | 'runUntil'>
    from: Millis
    to: Millis
    speed: ReplaySpeed
    isRunning: boolean
  }) {
    this.#clock = deps.clock
    this.#wallClock = deps.wallClock
    this.#emitUntil = deps.emitUntil
    this.#waitUntilSettled = deps.settled
    this.#onReplayEnd = deps.ended ?? (() => Promise.resolve())
    this.#laggingJobs = deps.lagging ?? null
    this.#bounds = { from: deps.from, to: deps.to }
    this.#speed = deps.speed
    this.#isRunning = deps.isRunning && deps.speed !== 'step'
  }

  state(): ReplayState {
    const now = this.#clock.now()
    const state = now >= this.#bounds.to ? 'ended' : this.#isRunning ? 'running' : 'paused'
    return { state, now, ...this.#bounds, speed: this.#speed }
  }

  /** Moves on while it is running, until the signal. */
  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.#wakeUp(), { once: true })
    while (!signal.aborted) {
      if (this.state().state !== 'running') {
        await new Promise<void>((resolve) => (this.#wakeUp = resolve))
      } else if (this.#speed === 'max') {
        await this.#runExclusive(async () => {
          if (this.#isMoving('max')) await this.#stop(this.#bounds.to)
        })
        await turn()
      } else await this.#pace(signal)
    }
    await this.#pendingMove.catch(() => {})
  }

  async pause(): Promise<ReplayState> {
    this.#isRunning = false
    await this.#pendingMove
    return this.state()
  }

  /** @throws Conflict at the end, and while time moves by steps only */
  resume(): ReplayState {
    this.#refuseAtEnd()
    if (this.#speed === 'step') {
      throw new Conflict('In step mode time moves only by steps; set a speed to let it run')
    }
    this.#isRunning = true
    this.#wakeUp()
    return this.state()
  }

  /** @throws Conflict for a change that is not possible now */
  async setSpeed(speed: ReplaySpeed): Promise<ReplayState> {
    this.#speed = speed
    if (speed === 'step') this.#isRunning = false
    this.#wakeUp()
    await this.#pendingMove
    return this.state()
  }

  /**
   * Moves on by this many seconds, or to the next world, at most to the end.
   * @throws Conflict while time runs on its own, and at the end
   */
  async step(seconds: number | null): Promise<ReplayState> {
    return this.#runExclusive(async () => {
      this.#refuseAtEnd()
      if (this.#isRunning) throw new Conflict('The replay is running; pause it before a step')
      const now = this.#clock.now()
      const targetTime =
        seconds === null ? nextWorldSnapshotAt(now) : now + Math.round(seconds * 1_000)
      const target = Math.min(targetTime, this.#bounds.to) as Millis
      while (this.#clock.now() < target) await this.#stop(target)
      return this.state()
    })
  }

  async #pace(signal: AbortSignal): Promise<void> {
    const speed = this.#speed
    let startedAt = this.#wallClock.monotonic()
    let start = this.#clock.now() as number
    while (this.#isMoving(speed) && (await sleepUnless(signal, this.#wallClock, BEAT_MS))) {
      const elapsedMs = this.#wallClock.monotonic() - startedAt
      const target = Math.min(
        this.#bounds.to,
        Math.floor(start + elapsedMs * Number(speed)),
      ) as Millis
      await this.#runExclusive(async () => {
        while (this.#isMoving(speed) && this.#clock.now() < target) await this.#stop(target)
      })
      if (this.#wallClock.monotonic() - startedAt - elapsedMs > MAX_LAG_MS) {
        startedAt = this.#wallClock.monotonic()
        start = this.#clock.now()
      }
    }
  }

  #isMoving(speed: ReplaySpeed): boolean {
    return this.state().state === 'running' && this.#speed === speed
  }

  /** Moves to the next instant at which work is due, at most to `limit`. */
  async #stop(limit: Millis): Promise<void> {
    const now = this.#clock.now()
    const next = Math.min(this.#clock.nextDue ?? limit, this.#laggingJobs?.nextDue ?? limit)
    const dueAt = Math.max(now, next)
    const at = Math.min(limit, dueAt, now + HOUR) as Millis
    await this.#emitUntil(at)
    this.#clock.moveTo(at)
    this.#clock.wake()
    await this.#waitUntilSettled()
    await this.#laggingJobs?.runUntil(at)
    if (at >= this.#bounds.to) await this.#onReplayEnd()
  }

  /** Runs work while data time is paused. */
  whilePaused<T>(work: () => Promise<T>): Promise<T> {
    return this.#runExclusive(work)
  }

  /** Runs one move at a time. */
  #runExclusive<T>(move: () => T | Promise<T>): Promise<T> {
    const pendingMove = this.#pendingMove.catch(() => {}).then(move)
    this.#pendingMove = pendingMove.catch(() => {})
    return pendingMove
  }

  #refuseAtEnd(): void {
    if (this.state().state !== 'ended') return
    throw new Conflict('The replay has ended; seek an earlier time to continue')
  }
}
