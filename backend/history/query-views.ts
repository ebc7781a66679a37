import { VENUES } from '../domain/venue.ts'

/** A documented column of a view. */
export interface ViewColumn {
  readonly name: string
  /** DuckDB's name of the type. */
  readonly type: string
  readonly note: string
}

/** A view that users' statements may read. */
export interface QueryView {
  readonly name: string
  readonly summary: string
  readonly columns: readonly ViewColumn[]
}

const column = (name: string, type: string, note: string): ViewColumn => ({ name, type, note })
const number = (name: string, note: string): ViewColumn => column(name, 'DOUBLE', note)
const text = (name: string, note: string): ViewColumn => column(name, 'VARCHAR', note)
const moment = (name: string, note: string): ViewColumn => column(name, 'TIMESTAMP', note)

const MARKET = [text('ticker', 'of the market'), text('venue', VENUES.join(' or '))]
const STAMP = [
  ...MARKET,
  moment('ts', 'venue time, UTC'),
  column('ts_ms', 'BIGINT', 'the same in milliseconds since 1970; ranges over it are the quickest'),
  moment(
    'known_at',
    'when this service could know it, UTC; a study uses only rows known by its time',
  ),
  text('origin', 'live, polled, backfilled or imported'),
]
const LEVELS = ['bid', 'ask'].flatMap((side) =>
  [1, 2, 3, 4, 5].flatMap((level) => [
    number(`${side}_price_${level}`, 'cents; null where there is no such level'),
    number(`${side}_size_${level}`, 'contracts or shares'),
  ]),
)

/**
 * The history as users' statements see it: names instead of ids, cents and contracts instead of
 * stored integers, trades with the venue's last correction. An absent value is null.
 */
export const QUERY_VIEWS: readonly QueryView[] = [
  {
    name: 'markets',
    summary: 'Markets with the newest facts known of them',
    columns: [
      ...MARKET,
      moment('known_at', 'when these facts became known'),
      text('title', ''),
      text('subtitle', ''),
      text('event_id', ''),
      text('event_title', ''),
      text('series_id', ''),
      text('series_title', ''),
      text('category', ''),
      text('tags', 'JSON list'),
      text('status', 'of the market, as known last'),
      text('result', 'yes, no, scalar, void; null before settlement'),
      number('settlement_cents', 'payout of YES, cents; null before settlement'),
      moment('open_time', ''),
      moment('close_time', ''),
      moment('expiration_time', ''),
    ],
  },
  {
    name: 'market_versions',
    summary: 'Every version of the facts that reads of a past instant need',
    columns: [
      ...MARKET,
      moment('known_at', 'from when on this version was known'),
      text('title', ''),
      text('status', ''),
      text('result', ''),
      number('settlement_cents', ''),
      moment('close_time', ''),
      moment('expiration_time', ''),
    ],
  },
  {
    name: 'trades',
    summary: 'Prints, as the venue last stated them; busted ones are left out',
    columns: [
      ...STAMP,
      text('trade_id', 'of the venue'),
      number('price', 'cents of YES'),
      number('size', 'contracts or shares'),
      text('taker', 'side that the taker bought: yes, no; null where unknown'),
      column('is_block', 'BOOLEAN', 'negotiated off the book'),
    ],
  },
  {
    name: 'quotes',
    summary: 'Best bid and ask whenever they changed, and every five minutes while unchanged',
    columns: [
      ...STAMP,
      number('bid', 'cents of YES; null for an empty side'),
      number('ask', 'cents of YES; null for an empty side'),
      number('bid_size', 'contracts'),
      number('ask_size', 'contracts'),
    ],
  },
  { name: 'books', summary: 'Five levels a side, as recorded', columns: [...STAMP, ...LEVELS] },
  {
    name: 'venue_candles',
    summary: 'Bars that venues or recordings delivered; bars from trades are at GET …/candles',
    columns: [
      ...STAMP,
      moment('start', 'of the bar'),
      number('width_seconds', ''),
      number('open', 'cents'),
      number('high', 'cents'),
      number('low', 'cents'),
      number('close', 'cents'),
      number('volume', 'contracts'),
      number('bid_close', 'cents'),
      number('ask_close', 'cents'),
    ],
  },
  {
    name: 'activity_marks',
    summary: 'Volume and open interest as venues stated them',
    columns: [
      ...STAMP,
      number('volume', 'contracts since the market opened'),
      number('volume_24h', 'contracts'),
      number('open_interest', 'contracts'),
      number('last_price', 'cents'),
    ],
  },
  {
    name: 'coverage_statements',
    summary: 'Statements about the continuity of feeds, in the order they were made',
    columns: [
      column('ticker', 'VARCHAR', 'null for a statement about the whole venue'),
      text('venue', ''),
      text('feed', 'trades or quotes'),
      text('state', 'live, polled, imported, gap or repaired'),
      moment('from_ts', ''),
      moment('to_ts', 'null while it lasts'),
      moment('known_at', 'when it was stated'),
      text('reason', ''),
    ],
  },
  {
    name: 'changes',
    summary: 'Change events, as returned by GET /api/changes',
    columns: [
      ...MARKET,
      text('type', ''),
      moment('happened_at', ''),
      moment('known_at', 'null: at that instant'),
      number('before_number', ''),
      text('before_text', ''),
      number('after_number', ''),
      text('after_text', ''),
      number('delta', ''),
    ],
  },
  {
    name: 'index_readings',
    summary: 'Readings of the gauges',
    columns: [
      text('scope', ''),
      moment('computed_at', ''),
      number('value', ''),
      number('disagreement', ''),
      number('geo_risk', ''),
      number('breadth', ''),
      number('activity', ''),
    ],
  },
  {
    name: 'regime_labels',
    summary: 'Maker and taker regimes of markets',
    columns: [
      ...MARKET,
      moment('computed_at', ''),
      number('score', 'of adverse selection'),
      text('label', 'maker, taker or neutral'),
      number('trades', ''),
      number('spread', 'cents'),
    ],
  },
]
