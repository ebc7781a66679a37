import type { DuckDBDataChunk } from '@duckdb/node-api'
import type { BookLevel } from '../../../domain/market.ts'
import type { Millis, PriceE4, SizeE6 } from '../../../domain/units.ts'
import type { MarketId } from '../../market-key.ts'
import type { HistoryStore } from '../../history-store.ts'
import type { BookBarRow, StoredBook } from '../../market-rows.ts'
import { readDoubles, readIntegers } from '../engine/columns.ts'
import type { Session } from '../engine/connections.ts'
import { windowsBack, type Spans } from './spans.ts'

const LEVELS = [1, 2, 3, 4, 5]
const levelColumns = (side: string): string =>
  LEVELS.map(
    (n) => `coalesce(${side}_price_${n}, -1), coalesce(${side}_size_${n}::double, 0)`,
  ).join(', ')

/** The newest book of each market, for `one` or `many` of them. */
const newestBooks = (count: 'one' | 'many'): string => `
  select market, ts::double, ${levelColumns('bid')}, ${levelColumns('ask')}
    from book_all
   where market ${count === 'one' ? '= $market::integer' : 'in (select unnest($markets))'}
     and ts between $from and $to and ts <= $asOf and ts + lag <= $asOf
 qualify row_number() over (
           partition by market order by ts desc, lag desc, part desc, seq desc) = 1`

/** The newest book of each bar. */
const BOOK_BARS = `
  select market, (ts // $width * $width)::double as start, ${levelColumns('bid')}, ${levelColumns('ask')}
    from book_all
   where market = $market::integer and ts between $from and $to and ts <= $asOf and ts + lag <= $asOf
 qualify row_number() over (
           partition by ts // $width order by ts desc, lag desc, part desc, seq desc) = 1
   order by start`

const FIRST_WINDOW = 3_600_000

/**
 * The newest stored books known at `asOf`, five levels per side; a market without one is omitted.
 */
export async function booksOf(
  session: Session,
  spans: Spans,
  markets: readonly MarketId[],
  asOf: Millis,
): Promise<Map<MarketId, StoredBook>> {
  const booksByMarket = new Map<MarketId, StoredBook>()
  const marketsWithBooks = markets.filter((market) => spans.get('book', market) !== null)
  for (const { from, to } of windowsBack(
    spans.spanOf('book', marketsWithBooks),
    asOf,
    FIRST_WINDOW,
  )) {
    const missing = marketsWithBooks.filter((market) => !booksByMarket.has(market))
    const [marketId] = missing
    if (marketId === undefined) break
    const window = { asOf, from, to }
    const chunks =
      missing.length === 1
        ? await session.read(newestBooks('one'), { ...window, market: marketId })
        : await session.read(newestBooks('many'), { ...window, markets: missing })
    for (const [market, book] of chunks.flatMap(booksIn)) booksByMarket.set(market, book)
  }
  return booksByMarket
}

/** The newest `limit` bars with a book, oldest first; see the port. */
export async function bookBarsOf(
  session: Session,
  spans: Spans,
  { market, width, asOf, limit }: Parameters<HistoryStore['bookBars']>[0],
): Promise<BookBarRow[]> {
  const span = spans.get('book', market)
  if (span === null || limit <= 0) return []
  let bookBars: BookBarRow[] = []
  for (const { from, to } of windowsBack(span, asOf, limit * width, width)) {
    const chunks = await session.read(BOOK_BARS, { market, width, asOf, from, to })
    const rows = chunks.flatMap(booksIn).map(([, { book, ts }]) => ({ start: ts, book }))
    bookBars = [...rows, ...bookBars]
    if (bookBars.length >= limit) break
  }
  return bookBars.slice(-limit)
}

function booksIn(chunk: DuckDBDataChunk): [MarketId, StoredBook][] {
  const [market, ts] = [readIntegers(chunk, 0), readDoubles(chunk, 1)]
  const levels = (firstColumn: number) =>
    LEVELS.map((_, level) => ({
      price: readIntegers(chunk, firstColumn + 2 * level),
      size: readDoubles(chunk, firstColumn + 2 * level + 1),
    }))
  const [bids, asks] = [levels(2), levels(2 + 2 * LEVELS.length)]
  const sideOf = (side: typeof bids, row: number): BookLevel[] =>
    side
      .map(({ price, size }) => ({ price: price[row] as PriceE4, size: size[row] as SizeE6 }))
      .filter((level) => level.price >= 0)
  return Array.from({ length: chunk.rowCount }, (_, row) => [
    market[row] ?? -1,
    { book: { bids: sideOf(bids, row), asks: sideOf(asks, row) }, ts: ts[row] as Millis },
  ])
}
