/** The commands of the tour, in order. */
export const TOUR = ['SCAN', '. GP 1h', '. BOOK', 'WORLD', 'CAL 30d', 'TERM'] as const
export type TourLine = (typeof TOUR)[number]

/** The guided tour, which runs its commands one after another. */
export class Tour {
  /** The current step; null while there is no tour. */
  step = $state<number | null>(null)
  readonly #run: (line: string) => unknown

  constructor(run: (line: string) => unknown) {
    this.#run = run
  }

  get line(): TourLine | null {
    return this.step === null ? null : (TOUR[this.step] ?? null)
  }

  start(): void {
    this.#goTo(0)
  }

  /** Runs the next command; after the last one the tour ends. */
  next(): void {
    if (this.step !== null) this.#goTo(this.step + 1)
  }

  back(): void {
    if (this.step !== null && this.step > 0) this.#goTo(this.step - 1)
  }

  end(): void {
    this.step = null
  }

  #goTo(step: number): void {
    const line = TOUR[step]
    this.step = line === undefined ? null : step
    if (line !== undefined) this.#run(line)
  }
}
