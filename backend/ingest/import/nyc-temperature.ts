import { categoryOf } from '../../domain/topics.ts'
import { canonicalTicker, type MarketFacts } from '../../domain/market.ts'
import { HOUR, SECOND, type Millis, type PriceE4 } from '../../domain/units.ts'
import { describeMarkets } from './describe-markets.ts'
import type { FactsVersion } from './import-host.ts'
import type { Reading, TableLayout } from './reading.ts'
import { ROW, type Table } from './reader-database.ts'
import { stageTicks } from './stage-ticks.ts'

const DELAY = SECOND
const EVENTS = 'kalshi_nyc_temp_events'

const number = (column: string): string => `try_cast(${column} as double)`
const noPrice = (column: string) =>
  [
    `${column} is no price from 0 to 1`,
    `${column} is not null and not coalesce(${number(column)} between 0 and 1, false)`,
  ] as const
const e4 = (column: string): string => `round(${number(column)} * 10000)::integer`
const end = 'try_cast(end_ts as bigint) * 1000'

/** Hourly bars of temperature markets; a bid of 0 and an ask of 1 stand for an empty side. */
export const temperatureCandles: TableLayout = {
  name: 'kalshi_nyc_temp_candles_1h',
  venue: 'venue_a',
  columns: [
    ...['ticker', 'end_ts', 'price_open', 'price_high', 'price_low', 'price_close'],
    ...['yes_bid_close', 'yes_ask_close', 'volume'],
  ],
  rank: 3,
  read: (table, reading) =>
    stageTicks(
      table,
      {
        kind: 'candles',
        venue: 'venue_a',
        market: 'ticker',
        ts: end,
        refusals: [
          ['ticker is missing', `coalesce(ticker::varchar, '') = ''`],
          ['end_ts is no time on the hour', `coalesce(try_cast(end_ts as bigint) % 3600, 1) <> 0`],
          noPrice('price_open'),
          noPrice('price_high'),
          noPrice('price_low'),
          noPrice('price_close'),
          noPrice('yes_bid_close'),
          noPrice('yes_ask_close'),
          ['price_high is below price_low', `${number('price_high')} < ${number('price_low')}`],
          [
            'volume is no amount',
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
        ],
      },
      reading,
    ),
}

interface EventRow {
  readonly title: string | null
  readonly category: string | null
  readonly exclusive: boolean
}

/** Markets with strikes, rules and results; titles come from the events of the same import. */
export const temperatureMarkets: TableLayout = {
  name: 'kalshi_nyc_temp_markets',
  venue: 'venue_a',
  columns: [
    ...['ticker', 'event_ticker', 'yes_sub_title', 'open_time', 'close_time', 'settlement_time'],
    ...['result', 'strike_type', 'rules_primary', 'status'],
  ],
  rank: 1,
  async read(table, reading) {
    const events = await eventsOf(reading)
    const times = ['open_time', 'close_time', 'expected_expiration_time', 'settlement_time']
    const columns = [
      ...['ticker', 'event_ticker', 'yes_sub_title', 'result', 'rules_primary', 'status'].map(
        (name) => `${name}::varchar as ${name}`,
      ),
      ...times
        .filter((name) => table.columns.has(name))
        .map((name) => `epoch_ms(try_cast(${name} as timestamp))::double as ${name}`),
      ...(table.columns.has('_series_ticker') ? ['_series_ticker::varchar as series'] : []),
    ]
    const rows = await reading.db.stream(
      `select ${columns.join(', ')}, ${ROW}::double as row from ${table.from}`,
    )
    await describeMarkets(rows, (row) => versionsOfMarket(row, events), reading)
  },
}

async function eventsOf({ db, tables }: Reading): Promise<Map<string, EventRow>> {
  const events = new Map<string, EventRow>()
  for (const { from } of tables.get(EVENTS) ?? []) {
    const result = await db.runAndReadAll(
      `select event_ticker::varchar as event, title::varchar as title,
              category::varchar as category, try_cast(mutually_exclusive as boolean) as exclusive
         from ${from}`,
    )
    for (const { event, title, category, exclusive } of result.getRowObjectsJS()) {
      if (typeof event !== 'string') continue
      events.set(event, {
        title: typeof title === 'string' ? title : null,
        category: typeof category === 'string' ? category : null,
        exclusive: exclusive === true,
      })
    }
  }
  return events
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null
const timeOf = (value: unknown): Millis | null =>
  typeof value === 'number' && Number.isFinite(value) ? (value as Millis) : null

function versionsOfMarket(
  row: Readonly<Record<string, unknown>>,
  events: ReadonlyMap<string, EventRow>,
): FactsVersion[] | string {
  const ticker = textOf(row['ticker'])
  const eventId = textOf(row['event_ticker'])
  const openTime = timeOf(row['open_time'])
  const closeTime = timeOf(row['close_time'])
  if (ticker === null) return 'ticker is missing'
  if (eventId === null) return 'event_ticker is missing'
  if (openTime === null || closeTime === null) return 'open_time or close_time is no time'
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
    category: categoryOf(event?.category ?? null),
    tags: [],
    status: 'active',
    result: null,
    settlementPrice: null,
    openTime,
    closeTime,
    expirationTime: timeOf(row['expected_expiration_time']),
    exclusive: event?.exclusive ?? false,
    priceRanges: [],
    volumeUnit: 'contracts',
    aliases: [],
    assetIds: [],
  }
  const active = { knownAt: (openTime + DELAY) as Millis, facts }
  const result = textOf(row['result'])
  if (result !== 'yes' && result !== 'no') return [active]
  const ended = Math.max(timeOf(row['settlement_time']) ?? closeTime, closeTime)
  const settlementPrice = (result === 'yes' ? 10_000 : 0) as PriceE4
  return [
    active,
    {
      knownAt: (ended + DELAY) as Millis,
      facts: { ...facts, status: 'settled', result, settlementPrice },
    },
  ]
}

/** Events of those markets: they name markets of the same import and are nothing by themselves. */
export const temperatureEvents: TableLayout = {
  name: EVENTS,
  venue: 'venue_a',
  columns: ['series_ticker', 'event_ticker', 'title', 'strike_date', 'mutually_exclusive'],
  rank: 2,
  read: readEvents,
}

async function readEvents(table: Table, reading: Reading): Promise<void> {
  const { tally, described } = reading
  const result = await reading.db.stream(
    `select event_ticker::varchar as event, title::varchar as title, ${ROW}::double as row
       from ${table.from}`,
  )
  for await (const rows of result.yieldRowObjectJs()) {
    for (const { event, title, row } of rows) {
      const fate = typeof event === 'string' ? described.get(`event ${event}`) : undefined
      if (textOf(event) === null) tally.refuse('event_ticker is missing', 1, Number(row))
      else if (textOf(title) === null) tally.refuse('title is missing', 1, Number(row))
      else if (fate === 'taken') tally.take(1)
      else if (fate === 'known') tally.know(1)
      else tally.refuse('no market of this event is in the same import', 1, Number(row))
    }
  }
}
