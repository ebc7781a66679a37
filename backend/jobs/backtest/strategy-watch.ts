/** Resource limits of a strategy. */
export interface StrategyLimits {
  /**
   * Maximum CPU time without progress while a response is pending, ms; six times as much wall time.
   */
  readonly silenceMs: number
  /** Maximum wall time of a whole run without the waits for its events, ms. */
  readonly runMs: number
  /** Limit of its heap, as the engine counts it. */
  readonly heapMb: number
  /** Limit of its whole process including typed arrays, where the system reports it. */
  readonly memoryMb: number
}
export const STRATEGY_LIMITS: StrategyLimits = {
  silenceMs: 10_000,
  runMs: 3_600_000,
  heapMb: 512,
  memoryMb: 1_024,
}

/**
 * A strategy failed; the message is worded for its author and reaches the user who requested the
 * run.
 */
export class StrategyFailed extends Error {}

/** A strategy was ended because it used too much time or memory. */
export class StrategyEnded extends StrategyFailed {}

/** Resource use of a process; null where the system does not report it. */
export interface ProcessUse {
  /** CPU time since its start. */
  readonly cpuMs: number | null
  readonly residentMb: number | null
}

/** On a shared machine the same work may take this many times as long. */
const MAX_MISSED = 6
/**
 * The report of millions of fills is computed by the engine: no loop of the strategy runs in it.
 */
const MAX_MISSED_IN_REPORT = 60

/**
 * Judges whether a strategy's process may continue. Silence counts only while the response to a
 * message is pending, and in its own CPU time where the system reports that: a busy machine is not
 * an endless loop, and neither is a service that reads history.
 */
export class StrategyWatch {
  readonly #limits: StrategyLimits
  #givenCount = 0
  #answeredCount = 0
  #arrivedAt: number
  /** Start of the current debt of an answer, and its total time before that. */
  #busySince = 0
  #busyMs = 0
  #isReporting = false
  /** CPU time at the first look after the last message; null before that look. */
  #cpuThen: number | null = null

  /** @param now of a monotonic clock, as in all methods here */
  constructor(limits: StrategyLimits, now: number) {
    this.#limits = limits
    this.#arrivedAt = now
  }

  /** Whether a response is pending. */
  get isBusy(): boolean {
    return this.#givenCount > this.#answeredCount
  }

  /** The process received one more message. */
  gave(now: number): void {
    if (!this.isBusy) {
      this.#recordReceipt(now)
      this.#busySince = now
    }
    this.#givenCount++
  }

  /**
   * The process sent a message. @param answeredCount messages it has finished processing since its
   * start
   */
  recordMessage(answeredCount: number, now: number): void {
    const wasBusy = this.#givenCount > this.#answeredCount
    this.#answeredCount = answeredCount
    if (wasBusy && !this.isBusy) this.#busyMs += now - this.#busySince
    this.#recordReceipt(now)
  }

  /** All runs have finished, and the process computes its report. */
  reporting(): void {
    this.#isReporting = true
  }

  /** Why the process must end; null while it may continue. */
  verdict({ cpuMs, residentMb }: ProcessUse, now: number): StrategyEnded | null {
    const { memoryMb, runMs, silenceMs } = this.#limits
    if (residentMb !== null && residentMb > memoryMb) {
      return new StrategyEnded(`The strategy took more than ${memoryMb} MB of memory`)
    }
    if (!this.isBusy) return null
    if (this.#busyMs + now - this.#busySince > runMs) {
      return new StrategyEnded(
        `The strategy was ended after ${secondsOf(runMs)} s of one run: use a shorter range, fewer markets or less work for each event`,
      )
    }
    const maxSilenceMs = (this.#isReporting ? MAX_MISSED_IN_REPORT : MAX_MISSED) * silenceMs
    if (now - this.#arrivedAt > maxSilenceMs) {
      return new StrategyEnded(
        `The strategy made no progress for ${secondsOf(maxSilenceMs)} s: it waits forever, or is in an endless loop`,
      )
    }
    return !this.#isReporting && this.#isOverCpuLimit(cpuMs, now) ? this.#silent() : null
  }

  #isOverCpuLimit(cpuMs: number | null, now: number): boolean {
    const { silenceMs } = this.#limits
    if (cpuMs !== null) {
      this.#cpuThen ??= cpuMs
      return cpuMs - this.#cpuThen > silenceMs
    }
    // Its start and the loading of its modules are our work, and slow when many processes start.
    return this.#answeredCount > 0 && now - this.#arrivedAt > silenceMs
  }

  #silent(): StrategyEnded {
    return new StrategyEnded(
      `The strategy did not return within ${secondsOf(this.#limits.silenceMs)} s: an endless loop, or too much work for one event`,
    )
  }

  #recordReceipt(now: number): void {
    this.#arrivedAt = now
    this.#cpuThen = null
  }
}

const secondsOf = (span: number): number => Math.round(span / 1_000)
