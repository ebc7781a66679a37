import type { CopiedKind, CopyQuery, StagedKind } from '../history-store.ts'
import type { Session } from './connections.ts'
import { CORRECTED_TRADES, type Corrections } from './corrections.ts'
import type { TickKind } from './spans.ts'

const STAMP = `venue, ticker, ts as ts_ms, ts + lag as known_at_ms,
  ['live', 'polled', 'backfilled', 'imported'][origin::integer + 1] as origin`

const levels = ['bid', 'ask'].flatMap((side) =>
  [1, 2, 3, 4, 5].flatMap((n) => [
    `${side}_price_${n} as ${side}_${n}_e4`,
    `${side}_size_${n} as ${side}_${n}_size_e6`,
  ]),
)

interface Copied {
  readonly table: TickKind
  readonly columns: readonly string[]
  /** Order of rows of one instant; arrival where it decides which of them counts. */
  readonly ties: string
}

const ARRIVAL = 'lag, part, seq'
const COPIED: Readonly<Record<StagedKind, Copied>> = {
  trades: {
    table: 'trade',
    columns: [
      'trade_id',
      'price as price_e4',
      'size as size_e6',
      "case taker when 1 then 'yes' when 2 then 'no' end as taker_side",
      'is_block',
    ],
    ties: 'lag, trade_id',
  },
  quotes: {
    table: 'quote',
    columns: [
      ...['bid as bid_e4', 'bid_size as bid_size_e6', 'ask as ask_e4', 'ask_size as ask_size_e6'],
    ],
    ties: ARRIVAL,
  },
  books: { table: 'book', columns: levels, ties: ARRIVAL },
  candles: {
    table: 'candle',
    columns: [
      ...['start as start_ms', 'width as width_ms', 'open as open_e4', 'high as high_e4'],
      ...['low as low_e4', 'close as close_e4', 'volume as volume_e6'],
      ...['bid_close as bid_close_e4', 'ask_close as ask_close_e4'],
    ],
    ties: ARRIVAL,
  },
  activity: {
    table: 'activity',
    columns: [
      ...['volume as volume_e6', 'volume_24h as volume_24h_e6'],
      ...['open_interest as open_interest_e6', 'last_price as last_price_e4'],
    ],
    ties: ARRIVAL,
  },
}

/** Markets in the order of the file, so that millions of rows are not sorted by their names. */
const PLACED = `(select id, venue, ticker, row_number() over (order by venue, ticker) as place
  from market) as placed`

const listed = (query: CopyQuery): string =>
  query.markets === null ? '' : 'and market in (select unnest($markets))'

function ticksSql(kind: StagedKind, query: CopyQuery, isCorrected: boolean): string {
  const { table, columns, ties } = COPIED[kind]
  const from = isCorrected ? CORRECTED_TRADES : `${table}_all`
  return `
    select ${STAMP}, ${columns.join(', ')}
      from ${from} as ticks join ${PLACED} on placed.id = ticks.market
     where ts >= $from and ts < $to and ts <= $asOf and ts + lag <= $asOf ${listed(query)}
     order by place, ts, ${ties}`
}

/** Versions of a stretch of time, and before them the one that stood when it began. */
const factsSql = (query: CopyQuery): string => `
  select venue, ticker, known_at as known_at_ms, title, subtitle, description, rules_url, event_id,
         event_title, series_id, series_title, category, tags, status, result,
         settlement_price as settlement_price_e4, open_time as open_time_ms,
         close_time as close_time_ms, expiration_time as expiration_time_ms, exclusive,
         price_ranges, volume_unit, aliases, asset_ids
    from (select *, lead(known_at) over (partition by market order by known_at, seq) as until
            from market_version where known_at <= $asOf and known_at < $to ${listed(query)})
         join ${PLACED} on placed.id = market
   where coalesce(until, $to) > $from
   order by place, known_at, seq`

/** Writes rows to a Parquet file (zstd) in the order of (venue, ticker, time); see the port. */
export async function copyTo(
  session: Session,
  corrections: Corrections,
  kind: CopiedKind,
  query: CopyQuery,
  path: string,
): Promise<{ rows: number }> {
  const { markets, ...bounds } = query
  const rows =
    kind === 'facts'
      ? factsSql(query)
      : ticksSql(kind, query, kind === 'trades' && corrections.anyBy(query.asOf))
  const written = await session.change(
    `copy (${rows}) to $path (format parquet, compression zstd)`,
    // An empty list has no type of its own; no market has this number.
    {
      ...bounds,
      path,
      ...(markets === null ? {} : { markets: markets.length > 0 ? markets : [-1] }),
    },
  )
  return { rows: written }
}
