import type { Feed } from '../../domain/backtest/event-columns.ts'
import type { Column } from '../run-frames.ts'
import {
  knownIn,
  layoutOf,
  marketsIn,
  numbersIn,
  placeRows,
  type BlockLayout,
  type Numbers,
} from './run-columns.ts'
import type { Stretch } from './run-messages.ts'
import type { DealtRows } from './run-order.ts'
import type { RunScratch } from './run-scratch.ts'

/** Rows of one block, at most and at least: powers of two. */
const BLOCK_ROWS = 4_096
const LEAST_BLOCK_ROWS = 128
/** Of all blocks that are being filled. */
const MOST_FILLING_BYTES = 32 * 1024 * 1024
/** Rows that are looked at together: so few that the processor has them near. */
const CHUNK_ROWS = 2_048

/**
 * Deals rows of one feed, as they lie in their table, into the stretches in which they became known, so that a
 * table is read once however many stretches a run has. Rows of a stretch keep the order in which they came.
 */
export class Dealer {
  readonly #layout: BlockLayout
  readonly #stretches: readonly Stretch[]
  readonly #scratch: RunScratch
  /** Place in the query of each market; −1 for those that it does not name. */
  readonly #places: Int32Array
  /** Where the full blocks of each stretch were put. */
  readonly #put: readonly number[][]
  /** Rows in the block of each stretch that is being filled; these blocks lie side by side. */
  readonly #filled: Int32Array
  readonly #rows: Float64Array
  #filling: Numbers
  readonly #placed = {
    ...{ slots: new Int32Array(CHUNK_ROWS), rows: new Int32Array(CHUNK_ROWS) },
    ...{ markets: new Int32Array(CHUNK_ROWS), count: 0 },
  }
  /** The stretch of the last row. */
  #last = 0
  /** The stretch whose block is full; −1 while none is. */
  #full = -1

  /** @param stretches ascending, without one inside another */
  constructor(feed: Feed, stretches: readonly Stretch[], places: Int32Array, scratch: RunScratch) {
    this.#stretches = stretches
    this.#places = places
    this.#scratch = scratch
    this.#put = stretches.map(() => [])
    this.#filled = new Int32Array(stretches.length)
    this.#rows = new Float64Array(stretches.length)
    const fair = MOST_FILLING_BYTES / (stretches.length * layoutOf(feed, 8).bytes * 0.125)
    const rows = 2 ** Math.floor(Math.log2(fair))
    this.#layout = layoutOf(feed, Math.min(BLOCK_ROWS, Math.max(LEAST_BLOCK_ROWS, rows)))
    this.#filling = numbersIn(new ArrayBuffer(stretches.length * this.#layout.bytes))
  }

  /** Deals rows; those known outside of the stretches, or of no market of the query, are passed over. */
  take(columns: readonly Column[], count: number): void {
    const known = knownIn(columns)
    const markets = marketsIn(columns)
    for (let row = 0; row < count;) {
      row = this.#place(known, markets, row, Math.min(count, row + CHUNK_ROWS))
      placeRows(this.#filling, this.#layout, columns, this.#placed)
      if (this.#full !== -1) this.#putDown(this.#full)
      this.#full = -1
    }
  }

  /** Puts down what is left in blocks that are not full. */
  end(): void {
    for (const [place, rows] of this.#filled.entries()) if (rows > 0) this.#putDown(place)
    this.#filling = numbersIn(new ArrayBuffer(0))
  }

  /** How many rows a stretch was dealt. */
  rowsOf(place: number): number {
    return this.#rows[place] ?? 0
  }

  /** Reads the rows of a stretch. @param spare numbers of one that nobody reads any more */
  read(place: number, spare: Numbers | null): DealtRows {
    const put = this.#put[place] ?? []
    const { bytes } = this.#layout
    const isLarge = spare !== null && spare.bytes.length >= put.length * bytes
    const numbers = isLarge ? spare : numbersIn(new ArrayBuffer(put.length * bytes))
    for (const [i, at] of put.entries()) {
      this.#scratch.read(numbers.bytes.subarray(i * bytes, (i + 1) * bytes), at)
    }
    return { layout: this.#layout, numbers, count: this.rowsOf(place) }
  }

  /** Finds the stretches of rows until a block is full or there are no more; answers the row after them. */
  #place(known: Float64Array, markets: Int32Array, row: number, end: number): number {
    const { slots, rows, markets: named } = this.#placed
    const places = this.#places
    const filled = this.#filled
    const blockRows = this.#layout.rows
    let [stretch, from, until, count] = [-1, 0, -1, 0]
    while (row < end && this.#full === -1) {
      const at = known[row] as number
      const stored = markets[row] as number
      const market = stored < places.length ? (places[stored] as number) : -1
      // Neighbours in a table are mostly of one time.
      if (!(at > from && at <= until)) {
        stretch = this.#stretchAt(at)
        ;({ from, until } = this.#stretches[stretch] ?? NO_STRETCH)
      }
      if (market >= 0 && stretch >= 0) {
        const filledTo = filled[stretch] as number
        slots[count] = stretch * blockRows + filledTo
        rows[count] = row
        named[count] = market
        filled[stretch] = filledTo + 1
        count++
        if (filledTo + 1 === blockRows) this.#full = stretch
      }
      row++
    }
    this.#placed.count = count
    return row
  }

  /** The stretch in which a row became known; −1 for none. */
  #stretchAt(known: number): number {
    const stretches = this.#stretches
    for (let place = this.#last; place <= this.#last + 1; place++) {
      const { from, until } = stretches[place] ?? NO_STRETCH
      if (known > from && known <= until) return (this.#last = place)
    }
    let [low, high] = [0, stretches.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((stretches[middle] as Stretch).until < known) low = middle + 1
      else high = middle
    }
    const found = stretches[low]
    if (found === undefined || known <= found.from) return -1
    return (this.#last = low)
  }

  #putDown(place: number): void {
    const { bytes } = this.#layout
    const block = this.#filling.bytes.subarray(place * bytes, (place + 1) * bytes)
    this.#put[place]?.push(this.#scratch.put(block))
    this.#rows[place] = this.rowsOf(place) + (this.#filled[place] as number)
    this.#filled[place] = 0
  }
}

const NO_STRETCH: Stretch = { from: 0, until: -1 }
