/** What a strategy may use of the machine. */
export interface StrategyLimits {
  /** Longest time of its own work without a word, while it has something to do. */
  readonly silenceMs: number
  /** Of its heap, as the engine counts it. */
  readonly heapMb: number
  /** Of its whole process, typed arrays too, where the system tells. */
  readonly memoryMb: number
}
export const STRATEGY_LIMITS: StrategyLimits = { silenceMs: 10_000, heapMb: 512, memoryMb: 1_024 }

/** A strategy failed, in words for its author; whoever asked for the run is told. */
export class StrategyFailed extends Error {}

/** What the system tells of a process; null where it does not. */
export interface ProcessUse {
  /** Time on a processor since its start. */
  readonly cpuMs: number | null
  readonly residentMb: number | null
}

/** A machine that others use may take so many times as long over the same work. */
const PATIENCE = 6

/**
 * Judges whether a strategy's process may go on. Silence counts only while the process owes an answer
 * to something it was given, and in its own processor time where the system tells that: a busy machine
 * is no endless loop, and neither is a service that reads history.
 */
export class StrategyWatch {
  readonly #limits: StrategyLimits
  #given = 0
  #answered = 0
  #heardAt: number
  /** Processor time at the first look after the last word; null before that look. */
  #cpuThen: number | null = null

  /** @param now of a monotonic clock, as everywhere here */
  constructor(limits: StrategyLimits, now: number) {
    this.#limits = limits
    this.#heardAt = now
  }

  /** Whether it owes an answer. */
  get isBusy(): boolean {
    return this.#given > this.#answered
  }

  /** The process was given one more thing. */
  gave(now: number): void {
    if (!this.isBusy) this.#heard(now)
    this.#given++
  }

  /** A word of the process. @param answered things it has done with since its start */
  heard(answered: number, now: number): void {
    this.#answered = answered
    this.#heard(now)
  }

  /** Why the process has to end; null while it may go on. */
  verdict({ cpuMs, residentMb }: ProcessUse, now: number): StrategyFailed | null {
    const { memoryMb } = this.#limits
    if (residentMb !== null && residentMb > memoryMb) {
      return new StrategyFailed(`The strategy took more than ${memoryMb} MB of memory`)
    }
    return this.isBusy && this.#isTooLong(cpuMs, now) ? this.#silent() : null
  }

  #isTooLong(cpuMs: number | null, now: number): boolean {
    const { silenceMs } = this.#limits
    const waited = now - this.#heardAt
    if (waited > PATIENCE * silenceMs) return true
    if (cpuMs !== null) {
      this.#cpuThen ??= cpuMs
      return cpuMs - this.#cpuThen > silenceMs
    }
    // Its start and the reading of its modules are ours, and take longest where much else starts.
    return this.#answered > 0 && waited > silenceMs
  }

  #silent(): StrategyFailed {
    const seconds = Math.round(this.#limits.silenceMs / 1_000)
    return new StrategyFailed(
      `The strategy did not come back within ${seconds} s: an endless loop, or too much work for one event`,
    )
  }

  #heard(now: number): void {
    this.#heardAt = now
    this.#cpuThen = null
  }
}
