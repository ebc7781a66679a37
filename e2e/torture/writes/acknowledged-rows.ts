import { TABLES, type StoredRow, type Table } from './rows.store.ts'

/** State of a row's removal; one whose response a kill interrupted may have happened or not. */
type Removal = 'none' | 'requested' | 'acknowledged'

/** Tables whose rows are deleted when they are removed. */
const DELETED: ReadonlySet<Table> = new Set(['panel'])

/** The rows that the service acknowledged, and their state afterwards. */
export class AcknowledgedRows {
  readonly #rows = new Map(TABLES.map((table) => [table, new Map<string, Removal>()]))
  #sameIds = 0

  /** Ids that were acknowledged for two writes. */
  get sameIds(): number {
    return this.#sameIds
  }

  get added(): number {
    return this.#sum(() => true)
  }

  get removed(): number {
    return this.#sum((removal) => removal === 'acknowledged')
  }

  /** @param isRepeated the same write was sent before, so that its row may be known */
  add(table: Table, id: string, isRepeated: boolean): void {
    const rows = this.#of(table)
    if (rows.has(id) && !isRepeated) this.#sameIds += 1
    if (!rows.has(id)) rows.set(id, 'none')
  }

  /** Records the removal of a row that may be known. */
  removal(table: Table, id: string, removal: Exclude<Removal, 'none'>): void {
    if (this.#of(table).has(id)) this.#of(table).set(id, removal)
  }

  /** Counts acknowledged writes that are not stored, and rows that are stored twice. */
  verify(stored: ReadonlyMap<Table, readonly StoredRow[]>): { lost: number; doubled: number } {
    const verdict = { lost: 0, doubled: 0 }
    for (const table of TABLES) {
      const rows = stored.get(table) ?? []
      const names = rows.flatMap(({ name }) => (name?.startsWith('write-') ? [name] : []))
      verdict.doubled += rows.length - new Set(rows.map(({ id }) => id)).size
      verdict.doubled += names.length - new Set(names).size
      const byId = new Map(rows.map((row) => [row.id, row]))
      for (const [id, removal] of this.#of(table)) {
        if (!isAsAcknowledged(table, byId.get(id), removal)) verdict.lost += 1
      }
    }
    return verdict
  }

  #of(table: Table): Map<string, Removal> {
    const rows = this.#rows.get(table)
    if (rows === undefined) throw new RangeError(`no table ${table}`)
    return rows
  }

  #sum(isCounted: (removal: Removal) => boolean): number {
    const all = [...this.#rows.values()].flatMap((rows) => [...rows.values()])
    return all.filter(isCounted).length
  }
}

function isAsAcknowledged(table: Table, row: StoredRow | undefined, removal: Removal): boolean {
  if (removal === 'requested') return row !== undefined || DELETED.has(table)
  if (row === undefined) return removal === 'acknowledged' && DELETED.has(table)
  return row.isRemoved === (removal === 'acknowledged')
}
