import type { MarketFacts } from '../../../domain/market.ts'
import { venueName } from '../../../domain/venue.ts'
import type { VenueEvent } from '../../../venues/connector.ts'
import { adoptMarkets } from './describe-markets.ts'
import type { FactsVersion } from '../import-host.ts'
import { REPEATED, type Reading } from '../reading.ts'
import type { CountedEvent } from '../recording.ts'
import { keyOf, stageEvents, type TickEvent } from './stage-events.ts'

type Ticks = { [T in TickEvent['type']]: Extract<TickEvent, { type: T }>[] }
type Main = Extract<VenueEvent, { type: CountedEvent }>

const MARKETS_PER_REQUEST = 1_000

/** Collects the events of a file's rows; a row counts by its first event of the counted type. */
export interface EventCollector {
  /** Refuses the row when nothing in it is counted, or when it repeats an earlier row. */
  add(events: readonly VenueEvent[], row: number, otherwise?: string): void
  /** Number of collected events not yet passed to the history. */
  readonly pending: number
  /** Passes the collected events to the history. */
  flush(): Promise<void>
  /** Passes the rest; versions of facts beside the counted rows are stored where they changed. */
  finish(): Promise<void>
}

const noTicks = (): Ticks => ({
  activity_reported: [],
  quote_changed: [],
  book_changed: [],
  candle_published: [],
  trade_printed: [],
})

const isMain =
  (counted: CountedEvent) =>
  (event: VenueEvent): event is Main =>
    event.type === counted

const identityOf = (event: Exclude<VenueEvent, { type: 'trade_busted' }>): string =>
  event.type === 'market_described'
    ? `${event.type} ${event.ticker} ${event.receivedAt}`
    : `${event.type} ${keyOf(event)}`

/**
 * @param counted the type of event that decides how a row is counted; other events of the row are
 * stored beside it and not counted. Rows that describe a market may hold several versions, oldest
 * first
 */
export function createEventCollector(counted: CountedEvent, reading: Reading): EventCollector {
  const { tally, dryRun, signal, venue } = reading
  const seen = new Set<string>()
  const beside = new Map<string, FactsVersion[]>()
  let markets: FactsVersion[][] = []
  let ticks = noTicks()
  let pending = 0

  const collect = (event: VenueEvent): void => {
    if (event.type === 'trade_busted') return
    if (event.type === 'market_described') {
      const key = `${event.venue} ${event.ticker}`
      const version = { knownAt: event.receivedAt, facts: event.facts }
      const versions = beside.get(key)
      if (versions === undefined) beside.set(key, [version])
      else versions.push(version)
      return
    }
    const key = identityOf(event)
    if (event.type !== counted && seen.has(key)) return
    seen.add(key)
    pending += 1
    // The lists are keyed by type, which the compiler cannot follow through an index.
    const list: TickEvent[] = ticks[event.type]
    list.push(event)
  }

  const adoptHeldMarkets = async (): Promise<void> => {
    const waiting = markets
    markets = []
    for (let start = 0; start < waiting.length; start += MARKETS_PER_REQUEST) {
      signal.throwIfAborted()
      await adoptMarkets(waiting.slice(start, start + MARKETS_PER_REQUEST), reading)
    }
  }

  const flush = async (): Promise<void> => {
    const waiting = ticks
    ticks = noTicks()
    pending = 0
    await adoptHeldMarkets()
    if (dryRun) return tally.addRows(counted === 'market_described' ? 0 : waiting[counted].length)
    const stage = (type: TickEvent['type']): Promise<void> =>
      stageEvents(type, waiting[type], reading, type === counted ? tally.settle : null)
    await stage('activity_reported')
    await stage('quote_changed')
    await stage('book_changed')
    await stage('candle_published')
    await stage('trade_printed')
  }

  const adoptBeside = async (): Promise<void> => {
    const changed = [...beside.values()].flatMap(changesOf)
    beside.clear()
    if (dryRun) return
    for (let start = 0; start < changed.length; start += MARKETS_PER_REQUEST) {
      signal.throwIfAborted()
      await reading.host.adoptFacts(changed.slice(start, start + MARKETS_PER_REQUEST), false)
    }
  }

  return {
    get pending() {
      return pending + markets.length
    },
    add(events, row, otherwise = 'row holds no usable data') {
      const main = events.find(isMain(counted))
      if (main === undefined) return tally.refuse(otherwise, 1, row)
      if (venue !== null && main.venue !== venue)
        return tally.refuse(`row belongs to another venue than ${venueName(venue)}`, 1, row)
      const key = identityOf(main)
      if (seen.has(key)) return tally.refuse(REPEATED, 1, row)
      seen.add(key)
      if (counted !== 'market_described') return events.forEach(collect)
      const versions: FactsVersion[] = []
      for (const event of events) {
        if (event.type !== 'market_described') collect(event)
        else versions.push({ knownAt: event.receivedAt, facts: event.facts })
      }
      markets.push(versions)
    },
    flush,
    async finish() {
      await adoptBeside()
      await flush()
    },
  }
}

/** Versions in the order in which they became known, without those that change nothing. */
function changesOf(versions: readonly FactsVersion[]): FactsVersion[] {
  let previous: string | null = null
  return versions
    .toSorted((a, b) => a.knownAt - b.knownAt)
    .filter(({ facts }) => {
      const serialized = textOf(facts)
      const isNews = serialized !== previous
      previous = serialized
      return isNews
    })
}

const textOf = (facts: MarketFacts): string => JSON.stringify(facts)
