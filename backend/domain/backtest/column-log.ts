/**
 * Rows of a log's first chunk, and of its largest. A small log stays small and a long one is never
 * copied.
 */
const MIN_CAPACITY = 32
const MAX_CAPACITY = 8_192

/** Rows of a log, column after column. */
interface Piece {
  readonly numbers: Float64Array
  readonly capacity: number
}

/**
 * Named columns of equal length. A row is added with one number per column, in the order of the
 * names.
 */
export class ColumnLog<Name extends string> {
  readonly names: readonly Name[]
  readonly #full: Piece[] = []
  #piece: Float64Array
  /** Rows that the current chunk has room for, and rows that were started. */
  #capacity = MIN_CAPACITY
  #rows = 0
  /** Index of the row's next number. */
  #next = 0

  constructor(names: readonly Name[]) {
    this.names = names
    this.#piece = new Float64Array(this.#capacity * names.length)
  }

  /** Number of rows. */
  get length(): number {
    return this.#full.reduce((sum, { capacity: room }) => sum + room, this.#rows)
  }

  /** Starts a row. Call `push` once for each name afterwards. */
  begin(): void {
    if (this.#rows === this.#capacity) this.#grow()
    this.#next = this.#rows++
  }

  /** Adds the next number of the current row. */
  push(value: number): void {
    this.#piece[this.#next] = value
    this.#next += this.#capacity
  }

  add(row: Readonly<Record<Name, number>>): void {
    this.begin()
    for (const name of this.names) this.push(row[name])
  }

  columns(): Record<Name, Float64Array> {
    return Object.fromEntries(
      this.names.map((name, index) => [name, this.#column(index)]),
    ) as Record<Name, Float64Array>
  }

  #grow(): void {
    this.#full.push({ numbers: this.#piece, capacity: this.#capacity })
    this.#capacity = Math.min(MAX_CAPACITY, this.#capacity * 2)
    this.#piece = new Float64Array(this.#capacity * this.names.length)
    this.#rows = 0
  }

  #column(index: number): Float64Array {
    const column = new Float64Array(this.length)
    let row = 0
    for (const { numbers, capacity: room } of this.#full) {
      column.set(numbers.subarray(index * room, (index + 1) * room), row)
      row += room
    }
    const from = index * this.#capacity
    column.set(this.#piece.subarray(from, from + this.#rows), row)
    return column
  }
}
