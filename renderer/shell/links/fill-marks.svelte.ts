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
  readonly fill: FillMark
}

/** The fills that charts of each link group mark: those of the run whose trade was opened. */
export class FillMarks {
  readonly #runs = new SvelteMap<LinkLetter, MarkedRun>()

  setRun(letter: LinkLetter, run: MarkedRun): void {
    this.#runs.set(letter, run)
  }

  clear(letter: LinkLetter): void {
    this.#runs.delete(letter)
  }

  get(letter: LinkLetter, ticker: string | null): readonly FillMark[] {
    return (ticker === null ? null : this.#runs.get(letter)?.byTicker.get(ticker)) ?? []
  }

  /** The fill that was opened last, if it belongs to this market. */
  fillOf(letter: LinkLetter, ticker: string | null): FillMark | null {
    const openedFill = this.#runs.get(letter)?.fill
    return openedFill !== undefined && this.get(letter, ticker).includes(openedFill)
      ? openedFill
      : null
  }
}
