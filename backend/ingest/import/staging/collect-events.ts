import type { MarketFacts } from '../../../domain/market.ts'
import { venueName } from '../../../domain/venue.ts'
import type { VenueEvent } from '../../../venues/connector.ts'
import { adoptMarkets } from './describe-markets.ts'
import type { FactsVersion } from '../import-host.ts'
import { REPEATED_REASON, type Reading } from '../reading.ts'
import type { CountedEvent } from '../recording.ts'
import { keyOf, stageEvents, type TickEvent } from './stage-events.ts'

type Ticks = { [T in TickEvent['type']]: Extract<TickEvent, { type: T }>[] }
type Main = Extract<VenueEvent, { type: CountedEvent }>

const MARKETS_PER_REQUEST = 1_000

/** Collects the events of a file's rows; a row counts by its first event of the counted type. */
export interface EventCollector {
  /** Refuses the row when nothing in it is counted, or when it repeats an earlier row. */
  add(events: readonly VenueEvent[], row: number, fallbackReason?: string): void
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
  (countEvent: CountedEvent) =>
  (event: VenueEvent): event is Main =>
    event.type === countEvent

const identityOf = (event: Exclude<VenueEvent, { type: 'trade_busted' }>): string =>
  event.type === 'market_described'
    ? `${event.type} ${event.ticker} ${event.receivedAt}`
    : `${event.type} ${keyOf(event)}`

/**
 * @param countEvent the type of event that decides how a row is counted; other events of the row are
 * stored beside it and not counted. Rows that describe a market may hold several versions, oldest
 * first
 */
export function createEventCollector(countEvent: CountedEvent, reading: Reading): EventCollector {
  const { tally, dryRun, signal, venue } = reading
  const seenTickers = new Set<string>()
  const versionsByMarket = new Map<string, FactsVersion[]>()
  let markets: FactsVersion[][] = []
  let ticks = noTicks()
  let pending = 0

  const collect = (event: VenueEvent): void => {
    if (event.type === 'trade_busted') return
    if (event.type === 'market_described') {
      const key = `${event.venue} ${event.ticker}`
      const version = { knownAt: event.receivedAt, facts: event.facts }
      const versions = versionsByMarket.get(key)
      if (versions === undefined) versionsByMarket.set(key, [version])
      else versions.push(version)
      return
    }
    const key = identityOf(event)
    if (event.type !== countEvent && seenTickers.has(key)) return
    seenTickers.add(key)
    pending += 1
    // The lists are keyed by type, which the compiler cannot follow through an index.
    const list: TickEvent[] = ticks[event.type]
    list.push(event)
  }

  const adoptHeldMarkets = async (): Promise<void> => {
    const pendingVersions = markets
    markets = []
    for (let start = 0; start < pendingVersions.length; start += MARKETS_PER_REQUEST) {
      signal.throwIfAborted()
      await adoptMarkets(pendingVersions.slice(start, start + MARKETS_PER_REQUEST), reading)
    }
  }

  const flush = async (): Promise<void> => {
    const pendingTicks = ticks
    ticks = noTicks()
    pending = 0
    await adoptHeldMarkets()
    if (dryRun)
      return tally.addRows(countEvent === 'market_described' ? 0 : pendingTicks[countEvent].length)
    const stage = (type: TickEvent['type']): Promise<void> =>
      stageEvents(type, pendingTicks[type], reading, type === countEvent ? tally.settle : null)
    await stage('activity_reported')
    await stage('quote_changed')
    await stage('book_changed')
    await stage('candle_published')
    await stage('trade_printed')
  }

  const adoptRelated = async (): Promise<void> => {
    const changedVersions = [...versionsByMarket.values()].flatMap(changesOf)
    versionsByMarket.clear()
    if (dryRun) return
    for (let start = 0; start < changedVersions.length; start += MARKETS_PER_REQUEST) {
      signal.throwIfAborted()
      await reading.host.adoptFacts(
        changedVersions.slice(start, start + MARKETS_PER_REQUEST),
        false,
      )
    }
  }

  return {
    get pending() {
      return pending + markets.length
    },
    add(events, row, fallbackReason = 'row holds no usable data') {
      const main = events.find(isMain(countEvent))
      if (main === undefined) return tally.refuse(fallbackReason, 1, row)
      if (venue !== null && main.venue !== venue)
        return tally.refuse(`row belongs to another venue than ${venueName(venue)}`, 1, row)
      const key = identityOf(main)
      if (seenTickers.has(key)) return tally.refuse(REPEATED_REASON, 1, row)
      seenTickers.add(key)
      if (countEvent !== 'market_described') return events.forEach(collect)
      const versions: FactsVersion[] = []
      for (const event of events) {
        if (event.type !== 'market_described') collect(event)
        else versions.push({ knownAt: event.receivedAt, facts: event.facts })
      }
      markets.push(versions)
    },
    flush,
    async finish() {
      await adoptRelated()
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
      const serializedFacts = textOf(facts)
      const isNews = serializedFacts !== previous
      previous = serializedFacts
      return isNews
    })
}

const textOf = (facts: MarketFacts): string => JSON.stringify(facts)
