import type { Session } from './connections.ts'
import { spansIn, type MarketSpan, type TickKind } from './spans.ts'

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

/** Bounds of arriving rows of each market. */
export async function spansOf(session: Session, arrivals: Arrivals): Promise<MarketSpan[]> {
  const chunks = await session.read(
    `select market::integer, min(ts)::double, max(ts)::double, count(*)::double
       from ${arrivals.from} where ${arrivals.where} group by 1 order by 1`,
    arrivals.values,
  )
  return [...spansIn(chunks)]
}
