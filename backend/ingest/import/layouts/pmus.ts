import { categoryOf } from '../../../domain/topics/topics.ts'
import { canonicalTicker, type Ticker } from '../../../domain/market.ts'
import { MINUTE, SECOND, type Millis, type PriceE4 } from '../../../domain/units.ts'
import { describeMarkets } from '../staging/describe-markets.ts'
import { plainFacts } from '../imported-events.ts'
import type { FactsVersion, Outcome } from '../import-host.ts'
import type { Reading, TableLayout } from '../reading.ts'
import { ROW, type Table } from '../reader-database.ts'
import { outcomeInSlug } from '../slug-outcome.ts'
import { recordOutcomes } from '../staging/record-outcomes.ts'
import { stageTicks } from '../staging/stage-ticks.ts'
import { instantSql } from '../textual-time.ts'

/** The venue's delay, and how long a market may have no quotes before its end counts as known. */
const DELAY = 5 * SECOND
const MAX_QUOTE_GAP = 15 * MINUTE
const OUTCOMES_PER_REQUEST = 2_000

const price = (column: string): string => `try_cast(${column} as double)`
const amount = price
const priceRefusal = (column: string) =>
  [
    `${column} is not a price from 0 to 1`,
    `${column} is not null and not coalesce(${price(column)} between 0 and 1, false)`,
  ] as const

/**
 * Quotes of the US exchange of venue_b, about one every two minutes per market. Crossed and empty
 * books are stored as recorded: a quote's validity is judged when it is read.
 */
export const pmusQuotes: TableLayout = {
  name: 'pmus_quotes',
  venue: 'venue_b',
  columns: ['ts', 'slug', 'bid', 'ask', 'mid', 'spread', 'segment'],
  rank: 3,
  async read(table, reading) {
    const volume = `case when ${amount('volume24hr')} between 0 and 9e9
      then round(${amount('volume24hr')} * 1000000)::bigint end`
    const hasVolume = await hasAny(table, 'volume24hr', reading)
    await stageTicks(
      table,
      {
        kind: 'quotes',
        venue: `'venue_b'`,
        market: 'slug',
        ts: instantSql('ts'),
        refusals: [
          ['slug is missing', `coalesce(slug::varchar, '') = ''`],
          ['ts is not a time', `${instantSql('ts')} is null`],
          priceRefusal('bid'),
          priceRefusal('ask'),
        ],
        columns: [
          ['lag', `${DELAY}::bigint`],
          ['origin', '3::utinyint'],
          ['bid', `round(${price('bid')} * 10000)::integer`],
          ['ask', `round(${price('ask')} * 10000)::integer`],
          ['bid_size', 'null::bigint'],
          ['ask_size', 'null::bigint'],
          ...(hasVolume ? [['volume_24h', volume] as const] : []),
        ],
        ...(hasVolume && { counters: VOLUME_COUNTERS }),
      },
      reading,
    )
  },
}

/** A dollar volume stated with each quote; invalid values are not stored. */
const VOLUME_COUNTERS = {
  column: 'volume_24h',
  columns: [
    ['volume', 'null::bigint'],
    ['volume_24h', 'volume_24h'],
    ['open_interest', 'null::bigint'],
    ['last_price', 'null::integer'],
  ],
} as const

async function hasAny(table: Table, column: string, { db }: Reading): Promise<boolean> {
  if (!table.columns.has(column)) return false
  const columnReader = await db.runAndReadAll(
    `select 1 from ${table.from} where ${column} is not null limit 1`,
  )
  return columnReader.currentRowCount > 0
}

/**
 * Markets of those quotes. The exchange's own identifier is the slug; there is no condition id and
 * no event name, so each market is its own event. Markets of one question differ by the
 * outcome in their slugs.
 */
export const pmusMarkets: TableLayout = {
  name: 'pmus_markets',
  venue: 'venue_b',
  columns: ['slug', 'question', 'category', 'first_ts', 'last_ts'],
  rank: 1,
  async read(table, reading) {
    const rows = await reading.db.stream(
      `select slug::varchar as slug, question::varchar as question, category::varchar as category,
              ${instantSql('first_ts')}::double as first_ts,
              ${instantSql('last_ts')}::double as last_ts, ${ROW}::double as row,
              min(slug::varchar) over same as first_slug, max(slug::varchar) over same as last_slug
         from ${table.from}
       window same as (partition by question)
        order by ${ROW}`,
    )
    await describeMarkets(rows, versionsOfPmusMarket, reading)
  },
}

function versionsOfPmusMarket(row: Readonly<Record<string, unknown>>): FactsVersion[] | string {
  const { slug, question, category, first_ts: first, last_ts: last } = row
  if (typeof slug !== 'string' || slug === '') return 'slug is missing'
  if (typeof question !== 'string' || question.trim() === '') return 'question is missing'
  if (typeof first !== 'number' || typeof last !== 'number')
    return 'first_ts or last_ts is not a time'
  if (last < first) return 'last_ts is before first_ts'
  const outcome = outcomeInSlug(slug, String(row['first_slug']), String(row['last_slug']))
  const title = outcome === null ? question : `${question} - ${outcome}`
  const facts = plainFacts('venue_b', canonicalTicker(slug), title, {
    subtitle: outcome,
    eventId: slug,
    category: categoryOf(typeof category === 'string' ? category : null),
    aliases: [slug],
  })
  return [
    { knownAt: (first + DELAY) as Millis, facts },
    { knownAt: (last + MAX_QUOTE_GAP) as Millis, facts: { ...facts, status: 'closed' } },
  ]
}

/** Outcomes of those markets; outcomes inferred from prices are biased and refused. */
export const pmusLabels: TableLayout = {
  name: 'pmus_labels',
  venue: 'venue_b',
  columns: ['slug', 'y', 'source'],
  rank: 2,
  read: readLabels,
}

const outcomeOf = (ticker: Ticker, y: 0 | 1): Outcome => ({
  venue: 'venue_b',
  ticker,
  result: y === 1 ? 'yes' : 'no',
  knownAt: null,
  settlementPrice: (y * 10_000) as PriceE4,
})

async function readLabels(table: Table, reading: Reading): Promise<void> {
  const { tally, signal } = reading
  const result = await reading.db.stream(
    `select slug::varchar as slug, try_cast(y as integer) as y, source::varchar as source,
            ${ROW}::double as row from ${table.from}`,
  )
  let pendingRows: { outcome: Outcome; row: number }[] = []
  const settle = async (): Promise<void> => {
    const batch = pendingRows
    pendingRows = []
    await recordOutcomes(batch, 'market is unknown: import pmus_markets with it', reading)
  }
  for await (const rows of result.yieldRowObjectJs()) {
    signal.throwIfAborted()
    for (const { slug, y, source, row } of rows) {
      const number = Number(row)
      if (typeof slug !== 'string' || slug === '') tally.refuse('slug is missing', 1, number)
      else if (source !== 'api') {
        tally.refuse('outcome is inferred from prices, not official', 1, number)
      } else if (y !== 0 && y !== 1) tally.refuse('y is neither 0 nor 1', 1, number)
      else {
        const ticker = canonicalTicker(slug)
        pendingRows.push({ outcome: outcomeOf(ticker, y), row: number })
      }
    }
    if (pendingRows.length >= OUTCOMES_PER_REQUEST) await settle()
  }
  await settle()
}
