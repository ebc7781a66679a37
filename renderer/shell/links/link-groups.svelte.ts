import { readStored, writeStored, type KeyValueStore } from '../../lib/key-value-store.ts'
import { LINK_LETTERS, type LinkLetter } from '../commands/command.ts'

const LINKS = 'augury.links'
const LINKS_VERSION = 1

/** A time in Unix seconds, and the pane with the user's pointer. */
export interface Crosshair {
  readonly time: number
  readonly pane: string
}

/** A range of time in Unix seconds, and the pane in which the user chose it. */
export interface SharedRange {
  readonly from: number
  readonly to: number
  readonly pane: string
}

/** Shared state of the panes of each link group. */
export class LinkGroups {
  /** The market of each group. */
  readonly markets = $state<Record<LinkLetter, string | null>>({
    A: null,
    B: null,
    C: null,
    D: null,
  })
  /** The market that each group showed before; null at first. */
  readonly previous = $state<Record<LinkLetter, string | null>>({
    A: null,
    B: null,
    C: null,
    D: null,
  })
  /** Crosshair of each group, shared by its charts. */
  readonly crosshairs = $state<Record<LinkLetter, Crosshair | null>>({
    A: null,
    B: null,
    C: null,
    D: null,
  })
  /** Time range shared by the charts of a group, when range sharing is on. */
  readonly ranges = $state<Record<LinkLetter, SharedRange | null>>({
    A: null,
    B: null,
    C: null,
    D: null,
  })
  /** The past instant that the market panes of each group show, in UTC; null for now. */
  readonly instants = $state<Record<LinkLetter, string | null>>({
    A: null,
    B: null,
    C: null,
    D: null,
  })
  readonly #storage: KeyValueStore

  /** Starts with the stored markets. */
  constructor(storage: KeyValueStore) {
    this.#storage = storage
    const stored = readStored(storage, LINKS, LINKS_VERSION, (value) => value)
    for (const letter of LINK_LETTERS) {
      const ticker = stored?.[letter]
      if (typeof ticker === 'string') this.markets[letter] = ticker
    }
  }

  /** Sets the market of a group, and stores it. */
  setTicker(letter: LinkLetter, ticker: string): void {
    if (this.markets[letter] !== ticker) this.previous[letter] = this.markets[letter]
    this.markets[letter] = ticker
    writeStored(this.#storage, LINKS, LINKS_VERSION, { ...this.markets })
  }
}
