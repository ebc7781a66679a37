import type { Component } from '../features/catalog/incident.ts'
import { VENUES, type Venue } from '../domain/market.ts'
import { MINUTE, type Millis } from '../domain/units.ts'
import { isoOf } from '../lib/clock.ts'
import type { Loss } from '../lib/files/damage-journal.ts'
import type { Feeds } from '../ingest/collect/feeds.ts'
import type { PipelineStats } from '../ingest/pipeline.ts'
import type { FeedHealth } from '../venues/connector.ts'

/**
 * Cadences of methodology part M, data age: a feed is late after one cadence and down after three.
 */
const CADENCE: Record<Exclude<FeedHealth['mode'], 'down'>, Millis> = {
  stream: MINUTE,
  polling: (5 * MINUTE) as Millis,
}

/** Readings of the parts of the service at one moment. */
export interface ServiceReadings {
  readonly now: Millis
  readonly source: Feeds['source'] | null
  readonly boardReady: boolean
  readonly pipeline: PipelineStats
  readonly health: (venue: Venue) => FeedHealth | null
  /** Losses from damaged stores that the owner has not accepted yet. */
  readonly losses: readonly Loss[]
  /** Why nothing can be written to the disk of the data folder; null while it has room. */
  readonly fullDisk: string | null
}

/** Returns the parts of the service in display order. */
export function componentsOf(readings: ServiceReadings): Component[] {
  const { now, boardReady } = readings
  return [
    databaseComponent(readings),
    historyComponent(readings),
    ...VENUES.map((venue) => venueComponent(venue, readings)),
    boardReady
      ? workingComponent('computed', now)
      : {
          ...workingComponent('computed', now),
          status: 'degraded',
          message: 'The first data is not loaded yet; retry in a few seconds',
        },
  ]
}

function databaseComponent({ now, fullDisk, losses }: ServiceReadings): Component {
  const database = handleStoreLosses('state', workingComponent('database', now), losses)
  return fullDisk === null ? database : { ...database, status: 'outage', message: fullDisk }
}

function historyComponent({ now, fullDisk, losses, pipeline }: ServiceReadings): Component {
  const { failure, storedAt } = pipeline
  if (failure === null && fullDisk === null) {
    return handleStoreLosses('history', workingComponent('history', now), losses)
  }
  const unwritten = `Rows cannot be written (${failure}); they are kept and retried`
  return {
    name: 'history',
    status: 'outage',
    lastOkAt: storedAt,
    dataAgeSeconds: secondsSince(storedAt, now),
    message: fullDisk ?? unwritten,
  }
}

const workingComponent = (name: string, now: Millis): Component => ({
  name,
  status: 'operational',
  lastOkAt: now,
  dataAgeSeconds: null,
  message: null,
})

function handleStoreLosses(
  store: Loss['store'],
  component: Component,
  losses: readonly Loss[],
): Component {
  const storeLosses = losses.filter((loss) => loss.store === store)
  if (storeLosses.length === 0) return component
  return {
    ...component,
    status: 'degraded',
    message: storeLosses.map(({ missing }) => missing).join('; '),
  }
}

function venueComponent(venue: Venue, { now, source, health }: ServiceReadings): Component {
  const feed = health(venue)
  if (feed === null) {
    const message = source === 'none' ? 'Not connected: stored data only' : 'Not open yet'
    return { ...workingComponent(venue, now), lastOkAt: null, message }
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
    // A replay emits stored rows at their original times; the gaps between them do not describe
    // the present.
    return { ...at, status: 'operational', message: 'Replayed from stored history' }
  }
  if (mode === 'down' || age === null) {
    return { ...at, status: 'outage', message: lastError ?? 'No data received yet' }
  }
  if (age > 3 * CADENCE[mode])
    return { ...at, status: 'outage', message: lastError ?? 'No data for too long' }
  if (age > CADENCE[mode])
    return { ...at, status: 'degraded', message: lastError ?? 'Data is late' }
  const failure = failureOf(feed)
  return failure === null
    ? { ...at, status: 'operational', message: sample }
    : { ...at, status: 'degraded', message: failure }
}

/** Why a venue that delivers data is still degraded, and since when; null for a healthy venue. */
function failureOf({ missing, pausedHosts = [] }: FeedHealth): string | null {
  const failures = pausedHosts.map(
    ({ host, since, reason }) =>
      `${host} has not been called normally since ${isoOf(since)}: ${reason}`,
  )
  if (missing)
    failures.unshift(`A feed is missing since ${isoOf(missing.since)}: ${missing.reason}`)
  return failures.length === 0 ? null : failures.join('; ')
}

const secondsSince = (at: Millis | null, now: Millis): number | null =>
  at === null ? null : Math.max(0, Math.round((now - at) / 1_000))
