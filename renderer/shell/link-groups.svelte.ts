import { recall, remember, type Keep } from '../lib/keep.ts'
import { LINK_LETTERS, type LinkLetter } from './command.ts'

const LINKS = 'augury.links'
const LINKS_VERSION = 1

/** A time in Unix seconds, and the pane in which the reader pointed at it. */
export interface Crosshair {
  readonly time: number
  readonly pane: string
}

/** A stretch of time in Unix seconds, and the pane whose reader chose it. */
export interface SharedRange {
  readonly from: number
  readonly to: number
  readonly pane: string
}

/** What the panes of each link group have in common. */
export class LinkGroups {
  /** The market of each group. */
  readonly markets = $state<Record<LinkLetter, string | null>>({
    A: null,
    B: null,
    C: null,
    D: null,
  })
  /** Where the crosshair of each group stands; its charts share it. */
  readonly crosshairs = $state<Record<LinkLetter, Crosshair | null>>({
    ...{ A: null, B: null, C: null, D: null },
  })
  /** The stretch of time that charts of a group share, when they were told to. */
  readonly ranges = $state<Record<LinkLetter, SharedRange | null>>({
    ...{ A: null, B: null, C: null, D: null },
  })
  readonly #keep: Keep

  /** Begins with the markets that were kept. */
  constructor(keep: Keep) {
    this.#keep = keep
    const kept = recall(keep, LINKS, LINKS_VERSION, (value) => value)
    for (const letter of LINK_LETTERS) {
      const ticker = kept?.[letter]
      if (typeof ticker === 'string') this.markets[letter] = ticker
    }
  }

  /** Gives a group a market, and keeps it. */
  take(letter: LinkLetter, ticker: string): void {
    this.markets[letter] = ticker
    remember(this.#keep, LINKS, LINKS_VERSION, { ...this.markets })
  }
}
