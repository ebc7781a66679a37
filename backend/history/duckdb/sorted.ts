import type { Session } from './connections.ts'
import { readDoubles, readIntegers } from './columns.ts'
import type { TickKind } from './spans.ts'

const STAMP = ['market', 'ts', 'lag', 'origin']
const bookLevels = ['bid', 'ask'].flatMap((side) =>
  [1, 2, 3, 4, 5].flatMap((n) => [`${side}_price_${n}`, `${side}_size_${n}`]),
)

/** Columns of the tick tables, in table order. */
export const TICK_COLUMNS: Readonly<Record<TickKind, readonly string[]>> = {
  trade: [...STAMP, 'trade_id', 'price', 'size', 'taker', 'is_block'],
  quote: [...STAMP, 'bid', 'ask', 'bid_size', 'ask_size'],
  book: [...STAMP, ...bookLevels],
  candle: [
    ...STAMP,
    ...['start', 'width', 'open', 'high', 'low', 'close', 'volume', 'bid_close', 'ask_close'],
  ],
  activity: [...STAMP, 'volume', 'volume_24h', 'open_interest', 'last_price'],
}

/**
 * Rows on their way into a sorted table: a relation and a condition in SQL, with their parameters.
 * The texts come from this folder alone; every value is bound.
 */
export interface Arrivals {
  readonly from: string
  readonly where: string
  /** Position of a row among the arrivals. */
  readonly position: string
  readonly values: Readonly<Record<string, number | string>>
}

/** Bounds of arriving rows of one market. */
export interface ArrivedSpan {
  readonly market: number
  readonly first: number
  readonly last: number
  readonly rows: number
}

export async function spansOf(session: Session, arrivals: Arrivals): Promise<ArrivedSpan[]> {
  const spans: ArrivedSpan[] = []
  const chunks = await session.read(
    `select market::integer, min(ts)::double, max(ts)::double, count(*)::double
       from ${arrivals.from} where ${arrivals.where} group by 1 order by 1`,
    arrivals.values,
  )
  for (const chunk of chunks) {
    const market = readIntegers(chunk, 0)
    const [first, last, rows] = [
      readDoubles(chunk, 1),
      readDoubles(chunk, 2),
      readDoubles(chunk, 3),
    ]
    for (let i = 0; i < chunk.rowCount; i++) {
      spans.push({
        market: market[i] ?? -1,
        first: first[i] ?? 0,
        last: last[i] ?? 0,
        rows: rows[i] ?? 0,
      })
    }
  }
  return spans
}
