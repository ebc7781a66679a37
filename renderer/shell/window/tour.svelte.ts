/** The commands of the tour, in order. */
export const TOUR = ['SCAN', '. GP 1h', '. BOOK', 'WORLD', 'CAL 30d', 'TERM'] as const
export type TourLine = (typeof TOUR)[number]

/** The guided tour, which runs its commands one after another. */
export class Tour {
  /** The current step; null while there is no tour. */
  place = $state<number | null>(null)
  readonly #run: (line: string) => unknown

  constructor(run: (line: string) => unknown) {
    this.#run = run
  }

  get line(): TourLine | null {
    return this.place === null ? null : (TOUR[this.place] ?? null)
  }

  start(): void {
    this.#goTo(0)
  }

  /** Runs the next command; after the last one the tour ends. */
  next(): void {
    if (this.place !== null) this.#goTo(this.place + 1)
  }

  back(): void {
    if (this.place !== null && this.place > 0) this.#goTo(this.place - 1)
  }

  end(): void {
    this.place = null
  }

  #goTo(place: number): void {
    const line = TOUR[place]
    this.place = line === undefined ? null : place
    if (line !== undefined) this.#run(line)
  }
}
