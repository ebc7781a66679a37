import { beforeEach, describe, expect, it } from 'vitest'
import { SECOND, type Millis } from '../../domain/units.ts'
import type { CoverageFeed } from '../../domain/coverage-feed.ts'
import type { CoverageRow } from '../../history/coverage.ts'
import { intervalOf } from '../../history/coverage.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { FeedCoverage } from './coverage.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z') as Millis
const MARKETS: Readonly<Record<string, number>> = { A: 1, B: 2 }
/** The instant so many seconds from NOW. */
const at = (seconds: number): Millis => (NOW + seconds * SECOND) as Millis

/** The statements without an end. */
const openOf = (rows: readonly CoverageRow[]): CoverageRow[] =>
  [...new Map(rows.map((row) => [intervalOf(row), row])).values()].filter(({ to }) => to === null)

describe('coverage of a feed', () => {
  let clock: FakeClock
  let covered: CoverageRow[]
  beforeEach(() => {
    clock = new FakeClock(NOW)
    covered = []
  })
  const record = (isWide: Partial<Record<CoverageFeed, boolean>> = {}): FeedCoverage =>
    new FeedCoverage({
      venue: 'venue_a',
      clock,
      isVenueWide: { trades: true, quotes: true, ...isWide },
      pipeline: {
        recordCoverage: (rows) => void covered.push(...rows),
        idOf: (ticker) => MARKETS[ticker] ?? null,
      },
    })
  const resume = (coverage: FeedCoverage, aliveUntil: Millis | null, stored = covered) =>
    coverage.resume(
      {
        gaps: () => Promise.resolve([...stored].reverse()),
        openCoverage: () => Promise.resolve(openOf(stored)),
      },
      { trades: aliveUntil, quotes: aliveUntil },
    )
  /** Statements as text: scope, feed, state, seconds from NOW. */
  const words = (): string[] =>
    covered.map(({ market, feed, state, from, to }) => {
      const seconds = (time: Millis | null) => (time === null ? '' : (time - NOW) / SECOND)
      return `${market ?? 'all'} ${feed} ${state} ${seconds(from)}..${seconds(to)}`
    })

  it('starts with the first delivery and records no gap before', async () => {
    const coverage = record()
    await resume(coverage, null)
    expect(coverage.isStale('A')).toBe(true)
    coverage.recordDelivery('quotes', 'live', NOW)
    coverage.recordDelivery('quotes', 'live', at(1))
    expect(words()).toEqual(['all quotes live 0..'])
    expect(coverage.isStale('A')).toBe(false)
  })

  it('records a gap at once, its end when the feed delivers, its repair when it was read', () => {
    const coverage = record()
    coverage.recordDelivery('trades', 'live', at(-60))
    coverage.recordLoss('trades', at(-10), 'closed')
    coverage.recordLoss('trades', at(-5), 'closed again')
    coverage.recordDelivery('trades', 'live', NOW)
    coverage.recordTradesRead({ from: at(-10), to: at(-1) }, null, false)
    expect(words()).toEqual([
      'all trades live -60..',
      'all trades gap -10..',
      'all trades gap -10..0',
    ])
    coverage.recordTradesRead({ from: at(-2), to: at(1) }, null, false)
    expect(words().slice(3)).toEqual(['all trades repaired -10..0'])
    coverage.recordTradesRead({ from: at(-60), to: at(1) }, null, false)
    expect(words()).toHaveLength(4)
  })

  it('does not repair a gap by a read that ended before it', () => {
    const coverage = record()
    coverage.recordLoss('trades', NOW, 'closed')
    coverage.recordTradesRead({ from: at(-60), to: at(1) }, null, false)
    coverage.recordDelivery('trades', 'live', at(10))
    expect(words()).toEqual(['all trades gap 0..', 'all trades gap 0..10', 'all trades live 10..'])
  })

  it('never repairs a gap of quotes, which venues do not store', () => {
    const coverage = record()
    coverage.recordLoss('quotes', NOW, 'closed')
    coverage.recordDelivery('quotes', 'live', at(1))
    coverage.recordTradesRead({ from: at(-60), to: at(60) }, null, false)
    expect(words().filter((word) => word.includes('repaired'))).toEqual([])
  })

  it('ends a missed span now if the clock of the venue is ahead', () => {
    const coverage = record()
    coverage.recordGap('trades', { from: at(-10), to: at(30) }, 'sequence')
    coverage.recordGap('trades', { from: at(5), to: at(30) }, 'sequence')
    expect(words()).toEqual(['all trades gap -10..0', 'all trades gap 5..5'])
  })

  it('applies the gap of one market to that market', () => {
    const coverage = record()
    coverage.recordDelivery('quotes', 'live', NOW)
    coverage.recordLostMarkets(['A', 'UNKNOWN'], NOW, 'sequence')
    expect([coverage.isStale('A'), coverage.isStale('B')]).toEqual([true, false])
    coverage.recordRestored(['A', 'B'], at(1))
    expect(coverage.isStale('A')).toBe(false)
    expect(words()).toEqual(['all quotes live 0..', '1 quotes gap 0..', '1 quotes gap 0..1'])
  })

  it('is per market if the feed covers followed markets only', () => {
    const coverage = record({ quotes: false })
    coverage.setFollowed(['A'], NOW)
    coverage.recordDelivery('quotes', 'live', at(1))
    coverage.setFollowed(['B'], at(2))
    expect(words()).toEqual(['1 quotes live 1..', '1 quotes live 1..2', '2 quotes live 2..'])
  })

  it('ends one mode of delivery where another begins', () => {
    const coverage = record()
    coverage.recordDelivery('quotes', 'live', NOW)
    coverage.recordDelivery('quotes', 'polled', at(5))
    expect(words()).toEqual([
      'all quotes live 0..',
      'all quotes live 0..5',
      'all quotes polled 5..',
    ])
  })

  it('counts the markets of a stream as each starts', () => {
    const coverage = record({ quotes: false })
    coverage.setFollowed(['A', 'B'], NOW)
    coverage.recordDelivery('quotes', 'live', NOW, ['A'])
    expect([coverage.isStale('A'), coverage.isStale('B')]).toEqual([false, true])
    coverage.recordDelivery('quotes', 'live', at(1), ['B'])
    expect([coverage.isStale('A'), coverage.isStale('B')]).toEqual([false, false])
  })

  describe('after a restart', () => {
    it('records a gap since the feeds were last known to deliver', async () => {
      await resume(record(), at(-60))
      expect(words()).toEqual(['all trades gap -60..', 'all quotes gap -60..'])
    })

    it('ends the coverage of markets that are not followed any more', async () => {
      const earlier = record({ quotes: false })
      earlier.setFollowed(['A', 'B'], at(-120))
      earlier.recordDelivery('quotes', 'live', at(-120))
      earlier.recordLostMarkets(['B'], at(-90), 'sequence')
      const stored = covered
      covered = []
      const coverage = record({ quotes: false })
      await resume(coverage, at(-60), stored)
      coverage.setFollowed(['B'], at(1))
      coverage.recordDelivery('quotes', 'live', at(1))
      expect(words()).toEqual([
        '1 quotes live -120..-60',
        '2 quotes live -120..-60',
        '2 quotes gap -90..-60',
        'all trades gap -60..',
        'all quotes gap -60..',
        'all quotes gap -60..1',
        '2 quotes live 1..',
      ])
    })

    it('continues a gap that a crash left open', async () => {
      record().recordLoss('trades', at(-120), 'closed')
      const stored = covered
      covered = []
      const coverage = record()
      await resume(coverage, at(-60), stored)
      coverage.recordDelivery('trades', 'live', NOW)
      expect(words().slice(0, 2)).toEqual(['all quotes gap -60..', 'all trades gap -120..0'])
    })

    it('repairs what an earlier run left open', async () => {
      const earlier = record()
      earlier.recordLoss('trades', at(-5 * 60), 'closed')
      earlier.recordDelivery('trades', 'live', at(-4 * 60))
      const stored = covered
      covered = []
      const coverage = record()
      await resume(coverage, null, stored)
      coverage.recordTradesRead({ from: at(-6 * 60), to: NOW }, null, true)
      expect(words()).toEqual([
        // It is unknown when the feed last delivered, so its own statement does not count.
        'all trades live -240..-240',
        'all trades polled -360..0',
        'all trades repaired -300..-240',
      ])
    })
  })
})
