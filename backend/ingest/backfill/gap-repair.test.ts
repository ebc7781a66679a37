import { beforeEach, describe, expect, it } from 'vitest'
import { MINUTE, SECOND, type Millis } from '../../domain/units.ts'
import { silentLogger } from '../../lib/logger.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { traded } from '../../testing/venue-events.ts'
import type { VenueEvent } from '../../venues/connector.ts'
import type { LostRows } from '../batch.ts'
import { VenueWork } from '../collect/venue-work.ts'
import type { Span } from './backfill.ts'
import type { FeedCoverage } from './coverage.ts'
import { GapRepair } from './gap-repair.ts'
import type { TradeReader } from './trade-reader.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z') as Millis
const at = (seconds: number): Millis => (NOW + seconds * SECOND) as Millis
const span = (from: number, to: number): Span => ({ from: at(from), to: at(to) })

describe('the repair of gaps', () => {
  let clock: FakeClock
  let work: VenueWork
  let stop: AbortController
  /** Reads and statements, with seconds from NOW. */
  let calls: unknown[][]
  let unrepaired: Span[]
  /** Reads that fail before one succeeds. */
  let failures: number
  let tape: VenueEvent[]
  let lose: (lost: LostRows) => void
  let recover: () => void
  let repair: GapRepair

  beforeEach(() => {
    clock = new FakeClock(NOW)
    work = new VenueWork(clock, silentLogger)
    stop = new AbortController()
    calls = []
    unrepaired = []
    failures = 0
    tape = []
    lose = () => undefined
    recover = () => undefined
    const spanOf = ({ from, to }: Span): string =>
      `${(from - NOW) / SECOND}..${(to - NOW) / SECOND}`
    const trades: Pick<TradeReader, 'recordLoss' | 'read'> = {
      recordLoss: () => void calls.push(['loss']),
      read: (tickers, read, origin, _signal, onPage) => {
        calls.push(['read', [...tickers], spanOf(read), origin])
        onPage?.(tape)
        failures -= 1
        return failures >= 0 ? Promise.reject(new Error('no response')) : Promise.resolve()
      },
    }
    const coverage: Pick<
      FeedCoverage,
      'unrepaired' | 'recordGap' | 'addRecordedGaps' | 'recordTradesRead'
    > = {
      get unrepaired() {
        return unrepaired
      },
      recordGap: (feed, gap, reason) => {
        calls.push(['gap', feed, spanOf(gap), reason])
        if (feed === 'trades') unrepaired.push(gap)
      },
      addRecordedGaps: () => Promise.resolve(void calls.push(['recorded gaps'])),
      recordTradesRead: (read, tickers, isPast) => {
        calls.push(['trades read', spanOf(read), tickers, isPast])
        unrepaired = unrepaired.filter(({ from, to }) => from < read.from || to > read.to)
      },
    }
    repair = new GapRepair({
      venue: 'venue_a',
      pipeline: {
        onLost: (listener) => void (lose = listener),
        onRepaired: (listener) => void (recover = listener),
      },
      history: { gaps: () => Promise.resolve([]) },
      trades: trades as TradeReader,
      coverage: coverage as FeedCoverage,
      markets: { dueTickers: () => ({ tickers: ['A', 'B'], left: [] }) },
      backfill: { books: (tickers) => Promise.resolve(void calls.push(['books', [...tickers]])) },
      work,
      clock,
    })
    repair.watch(stop.signal)
  })
  const lost = (more: Partial<LostRows> = {}): LostRows => ({
    venue: 'venue_a',
    feed: 'trades',
    from: at(-60),
    to: at(-30),
    ...more,
  })
  const UNWRITTEN = 'the history could not be written'

  it('reads all trades of a gap with an overlap, up to its end or now', async () => {
    repair.fill({ from: at(-60), to: at(-30) }, null, stop.signal)
    repair.fill({ from: at(-60), to: null }, null, stop.signal)
    expect(repair.isBusy).toBe(true)
    await work.whenIdle()
    expect(repair.isBusy).toBe(false)
    expect(calls.toSorted()).toEqual(
      [
        ['read', ['A', 'B'], '-70..-30', 'polled'],
        ['read', ['A', 'B'], '-70..0', 'polled'],
        ['trades read', '-70..-30', null, false],
        ['trades read', '-70..0', null, false],
      ].toSorted(),
    )
  })

  it('reads trades and books of the markets that lost messages', async () => {
    repair.fill({ from: at(-60), to: null }, ['B'], stop.signal)
    await work.whenIdle()
    expect(calls).toEqual([
      ['read', ['B'], '-70..0', 'polled'],
      ['books', ['B']],
    ])
  })

  it('tries again until a gap is filled, and is busy until then', async () => {
    failures = 2
    repair.fill({ from: at(-60), to: at(-30) }, null, stop.signal)
    await clock.advance(0)
    await clock.advance(2 * SECOND)
    expect(repair.isBusy).toBe(true)
    await clock.advance(SECOND)
    await work.whenIdle()
    expect(repair.isBusy).toBe(false)
    expect(calls.filter(([what]) => what === 'read')).toHaveLength(3)
  })

  it('requests lost trades of its venue again, and no quotes', async () => {
    lose(lost({ venue: 'venue_b' }))
    expect(calls).toEqual([])
    lose(lost({ feed: 'quotes' }))
    await work.whenIdle()
    expect(calls).toEqual([['loss'], ['gap', 'quotes', '-60..-30', UNWRITTEN]])
    calls.length = 0
    lose(lost())
    await work.whenIdle()
    expect(calls).toEqual([
      ['loss'],
      ['gap', 'trades', '-60..-30', UNWRITTEN],
      ['read', ['A', 'B'], '-70..0', 'polled'],
      ['trades read', '-70..0', null, false],
    ])
  })

  it('fills one loss at a time, and those that came meanwhile', async () => {
    failures = 1
    lose(lost())
    lose(lost({ from: at(-600), to: at(-500) }))
    await clock.advance(0)
    expect(calls.filter(([what]) => what === 'read')).toHaveLength(1)
    // The first of the gaps is filled, then the rest is due a moment later.
    await clock.advance(10 * SECOND)
    await work.whenIdle()
    expect(unrepaired).toEqual([])
    lose(lost())
    await work.whenIdle()
    expect(unrepaired).toEqual([])
  })

  it('requests what a repaired history lost', async () => {
    unrepaired = [span(-60, -30)]
    recover()
    await work.whenIdle()
    expect(calls).toEqual([
      ['loss'],
      ['recorded gaps'],
      ['read', ['A', 'B'], '-70..0', 'polled'],
      ['trades read', '-70..0', null, false],
    ])
    calls.length = 0
    recover()
    await work.whenIdle()
    expect(calls).toEqual([['loss'], ['recorded gaps']])
  })

  describe('of a new connection', () => {
    const first = traded(at(2), { tradeId: 'first' })

    it('looks for trades before its first one, five seconds after it', async () => {
      tape = [traded(at(1), { tradeId: 'missed' }), first]
      repair.onConnected(NOW)
      repair.receive([], stop.signal)
      await clock.advance(2 * SECOND)
      repair.receive([first], stop.signal)
      repair.receive([traded(at(3), { tradeId: 'next' })], stop.signal)
      await clock.advance(5 * SECOND - 1)
      expect(calls).toEqual([])
      await clock.advance(1)
      await work.whenIdle()
      expect(calls).toEqual([
        ['read', [], '-10..7', 'polled'],
        ['gap', 'trades', '0..1.001', 'a new connection missed its first trades'],
        ['trades read', '-10..7', null, false],
      ])
    })

    it('records nothing when the tape has no other trade', async () => {
      tape = [first]
      repair.onConnected(NOW)
      repair.receive([first], stop.signal)
      await clock.advance(5 * SECOND)
      await work.whenIdle()
      expect(calls.map(([what]) => what)).toEqual(['read', 'trades read'])
    })

    it('looks as well when it was lost before its first trade', async () => {
      repair.onDisconnected(at(1), stop.signal)
      repair.onConnected(NOW)
      await clock.advance(2 * SECOND)
      repair.onDisconnected(at(2), stop.signal)
      await clock.advance(5 * SECOND)
      await work.whenIdle()
      expect(calls.map(([what]) => what)).toEqual(['read', 'trades read'])
      // It was looked at, so its end is not.
      repair.onDisconnected(at(9), stop.signal)
      await clock.advance(MINUTE)
      await work.whenIdle()
      expect(calls).toHaveLength(2)
    })

    it('does not look after the service was stopped', async () => {
      repair.onConnected(NOW)
      repair.receive([first], stop.signal)
      stop.abort()
      await work.whenIdle()
      expect(calls).toEqual([])
    })
  })
})
