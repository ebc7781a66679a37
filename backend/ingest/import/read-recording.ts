import type { Millis } from '../../domain/units.ts'
import type { VenueEvent } from '../../venues/connector.ts'
import type { RememberedCatalogue } from '../../venues/venue-a/catalogue.ts'
import { adoptMarkets } from './describe-markets.ts'
import type { FactsVersion } from './import-host.ts'
import type { Reading } from './reading.ts'
import type { Context, Recording } from './recording.ts'
import { keyOf, stageEvents, type TickEvent } from './stage-events.ts'

const MARKETS_PER_REQUEST = 1_000

/** What one payload said, sorted by what the history keeps. */
interface Harvested {
  readonly versions: FactsVersion[]
  readonly ticks: { [T in TickEvent['type']]: Extract<TickEvent, { type: T }>[] }
}

/**
 * Takes a recorded payload. A row counts by its main event: a market's quote and counters are
 * stored beside its facts and not counted again.
 */
export async function readRecording(
  { rows, counted }: Recording,
  receivedAt: Millis,
  catalogue: RememberedCatalogue,
  reading: Reading,
): Promise<void> {
  const { tally, dryRun, signal } = reading
  const context = { origin: 'imported', receivedAt } as const
  const harvested: Harvested = { versions: [], ticks: emptyTicks() }
  const seen = new Set<string>()
  let good = 0
  rows.forEach((parse, index) => {
    const { events, skipped } = parse(context, catalogue)
    const main = events.find((event) => event.type === counted)
    if (main === undefined) {
      const [reason] = Object.keys(skipped)
      return tally.refuse(reason ?? 'nothing usable in it', 1, index + 1)
    }
    const key = main.type === 'market_described' ? main.ticker : keyOf(main)
    if (seen.has(key)) {
      return tally.refuse('another row of the same market and instant', 1, index + 1)
    }
    seen.add(key)
    good += 1
    for (const event of events) sort(event, harvested)
  })
  if (dryRun) return tally.take(good)
  const { versions, ticks } = harvested
  for (let start = 0; start < versions.length; start += MARKETS_PER_REQUEST) {
    signal.throwIfAborted()
    const batch = versions.slice(start, start + MARKETS_PER_REQUEST)
    await adoptMarkets(
      batch.map((version) => [version]),
      reading,
    )
  }
  const settle = (type: TickEvent['type']) => (outcome: Parameters<typeof tally.settle>[0]) => {
    if (type === counted || 'error' in outcome) tally.settle(outcome)
  }
  await stageEvents(
    'activity_reported',
    ticks.activity_reported,
    reading,
    settle('activity_reported'),
  )
  await stageEvents('quote_changed', ticks.quote_changed, reading, settle('quote_changed'))
  await stageEvents('book_changed', ticks.book_changed, reading, settle('book_changed'))
  await stageEvents('candle_published', ticks.candle_published, reading, settle('candle_published'))
  await stageEvents('trade_printed', ticks.trade_printed, reading, settle('trade_printed'))
}

const emptyTicks = (): Harvested['ticks'] => ({
  activity_reported: [],
  quote_changed: [],
  book_changed: [],
  candle_published: [],
  trade_printed: [],
})

function sort(event: VenueEvent, { versions, ticks }: Harvested): void {
  switch (event.type) {
    case 'market_described':
      versions.push({ knownAt: event.receivedAt, facts: event.facts })
      break
    case 'activity_reported':
      ticks.activity_reported.push(event)
      break
    case 'quote_changed':
      ticks.quote_changed.push(event)
      break
    case 'book_changed':
      ticks.book_changed.push(event)
      break
    case 'candle_published':
      ticks.candle_published.push(event)
      break
    case 'trade_printed':
      ticks.trade_printed.push(event)
      break
    case 'trade_busted':
      // Only sockets tell it, of trades that REST then leaves out: a recording holds what stands.
      break
  }
}

/** Counts series or events by what became of the markets they name. */
export function countContext({ of, ids }: Context, { tally, described }: Reading): void {
  ids.forEach((id, index) => {
    if (id === null) return tally.refuse(`${of} without a ticker`, 1, index + 1)
    const fate = described.get(`${of} ${id}`)
    if (fate === 'taken') tally.take(1)
    else if (fate === 'known') tally.know(1)
    else tally.refuse(`no market of this ${of} is in the same import`, 1, index + 1)
  })
}
