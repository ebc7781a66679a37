/** What the page needs of time; tests pass their own. */
export interface PageTime {
  /** Milliseconds since the epoch by the machine. */
  wall(): number
  /** Milliseconds that only grow. */
  monotonic(): number
}

/** A calendar that ran ahead of the counter by this much tells of sleep, or was set. */
const JUMP = 1_000

/**
 * Time that a sleeping machine cannot hold back: the counter of a browser may stand still while the
 * machine sleeps, and its calendar may be set back. The counter counts, and where the calendar ran
 * ahead of it, that too: ages come out too old rather than too young until the service states its
 * time again.
 */
export function steadyTime(counter: () => number, calendar: () => number): PageTime {
  let last = { counter: counter(), calendar: calendar() }
  let now = last.calendar
  return {
    wall() {
      const next = { counter: counter(), calendar: calendar() }
      const counted = next.counter - last.counter
      const ahead = next.calendar - last.calendar - counted
      now += counted + (ahead > JUMP ? ahead : 0)
      last = next
      return now
    },
    monotonic: counter,
  }
}

const machineTime = (): PageTime =>
  steadyTime(
    () => performance.now(),
    () => Date.now(),
  )

/**
 * The service's time as the page knows it: ages are measured against the clock that stamped the
 * data, which a replay moves and a wrong machine clock cannot spoil. `now` advances once a second.
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

  /** Reactive time that only grows, as of the last tick: for what passes however the data's time moves. */
  get steady(): number {
    return this.#steady
  }

  /** Service time at this moment; not reactive. */
  read(): number {
    return this.#time.wall() + this.#offset
  }

  /** The machine's own time, which a replay does not move. */
  machine(): number {
    return this.#time.wall()
  }

  monotonic(): number {
    return this.#time.monotonic()
  }

  /** Takes the service's own statement of its time. */
  synchronise(serviceTime: number): void {
    this.#offset = serviceTime - this.#time.wall()
    this.#now = this.read()
  }

  /** Starts ticking; returns how to stop. */
  start(): () => void {
    const timer = setInterval(() => {
      this.#now = this.read()
      this.#steady = this.monotonic()
    }, 1000)
    return () => clearInterval(timer)
  }
}
