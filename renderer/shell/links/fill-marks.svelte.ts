import { SvelteMap } from 'svelte/reactivity'
import type { LinkLetter } from '../commands/command.ts'

/** One fill of a run, as marked on a chart. */
export interface FillMark {
  readonly id: string
  /** Unix seconds. */
  readonly time: number
  readonly at: string
  /** A short label. */
  readonly label: string
  readonly title: string
}

/** Fills of one run by market, the earliest first, and the fill that was opened last. */
export interface MarkedRun {
  readonly run: string
  readonly byTicker: ReadonlyMap<string, readonly FillMark[]>
  readonly opened: FillMark
}

/** The fills that charts of each link group mark: those of the run whose trade was opened. */
export class FillMarks {
  readonly #marked = new SvelteMap<LinkLetter, MarkedRun>()

  mark(letter: LinkLetter, marked: MarkedRun): void {
    this.#marked.set(letter, marked)
  }

  clear(letter: LinkLetter): void {
    this.#marked.delete(letter)
  }

  get(letter: LinkLetter, ticker: string | null): readonly FillMark[] {
    return (ticker === null ? null : this.#marked.get(letter)?.byTicker.get(ticker)) ?? []
  }

  /** The fill that was opened last, if it belongs to this market. */
  opened(letter: LinkLetter, ticker: string | null): FillMark | null {
    const opened = this.#marked.get(letter)?.opened
    return opened !== undefined && this.get(letter, ticker).includes(opened) ? opened : null
  }
}
