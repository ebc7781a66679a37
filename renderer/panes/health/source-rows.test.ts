import { expect, it } from 'vitest'
import { healthSentence, sourceRows } from './source-rows.ts'

const NOW = Date.parse('2026-11-20T10:00:00.000Z')
const AT = '2026-11-20T09:59:00.000Z'
const link = { text: 'Live', help: 'Connected', tone: 'ok' } as const
const part = (name: string, more: object = {}) => ({
  name,
  status: 'operational',
  lastOkAt: AT,
  dataAgeSeconds: 5,
  message: null,
  ...more,
})
const rowsOf = (components: readonly object[], more: object = {}) =>
  sourceRows({
    status: { components },
    statusAge: 2_000,
    isLost: false,
    link,
    arrivedAt: NOW - 3_000,
    now: NOW,
    ...more,
  } as never)

it('each source has its state and its age now', () => {
  const rows = rowsOf([
    part('venue_a'),
    part('history', { status: 'degraded', message: 'slow' }),
    part('database', { status: 'outage', dataAgeSeconds: null }),
    part('other'),
  ])
  expect(
    rows.map(({ name, state, tone, rank, ageMs }) => [name, state, tone, rank, ageMs]),
  ).toEqual([
    ['Kalshi', 'OK', 'ok', 2, 7_000],
    ['History', 'late', 'late', 1, 7_000],
    ['Operational database', 'down', 'error', 0, null],
    ['other', 'OK', 'ok', 2, 7_000],
    ['Live updates', 'live', 'ok', 2, 3_000],
  ])
  expect(rows.map(({ age, note }) => [age, note])).toEqual([
    ['7s', ''],
    ['7s', 'slow'],
    ['–', ''],
    ['7s', ''],
    ['3s', 'Connected'],
  ])
  expect(rows.at(-1)?.lastOkAt).toBe('2026-11-20T09:59:57.000Z')
})

it('a venue that was never connected has no fault; another part without a success is OK', () => {
  const rows = rowsOf([
    part('venue_a', { lastOkAt: null }),
    part('venue_b', { lastOkAt: null, status: 'outage' }),
    part('history', { lastOkAt: null }),
  ])
  expect(rows.map(({ state, tone, rank }) => [state, tone, rank]).slice(0, 3)).toEqual([
    ['not connected', 'faint', 1],
    ['down', 'error', 0],
    ['OK', 'ok', 2],
  ])
})

it('without the service nothing is known', () => {
  const rows = rowsOf([part('venue_a'), part('venue_b', { lastOkAt: null })], {
    isLost: true,
    link: { text: 'Offline', help: '', tone: 'late' },
    arrivedAt: null,
  })
  expect(rows.map(({ state, tone, rank }) => [state, tone, rank])).toEqual([
    ['unknown', 'error', 0],
    ['unknown', 'error', 0],
    ['offline', 'late', 1],
  ])
  expect(rows.at(-1)).toMatchObject({ age: '–', ageMs: null, lastOkAt: null })
  // Before the first response there is only the connection.
  expect(rowsOf([], { status: null }).map(({ id }) => id)).toEqual(['stream'])
  expect(rowsOf([], { arrivedAt: NOW + 5_000 })[0]?.ageMs).toBe(0)
})

it.each([
  [[part('venue_a')], 'All 2 sources are OK.'],
  [
    [part('venue_a', { lastOkAt: null }), part('venue_b', { lastOkAt: null })],
    'Kalshi and Polymarket not connected: stored data only. The rest is OK.',
  ],
  [
    [part('venue_a', { lastOkAt: null }), part('history', { status: 'degraded' })],
    '1 of 3 sources have problems: History late.',
  ],
  [
    [part('venue_a', { status: 'outage' }), part('history', { status: 'degraded' })],
    '2 of 3 sources have problems: Kalshi down, History late.',
  ],
])('%# in a sentence', (components, text) => {
  expect(healthSentence(rowsOf(components))).toBe(text)
})
