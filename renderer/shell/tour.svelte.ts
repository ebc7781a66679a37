/** One stop of the tour: a command that is really run, and what to look at. */
export interface Stop {
  readonly line: string
  readonly title: string
  readonly words: string
}

export const TOUR: readonly Stop[] = [
  {
    line: 'SCAN',
    title: 'Markets',
    words:
      'The most traded markets. j and k walk the rows, Enter opens one, w watches it, s sorts. Words and filters narrow it: SCAN oil price=20..60.',
  },
  {
    line: '. GP 1h',
    title: 'The chart',
    words:
      'The dot is the market in focus; panes with the same letter follow it. [ and ] change the candles, + and − zoom, c moves the crosshair by the arrow keys, t shows a table.',
  },
  {
    line: '. BOOK',
    title: 'Its depth',
    words:
      'Bids and asks around the middle, as the venue tells them. A price whose source has gone silent is marked STALE: nothing old looks new.',
  },
  {
    line: 'WORLD',
    title: 'What stands out',
    words:
      'Every five minutes the service works out what is unusual. Enter explains the item under the cursor, v shows regions, i says what the figure means.',
  },
  {
    line: 'CAL 30d',
    title: 'What is due',
    words:
      'Releases, meetings, elections and settlements, soonest first. Ctrl+Shift+E saves the rows of any pane, Space holds a pane still.',
  },
  {
    line: 'TERM',
    title: 'What you asked',
    words:
      'Each answer with its time and age. SAVE keeps this workspace under a name, Ctrl+Z takes a change back, ? lists the keys of the pane in focus.',
  },
]

/** The guided tour, which runs its commands one after another. */
export class Tour {
  /** The stop that is shown; null while there is no tour. */
  place = $state<number | null>(null)
  readonly #run: (line: string) => unknown

  constructor(run: (line: string) => unknown) {
    this.#run = run
  }

  get stop(): Stop | null {
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
    const stop = TOUR[place]
    this.place = stop === undefined ? null : place
    if (stop !== undefined) this.#run(stop.line)
  }
}
