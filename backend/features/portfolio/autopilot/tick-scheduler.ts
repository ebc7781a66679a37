import { HOUR, MINUTE, type Millis } from '../../../domain/units.ts'
import { sleepUnless, type Clock } from '../../../lib/clock.ts'
import type { Logger } from '../../../lib/logger.ts'
import type { PerUserQueue } from '../../../lib/per-user-queue.ts'
import type { PortfolioStore } from '../portfolio.store.ts'
import { cronProblem, nextRuns, slotsUntil } from './schedule.ts'
import type { TickRunner } from './tick-runner.ts'

/** A missed run is still started when it is at most this old. */
const MAX_START_DELAY = 30 * MINUTE
const MIN_WAIT = 250
/** Longest wait between checks: a clock may be changed, or the machine may sleep. */
const MAX_WAIT = MINUTE

/** Starts ticks at the times of the users' schedules, by the clock of the data. */
export class TickScheduler {
  readonly #deps: {
    readonly portfolios: PortfolioStore
    readonly runner: TickRunner
    readonly userQueue: PerUserQueue
    readonly clock: Clock
    readonly log: Logger
  }
  #wakeController = new AbortController()
  /** The check of the schedules that is running; null between checks. */
  #checking: Promise<number> | null = null

  constructor(deps: {
    readonly portfolios: PortfolioStore
    readonly runner: TickRunner
    readonly userQueue: PerUserQueue
    readonly clock: Clock
    readonly log: Logger
  }) {
    this.#deps = deps
  }

  /** A configuration changed. */
  wake(): void {
    this.#wakeController.abort()
  }

  get isIdle(): boolean {
    return this.#checking === null
  }
  /** Resolves when all due runs have been started, so that a replay can wait for them. */
  async idle(): Promise<void> {
    await this.#checking
  }

  /** Starts due runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const isStopped = (): boolean => signal.aborted
    while (!isStopped()) {
      this.#wakeController = new AbortController()
      this.#checking = this.#startDueRuns()
      const wait = await this.#checking
      this.#checking = null
      await sleepUnless(
        AbortSignal.any([signal, this.#wakeController.signal]),
        this.#deps.clock,
        wait,
      )
    }
  }

  /** Starts the due runs of all users; returns the time until the next check. */
  async #startDueRuns(): Promise<number> {
    const { portfolios, userQueue, clock, log } = this.#deps
    let wait: number = HOUR
    try {
      for (const userId of await portfolios.scheduledPortfolios()) {
        const next = await userQueue.run(userId, () => this.#startDueRunsOf(userId))
        const waitMs = next === null ? MAX_WAIT : next - clock.now()
        wait = Math.min(wait, MAX_WAIT, Math.max(MIN_WAIT, waitMs))
      }
    } catch (error) {
      log.error({ err: error }, 'schedules of the autopilot could not be read')
      return MAX_WAIT
    }
    return wait
  }

  /** Starts or skips the due runs of a user; returns the next one. */
  async #startDueRunsOf(userId: string): Promise<Millis | null> {
    const { portfolios, clock, log } = this.#deps
    const now = clock.now()
    try {
      await this.#start(userId, now)
    } catch (error) {
      log.error({ err: error, userId }, 'a scheduled run could not be started')
      const scheduleError = 'the scheduled run could not be started; see the log of the service'
      await portfolios.change(userId, { scheduleError }, now)
    }
    return nextRuns(await portfolios.read(userId), now, 1)[0] ?? null
  }

  async #start(userId: string, now: Millis): Promise<void> {
    const { portfolios, runner } = this.#deps
    const portfolio = await portfolios.read(userId)
    const { config, lastSlot } = portfolio
    if (!config.enabled) return
    if (lastSlot === null) {
      await portfolios.change(userId, { lastSlot: now }, now)
      return
    }
    const problem = cronProblem(config.cronExpression)
    if (problem !== null) {
      const scheduleError = `cronExpression ${problem}`
      if (portfolio.scheduleError !== scheduleError)
        await portfolios.change(userId, { scheduleError }, now)
      return
    }
    const { count, newest } = slotsUntil(config.cronExpression, lastSlot, now)
    if (newest === null) return
    const start = { trigger: 'schedule' as const, slot: newest, missedRuns: count - 1 }
    if (now - newest > MAX_START_DELAY) {
      await runner.skip(userId, portfolio, { ...start, missedRuns: count }, 'missed')
    } else if (config.executionMode === 'halted') {
      await runner.skip(userId, portfolio, start, 'halted')
    } else if (runner.runningTickId(userId) !== null) {
      await runner.skip(userId, portfolio, start, 'overlap')
    } else {
      await runner.start(userId, portfolio, start)
    }
  }
}
