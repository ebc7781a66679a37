import type { TradeRows } from './event-columns.ts'

type Stamps = Pick<TradeRows, 'known' | 'ts' | 'market'>
const NO_ROWS: Stamps = {
  known: new Float64Array(),
  ts: new Float64Array(),
  market: new Int32Array(),
}

/** The next row of a kind, while several kinds are merged. */
export class ColumnHead {
  /** When the next row was known; Infinity after the last. */
  known = NaN
  readonly #knownAt: Float64Array
  readonly #ts: Float64Array
  readonly #market: Int32Array
  #row = 0

  constructor(rows: Stamps | null) {
    const { known, ts, market } = rows ?? NO_ROWS
    this.#knownAt = known
    this.#ts = ts
    this.#market = market
    this.known = known.length === 0 ? Infinity : (known[0] as number)
  }

  /** Orders by known time, then venue time, then market; returns false for equal rows. */
  isBefore(other: ColumnHead): boolean {
    if (this.known !== other.known) return this.known < other.known
    if (this.known === Infinity) return false
    const ts = this.#ts[this.#row] as number
    const otherTs = other.#ts[other.#row] as number
    if (ts !== otherTs) return ts < otherTs
    return (this.#market[this.#row] as number) < (other.#market[other.#row] as number)
  }

  /** Returns the number of the current row and moves to the next one. */
  next(): number {
    const row = this.#row++
    this.known = this.#row < this.#knownAt.length ? (this.#knownAt[this.#row] as number) : Infinity
    return row
  }
}
