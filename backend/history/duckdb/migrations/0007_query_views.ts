import type { Migration } from './migration.ts'

const instant = (column: string, alias = column): string =>
  `make_timestamp(${column} * 1000) as ${alias}`
const cents = (column: string, alias = column): string => `${column} / 100.0::double as ${alias}`
const contracts = (column: string, alias = column): string => `${column} / 1e6::double as ${alias}`
/** Codes are positions in a list. */
const labelSql = (column: string, labels: readonly string[], alias = column): string =>
  `[${labels.map((label) => `'${label}'`).join(', ')}][${column} + 1] as ${alias}`

const MARKET = 'm.ticker, m.venue'
const STAMP = [
  MARKET,
  instant('r.ts', 'ts'),
  'r.ts as ts_ms',
  `make_timestamp((r.ts + r.lag) * 1000) as known_at`,
  labelSql('r.origin', ['live', 'polled', 'backfilled', 'imported'], 'origin'),
].join(', ')
const fromRelation = (relation: string): string =>
  `from ${relation} r join market m on m.id = r.market`

const levels = ['bid', 'ask'].flatMap((side) =>
  [1, 2, 3, 4, 5].flatMap((level) => [
    cents(`r.${side}_price_${level}`, `${side}_price_${level}`),
    contracts(`r.${side}_size_${level}`, `${side}_size_${level}`),
  ]),
)

/** Equal to `CORRECTED_TRADES` at the end of time. */
const TRADES = `
  (select market, ts, lag, origin, trade_id, price, size, taker, is_block
     from trade_all
     anti join (select distinct market, trade_id from trade_correction) as said using (market, trade_id)
   union all
   select market, ts, greatest(known_at - ts, 0), 0, trade_id, price, size, taker, is_block
     from (select * from trade_correction qualify row_number() over (
            partition by market, trade_id order by known_at desc, rowid desc) = 1)
    where not is_busted)`

const view = (name: string, columns: readonly string[], rest: string): string =>
  `create view ${name} as select ${columns.join(', ')} ${rest}`

/** The views for users' SQL statements; `history/query-views.ts` documents them. */
export const queryViews: Migration = {
  number: 7,
  statements: [
    view(
      'markets',
      [
        MARKET,
        instant('r.known_at', 'known_at'),
        'r.title, r.subtitle, r.event_id',
        'r.event_title, r.series_id, r.series_title, r.category, r.tags, r.status, r.result',
        cents('r.settlement_price', 'settlement_cents'),
        instant('r.open_time', 'open_time'),
        instant('r.close_time', 'close_time'),
        instant('r.expiration_time', 'expiration_time'),
      ],
      fromRelation(`(select * from market_version qualify row_number() over (
             partition by market order by known_at desc, seq desc) = 1)`),
    ),
    view(
      'market_versions',
      [
        MARKET,
        instant('r.known_at', 'known_at'),
        'r.title, r.status, r.result',
        cents('r.settlement_price', 'settlement_cents'),
        instant('r.close_time', 'close_time'),
        instant('r.expiration_time', 'expiration_time'),
      ],
      fromRelation('market_version'),
    ),
    view(
      'trades',
      [
        STAMP,
        'r.trade_id',
        cents('r.price', 'price'),
        contracts('r.size', 'size'),
        `[null, 'yes', 'no'][r.taker + 1] as taker`,
        'r.is_block',
      ],
      fromRelation(TRADES),
    ),
    view(
      'quotes',
      [
        STAMP,
        cents('r.bid', 'bid'),
        cents('r.ask', 'ask'),
        contracts('r.bid_size', 'bid_size'),
        contracts('r.ask_size', 'ask_size'),
      ],
      fromRelation('quote_all'),
    ),
    view('books', [STAMP, ...levels], fromRelation('book_all')),
    view(
      'venue_candles',
      [
        STAMP,
        instant('r.start', 'start'),
        'r.width / 1e3::double as width_seconds',
        ...['open', 'high', 'low', 'close'].map((columnName) =>
          cents(`r.${columnName}`, columnName),
        ),
        contracts('r.volume', 'volume'),
        cents('r.bid_close', 'bid_close'),
        cents('r.ask_close', 'ask_close'),
      ],
      fromRelation('candle_all'),
    ),
    // The singular is the table's name.
    view(
      'activity_marks',
      [
        STAMP,
        ...['volume', 'volume_24h', 'open_interest'].map((columnName) =>
          contracts(`r.${columnName}`, columnName),
        ),
        cents('r.last_price', 'last_price'),
      ],
      fromRelation('activity_all'),
    ),
    view(
      'coverage_statements',
      [
        'm.ticker',
        'r.venue',
        labelSql('r.feed', ['trades', 'quotes'], 'feed'),
        labelSql('r.state', ['live', 'polled', 'imported', 'gap', 'repaired'], 'state'),
        instant('r.from_ts', 'from_ts'),
        instant('r.to_ts', 'to_ts'),
        instant('r.known_at', 'known_at'),
        'r.reason',
      ],
      'from coverage r left join market m on m.id = r.market',
    ),
    view(
      'changes',
      [
        MARKET,
        'r.type',
        instant('r.happened_at', 'happened_at'),
        instant('r.known_at', 'known_at'),
        'r.before_number, r.before_text',
        'r.after_number, r.after_text, r.delta',
      ],
      fromRelation('change_event'),
    ),
    view(
      'index_readings',
      [
        'r.scope',
        instant('r.computed_at', 'computed_at'),
        'r.value, r.disagreement',
        'r.geo_risk, r.breadth, r.activity',
      ],
      'from index_reading r',
    ),
    view(
      'regime_labels',
      [
        MARKET,
        instant('r.computed_at', 'computed_at'),
        'r.score',
        labelSql('r.label', ['maker', 'taker', 'neutral'], 'label'),
        'r.trades::double as trades',
        'r.spread',
      ],
      fromRelation('regime_label'),
    ),
  ],
}
