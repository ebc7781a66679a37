import { instantSql } from '../../textual-time.ts'
import { categoryOf } from '../../../../domain/topics/topics.ts'
import { canonicalTicker, type MarketFacts } from '../../../../domain/market.ts'
import { HOUR, SECOND, type Millis, type PriceE4 } from '../../../../domain/units.ts'
import { describeMarkets } from '../../staging/describe-markets.ts'
import type { FactsVersion } from '../../import-host.ts'
import type { EventTitle } from '../titles.ts'
import { countTitle } from '../../read-recording.ts'
import type { TableLayout } from '../../reading.ts'
import { ROW } from '../../reader-database.ts'
import { stageTicks } from '../../staging/stage-ticks.ts'
import { eventRows, eventTitlesOf, TEMPERATURE_EVENTS } from './temperature-titles.ts'

const DELAY = SECOND

const number = (column: string): string => `try_cast(${column} as double)`
const noPrice = (column: string) =>
  [
    `${column} is not a price from 0 to 1`,
    `${column} is not null and not coalesce(${number(column)} between 0 and 1, false)`,
  ] as const
const e4 = (column: string): string => `round(${number(column)} * 10000)::integer`
const end = 'try_cast(end_ts as bigint) * 1000'

/** Hourly bars of temperature markets; a bid of 0 and an ask of 1 mean an empty side. */
export const temperatureCandles: TableLayout = {
  name: 'kalshi_nyc_temp_candles_1h',
  venue: 'venue_a',
  columns: [
    'ticker',
    'end_ts',
    'price_open',
    'price_high',
    'price_low',
    'price_close',
    'yes_bid_close',
    'yes_ask_close',
    'volume',
  ],
  rank: 3,
  async read(table, reading) {
    const hasOpenInterest = table.columns.has('open_interest')
    await stageTicks(
      table,
      {
        kind: 'candles',
        venue: `'venue_a'`,
        market: 'ticker',
        ts: end,
        refusals: [
          ['ticker is missing', `coalesce(ticker::varchar, '') = ''`],
          [
            'end_ts is not a time on the hour',
            `coalesce(try_cast(end_ts as bigint) % 3600, 1) <> 0`,
          ],
          noPrice('price_open'),
          noPrice('price_high'),
          noPrice('price_low'),
          noPrice('price_close'),
          noPrice('yes_bid_close'),
          noPrice('yes_ask_close'),
          ['price_high is below price_low', `${number('price_high')} < ${number('price_low')}`],
          [
            'volume is not an amount',
            `volume is not null and not coalesce(${number('volume')} >= 0 and isfinite(${number('volume')}), false)`,
          ],
        ],
        columns: [
          ['lag', `${DELAY}::bigint`],
          ['origin', '3::utinyint'],
          ['start', `(${end}) - ${HOUR}`],
          ['width', `${HOUR}::bigint`],
          ['open', e4('price_open')],
          ['high', e4('price_high')],
          ['low', e4('price_low')],
          ['close', e4('price_close')],
          ['volume', `round(${number('volume')} * 1000000)::bigint`],
          ['bid_close', `nullif(${e4('yes_bid_close')}, 0)`],
          ['ask_close', `nullif(${e4('yes_ask_close')}, 10000)`],
          ...(hasOpenInterest ? [['open_interest', OPEN_INTEREST] as const] : []),
        ],
        ...(hasOpenInterest && { counters: INTEREST_COUNTERS }),
      },
      reading,
    )
  },
}

const OPEN_INTEREST = `case when ${number('open_interest')} between 0 and 9e9
  then round(${number('open_interest')} * 1000000)::bigint end`
const INTEREST_COUNTERS = {
  column: 'open_interest',
  columns: [
    ['volume', 'null::bigint'],
    ['volume_24h', 'null::bigint'],
    ['open_interest', 'open_interest'],
    ['last_price', 'null::integer'],
  ],
} as const

/**
 * Markets with strikes, rules and results, of New York and of other cities; titles come from the
 * events of the same import.
 */
export const temperatureMarkets: TableLayout = {
  name: 'kalshi_nyc_temp_markets',
  venue: 'venue_a',
  columns: [
    'ticker',
    'event_ticker',
    'yes_sub_title',
    'open_time',
    'close_time',
    'settlement_time',
    'result',
    'strike_type',
    'rules_primary',
    'status',
  ],
  rank: 1,
  async read(table, reading) {
    const events = await eventTitlesOf(reading)
    const times = ['open_time', 'close_time', 'expected_expiration_time', 'settlement_time']
    const columns = [
      ...['ticker', 'event_ticker', 'yes_sub_title', 'result', 'rules_primary', 'status'].map(
        (name) => `${name}::varchar as ${name}`,
      ),
      ...times
        .filter((name) => table.columns.has(name))
        .map((name) => `${instantSql(name)}::double as ${name}`),
      ...(table.columns.has('_series_ticker') ? ['_series_ticker::varchar as series'] : []),
    ]
    const rows = await reading.db.stream(
      `select ${columns.join(', ')}, ${ROW}::double as row from ${table.from}`,
    )
    await describeMarkets(rows, (row) => versionsOfMarket(row, events), reading)
  },
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null
const timeOf = (value: unknown): Millis | null =>
  typeof value === 'number' && Number.isFinite(value) ? (value as Millis) : null

function versionsOfMarket(
  row: Readonly<Record<string, unknown>>,
  events: ReadonlyMap<string, EventTitle>,
): FactsVersion[] | string {
  const ticker = textOf(row['ticker'])
  const eventId = textOf(row['event_ticker'])
  const openTime = timeOf(row['open_time'])
  const closeTime = timeOf(row['close_time'])
  if (ticker === null) return 'ticker is missing'
  if (eventId === null) return 'event_ticker is missing'
  if (openTime === null || closeTime === null) return 'open_time or close_time is not a time'
  if (closeTime < openTime) return 'close_time is before open_time'
  const event = events.get(eventId)
  const outcome = textOf(row['yes_sub_title'])
  const facts: MarketFacts = {
    venue: 'venue_a',
    ticker: canonicalTicker(ticker),
    title: [event?.title ?? eventId, ...(outcome === null ? [] : [outcome])].join(' - '),
    subtitle: outcome,
    description: textOf(row['rules_primary']) ?? '',
    rulesUrl: null,
    eventId,
    eventTitle: event?.title ?? null,
    seriesId: textOf(row['series']),
    seriesTitle: null,
    category: categoryOf(event?.category ?? 'weather'),
    tags: [],
    status: 'active',
    result: null,
    settlementPrice: null,
    openTime,
    closeTime,
    expirationTime: timeOf(row['expected_expiration_time']),
    exclusive: event?.exclusive === true,
    priceRanges: [],
    volumeUnit: 'contracts',
    aliases: [],
    assetIds: [],
  }
  const active = { knownAt: (openTime + DELAY) as Millis, facts }
  const result = textOf(row['result'])
  if (result !== 'yes' && result !== 'no') return [active]
  const endedAt = Math.max(timeOf(row['settlement_time']) ?? closeTime, closeTime)
  const settlementPrice = (result === 'yes' ? 10_000 : 0) as PriceE4
  return [
    active,
    {
      knownAt: (endedAt + DELAY) as Millis,
      facts: { ...facts, status: 'settled', result, settlementPrice },
    },
  ]
}

/**
 * Events of those markets: they name markets of the same import and of the history and create no
 * rows of their own.
 */
export const temperatureEvents: TableLayout = {
  name: TEMPERATURE_EVENTS,
  venue: 'venue_a',
  columns: ['series_ticker', 'event_ticker', 'title', 'strike_date', 'mutually_exclusive'],
  rank: 4,
  async read(table, reading) {
    const rows = await eventRows(table, reading.db)
    const statuses = await reading.titles.statuses()
    for (const { eventId, title, row } of rows) {
      if (eventId === null) reading.tally.refuse('event_ticker is missing', 1, row)
      else if (title === null) reading.tally.refuse('title is missing', 1, row)
      else {
        countTitle(
          'event',
          eventId,
          statuses.get(`event ${eventId}`) ?? 'no such market',
          row,
          reading,
        )
      }
    }
  },
}
