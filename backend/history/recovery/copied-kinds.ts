import { VENUES } from '../../domain/market.ts'
import { TICK_KINDS, type TickKind } from '../duckdb/ticks/spans.ts'

/** One kind of rows that is copied day by day, and how its table is read and filled. */
export interface BackupTable {
  /** Name of its folder. */
  readonly kind: string
  readonly table: string
  /** The relation to read: for ticks both the sorted and the recent rows. */
  readonly from: string
  /** The column that decides the day. */
  readonly time: string
  /** Order within a market: that of the readers, ties by arrival. */
  readonly order: string
  /** Columns of `from` that the table does not have. */
  readonly extra: readonly string[]
  /** Owner of the rows: a market, a venue with an optional market, or none. */
  readonly owner: 'market' | 'venue' | 'world'
  /** Rows that expire: their days are not copied, only backed up. */
  readonly isThinned: boolean
  /** Null unless the rows are ticks, whose tables have bounds and summaries. */
  readonly tick: TickKind | null
}

const FOLDERS: Readonly<Record<TickKind, string>> = {
  trade: 'trades',
  quote: 'quotes',
  book: 'books',
  candle: 'candles',
  activity: 'activity',
}

const tick = (kind: TickKind): BackupTable => ({
  kind: FOLDERS[kind],
  table: kind,
  from: `${kind}_all`,
  time: 'ts',
  order: 'ts, lag, part, seq',
  extra: ['part', 'seq'],
  owner: 'market',
  isThinned: false,
  tick: kind,
})

const wholeTableKind = (kind: string, table: string, time: string, order: string): BackupTable => ({
  kind,
  table,
  from: table,
  time,
  order,
  extra: [],
  owner: 'market',
  isThinned: false,
  tick: null,
})

const worldTable = (kind: string, table: string, order: string): BackupTable => ({
  ...wholeTableKind(kind, table, 'computed_at', order),
  owner: 'world',
})

/** Placeholder venue of rows without one. */
export const NO_VENUE = 'all'

/** The venues of a kind's files. */
export const venuesOf = ({ owner }: BackupTable): readonly string[] =>
  owner === 'world' ? [NO_VENUE] : VENUES

/** The venue of a row of `from`, in SQL. */
export const venueIn = ({ owner }: BackupTable, from: string): string => {
  if (owner === 'world') return `'${NO_VENUE}'`
  return owner === 'venue'
    ? `${from}.venue`
    : `(select venue from market where id = ${from}.market)`
}

/** All stored kinds except summaries, which are derived from the rows. */
export const BACKUP_TABLES: readonly BackupTable[] = [
  wholeTableKind('facts', 'market_version', 'known_at', 'known_at, seq'),
  ...TICK_KINDS.map(tick),
  wholeTableKind('changes', 'change_event', 'happened_at', 'happened_at, id'),
  { ...wholeTableKind('coverage', 'coverage', 'known_at', 'known_at, r.rowid'), owner: 'venue' },
  wholeTableKind('corrections', 'trade_correction', 'known_at', 'known_at, r.rowid'),
  wholeTableKind('regimes', 'regime_label', 'computed_at', 'computed_at'),
  worldTable('indices', 'index_reading', 'computed_at, scope'),
  worldTable('judgements', 'judgement', 'computed_at, kind, id'),
  {
    ...wholeTableKind('served', 'context_served', 'served_at', 'served_at, r.rowid'),
    owner: 'world',
  },
  { ...worldTable('snapshots', 'world_snapshot', 'computed_at, region'), isThinned: true },
]
