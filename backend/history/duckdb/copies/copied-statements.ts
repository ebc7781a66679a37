import { COVERAGE_FEEDS } from '../../../domain/coverage-feed.ts'
import { COVERAGE_STATES } from '../../coverage.ts'
import type { CopyFormat, StatedRows } from '../../history-copies.ts'
import { key, IN_MARKET_LIST, RANKED_MARKETS, text } from './copied-rows.ts'

const labelAtSql = (labels: readonly string[], column: string): string =>
  `[${labels.map((label) => `'${label}'`).join(', ')}][${column}::integer + 1] as ${column}`

const changesSql = (format: CopyFormat): string => `
  select ${key(format)}, happened_at as ts_ms, greatest(happened_at, known_at) as known_at_ms,
         ${text('change_id', format)}, type as change_type, before_number,
         ${text('before_text', format)}, after_number, ${text('after_text', format)}, delta
    from (select * rename (id as change_id) from change_event
           where happened_at >= $from and happened_at < $to and happened_at <= $asOf
             and coalesce(known_at, 0) <= $asOf ${IN_MARKET_LIST})
         as changes join ${RANKED_MARKETS} on ranked.id = changes.market
   order by market_rank, happened_at, change_id`

const INTERVAL = 'partition by venue, market, feed, state, from_ts'
/** An end later than all others: that of an open span. */
const OPEN_END = Number.MAX_SAFE_INTEGER

/**
 * Statements of the spans that overlap the requested one, each span with all its statements so
 * that an ended one is not taken for open; they are followed by the ends of the open spans.
 */
const coverageSql = (format: CopyFormat): string => `
  with stated as (
    select *, rowid as seq from coverage
     where known_at <= $asOf and from_ts < $to
       and (market in (select unnest($markets))
            or market is null and venue in (select unnest($venues)))
   qualify max(coalesce(to_ts, ${OPEN_END})) over (${INTERVAL}) > $from),
  lasting as (
    select * from stated
   qualify to_ts is null
       and row_number() over (${INTERVAL} order by known_at desc, seq desc) = 1),
  ended as (
    select * replace (greatest(from_ts, $asOf) as to_ts, $asOf + 1 as known_at) from lasting)
  select stated.venue, ${text('market.ticker', format, 'ticker')}, known_at as known_at_ms,
         ${labelAtSql(COVERAGE_FEEDS, 'feed')}, ${labelAtSql(COVERAGE_STATES, 'state')}, from_ts as from_ms,
         to_ts as to_ms, ${text('reason', format)}
    from (from stated union all from ended) as stated left join market on market.id = stated.market
   order by known_at, seq`

/** Versions of corrected trades: `word` is printed, corrected or busted. */
const correctionsSql = (format: CopyFormat): string => `
  with words as (
    select *, rowid as seq from trade_correction where known_at <= $asOf ${IN_MARKET_LIST}),
  printed as (
    select * from trade_all semi join words using (market, trade_id)
     where ts + lag <= $asOf ${IN_MARKET_LIST}
   qualify row_number() over (partition by market, trade_id order by ts + lag, part, seq) = 1),
  versions as (
    select market, trade_id, 'printed' as word, ts + lag as known_at, origin, ts, price, size, taker,
           is_block, -1 as seq from printed
     union all
    select market, trade_id, if(is_busted, 'busted', 'corrected'), known_at, 0, ts, price, size,
           taker, is_block, seq from words),
  requested as (
    select * from versions
   qualify bool_or(coalesce(ts >= $from and ts < $to, false)) over (partition by market, trade_id))
  select ${key(format)}, ts as ts_ms, known_at as known_at_ms,
         ['live', 'polled', 'backfilled', 'imported'][origin::integer + 1] as origin,
         ${text('trade_id', format)}, word, price as price_e4, size as size_e6,
         case taker when 1 then 'yes' when 2 then 'no' end as taker_side, is_block
    from requested join ${RANKED_MARKETS} on ranked.id = requested.market
   order by market_rank, trade_id, seq`

const STATEMENTS: Readonly<Record<keyof StatedRows, (format: CopyFormat) => string>> = {
  changes: changesSql,
  coverage: coverageSql,
  corrections: correctionsSql,
}

/** Statements about `$markets` for `$from`, `$to` and `$asOf`; coverage also about `$venues`. */
export const statementsSql = (kind: keyof StatedRows, format: CopyFormat): string =>
  STATEMENTS[kind](format)
