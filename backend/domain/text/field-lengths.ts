import { FIELDS, type Field } from './bm25f.ts'

/** Number of terms in each field of each document, and in each field of all counted documents. */
export class FieldLengths {
  /** `FIELDS` numbers per document, by its slot. */
  values: Uint16Array = new Uint16Array(FIELDS * 256)
  readonly totals = new Float64Array(FIELDS)

  /** Starts a document at zero in every field. */
  clear(slot: number): void {
    if ((slot + 1) * FIELDS > this.values.length) {
      const larger = new Uint16Array(this.values.length * 2)
      larger.set(this.values)
      this.values = larger
    }
    this.values.fill(0, slot * FIELDS, (slot + 1) * FIELDS)
  }

  get(slot: number, field: Field): number {
    return this.values[slot * FIELDS + field] ?? 0
  }

  set(slot: number, field: Field, length: number): void {
    this.values[slot * FIELDS + field] = length
  }

  /** Adds a document to the totals, or removes it. */
  addToTotals(slot: number, sign: 1 | -1): void {
    for (let field = 0; field < FIELDS; field++) {
      const length = this.values[slot * FIELDS + field] ?? 0
      this.totals[field] = (this.totals[field] ?? 0) + sign * length
    }
  }

  /** Keeps the given documents under their new numbers. */
  compact(slots: ReadonlyMap<number, number>): void {
    const larger = new Uint16Array(Math.max(256, slots.size * 2) * FIELDS)
    for (const [old, slot] of slots) {
      larger.set(this.values.subarray(old * FIELDS, (old + 1) * FIELDS), slot * FIELDS)
    }
    this.values = larger
  }
}
