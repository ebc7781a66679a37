import { tradesFrom } from './corrections.ts'
import type { TickKind } from './spans.ts'

/**
 * Kinds whose newest row is used, ordered by (ts, lag, arrival); trades are ordered by (ts, trade
 * id).
 */
export type CarriedKind = Exclude<TickKind, 'trade' | 'candle'>

/**
 * Sum of the sizes of the best five levels; one contract pays one dollar, so this is payout
 * dollars as well.
 */
export const depthOf = (side: 'bid' | 'ask'): string =>
  [1, 2, 3, 4, 5].map((n) => `coalesce(${side}_size_${n}, 0)`).join(' + ')

/**
 * Values carried from the newest row: the name in the day table and the expression over the ticks.
 */
export const CARRIED_VALUES: Readonly<Record<CarriedKind, Readonly<Record<string, string>>>> = {
  quote: { bid: 'bid', ask: 'ask', bid_size: 'bid_size', ask_size: 'ask_size' },
  book: { bid_depth: depthOf('bid'), ask_depth: depthOf('ask') },
  activity: {
    volume: 'volume',
    volume_24h: 'volume_24h',
    open_interest: 'open_interest',
    last_price: 'last_price',
  },
}

/** Which markets: one, those of a list, or all. */
export type MarketScope = 'one' | 'listed' | 'all'
const MARKET_FILTERS: Readonly<Record<MarketScope, string>> = {
  one: 'and market = $market::integer',
  listed: 'and market in (select unnest($markets))',
  all: '',
}

const KNOWN_CONDITION = 'ts <= $asOf and ts + lag <= $asOf'
const IN_WINDOW = `market = $market::integer and ts between $from and $to and ${KNOWN_CONDITION}`

/** Result columns after market and ts: lag, then the carried values; NaN where absent. */
const resultColumns = (kind: CarriedKind): string =>
  [
    'ts::double',
    'lag::double',
    ...namesOf(kind).map((name) => `coalesce(${name}::double, 'nan')`),
  ].join(', ')
const namesOf = (kind: CarriedKind): string[] => Object.keys(CARRIED_VALUES[kind])
const newestTickSql = (kind: CarriedKind): string =>
  Object.entries(CARRIED_VALUES[kind])
    .map(([name, expression]) => `${expression} as ${name}`)
    .join(', ')

/**
 * The newest row of each market, exact under late rows. A day whose rows were all known is read
 * from its summary; ticks are read from `$partial`, the first partly known day (usually the day of
 * `$asOf`), and unsorted rows always.
 */
export const newestCarried = (kind: CarriedKind, scope: Exclude<MarketScope, 'one'>): string => {
  const names = namesOf(kind).join(', ')
  const filterSql = MARKET_FILTERS[scope]
  return `
    select market, ${resultColumns(kind)}
      from (select market, unnest(arg_max(struct_pack(ts, lag, ${names}), (ts, lag, part, seq)))
              from (select market, last_ts as ts, last_lag as lag, ${names}, 0 as part, 0 as seq
                      from ${kind}_day where max_known <= $asOf ${filterSql}
                    union all
                    select market, ts, lag, ${newestTickSql(kind)}, 0, rowid
                      from ${kind} where ts >= $partial and ${KNOWN_CONDITION} ${filterSql}
                    union all
                    select market, ts, lag, ${newestTickSql(kind)}, 1, rowid
                      from ${kind}_recent where ${KNOWN_CONDITION} ${filterSql})
             group by market)`
}

/** The newest row of one market within a window. */
export const lastCarried = (kind: CarriedKind): string => `
  select market, ${resultColumns(kind)}
    from (select market, ts, lag, part, seq, ${newestTickSql(kind)} from ${kind}_all where ${IN_WINDOW})
   order by ts desc, lag desc, part desc, seq desc limit 1`

const TRADE = 'struct_pack(ts := ts, id := trade_id, price := price)'

/**
 * The newest non-block trade of each market, read like `newestCarried`. Over an unlimited
 * number of days the newest times are found first, which costs a third of comparing whole trades.
 */
export const newestTrades = (scope: Exclude<MarketScope, 'one'>): string => {
  const filterSql = MARKET_FILTERS[scope]
  return `
    select market, max(newest).ts::double, max(newest).price
      from (select market, struct_pack(ts := last_ts, id := last_id, price := last_price) as newest
              from trade_day
              join (select market, max(last_ts) as last_ts from trade_day
                     where max_known <= $asOf ${filterSql} group by market) using (market, last_ts)
             where max_known <= $asOf
            union all
            select market, max(${TRADE})
              from trade where ts >= $partial and ${KNOWN_CONDITION} and not is_block ${filterSql} group by market
            union all
            select market, max(${TRADE})
              from trade_recent where ${KNOWN_CONDITION} and not is_block ${filterSql} group by market)
     group by market`
}

/** The newest trade of one market within a window. */
export const lastTrade = (isCorrected: boolean): string => `
  select market, ts::double, price from ${tradesFrom(isCorrected)}
   where ${IN_WINDOW} and not is_block order by ts desc, trade_id desc limit 1`

/** Start of the first day that was partly known at `$asOf`; NaN when there is none. */
export const partialSince = (kind: CarriedKind | 'trade'): string =>
  `select coalesce(min(first_ts)::double, 'nan') from ${kind}_day
    where min_known <= $asOf and max_known > $asOf`
