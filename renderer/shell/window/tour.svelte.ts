/** One step of the tour: a command that is really run, and its explanation. */
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
      'The most traded markets. j and k move between rows, Enter opens a market, w adds it to the watchlist, s sorts. Text and filters narrow the list: SCAN oil price=20..60.',
  },
  {
    line: '. GP 1h',
    title: 'The chart',
    words:
      'The dot is the market in focus; panes with the same letter follow it. [ and ] change the timeframe, + and − zoom, c moves the crosshair with the arrow keys, t shows a table.',
  },
  {
    line: '. BOOK',
    title: 'Order book',
    words:
      'Bids and asks around the mid, as published by the venue. A price whose source has stopped updating is marked STALE.',
  },
  {
    line: 'WORLD',
    title: 'The world',
    words:
      'Every five minutes the service computes what is unusual. Enter explains the selected item, v shows regions, i explains the figure.',
  },
  {
    line: 'CAL 30d',
    title: 'Upcoming events',
    words:
      'Releases, meetings, elections and settlements, soonest first. Ctrl+Shift+E saves the rows of any pane, Space pauses a pane.',
  },
  {
    line: 'TERM',
    title: 'Your commands',
    words:
      'Each result with its time and age. SAVE stores this workspace under a name, Ctrl+Z undoes a change, ? lists the keys of the focused pane.',
  },
]

/** The guided tour, which runs its commands one after another. */
export class Tour {
  /** The current step; null while there is no tour. */
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
