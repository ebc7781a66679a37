/** What the page needs of time; tests pass their own. */
export interface PageTime {
  /** Milliseconds since the epoch by the machine. */
  wall(): number
  /** Milliseconds that only grow. */
  monotonic(): number
}

const machineTime: PageTime = {
  wall: () => performance.timeOrigin + performance.now(),
  monotonic: () => performance.now(),
}

/**
 * The service's time as the page knows it: ages are measured against the clock that stamped the
 * data, which a replay moves and a wrong machine clock cannot spoil. `now` advances once a second.
 */
export class PageClock {
  readonly #time: PageTime
  #offset = 0
  #now = $state(0)
  #steady = $state(0)

  constructor(time: PageTime = machineTime) {
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
