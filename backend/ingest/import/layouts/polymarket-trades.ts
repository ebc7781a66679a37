import { canonicalTicker } from '../../../domain/market.ts'
import type { Millis } from '../../../domain/units.ts'
import { parseDataTradesPage, type Ordinals } from '../../../venues/venue-b/parse-tape.ts'
import { RefusedRow } from '../cells.ts'
import { marketDescribed, plainFacts } from '../imported-events.ts'
import { rowLayout } from '../read-rows.ts'

const FAR_FUTURE = 8_000_000_000_000_000 as Millis
const COLUMNS = [
  'side',
  'asset',
  'conditionId',
  'size',
  'price',
  'timestamp',
  'outcomeIndex',
  'transactionHash',
]

/** Rows of venue_b's trade tape as a table; each also names its market. */
export const polymarketTrades = rowLayout({
  name: 'polymarket_trades',
  venue: 'venue_b',
  columns: COLUMNS,
  optional: ['title', 'slug', 'eventSlug'],
  rank: 3,
  counted: 'trade_printed',
  rowsOf() {
    const ordinals: Ordinals = new Map()
    return (cells) => {
      const wire = Object.fromEntries(COLUMNS.map((column) => [column, cells.text(column)]))
      const { events, skipped } = parseDataTradesPage(
        [wire],
        { origin: 'imported', receivedAt: FAR_FUTURE },
        () => null,
        ordinals,
      )
      const [trade] = events
      if (trade === undefined) {
        throw new RefusedRow(Object.keys(skipped)[0] ?? 'row holds no usable data')
      }
      const title = cells.text('title')
      const slug = cells.text('slug')
      if (title === null) return [trade]
      const ticker = canonicalTicker(cells.needed('conditionId'))
      const facts = plainFacts('venue_b', ticker, title, {
        eventId: cells.text('eventSlug') ?? ticker,
        aliases: slug === null ? [] : [slug],
      })
      return [trade, marketDescribed(facts, trade.at)]
    }
  },
})
