import { describe, expect, it, vi } from 'vitest'
import { readConfig, type Source } from '../../app/config.ts'
import { SAMPLE_TAG } from '../../domain/market.ts'
import type { Millis } from '../../domain/units.ts'
import { silentLogger } from '../../lib/logger.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { FakeVenue } from '../../testing/fake-venue.ts'
import { marketFacts } from '../../testing/market-facts.ts'
import { DEMO_SETTINGS, LIVE_SETTINGS } from './collector-settings.ts'
import { holdsRealMarkets, openFeeds, type Feeds } from './feeds.ts'

const clock = new FakeClock()
const deps = { clock, random: () => 0, logger: silentLogger }
const demo: Feeds = {
  source: 'demo',
  connectors: [],
  settings: DEMO_SETTINGS,
  simulator: null,
  close: () => Promise.resolve(),
}

/** Opens a source over two venues that answer, or do not, and a history with or without markets. */
function open(
  source: Source,
  answers: {
    a?: boolean | Promise<boolean>
    b?: boolean | Promise<boolean>
    isStored?: boolean
  } = {},
) {
  const venues = [new FakeVenue('venue_a'), new FakeVenue('venue_b')]
  venues.forEach((venue, index) => {
    const answer = (index === 0 ? answers.a : answers.b) ?? false
    venue.checkReachable = () => Promise.resolve(answer)
  })
  const live = vi.fn(() => Promise.resolve(venues))
  const feeds = openFeeds(
    readConfig(['--source', source], {}),
    () => Promise.resolve(answers.isStored ?? false),
    deps,
    { live, demo: () => Promise.resolve(demo) },
  )
  return { feeds, venues, live }
}

describe('automatic choice of the source', () => {
  it.each([
    ['both venues', { a: true, b: true }],
    ['venue_a alone', { a: true }],
    ['venue_b alone', { b: true, isStored: true }],
  ])('is live when %s answers', async (_name, answers) => {
    const { feeds, venues } = open('auto', answers)
    expect(await feeds).toMatchObject({ source: 'live', settings: LIVE_SETTINGS })
    expect((await feeds).connectors).toEqual(venues)
  })

  it('is what is stored when no venue answers', async () => {
    const { feeds } = open('auto', { isStored: true })
    expect(await feeds).toMatchObject({ source: 'none', connectors: [] })
  })

  it('is the demo when no venue answers and nothing is stored', async () => {
    const { feeds } = open('auto')
    expect(await feeds).toBe(demo)
  })

  it('waits at most three seconds for a response', async () => {
    let isDecided = false
    const never = new Promise<boolean>(() => {})
    const { feeds } = open('auto', { a: never, b: false })
    const decided = feeds.then(() => (isDecided = true))
    await clock.advance(0)
    await clock.advance(2_999)
    expect(isDecided).toBe(false)
    await clock.advance(1)
    await decided
    expect(await feeds).toBe(demo)
  })

  it('is live when a response comes late but in time', async () => {
    const slow = Promise.withResolvers<boolean>()
    const { feeds } = open('auto', { a: slow.promise })
    await clock.advance(0)
    await clock.advance(2_000)
    slow.resolve(true)
    expect((await feeds).source).toBe('live')
  })

  it('counts a failing venue as one that does not answer', async () => {
    const failure = Promise.reject<boolean>(new Error('no network'))
    failure.catch(() => {})
    expect(await open('auto', { a: failure, isStored: true }).feeds).toMatchObject({
      source: 'none',
    })
  })
})

describe('a configured source', () => {
  it('is live even if no venue answers', async () => {
    expect((await open('live').feeds).source).toBe('live')
  })

  it('opens no venue for the demo or for none', async () => {
    for (const source of ['demo', 'none'] as const) {
      const { feeds, live } = open(source, { a: true, b: true })
      expect((await feeds).source).toBe(source)
      expect(live).not.toHaveBeenCalled()
    }
  })
})

describe('stored markets', () => {
  const T0 = Date.parse('2026-11-22T12:00:00Z') as Millis
  const NO_ROWS = { trades: 0, quotes: 0, books: 0, candles: 0, firstTs: null, lastTs: null }
  const stored = (...tags: readonly (readonly string[])[]) => ({
    size: () => Promise.resolve({ ...NO_ROWS, markets: tags.length }),
    recordsAt: () =>
      Promise.resolve(
        tags.map((own, market) => ({
          market,
          knownAt: T0,
          firstSeenAt: T0,
          facts: marketFacts({ tags: own }),
        })),
      ),
  })

  it.each([
    ['nothing', [], false],
    ['sample markets alone', [[SAMPLE_TAG], [SAMPLE_TAG, 'fed']], false],
    ['one market of a venue among them', [[SAMPLE_TAG], ['fed']], true],
  ] as const)('that are %s count as real: %s', async (_name, tags, counts) => {
    expect(await holdsRealMarkets(stored(...tags), T0)).toBe(counts)
  })
})
