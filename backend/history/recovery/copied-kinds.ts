import { TICK_KINDS, type TickKind } from '../duckdb/spans.ts'

/** One kind of rows that is copied day by day, and how its table is read and filled. */
export interface CopiedKind {
  /** Name of its folder. */
  readonly kind: string
  readonly table: string
  /** What to read: for ticks both the sorted and the recent rows. */
  readonly from: string
  /** The column that decides the day. */
  readonly time: string
  /** Order within a market: that of the readers, ties by arrival. */
  readonly order: string
  /** Columns of `from` that are no columns of the table. */
  readonly extra: readonly string[]
  /** Null unless the rows are ticks, whose tables come with bounds and summaries. */
  readonly tick: TickKind | null
}

const FOLDERS: Readonly<Record<TickKind, string>> = {
  trade: 'trades',
  quote: 'quotes',
  book: 'books',
  candle: 'candles',
  activity: 'activity',
}

const tick = (kind: TickKind): CopiedKind => ({
  kind: FOLDERS[kind],
  table: kind,
  from: `${kind}_all`,
  time: 'ts',
  order: 'ts, lag, part, seq',
  extra: ['part', 'seq'],
  tick: kind,
})

const plain = (kind: string, table: string, time: string, order: string): CopiedKind => ({
  kind,
  table,
  from: table,
  time,
  order,
  extra: [],
  tick: null,
})

/** Everything that a history holds, summaries left out: they follow from the rows. */
export const COPIED_KINDS: readonly CopiedKind[] = [
  plain('facts', 'market_version', 'known_at', 'known_at, seq'),
  ...TICK_KINDS.map(tick),
  plain('changes', 'change_event', 'happened_at', 'happened_at, id'),
  plain('coverage', 'coverage', 'known_at', 'known_at, r.rowid'),
  plain('corrections', 'trade_correction', 'known_at', 'known_at, r.rowid'),
]
