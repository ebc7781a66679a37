import type { Component } from './features/catalog/incident.ts'
import { VENUES, type Venue } from './domain/market.ts'
import { MINUTE, type Millis } from './domain/units.ts'
import { isoOf } from './lib/clock.ts'
import type { Feeds } from './ingest/feeds.ts'
import type { PipelineStats } from './ingest/pipeline.ts'
import type { FeedHealth } from './venues/connector.ts'

/** Cadences of methodology part M, data age: late beyond one of them, down beyond three. */
const CADENCE: Record<Exclude<FeedHealth['mode'], 'down'>, Millis> = {
  stream: MINUTE,
  polling: (5 * MINUTE) as Millis,
}

/** What the parts of the service say of themselves at one moment. */
export interface ServiceReadings {
  readonly now: Millis
  readonly source: Feeds['source'] | null
  readonly boardReady: boolean
  readonly pipeline: PipelineStats
  readonly health: (venue: Venue) => FeedHealth | null
}

/** The parts of the service in the order in which they are shown. */
export function componentsOf(readings: ServiceReadings): Component[] {
  const { now, boardReady, pipeline } = readings
  const stored = pipeline.failure === null
  return [
    { ...working('database', now), dataAgeSeconds: null },
    stored
      ? working('history', now)
      : {
          name: 'history',
          status: 'outage',
          lastOkAt: pipeline.storedAt,
          dataAgeSeconds: secondsSince(pipeline.storedAt, now),
          message: `Rows cannot be written (${pipeline.failure}); they are kept and tried again`,
        },
    ...VENUES.map((venue) => venueComponent(venue, readings)),
    boardReady
      ? working('computed', now)
      : {
          ...working('computed', now),
          status: 'degraded',
          message: 'The first load is unfinished',
        },
  ]
}

const working = (name: string, now: Millis): Component => ({
  name,
  status: 'operational',
  lastOkAt: now,
  dataAgeSeconds: null,
  message: null,
})

function venueComponent(venue: Venue, { now, source, health }: ServiceReadings): Component {
  const feed = health(venue)
  if (feed === null) {
    const message = source === 'none' ? 'Not connected: stored data only' : 'Not opened yet'
    return { ...working(venue, now), lastOkAt: null, message }
  }
  const { lastMessageAt, lastError, mode } = feed
  const age = lastMessageAt === null ? null : now - lastMessageAt
  const sample = source === 'demo' ? 'Sample data' : null
  const at = {
    name: venue,
    lastOkAt: lastMessageAt,
    dataAgeSeconds: secondsSince(lastMessageAt, now),
  }
  if (source === 'replay') {
    // Stored rows are told when they were known; how far they lie apart says nothing of now.
    return { ...at, status: 'operational', message: 'Told once more from stored history' }
  }
  if (mode === 'down' || age === null) {
    return { ...at, status: 'outage', message: lastError ?? 'Nothing was heard of it yet' }
  }
  if (age > 3 * CADENCE[mode])
    return { ...at, status: 'outage', message: lastError ?? 'It fell silent' }
  if (age > CADENCE[mode]) return { ...at, status: 'degraded', message: lastError ?? 'It is late' }
  const trouble = troubleOf(feed)
  return trouble === null
    ? { ...at, status: 'operational', message: sample }
    : { ...at, status: 'degraded', message: trouble }
}

/** What a venue that is heard lacks nevertheless, since when and why; null for nothing. */
function troubleOf({ missing, resting = [] }: FeedHealth): string | null {
  const troubles = resting.map(
    ({ host, since, reason }) =>
      `${host} has not been asked as usual since ${isoOf(since)}: ${reason}`,
  )
  if (missing)
    troubles.unshift(`A feed is missing since ${isoOf(missing.since)}: ${missing.reason}`)
  return troubles.length === 0 ? null : troubles.join('; ')
}

const secondsSince = (at: Millis | null, now: Millis): number | null =>
  at === null ? null : Math.max(0, Math.round((now - at) / 1_000))
