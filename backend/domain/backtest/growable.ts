/** Numbers that are only ever added; one buffer that doubles, so that a log costs little. */
export class NumberLog {
  #values = new Float64Array(256)
  #count = 0

  get length(): number {
    return this.#count
  }

  push(value: number): void {
    if (this.#count === this.#values.length) {
      const wider = new Float64Array(this.#values.length * 2)
      wider.set(this.#values)
      this.#values = wider
    }
    this.#values[this.#count++] = value
  }

  at(index: number): number {
    return this.#values[index] ?? NaN
  }

  /** What was added, as a column of its own. */
  column(): Float64Array {
    return this.#values.slice(0, this.#count)
  }
}

/** Columns of one length, named; a row is added with one number a column, in the order of the names. */
export class ColumnLog<Name extends string> {
  readonly names: readonly Name[]
  /** Row after row. */
  readonly #values = new NumberLog()

  constructor(names: readonly Name[]) {
    this.names = names
  }

  get length(): number {
    return this.#values.length / this.names.length
  }

  /** Adds one number; a row is as many as there are names. */
  push(value: number): void {
    this.#values.push(value)
  }

  add(row: Readonly<Record<Name, number>>): void {
    for (const name of this.names) this.#values.push(row[name])
  }

  columns(): Record<Name, Float64Array> {
    return Object.fromEntries(
      this.names.map((name, place) => [name, this.#column(place)]),
    ) as Record<Name, Float64Array>
  }

  #column(place: number): Float64Array {
    const width = this.names.length
    const column = new Float64Array(this.length)
    for (let row = 0; row < column.length; row++) {
      column[row] = this.#values.at(row * width + place)
    }
    return column
  }
}
