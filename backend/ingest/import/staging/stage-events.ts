import type { DuckDBAppender } from '@duckdb/node-api'
import type { StagedKind } from '../../../history/history-copies.ts'
import type { MarketId } from '../../../history/market-key.ts'
import type { VenueEvent } from '../../../venues/connector.ts'
import type { Reading } from '../reading.ts'
import { quoteText } from '../reader-database.ts'
import { contentOf } from './staged-content.ts'
import type { Stager } from './stager.ts'

/** Events that are rows of the history; a busted trade is a statement about a row. */
export type TickEvent = Exclude<VenueEvent, { type: 'market_described' | 'trade_busted' }>
type Cell = number | string | boolean | null
type ColumnType = 'integer' | 'bigint' | 'utinyint' | 'varchar' | 'boolean'

interface TickTable<E extends TickEvent> {
  readonly kind: StagedKind
  readonly columns: Readonly<Record<string, ColumnType>>
  readonly cells: (event: E) => readonly Cell[]
}

const IMPORTED = 3
const TAKERS = { yes: 1, no: 2 } as const
const LEVELS = [0, 1, 2, 3, 4]

const bookColumns = Object.fromEntries(
  ['bid', 'ask'].flatMap((side) =>
    LEVELS.flatMap((level): [string, ColumnType][] => [
      [`${side}_price_${level + 1}`, 'integer'],
      [`${side}_size_${level + 1}`, 'bigint'],
    ]),
  ),
)

/** The history's tables that events fill: names and order of their columns. */
const TABLES: { readonly [T in TickEvent['type']]: TickTable<Extract<TickEvent, { type: T }>> } = {
  trade_printed: {
    kind: 'trades',
    columns: {
      trade_id: 'varchar',
      price: 'integer',
      size: 'bigint',
      taker: 'utinyint',
      is_block: 'boolean',
    },
    cells: (event) => [
      event.tradeId,
      event.price,
      event.size,
      event.takerSide === null ? 0 : TAKERS[event.takerSide],
      event.isBlock,
    ],
  },
  quote_changed: {
    kind: 'quotes',
    columns: { bid: 'integer', ask: 'integer', bid_size: 'bigint', ask_size: 'bigint' },
    cells: (event) => [event.bid, event.ask, event.bidSize, event.askSize],
  },
  book_changed: {
    kind: 'books',
    columns: bookColumns,
    cells: ({ bids, asks }) =>
      [bids, asks].flatMap((levels) =>
        LEVELS.flatMap((level) => [levels[level]?.price ?? null, levels[level]?.size ?? null]),
      ),
  },
  candle_published: {
    kind: 'candles',
    columns: {
      start: 'bigint',
      width: 'bigint',
      open: 'integer',
      high: 'integer',
      low: 'integer',
      close: 'integer',
      volume: 'bigint',
      bid_close: 'integer',
      ask_close: 'integer',
    },
    cells: (event) => [
      event.start,
      event.width,
      event.open,
      event.high,
      event.low,
      event.close,
      event.volume,
      event.bidClose,
      event.askClose,
    ],
  },
  activity_reported: {
    kind: 'activity',
    columns: {
      volume: 'bigint',
      volume_24h: 'bigint',
      open_interest: 'bigint',
      last_price: 'integer',
    },
    cells: (event) => [event.volume, event.volume24h, event.openInterest, event.lastPrice],
  },
}

/** Key that is equal for two rows of one kind that are the same row. */
export const keyOf = (event: TickEvent): string =>
  event.type === 'trade_printed'
    ? `${event.ticker} ${event.tradeId}`
    : `${event.ticker} ${event.at}`

/**
 * Stages events of one type; their keys must differ.
 * @param onCounted receives the result for rows that the report counts; null for rows stored beside
 * them
 */
export async function stageEvents<T extends TickEvent['type']>(
  type: T,
  events: readonly Extract<TickEvent, { type: T }>[],
  reading: Reading,
  onCounted: Parameters<Stager['submit']>[1] | null,
): Promise<void> {
  if (events.length === 0) return
  const { staging: db, host, stager, tally } = reading
  const table = TABLES[type]
  const ids = await host.marketIds(events)
  if (onCounted !== null) countMarkets(events, reading)
  const columns = Object.entries({
    market: 'integer',
    ts: 'bigint',
    lag: 'bigint',
    origin: 'utinyint',
    ...table.columns,
  } satisfies Record<string, ColumnType>)
  const columnDefinitions = columns.map(([name, columnType]) => `${name} ${columnType}`)
  await db.run(`create or replace temp table staged (${columnDefinitions.join(', ')})`)
  const appender = await db.createAppender('staged')
  events.forEach((event, index) => {
    const market: MarketId | undefined = ids[index]
    if (market === undefined) return
    const lag = Math.max(0, event.receivedAt - event.at)
    const cells = [market, event.at, lag, IMPORTED, ...table.cells(event)]
    columns.forEach(([, columnType], column) => append(appender, columnType, cells[column] ?? null))
    appender.endRow()
  })
  appender.closeSync()
  const path = stager.nextPath()
  await db.run(
    `copy (from staged order by market, ts) to ${quoteText(path)} (format parquet, compression snappy)`,
  )
  const content = await contentOf(db, table.kind, path)
  const { source, file } = tally
  const stagedFile = {
    kind: table.kind,
    path,
    content,
    source,
    isCounted: onCounted !== null,
    file,
  }
  await stager.submit(stagedFile, (outcome) => {
    if (onCounted !== null) onCounted(outcome)
    else if ('error' in outcome) tally.settle(outcome)
  })
}

function countMarkets(events: readonly TickEvent[], { staged, tally }: Reading): void {
  for (const { venue, ticker, at, receivedAt } of events) {
    const firstKnownAt = receivedAt > at ? receivedAt : at
    staged.add(tally, { venue, name: ticker, rows: 1, firstKnownAt })
  }
}

function append(appender: DuckDBAppender, type: ColumnType, cell: Cell): void {
  if (cell === null) appender.appendNull()
  else if (type === 'varchar') appender.appendVarchar(String(cell))
  else if (type === 'boolean') appender.appendBoolean(Boolean(cell))
  else if (type === 'bigint') appender.appendBigInt(BigInt(cell))
  else if (type === 'utinyint') appender.appendUTinyInt(Number(cell))
  else appender.appendInteger(Number(cell))
}
