import type { Component } from './features/catalog/incident.ts'
import type { SourceHealth } from './features/market-watch/panel-payloads.schema.ts'
import { freshnessOf } from './domain/data-age.ts'
import { VENUES, type Venue } from './domain/market.ts'
import type { Millis } from './domain/units.ts'
import type { Feeds } from './ingest/feeds.ts'
import { isoOf } from './lib/clock.ts'
import type { FeedHealth } from './venues/connector.ts'

/** What is known of the sources at one moment. */
export interface SourceReadings {
  readonly now: Millis
  readonly source: Feeds['source'] | null
  /** The parts of the service; the venues are among them. */
  readonly components: readonly Component[]
  readonly health: (venue: Venue) => FeedHealth | null
  /** Instant of the world that is served; null before the first. */
  readonly worldAt: Millis | null
}

const STATUS: Readonly<Record<Component['status'], SourceHealth['status']>> = {
  operational: 'ok',
  degraded: 'late',
  outage: 'down',
}
/** Sources that no provider is connected for. */
const ELSEWHERE = ['traditional', 'social', 'government', 'economy'] as const

/** Every source in the order in which they are shown. */
export function sourceHealthOf(readings: SourceReadings): SourceHealth[] {
  return [
    ...VENUES.map((venue) => ofVenue(venue, readings)),
    ...ELSEWHERE.map((source): SourceHealth => ({
      ...{ source, status: 'off', mode: 'off', message: 'No provider is connected' },
      ...{ lastReceivedAt: null, ageSeconds: null },
    })),
    computed('content', readings),
    computed('computed', readings),
  ]
}

function ofVenue(venue: Venue, { source, components, health, now }: SourceReadings): SourceHealth {
  const feed = health(venue)
  const part = components.find(({ name }) => name === venue)
  const isOff = feed === null || part === undefined
  const lastAt = feed?.lastMessageAt ?? null
  return {
    source: venue,
    status: isOff ? 'off' : STATUS[part.status],
    ...heard(lastAt, now),
    mode: isOff ? 'off' : modeOf(source, feed),
    message: part?.message ?? null,
  }
}

/** What the service makes itself: late and down by the age of the world, as any other source. */
function computed(name: 'content' | 'computed', readings: SourceReadings): SourceHealth {
  const { now, source, worldAt } = readings
  const used = { name, cadence: 'computed', knownAt: worldAt } as const
  const freshness = freshnessOf(used, now)
  const isFirst = worldAt === null
  return {
    source: name,
    status: freshness === 'fresh' ? 'ok' : freshness === 'late' || isFirst ? 'late' : 'down',
    ...heard(worldAt, now),
    mode: source === 'demo' || source === 'replay' || source === 'live' ? source : 'imported',
    message: isFirst ? 'The first context is being worked out' : null,
  }
}

const modeOf = (source: SourceReadings['source'], feed: FeedHealth): SourceHealth['mode'] =>
  source === 'demo' || source === 'replay' ? source : feed.mode === 'polling' ? 'polled' : 'live'

const heard = (at: Millis | null, now: Millis) => ({
  lastReceivedAt: at === null ? null : isoOf(at),
  ageSeconds: at === null ? null : Math.max(0, Math.round((now - at) / 1_000)),
})
