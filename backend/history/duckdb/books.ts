import type { BookLevel, OrderBook } from '../../domain/market.ts'
import type { Millis, PriceE4, SizeE6 } from '../../domain/units.ts'
import type { MarketId } from '../history-store.ts'
import { readDoubles, readIntegers } from './columns.ts'
import type { Session } from './connections.ts'
import { windowsBack, type Spans } from './spans.ts'

const LEVELS = [1, 2, 3, 4, 5]
const levelColumns = (side: string): string =>
  LEVELS.map(
    (n) => `coalesce(${side}_price_${n}, -1), coalesce(${side}_size_${n}::double, 0)`,
  ).join(', ')

const NEWEST_BOOK = `
  select ts::double, ${levelColumns('bid')}, ${levelColumns('ask')}
    from book_all
   where market = $market::integer and ts between $from and $to and ts <= $asOf and ts + lag <= $asOf
   order by ts desc, lag desc, part desc, seq desc limit 1`

const FIRST_WINDOW = 3_600_000

/** The newest stored book known at `asOf`, five levels a side, or null. */
export async function bookOf(
  session: Session,
  spans: Spans,
  market: MarketId,
  asOf: Millis,
): Promise<{ book: OrderBook; ts: Millis } | null> {
  const span = spans.of('book', market)
  if (span === null) return null
  for (const { from, to } of windowsBack(span, asOf, FIRST_WINDOW)) {
    const [chunk] = await session.read(NEWEST_BOOK, { market, asOf, from, to })
    if (chunk === undefined || chunk.rowCount === 0) continue
    const side = (firstColumn: number): BookLevel[] =>
      LEVELS.map((_, level) => ({
        price: readIntegers(chunk, firstColumn + 2 * level)[0] as PriceE4,
        size: readDoubles(chunk, firstColumn + 2 * level + 1)[0] as SizeE6,
      })).filter((level) => level.price >= 0)
    return {
      book: { bids: side(1), asks: side(1 + 2 * LEVELS.length) },
      ts: readDoubles(chunk, 0)[0] as Millis,
    }
  }
  return null
}
