import { RefusedRow } from './cells.ts'
import { pricePoint } from './imported-events.ts'
import { rowLayout, textRows } from './read-rows.ts'
import type { TableLayout } from './reading.ts'

const SYNTHETIC = 'is_synthetic: made up by the source'
const DIFFERENCE =
  'no yes_price: implied_probability is a difference of neighbouring strikes, not a price'

/**
 * Readings of macro contracts. Only `yes_price` is a price; `implied_probability` of cumulative
 * strikes is a difference of two and goes below 0.
 */
export const macroReadings = rowLayout({
  name: 'kalshi_macro_readings',
  venue: 'venue_a',
  columns: ['timestamp', 'contract_code', 'is_synthetic', 'yes_price', 'implied_probability'],
  rank: 3,
  counted: 'candle_published',
  rowsOf: () => (cells) => {
    const ticker = cells.ticker('contract_code')
    const at = cells.neededTime('timestamp')
    if (cells.flag('is_synthetic') !== false) throw new RefusedRow(SYNTHETIC)
    const price = cells.price('yes_price')
    if (price === null) throw new RefusedRow(DIFFERENCE)
    return [pricePoint('venue_a', ticker, at, price)]
  },
})

/** A table that belongs to recordings of a venue and tells nothing that the history keeps. */
const withoutData = (name: string, columns: readonly string[], what: string): TableLayout => ({
  name,
  venue: 'venue_a',
  columns,
  rank: 4,
  async read(table, reading) {
    let count = 0
    const rows = await textRows(table, [], reading)
    for await (const chunk of rows.yieldRowObjectJs()) count += chunk.length
    reading.tally.refuse(`no market data: ${what}`, count, 1)
  },
})

export const macroActuals = withoutData(
  'kalshi_macro_actuals',
  ['contract_series', 'release_date', 'kalshi_implied_mean', 'actual_value'],
  'published values of economic series',
)

export const macroCalendar = withoutData(
  'kalshi_macro_calendar',
  ['label', 'type', 'event_date', 'market_type', 'notes'],
  'a calendar of economic releases',
)
