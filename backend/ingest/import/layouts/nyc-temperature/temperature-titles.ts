import type { DuckDBConnection } from '@duckdb/node-api'
import type { EventTitle } from '../titles.ts'
import { ROW, type Table } from '../../reader-database.ts'
import type { Reading } from '../../reading.ts'

export const TEMPERATURE_EVENTS = 'kalshi_nyc_temp_events'

/** One row of the events file, parsed when it is complete. */
export interface EventRow {
  readonly eventId: string | null
  readonly title: EventTitle | null
  readonly row: number
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null

/** The rows of a file of events, in its order. */
export async function eventRows(table: Table, db: DuckDBConnection): Promise<EventRow[]> {
  const result = await db.runAndReadAll(
    `select event_ticker::varchar as event, title::varchar as title,
            ${table.columns.has('category') ? 'category::varchar' : 'null::varchar'} as category,
            series_ticker::varchar as series,
            try_cast(mutually_exclusive as boolean) as exclusive, ${ROW}::double as row
       from ${table.from}`,
  )
  return result.getRowObjectsJS().map(({ event, title, category, series, exclusive, row }) => {
    const [eventId, text] = [textOf(event), textOf(title)]
    return {
      eventId,
      row: Number(row),
      title:
        eventId === null || text === null
          ? null
          : {
              eventId,
              title: text,
              category: textOf(category),
              seriesId: textOf(series),
              exclusive: typeof exclusive === 'boolean' ? exclusive : null,
            },
    }
  })
}

/** Titles from the events of the same import, by event. */
export async function eventTitlesOf({
  db,
  tables,
}: Pick<Reading, 'db' | 'tables'>): Promise<Map<string, EventTitle>> {
  const titles = new Map<string, EventTitle>()
  for (const table of tables.get(TEMPERATURE_EVENTS) ?? []) {
    for (const { title } of await eventRows(table, db)) {
      if (title !== null) titles.set(title.eventId, title)
    }
  }
  return titles
}
