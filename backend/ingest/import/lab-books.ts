import type { BookLevel, Ticker, Venue } from '../../domain/market.ts'
import type { Millis, SizeE6 } from '../../domain/units.ts'
import type { BookChanged } from '../../venues/connector.ts'
import { isCrossed } from '../../venues/level-book.ts'
import { restingPrice } from '../../venues/parsed.ts'
import { bookEvents } from '../../venues/book-events.ts'
import { cellsOf, RefusedRow, type Cells } from './cells.ts'
import { importedAt } from './imported-events.ts'
import { labTicker, venueOfPlatform } from './lab-markets.ts'
import { learnNames, textRows } from './read-rows.ts'
import type { Reading, TableLayout } from './reading.ts'
import { stageEvents } from './stage-events.ts'

const COLUMNS = [
  ...['platform', 'platform_market_id', 'observed_at', 'side', 'is_ask', 'price', 'size'],
] as const
const MIRROR = 'mirror of a level: the bids of one outcome are the asks of the other'

/** A level in YES terms, and the row that told it. */
interface Told extends BookLevel {
  readonly isAsk: boolean
  readonly row: number
}

interface ToldBook {
  readonly venue: Venue
  readonly ticker: Ticker
  readonly at: Millis
  readonly yes: Told[]
  readonly no: Told[]
}

/**
 * Order books of both venues, a level a row, every level told for both outcomes. The book of YES is
 * taken; a row of NO counts only where it tells a level that YES lacks.
 */
export const labBooks: TableLayout = {
  name: 'lab_orderbook_levels',
  venue: null,
  columns: [...COLUMNS, 'level_index'],
  rank: 3,
  async read(table, reading) {
    const books = new Map<string, ToldBook>()
    await learnNames(table, 'platform_market_id', reading)
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
    await takeBooks([...books.values()], reading)
  },
}

function addLevel(
  books: Map<string, ToldBook>,
  cells: Cells,
  row: number,
  { named, venue: only }: Reading,
): void {
  const venue = venueOfPlatform(cells)
  if (only !== null && venue !== only) throw new RefusedRow(`row is not of ${only}`)
  const ticker = labTicker(cells, venue, (name) => named.get(`venue_b ${name}`) ?? null)
  const at = cells.neededTime('observed_at')
  const side = cells.needed('side')
  if (side !== 'yes' && side !== 'no') throw new RefusedRow('side is neither yes nor no')
  const isAsk = cells.flag('is_ask')
  if (isAsk === null) throw new RefusedRow('is_ask is missing')
  const told = restingPrice(cells.neededPrice('price'))
  if (told === null) throw new RefusedRow('price is no resting price')
  const size = cells.amount('size')
  if (size === null || size === 0) throw new RefusedRow('size is missing')
  const key = `${venue} ${ticker} ${at}`
  const book = books.get(key) ?? { venue, ticker, at, yes: [], no: [] }
  books.set(key, book)
  if (side === 'yes') book.yes.push({ price: told, size: size as SizeE6, isAsk, row })
  else {
    const price = (10_000 - told) as BookLevel['price']
    book.no.push({ price, size: size as SizeE6, isAsk: !isAsk, row })
  }
}

const placeOf = ({ price, isAsk }: Told): string => `${isAsk ? 'ask' : 'bid'} ${price}`

async function takeBooks(books: readonly ToldBook[], reading: Reading): Promise<void> {
  const { tally } = reading
  const taken: { event: BookChanged; levels: number }[] = []
  const quotes = []
  for (const { venue, ticker, at, yes, no } of books) {
    const levels = new Map<string, Told>()
    for (const level of [...yes, ...no]) {
      if (levels.has(placeOf(level))) tally.refuse(MIRROR, 1, level.row)
      else levels.set(placeOf(level), level)
    }
    const told = [...levels.values()]
    const bids = told.filter(({ isAsk }) => !isAsk).sort((a, b) => b.price - a.price)
    const asks = told.filter(({ isAsk }) => isAsk).sort((a, b) => a.price - b.price)
    if (isCrossed({ bids, asks })) {
      const first = Math.min(...told.map(({ row }) => row))
      tally.refuse('level of a crossed book', told.length, first)
      continue
    }
    for (const event of bookEvents({ bids, asks }, importedAt(venue, ticker, at))) {
      if (event.type === 'book_changed') taken.push({ event, levels: told.length })
      if (event.type === 'quote_changed') quotes.push(event)
    }
  }
  const levels = taken.reduce((sum, book) => sum + book.levels, 0)
  if (reading.dryRun) return tally.take(levels)
  await stageEvents('quote_changed', quotes, reading, (outcome) => {
    if ('error' in outcome) tally.settle(outcome)
  })
  await stageEvents(
    'book_changed',
    taken.map(({ event }) => event),
    reading,
    (outcome) => {
      if ('error' in outcome) return tally.settle(outcome)
      // The history counts books, the file levels: those of a partly known file are shared out.
      const books = outcome.taken + outcome.known
      const rows = books === 0 ? 0 : Math.round((levels * outcome.taken) / books)
      tally.settle({ taken: rows, known: levels - rows })
    },
  )
}
