import type { Component } from '../features/catalog/incident.ts'
import type { SourceHealth } from '../contract/panels/panel-payloads.ts'
import { DATA_AGE_PARAMS, freshnessOf } from '../domain/data-age.ts'
import { VENUES, type Venue } from '../domain/market.ts'
import type { Millis } from '../domain/units.ts'
import type { Feeds } from '../ingest/collect/feeds.ts'
import { isoOf } from '../lib/clock.ts'
import type { FeedHealth } from '../venues/connector.ts'

/** Readings of the sources at one moment. */
export interface SourceReadings {
  readonly now: Millis
  readonly source: Feeds['source'] | null
  /** Parts of the service, including the venues. */
  readonly components: readonly Component[]
  readonly health: (venue: Venue) => FeedHealth | null
  /** Time of the newest world snapshot; null before the first. */
  readonly worldAt: Millis | null
}

const STATUS: Readonly<Record<Component['status'], SourceHealth['status']>> = {
  operational: 'ok',
  degraded: 'late',
  outage: 'down',
}
/** Sources to which no provider is connected. */
const UNCONNECTED = ['traditional', 'social', 'government', 'economy'] as const

/** Returns every source in display order. */
export function sourceHealthOf(readings: SourceReadings): SourceHealth[] {
  return [
    ...VENUES.map((venue) => venueHealth(venue, readings)),
    ...UNCONNECTED.map((source): SourceHealth => ({
      source,
      status: 'off',
      mode: 'off',
      message: 'No provider is connected',
      lastReceivedAt: null,
      ageSeconds: null,
    })),
    computedHealth('content', readings),
    computedHealth('computed', readings),
  ]
}

function venueHealth(
  venue: Venue,
  { source, components, health, now }: SourceReadings,
): SourceHealth {
  const feed = health(venue)
  const part = components.find(({ name }) => name === venue)
  const isOff = feed === null || part === undefined
  const lastAt = feed?.lastMessageAt ?? null
  return {
    source: venue,
    status: isOff ? 'off' : STATUS[part.status],
    ...receptionOf(lastAt, now),
    mode: isOff ? 'off' : modeOf(source, feed),
    message: part?.message ?? null,
  }
}

/**
 * Health of a source that the service computes itself, from the age of the world snapshot.
 */
function computedHealth(name: 'content' | 'computed', readings: SourceReadings): SourceHealth {
  const { now, source, worldAt } = readings
  const isFirst = worldAt === null
  const freshness = freshnessOf(isFirst ? null : now - worldAt, DATA_AGE_PARAMS.cadence.computed)
  return {
    source: name,
    status: freshness === 'fresh' ? 'ok' : freshness === 'late' || isFirst ? 'late' : 'down',
    ...receptionOf(worldAt, now),
    mode: source === 'demo' || source === 'replay' || source === 'live' ? source : 'imported',
    message: isFirst ? 'The first context snapshot is being computed' : null,
  }
}

const modeOf = (source: SourceReadings['source'], feed: FeedHealth): SourceHealth['mode'] =>
  source === 'demo' || source === 'replay' ? source : feed.mode === 'polling' ? 'polled' : 'live'

const receptionOf = (at: Millis | null, now: Millis) => ({
  lastReceivedAt: at === null ? null : isoOf(at),
  ageSeconds: at === null ? null : Math.max(0, Math.round((now - at) / 1_000)),
})
