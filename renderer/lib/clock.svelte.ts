/** The clocks that the page needs; tests pass their own. */
export interface PageTime {
  /** Wall time of the machine in milliseconds since the epoch. */
  wall(): number
  /** Monotonic milliseconds. */
  monotonic(): number
}

/**
 * When wall time ran ahead of the monotonic counter by this much, the machine slept or its clock
 * was set.
 */
const JUMP = 1_000

/**
 * Monotonic clock that also counts time asleep: it advances with the counter, and by any jump of wall
 * time ahead of it. Ages are overestimated rather than underestimated until the service sends its time
 * again.
 */
export function sleepAwareTime(counter: () => number, calendar: () => number): PageTime {
  let last = { counter: counter(), calendar: calendar() }
  let now = last.calendar
  return {
    wall() {
      const next = { counter: counter(), calendar: calendar() }
      const monotonicStep = next.counter - last.counter
      const clockJump = next.calendar - last.calendar - monotonicStep
      now += monotonicStep + (clockJump > JUMP ? clockJump : 0)
      last = next
      return now
    },
    monotonic: counter,
  }
}

const machineTime = (): PageTime =>
  sleepAwareTime(
    () => performance.now(),
    () => Date.now(),
  )

/**
 * The service's time as the page knows it. Ages are measured against the clock that stamped the
 * data, so neither a replay nor a wrong machine clock distorts them. `now` advances once a second.
 */
export class PageClock {
  readonly #time: PageTime
  #offset = 0
  #now = $state(0)
  #steady = $state(0)

  constructor(time: PageTime = machineTime()) {
    this.#time = time
    this.#now = time.wall()
    this.#steady = time.monotonic()
  }

  /** Reactive time of the service in milliseconds, as of the last tick. */
  get now(): number {
    return this.#now
  }

  /** Reactive monotonic time as of the last tick: for durations independent of the data's time. */
  get steady(): number {
    return this.#steady
  }

  /** Service time at this moment; not reactive. */
  read(): number {
    return this.#time.wall() + this.#offset
  }

  /** Wall time of the machine, which a replay does not change. */
  machine(): number {
    return this.#time.wall()
  }

  monotonic(): number {
    return this.#time.monotonic()
  }

  /** Sets the time from a timestamp of the service. */
  synchronise(serviceTime: number): void {
    this.#offset = serviceTime - this.#time.wall()
    this.#now = this.read()
  }

  /** Starts ticking; returns a function that stops it. */
  start(): () => void {
    const timer = setInterval(() => {
      this.#now = this.read()
      this.#steady = this.monotonic()
    }, 1000)
    return () => clearInterval(timer)
  }
}
