import type { Ticker, Venue } from '../../domain/market.ts'
import type { VenueEvent } from '../../venues/connector.ts'
import { cellsOf, RefusedRow, type Cells } from './cells.ts'
import { ROW, type Table } from './reader-database.ts'
import type { Reading, TableLayout } from './reading.ts'
import type { CountedEvent } from './recording.ts'
import { createEventCollector } from './staging/collect-events.ts'

const ROWS_PER_FLUSH = 50_000
const NAMES_PER_REQUEST = 100_000

/** Ticker of a market by another name the venue uses for it, or null. */
export type TickerNamed = (name: string) => Ticker | null
/** Events of one row, or none of the counted type; a `RefusedRow` is thrown for a bad one. */
export type RowReader = (cells: Cells, tickerNamed: TickerNamed) => readonly VenueEvent[]

/**
 * A table small enough to be read row by row, with every cell as text whatever the file's format.
 */
export interface RowLayout {
  readonly name: string
  readonly venue: Venue | null
  /** Columns that a file must have to match. */
  readonly columns: readonly string[]
  /** Columns that are read when the file has them. */
  readonly optional?: readonly string[]
  readonly rank: number
  readonly counted: CountedEvent
  /** Column with another name of a market of venue_b, when the file has no condition id. */
  readonly alias?: string
  /** Reader of one file's rows, in the order of the file. */
  readonly rowsOf: (table: Table, reading: Reading) => Promise<RowReader> | RowReader
}

export const rowLayout = (layout: RowLayout): TableLayout => ({
  name: layout.name,
  venue: layout.venue,
  columns: layout.columns,
  rank: layout.rank,
  read: (table, reading) => readRows(layout, table, reading),
})

/** The cells of a table as text, with the number of each row in `row`. */
export const textRows = async (
  table: Table,
  columns: readonly string[],
  { db }: Pick<Reading, 'db'>,
) => {
  const texts = columns
    .filter((column) => table.columns.has(column))
    .map((column) => `"${column}"::varchar as "${column}"`)
  return db.stream(`select ${[...texts, `${ROW}::double as "#"`].join(', ')} from ${table.from}`)
}

async function readRows(layout: RowLayout, table: Table, reading: Reading): Promise<void> {
  const { alias, counted, columns, optional = [] } = layout
  const { tally, signal } = reading
  const read = await layout.rowsOf(table, reading)
  const collector = createEventCollector(counted, reading)
  if (alias !== undefined) await resolveNames(table, alias, reading)
  const rows = await textRows(table, [...columns, ...optional], reading)
  for await (const chunk of rows.yieldRowObjectJs()) {
    signal.throwIfAborted()
    const tickerNamed: TickerNamed = (name) => reading.named.get(`venue_b ${name}`) ?? null
    for (const row of chunk) {
      const number = Number(row['#'])
      try {
        collector.add(read(cellsOf(row), tickerNamed), number)
      } catch (error) {
        if (!(error instanceof RefusedRow)) throw error
        tally.refuse(error.message, 1, number)
      }
    }
    if (collector.pending >= ROWS_PER_FLUSH) await collector.flush()
  }
  await collector.finish()
}

/** Looks up the names in a column that were not looked up before. */
export async function resolveNames(table: Table, column: string, reading: Reading): Promise<void> {
  const { db, named, host } = reading
  const result = await db.runAndReadAll(
    `select distinct "${column}"::varchar as name from ${table.from} where "${column}" is not null`,
  )
  const names = result
    .getRowObjectsJS()
    .flatMap(({ name }) => (typeof name === 'string' ? [name] : []))
    .filter((name) => !named.has(`venue_b ${name}`))
  for (let start = 0; start < names.length; start += NAMES_PER_REQUEST) {
    const pageNames = names.slice(start, start + NAMES_PER_REQUEST)
    const tickers = await host.tickersByName('venue_b', pageNames)
    pageNames.forEach((name, index) => named.set(`venue_b ${name}`, tickers[index] ?? null))
  }
}
