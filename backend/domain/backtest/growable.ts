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

/** Columns of one length, named; a row is added with one number a column. */
export class ColumnLog<Name extends string> {
  readonly names: readonly Name[]
  readonly #logs: readonly NumberLog[]

  constructor(names: readonly Name[]) {
    this.names = names
    this.#logs = names.map(() => new NumberLog())
  }

  get length(): number {
    return this.#logs[0]?.length ?? 0
  }

  add(row: Readonly<Record<Name, number>>): void {
    for (let i = 0; i < this.names.length; i++) {
      this.#logs[i]?.push(row[this.names[i] as Name])
    }
  }

  columns(): Record<Name, Float64Array> {
    return Object.fromEntries(
      this.names.map((name, i) => [name, this.#logs[i]?.column() ?? new Float64Array()]),
    ) as Record<Name, Float64Array>
  }
}
