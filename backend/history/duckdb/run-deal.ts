import type { Feed } from '../../domain/backtest/event-columns.ts'
import { bytesOfRows, copyRows, rowsOn } from './run-columns.ts'
import type { ReadRows } from './run-order.ts'
import type { RunScratch } from './run-scratch.ts'

/** A stretch of a run that is played at once: rows known after `from` and by `until`. */
export interface Stretch {
  readonly from: number
  readonly until: number
}

/** Rows of one block, at most. */
const BLOCK_ROWS = 4_096
const LEAST_BLOCK_ROWS = 128
const READS_AT_ONCE = 8
/** Of all blocks that are being filled. */
const MOST_FILLING_BYTES = 32 * 1024 * 1024

interface Block {
  readonly rows: ReadRows
  readonly bytes: Uint8Array<ArrayBuffer>
}
interface Hand {
  /** Being filled; null where there is none. */
  filling: Block | null
  /** Where the full ones were put and how many rows they hold. */
  readonly put: { readonly at: number; readonly rows: number }[]
  rows: number
}

/**
 * Deals rows of one feed, as they lie in their table, into the stretches in which they became known, so that a
 * table is read once however many stretches a run has. Rows of a stretch keep the order in which they came.
 */
export class Dealer {
  readonly #feed: Feed
  readonly #stretches: readonly Stretch[]
  readonly #scratch: RunScratch
  readonly #hands: readonly Hand[]
  readonly #blockRows: number
  readonly #spare: Block[] = []
  #last = 0

  /** @param stretches ascending, without one inside another */
  constructor(feed: Feed, stretches: readonly Stretch[], scratch: RunScratch) {
    this.#feed = feed
    this.#stretches = stretches
    this.#scratch = scratch
    this.#hands = stretches.map(() => ({ filling: null, put: [], rows: 0 }))
    const fair = Math.floor(MOST_FILLING_BYTES / (stretches.length * bytesOfRows(feed, 1)))
    this.#blockRows = Math.min(BLOCK_ROWS, Math.max(LEAST_BLOCK_ROWS, fair))
  }

  /** Deals all rows; those known outside of the stretches are passed over. */
  take(rows: ReadRows): void {
    const { known } = rows.stamps
    for (let row = 0; row < rows.count;) {
      const place = this.#placeOf(known[row] as number)
      const stretch = this.#stretches[place]
      if (stretch === undefined) {
        row++
        continue
      }
      let end = row + 1
      // Neighbours in a table are mostly of one time.
      while (end < rows.count && isIn(stretch, known[end] as number)) end++
      this.#deal(this.#hands[place] as Hand, rows, row, end)
      row = end
    }
  }

  /** Puts down what is left in blocks that are not full. */
  end(): void {
    for (const hand of this.#hands) if (hand.filling !== null) this.#putDown(hand, hand.filling)
    this.#spare.length = 0
  }

  /** How many rows a stretch was dealt. */
  rowsOf(place: number): number {
    return this.#hands[place]?.rows ?? 0
  }

  /** Reads the rows of a stretch into columns that have room for them. */
  async read(place: number, into: ReadRows): Promise<void> {
    const put = this.#hands[place]?.put ?? []
    for (let first = 0; first < put.length; first += READS_AT_ONCE) {
      const some = put.slice(first, first + READS_AT_ONCE)
      const blocks = some.map(() => this.#block())
      await Promise.all(some.map(({ at }, i) => this.#scratch.read((blocks[i] as Block).bytes, at)))
      for (const [i, { rows }] of some.entries()) {
        const block = blocks[i] as Block
        copyRows(this.#feed, block.rows, 0, rows, into)
        this.#spare.push(block)
      }
    }
  }

  #placeOf(known: number): number {
    const stretches = this.#stretches
    const last = stretches[this.#last]
    if (last !== undefined && isIn(last, known)) return this.#last
    let [low, high] = [0, stretches.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((stretches[middle] as Stretch).until < known) low = middle + 1
      else high = middle
    }
    const found = stretches[low]
    if (found === undefined || !isIn(found, known)) return -1
    this.#last = low
    return low
  }

  #deal(hand: Hand, rows: ReadRows, from: number, end: number): void {
    while (from < end) {
      const block = (hand.filling ??= this.#block())
      const taken = Math.min(end - from, this.#blockRows - block.rows.count)
      copyRows(this.#feed, rows, from, from + taken, block.rows)
      from += taken
      if (block.rows.count === this.#blockRows) this.#putDown(hand, block)
    }
  }

  #putDown(hand: Hand, block: Block): void {
    hand.filling = null
    const rows = block.rows.count
    const at = this.#scratch.put(block.bytes, () => {
      block.rows.count = 0
      this.#spare.push(block)
    })
    hand.put.push({ at, rows })
    hand.rows += rows
  }

  #block(): Block {
    const spare = this.#spare.pop()
    if (spare !== undefined) return spare
    const buffer = new ArrayBuffer(bytesOfRows(this.#feed, this.#blockRows))
    return { rows: rowsOn(this.#feed, this.#blockRows, buffer), bytes: new Uint8Array(buffer) }
  }
}

const isIn = ({ from, until }: Stretch, known: number): boolean => known > from && known <= until
