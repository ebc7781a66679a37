import { describe, expect, it } from 'vitest'
import { componentsOf, type ServiceReadings } from './components.ts'
import { MINUTE, SECOND, type Millis } from '../domain/units.ts'
import type { FeedHealth } from '../venues/connector.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z') as Millis

const feed = (health: Partial<FeedHealth>): FeedHealth => ({
  venue: 'venue_a',
  mode: 'stream',
  lastMessageAt: NOW,
  requests: 1,
  failures: 0,
  skipped: {},
  lastError: null,
  ...health,
})
const received = (ago: number, health: Partial<FeedHealth> = {}): FeedHealth =>
  feed({ lastMessageAt: (NOW - ago) as Millis, ...health })

const read = (readings: Partial<ServiceReadings> = {}) =>
  componentsOf({
    now: NOW,
    source: 'live',
    boardReady: true,
    pipeline: {
      accepted: 0,
      duplicates: 0,
      corrections: 0,
      unknownMarket: 0,
      waiting: 0,
      storedAt: null,
      failure: null,
    },
    health: () => feed({}),
    losses: [],
    fullDisk: null,
    ...readings,
  })
const venueA = (health: FeedHealth | null, source: ServiceReadings['source'] = 'live') =>
  read({ source, health: (venue) => (venue === 'venue_a' ? health : feed({})) }).find(
    ({ name }) => name === 'venue_a',
  )

describe('components of the service', () => {
  it('are degraded while a loss is not accepted', () => {
    const missing = '2 writes of the operational rows are lost'
    const parts = read({ losses: [{ store: 'state', at: NOW, missing }] })
    expect(parts.filter(({ status }) => status !== 'operational')).toMatchObject([
      { name: 'database', status: 'degraded', message: missing },
    ])
  })

  it('report a full disk in the same words', () => {
    const fullDisk = 'The disk is full'
    const broken = read({ fullDisk }).filter(({ status }) => status !== 'operational')
    expect(broken).toMatchObject([
      { name: 'database', status: 'outage', message: fullDisk },
      { name: 'history', status: 'outage', message: fullDisk },
    ])
  })

  it('are listed in one order, all of them working', () => {
    const parts = read()
    expect(parts.map(({ name }) => name)).toEqual([
      'database',
      'history',
      'venue_a',
      'venue_b',
      'computed',
    ])
    for (const part of parts) {
      expect(part).toMatchObject({ status: 'operational', lastOkAt: NOW, message: null })
    }
  })

  it.each<[string, FeedHealth, string, string | null]>([
    ['streams', received(MINUTE), 'operational', null],
    ['streams late', received(MINUTE + 1), 'degraded', 'Data is late'],
    ['streams three minutes late', received(3 * MINUTE), 'degraded', 'Data is late'],
    ['stopped streaming', received(3 * MINUTE + 1), 'outage', 'No data for too long'],
    ['is polled', received(5 * MINUTE, { mode: 'polling' }), 'operational', null],
    ['is polled late', received(6 * MINUTE, { mode: 'polling' }), 'degraded', 'Data is late'],
    [
      'is polled without success',
      received(16 * MINUTE, { mode: 'polling' }),
      'outage',
      'No data for too long',
    ],
    ['is late after an error', received(2 * MINUTE, { lastError: '503' }), 'degraded', '503'],
    ['is down', received(SECOND, { mode: 'down', lastError: '500' }), 'outage', '500'],
    ['never delivered', feed({ lastMessageAt: null }), 'outage', 'No data received yet'],
    [
      'misses a feed',
      received(SECOND, { missing: { since: (NOW - MINUTE) as Millis, reason: 'frozen' } }),
      'degraded',
      'A feed is missing since 2026-11-20T13:59:00.000Z: frozen',
    ],
    [
      'has a paused host',
      received(SECOND, {
        missing: null,
        pausedHosts: [{ host: 'h', since: NOW, reason: '/x: 500' }],
      }),
      'degraded',
      'h has not been called normally since 2026-11-20T14:00:00.000Z: /x: 500',
    ],
    ['had an error once', received(SECOND, { lastError: '429' }), 'operational', null],
  ])('report a venue that %s', (_name, health, status, message) => {
    expect(venueA(health)).toMatchObject({ status, message, lastOkAt: health.lastMessageAt })
  })

  it('report the age of a venue in whole seconds, never negative', () => {
    expect(venueA(received(90_400))?.dataAgeSeconds).toBe(90)
    expect(venueA(received(0 - SECOND))?.dataAgeSeconds).toBe(0)
    expect(venueA(feed({ lastMessageAt: null }))?.dataAgeSeconds).toBeNull()
  })

  it.each([
    ['none', 'Not connected: stored data only'],
    [null, 'Not open yet'],
  ] as const)('report a venue that is not read, source %s', (source, message) => {
    expect(venueA(null, source)).toEqual({
      name: 'venue_a',
      status: 'operational',
      lastOkAt: null,
      dataAgeSeconds: null,
      message,
    })
  })

  it('report that the demo is sample data while it works', () => {
    expect(venueA(received(0), 'demo')?.message).toBe('Sample data')
    expect(venueA(received(2 * MINUTE), 'demo')?.message).toBe('Data is late')
  })

  it('do not affect each other', () => {
    const parts = read({
      health: (venue) => feed({ mode: venue === 'venue_b' ? 'down' : 'stream' }),
    })
    expect(parts.map(({ status }) => status)).toEqual([
      'operational',
      'operational',
      'operational',
      'outage',
      'operational',
    ])
  })

  it('report since when and why the history cannot be written', () => {
    const storedAt = (NOW - 42 * SECOND) as Millis
    const pipeline = {
      accepted: 9,
      duplicates: 0,
      corrections: 0,
      unknownMarket: 0,
      waiting: 9,
      storedAt,
      failure: 'no space left',
    }
    expect(read({ pipeline })[1]).toEqual({
      name: 'history',
      status: 'outage',
      lastOkAt: storedAt,
      dataAgeSeconds: 42,
      message: 'Rows cannot be written (no space left); they are kept and retried',
    })
  })

  it('report that the first load is unfinished', () => {
    expect(read({ boardReady: false }).at(-1)).toMatchObject({
      status: 'degraded',
      message: 'The first data is not loaded yet; retry in a few seconds',
    })
  })
})
