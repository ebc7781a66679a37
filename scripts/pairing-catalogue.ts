import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { categoryOf } from '../backend/domain/topics/topics.ts'
import { hashText } from '../backend/domain/hash.ts'
import type { PairingFacts } from '../backend/domain/pairing/fingerprint.ts'
import type { Venue } from '../backend/domain/market.ts'
import type { Cents, Millis } from '../backend/domain/units.ts'
import { centsOf } from '../backend/domain/units.ts'
import { parseEventsPage } from '../backend/venues/venue-a/parse.ts'
import { parseGammaEventsPage } from '../backend/venues/venue-b/parse.ts'
import type { VenueEvent } from '../backend/venues/connector.ts'

/** Folder of the recorded data, or null when there is none. */
export function recordingsFolder(): string | null {
  const folder =
    process.env['AUGURY_RECORDINGS'] ?? join(import.meta.dirname, '..', '..', 'shared', 'data')
  return existsSync(join(folder, 'pairs')) ? folder : null
}

/** Markets of both venues at one time. */
export interface RecordedCatalogue {
  readonly name: string
  readonly markets: readonly PairingFacts[]
}

const IMPORTED = { origin: 'imported', receivedAt: 0 as Millis } as const

function factsFrom(events: readonly VenueEvent[]): PairingFacts[] {
  const marks = new Map<string, Cents>()
  for (const event of events) {
    if (event.type !== 'quote_changed' || event.bid === null || event.ask === null) continue
    if (event.ask - event.bid > 1_000 || event.ask <= event.bid) continue
    marks.set(event.ticker, ((centsOf(event.bid) + centsOf(event.ask)) / 2) as Cents)
  }
  return events.flatMap((event) =>
    event.type === 'market_described'
      ? [{ ...event.facts, mark: marks.get(event.facts.ticker) ?? null }]
      : [],
  )
}

const jsonAt = (folder: string, name: string): unknown =>
  JSON.parse(readFileSync(join(folder, name), 'utf8'))

interface EventRules {
  readonly description?: string
  readonly markets: readonly { readonly condition_id?: string }[]
}

/** A recorded event that stores the rules of all its markets copies them to each. */
function withEventRules(markets: readonly PairingFacts[], events: unknown): PairingFacts[] {
  const rules = new Map<string, string>()
  for (const { description, markets: ruled } of events as readonly EventRules[]) {
    for (const { condition_id: id } of ruled) if (id !== undefined) rules.set(id, description ?? '')
  }
  return markets.map((market) =>
    market.description === '' ? { ...market, description: rules.get(market.ticker) ?? '' } : market,
  )
}

interface TitleOnly {
  readonly venue: Venue
  readonly ticker: string
  readonly title: string
  readonly subtitle: string | null
  readonly category: string | null
  readonly closeTime: number | null
  readonly eventId: string
  readonly description: string
}

/** venue_a's markets are titled by event and outcome, as its parser does. */
const fullTitle = ({ venue, title, subtitle }: TitleOnly): string =>
  venue === 'venue_b' || subtitle === null || title.includes(subtitle)
    ? title
    : `${title} - ${subtitle}`

const fromTitle = (market: TitleOnly): PairingFacts => ({
  venue: market.venue,
  ticker: market.ticker,
  title: fullTitle(market),
  subtitle: market.subtitle,
  description: market.description,
  eventId: market.eventId,
  eventTitle: null,
  seriesTitle: null,
  tags: [],
  category: categoryOf(market.category),
  closeTime: market.closeTime as Millis | null,
  mark: null,
})

interface LooseSide {
  readonly question?: string
  readonly title?: string
  readonly end: string
}
interface LooseMatch {
  readonly category: string
  readonly polymarket: LooseSide
  readonly kalshi: LooseSide
}

/** Id of a market that was recorded without one: a hash of its title and close. */
export const looseTicker = (title: string, end: string): string =>
  `loose-${hashText(`${title}|${end}`).slice(0, 12)}`

function looseMarkets(folder: string): PairingFacts[] {
  const matches = jsonAt(folder, 'pairs/generated_matches_2026-03-01_loose.json') as LooseMatch[]
  const markets = new Map<string, PairingFacts>()
  for (const { category, polymarket, kalshi } of matches) {
    for (const [venue, side] of [
      ['venue_a', kalshi],
      ['venue_b', polymarket],
    ] as const) {
      const title = side.question ?? side.title ?? ''
      const ticker = looseTicker(title, side.end)
      const closeTime = Date.parse(side.end)
      const rest = { subtitle: null, category, closeTime, eventId: ticker, description: '' }
      markets.set(`${venue} ${ticker}`, fromTitle({ venue, ticker, title, ...rest }))
    }
  }
  return [...markets.values()]
}

type Row = Readonly<Record<string, unknown>>
const textIn = (row: Row, name: string): string | null => {
  const value = row[name]
  return typeof value === 'string' && value !== '' ? value : null
}
const timeIn = (row: Row, name: string): number | null => {
  const text = textIn(row, name)
  const time = text === null ? Number.NaN : Date.parse(`${text.replace(' ', 'T').slice(0, 19)}Z`)
  return Number.isNaN(time) ? null : time
}

async function rowsOf(query: string): Promise<readonly Row[]> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    return (await connection.runAndReadAll(query)).getRowObjectsJson()
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

async function labMarkets(folder: string): Promise<PairingFacts[]> {
  const files = [
    ['venue_a', 'venue_a/lab_kalshi_markets.parquet'],
    ['venue_b', 'venue_b/lab_polymarket_markets.parquet'],
  ] as const
  const markets: PairingFacts[] = []
  for (const [venue, file] of files) {
    for (const row of await rowsOf(`select * from '${join(folder, file)}'`)) {
      const rules = [textIn(row, 'settlement_rules_raw'), textIn(row, 'settlement_source')]
      const id = textIn(row, 'platform_market_id') ?? ''
      markets.push(
        fromTitle({
          venue,
          ticker: textIn(row, 'condition_id') ?? id,
          title: textIn(row, 'title') ?? '',
          subtitle: textIn(row, 'subtitle'),
          category: textIn(row, 'category'),
          closeTime: timeIn(row, 'close_time'),
          eventId: textIn(row, 'platform_event_id') ?? id,
          description: rules.filter((rule) => rule !== null).join('\n'),
        }),
      )
    }
  }
  return markets
}

async function augustMarkets(folder: string): Promise<PairingFacts[]> {
  const active = join(folder, 'pairs/active_markets_both_venues_2026-08-19_21.csv')
  const live = join(folder, 'pairs/live_cross_venue_pairs_2026-08-19_21.csv')
  const markets = new Map<string, PairingFacts>()
  for (const row of await rowsOf(`from read_csv('${active}', all_varchar = true)`)) {
    const venue = textIn(row, 'venue') === 'kalshi' ? 'venue_a' : 'venue_b'
    const ticker = textIn(row, 'id') ?? ''
    markets.set(
      `${venue} ${ticker}`,
      fromTitle({
        venue,
        ticker,
        title: textIn(row, 'title') ?? '',
        subtitle: textIn(row, 'sub'),
        category: textIn(row, 'category'),
        closeTime: timeIn(row, 'close_time'),
        eventId: venue === 'venue_a' ? ticker.replace(/-[^-]*$/, '') : ticker,
        description: '',
      }),
    )
  }
  for (const row of await rowsOf(`from read_csv('${live}', all_varchar = true)`)) {
    const sides = [
      ['venue_a', textIn(row, 'kalshi_ticker'), textIn(row, 'kalshi_title')],
      ['venue_b', textIn(row, 'polymarket_slug'), textIn(row, 'polymarket_title')],
    ] as const
    for (const [venue, ticker, title] of sides) {
      const id = venue === 'venue_b' ? (textIn(row, 'polymarket_id') ?? ticker) : ticker
      if (id === null || title === null || markets.has(`${venue} ${id}`)) continue
      const rest = { subtitle: null, category: null, closeTime: null, eventId: id, description: '' }
      markets.set(`${venue} ${id}`, fromTitle({ venue, ticker: id, title, ...rest }))
    }
  }
  return [...markets.values()]
}

/** Markets that venue_b listed in May, without their rules. */
async function mayMarkets(folder: string): Promise<PairingFacts[]> {
  const file = join(folder, 'venue_b/polymarket_markets_2026-05_snapshot.csv')
  const rows = await rowsOf(`from read_csv('${file}', all_varchar = true)`)
  return rows.map((row) => {
    const ticker = textIn(row, 'market_id') ?? ''
    return fromTitle({
      venue: 'venue_b',
      ticker,
      title: textIn(row, 'question') ?? '',
      subtitle: null,
      category: textIn(row, 'category'),
      closeTime: timeIn(row, 'end_date'),
      eventId: ticker,
      description: '',
    })
  })
}

/** Markets of venue_b's exchange in the US; their outcomes are only in the slugs. */
export async function usMarkets(folder: string): Promise<PairingFacts[]> {
  const file = join(folder, 'venue_b/pmus_markets.parquet')
  const rows = await rowsOf(
    `select slug, question, category, last_ts::varchar as last_ts from '${file}' order by slug`,
  )
  return rows.map((row) => {
    const ticker = textIn(row, 'slug') ?? ''
    return fromTitle({
      venue: 'venue_b',
      ticker,
      title: textIn(row, 'question') ?? '',
      subtitle: null,
      category: textIn(row, 'category'),
      closeTime: timeIn(row, 'last_ts'),
      eventId: ticker,
      description: '',
    })
  })
}

const distinct = (markets: readonly PairingFacts[]): PairingFacts[] => [
  ...new Map(markets.map((market) => [`${market.venue} ${market.ticker}`, market])).values(),
]

/** Every recorded catalogue that holds markets of both venues. */
export async function recordedCatalogues(folder: string): Promise<RecordedCatalogue[]> {
  // A market in both files is taken from the one that has its rules, which comes last.
  const eventsA = [
    'venue_a/kalshi_events_nested_2026-03-01.json',
    'venue_a/kalshi_iran_raw_2026-03.json',
  ]
  const eventsB = [
    'venue_b/polymarket_gamma_events_2026-03-01.json',
    'venue_b/polymarket_iran_raw_2026-03.json',
  ]
  const parsed = [
    ...eventsA.flatMap((name) => factsFrom(parseEventsPage(jsonAt(folder, name), IMPORTED).events)),
    ...eventsB.flatMap((name) => {
      const page = jsonAt(folder, name)
      return withEventRules(factsFrom(parseGammaEventsPage(page, IMPORTED).events), page)
    }),
  ]
  // venue_a's listing in March and venue_b's in May: long-running questions that both still listed.
  const march = distinct([...parsed, ...looseMarkets(folder)])
  const marchA = march.filter(({ venue }) => venue === 'venue_a')
  return [
    { name: '2026-03', markets: march },
    { name: '2026-05', markets: distinct([...marchA, ...(await mayMarkets(folder))]) },
    { name: '2026-07', markets: distinct(await labMarkets(folder)) },
    { name: '2026-08', markets: distinct(await augustMarkets(folder)) },
  ]
}
