import type { CopyFormat, StagedKind } from '../../history-copies.ts'
import { CORRECTED_TRADES } from '../ticks/corrections.ts'
import type { TickKind } from '../ticks/spans.ts'

/**
 * A text as exported: in CSV it is escaped with an apostrophe where a spreadsheet would run it as
 * a formula, or where it already begins with one that the import would remove.
 */
export const text = (column: string, format: CopyFormat, name = column): string =>
  format === 'csv'
    ? `if(regexp_matches(${column}, '^''*[=+@\\t\\r-]'), '''' || ${column}, ${column}) as ${name}`
    : `${column} as ${name}`

/** The two columns at the start of every row. */
export const key = (format: CopyFormat): string => `venue, ${text('ticker', format)}`
const stampSql = (
  format: CopyFormat,
): string => `${key(format)}, ts as ts_ms, ts + lag as known_at_ms,
  ['live', 'polled', 'backfilled', 'imported'][origin::integer + 1] as origin`

const levels = ['bid', 'ask'].flatMap((side) =>
  [1, 2, 3, 4, 5].flatMap((n) => [
    `${side}_price_${n} as ${side}_${n}_e4`,
    `${side}_size_${n} as ${side}_${n}_size_e6`,
  ]),
)

export type CopiedTicks = StagedKind

interface CopySpec {
  readonly table: TickKind
  readonly columns: (format: CopyFormat) => readonly string[]
  /** Order of rows of one instant; arrival where it decides which row counts. */
  readonly ties: string
}

const ARRIVAL = 'lag, part, seq'
const COPY_SPECS: Readonly<Record<CopiedTicks, CopySpec>> = {
  trades: {
    table: 'trade',
    columns: (format) => [
      text('trade_id', format),
      'price as price_e4',
      'size as size_e6',
      "case taker when 1 then 'yes' when 2 then 'no' end as taker_side",
      'is_block',
    ],
    ties: 'lag, trade_id',
  },
  quotes: {
    table: 'quote',
    columns: () => [
      'bid as bid_e4',
      'bid_size as bid_size_e6',
      'ask as ask_e4',
      'ask_size as ask_size_e6',
    ],
    ties: ARRIVAL,
  },
  books: { table: 'book', columns: () => levels, ties: ARRIVAL },
  candles: {
    table: 'candle',
    columns: () => [
      'start as start_ms',
      'width as width_ms',
      'open as open_e4',
      'high as high_e4',
      'low as low_e4',
      'close as close_e4',
      'volume as volume_e6',
      'bid_close as bid_close_e4',
      'ask_close as ask_close_e4',
    ],
    ties: ARRIVAL,
  },
  activity: {
    table: 'activity',
    columns: () => [
      'volume as volume_e6',
      'volume_24h as volume_24h_e6',
      'open_interest as open_interest_e6',
      'last_price as last_price_e4',
    ],
    ties: ARRIVAL,
  },
}

export const tickKindOf = (kind: CopiedTicks): TickKind => COPY_SPECS[kind].table

/** Markets in the order of the file, so that millions of rows are not sorted by name. */
export const RANKED_MARKETS = `(select id, venue, ticker, row_number() over (order by venue, ticker) as market_rank
  from market) as ranked`

export const IN_MARKET_LIST = 'and market in (select unnest($markets))'

/** SQL of the tick rows of `$markets` between `$from` and `$to`, known at `$asOf`. */
export function ticksSql(kind: CopiedTicks, format: CopyFormat, isCorrected: boolean): string {
  const { table, columns, ties } = COPY_SPECS[kind]
  const from = kind === 'trades' && isCorrected ? CORRECTED_TRADES : `${table}_all`
  return `
    select ${stampSql(format)}, ${columns(format).join(', ')}
      from ${from} as ticks join ${RANKED_MARKETS} on ranked.id = ticks.market
     where ts >= $from and ts < $to and ts <= $asOf and ts + lag <= $asOf ${IN_MARKET_LIST}
     order by market_rank, ts, ${ties}`
}

const FACT_TEXTS = [
  'title',
  'subtitle',
  'description',
  'rules_url',
  'event_id',
  'event_title',
  'series_id',
  'series_title',
  'category',
]

/** Versions in a span of time, preceded by the version in force when it began. */
export const factsSql = (format: CopyFormat): string => `
  select ${key(format)}, known_at as known_at_ms,
         ${FACT_TEXTS.map((column) => text(column, format)).join(', ')}, tags, status, result,
         settlement_price as settlement_price_e4, open_time as open_time_ms,
         close_time as close_time_ms, expiration_time as expiration_time_ms, exclusive,
         price_ranges, volume_unit, aliases, asset_ids
    from (select *, lead(known_at) over (partition by market order by known_at, seq) as until
            from market_version where known_at <= $asOf and known_at < $to ${IN_MARKET_LIST})
         join ${RANKED_MARKETS} on ranked.id = market
   where coalesce(until, $to) > $from
   order by market_rank, known_at, seq`

/** Bars computed into `copied_bar`; see `copied-bars.ts`. */
export const barsSql = (format: CopyFormat): string => `
  select ${key(format)}, start + width as ts_ms, start + width as known_at_ms, 'imported' as origin,
         start as start_ms, width as width_ms, open as open_e4, high as high_e4, low as low_e4,
         close as close_e4, volume as volume_e6, null::integer as bid_close_e4,
         null::integer as ask_close_e4, crosses_gap
    from temp.copied_bar join ${RANKED_MARKETS} on ranked.id = market
   order by market_rank, start`
