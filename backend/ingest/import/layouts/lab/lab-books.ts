import type { BookLevel, Ticker, Venue } from '../../../../domain/market.ts'
import { venueName } from '../../../../domain/venue.ts'
import type { Millis, SizeE6 } from '../../../../domain/units.ts'
import type { BookChanged } from '../../../../venues/connector.ts'
import { isCrossed } from '../../../../venues/level-book.ts'
import { restingPrice } from '../../../../venues/parsed.ts'
import { bookEvents } from '../../../../venues/book-events.ts'
import { cellsOf, RefusedRow, type Cells } from '../../cells.ts'
import { importFields } from '../../imported-events.ts'
import { labTicker, venueOfPlatform } from './lab-markets.ts'
import { resolveNames, textRows } from '../../read-rows.ts'
import type { Reading, TableLayout } from '../../reading.ts'
import { stageEvents } from '../../staging/stage-events.ts'

const COLUMNS = [
  'platform',
  'platform_market_id',
  'observed_at',
  'side',
  'is_ask',
  'price',
  'size',
] as const
const MIRROR = 'mirror of a level: the bids of one outcome are the asks of the other'

/** A level in YES terms, and the row that stated it. */
interface ReportedLevel extends BookLevel {
  readonly isAsk: boolean
  readonly row: number
}

interface ReportedBook {
  readonly venue: Venue
  readonly ticker: Ticker
  readonly at: Millis
  readonly yes: ReportedLevel[]
  readonly no: ReportedLevel[]
}

/**
 * Order books of both venues, one level per row, every level stated for both outcomes. The YES
 * book is used; a NO row counts only for a level that the YES book lacks.
 */
export const labBooks: TableLayout = {
  name: 'lab_orderbook_levels',
  venue: null,
  columns: [...COLUMNS, 'level_index'],
  rank: 3,
  async read(table, reading) {
    const books = new Map<string, ReportedBook>()
    await resolveNames(table, 'platform_market_id', reading)
    const rows = await textRows(table, COLUMNS, reading)
    for await (const chunk of rows.yieldRowObjectJs()) {
      reading.signal.throwIfAborted()
      for (const row of chunk) {
        try {
          addLevel(books, cellsOf(row), Number(row['#']), reading)
        } catch (error) {
          if (!(error instanceof RefusedRow)) throw error
          reading.tally.refuse(error.message, 1, Number(row['#']))
        }
      }
    }
    await applyBooks([...books.values()], reading)
  },
}

function addLevel(
  books: Map<string, ReportedBook>,
  cells: Cells,
  row: number,
  { named, venue: onlyVenue }: Reading,
): void {
  const venue = venueOfPlatform(cells)
  if (onlyVenue !== null && venue !== onlyVenue)
    throw new RefusedRow(`row belongs to another venue than ${venueName(onlyVenue)}`)
  const ticker = labTicker(cells, venue, (name) => named.get(`venue_b ${name}`) ?? null)
  const at = cells.neededTime('observed_at')
  const side = cells.needed('side')
  if (side !== 'yes' && side !== 'no') throw new RefusedRow('side is neither yes nor no')
  const isAsk = cells.flag('is_ask')
  if (isAsk === null) throw new RefusedRow('is_ask is missing')
  const restingLevel = restingPrice(cells.neededPrice('price'))
  if (restingLevel === null) throw new RefusedRow('price is not a price an order can rest at')
  const size = cells.amount('size')
  if (size === null || size === 0) throw new RefusedRow('size is missing')
  const key = `${venue} ${ticker} ${at}`
  const book = books.get(key) ?? { venue, ticker, at, yes: [], no: [] }
  books.set(key, book)
  if (side === 'yes') book.yes.push({ price: restingLevel, size: size as SizeE6, isAsk, row })
  else {
    const price = (10_000 - restingLevel) as BookLevel['price']
    book.no.push({ price, size: size as SizeE6, isAsk: !isAsk, row })
  }
}

const levelKey = ({ price, isAsk }: ReportedLevel): string => `${isAsk ? 'ask' : 'bid'} ${price}`

async function applyBooks(books: readonly ReportedBook[], reading: Reading): Promise<void> {
  const { tally } = reading
  const changes: { event: BookChanged; levels: number }[] = []
  const quotes = []
  for (const { venue, ticker, at, yes, no } of books) {
    const levels = new Map<string, ReportedLevel>()
    for (const level of [...yes, ...no]) {
      if (levels.has(levelKey(level))) tally.refuse(MIRROR, 1, level.row)
      else levels.set(levelKey(level), level)
    }
    const orderedLevels = [...levels.values()]
    const bids = orderedLevels.filter(({ isAsk }) => !isAsk).sort((a, b) => b.price - a.price)
    const asks = orderedLevels.filter(({ isAsk }) => isAsk).sort((a, b) => a.price - b.price)
    if (isCrossed({ bids, asks })) {
      const first = Math.min(...orderedLevels.map(({ row }) => row))
      tally.refuse('level of a crossed book', orderedLevels.length, first)
      continue
    }
    for (const event of bookEvents({ bids, asks }, importFields(venue, ticker, at))) {
      if (event.type === 'book_changed') changes.push({ event, levels: orderedLevels.length })
      if (event.type === 'quote_changed') quotes.push(event)
    }
  }
  const levels = changes.reduce((sum, book) => sum + book.levels, 0)
  if (reading.dryRun) return tally.addRows(levels)
  await stageEvents('quote_changed', quotes, reading, null)
  await stageEvents(
    'book_changed',
    changes.map(({ event }) => event),
    reading,
    (outcome) => {
      if ('error' in outcome) return tally.settle(outcome)
      // The history counts books, the file counts levels: the levels of a partly known file are
      // divided in proportion.
      const books = outcome.taken + outcome.known
      const rows = books === 0 ? 0 : Math.round((levels * outcome.taken) / books)
      const takenBefore = outcome.takenBefore === undefined ? 0 : rows
      tally.settle({ taken: rows, known: levels - rows, takenBefore })
    },
  )
}
