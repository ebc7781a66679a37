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
    'start',
    'width',
    'open',
    'high',
    'low',
    'close',
    'volume',
    'bid_close',
    'ask_close',
  ],
  activity: [...STAMP, 'volume', 'volume_24h', 'open_interest', 'last_price'],
}

/**
 * Rows to insert into a sorted table: a relation and a condition in SQL, with their parameters. The
 * SQL comes only from this folder; every value is bound.
 */
export interface Arrivals {
  readonly from: string
  readonly where: string
  /** Row number in the table of arrivals. */
  readonly position: string
  readonly values: Readonly<Record<string, number | string>>
}
