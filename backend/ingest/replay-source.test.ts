import { beforeEach, describe, expect, it } from 'vitest'
import { HOUR, MINUTE, SECOND, type Millis, type PriceE4, type SizeE6 } from '../domain/units.ts'
import type { HistoryBatch } from '../history/history-batch.ts'
import type { HistoryTape, TapeWindow } from '../history/tape.ts'
import { createBus, type Bus } from '../lib/bus.ts'
import { systemClock } from '../lib/clock.ts'
import { VirtualClock } from '../lib/virtual-clock.ts'
import { level } from '../testing/builders.ts'
import { marketFacts } from '../testing/market-facts.ts'
import { activityAt, barAt, bookAt, quoted, traded } from '../testing/venue-events.ts'
import type { VenueEvent } from '../venues/connector.ts'
import * as columns from './batch.ts'
import type { IngestTopics } from './pipeline.ts'
import { HistoryReplaySource } from './replay-source.ts'

const START = Date.parse('2026-11-20T14:00:00Z') as Millis
const MARKET = 7
const KEY = { venue: 'venue_a', ticker: marketFacts().ticker } as const
/** The instant so many seconds from the start. */
const at = (seconds: number): Millis => (START + seconds * SECOND) as Millis
/** Events are known 200 ms after their time. */
const LAG = 200

const rowsOf = <T extends VenueEvent['type']>(events: readonly VenueEvent[], type: T) =>
  events
    .filter((event): event is Extract<VenueEvent, { type: T }> => event.type === type)
    .map((event) => ({ market: MARKET, event }))

/** A window of these events; facts, corrections and coverage by the instants they are known. */
const windowOf = (
  until: Millis,
  events: readonly VenueEvent[],
  known: { facts?: Millis[]; corrections?: [Millis, Millis | null][]; coverage?: Millis[] } = {},
): TapeWindow => ({
  until,
  ticks: {
    trades: columns.tradeColumns(rowsOf(events, 'trade_printed')),
    quotes: columns.quoteColumns(rowsOf(events, 'quote_changed')),
    books: columns.bookColumns(rowsOf(events, 'book_changed')),
    candles: columns.candleColumns(rowsOf(events, 'candle_published')),
    activity: columns.activityColumns(rowsOf(events, 'activity_reported')),
  },
  facts: (known.facts ?? []).map((knownAt) => ({
    market: MARKET,
    facts: marketFacts(),
    firstSeenAt: knownAt,
    knownAt,
  })),
  corrections: (known.corrections ?? []).map(([knownAt, ts]) => ({
    market: MARKET,
    tradeId: 'corrected',
    knownAt,
    corrected:
      ts === null
        ? null
        : { ts, price: 1 as PriceE4, size: 1 as SizeE6, takerSide: null, isBlock: false },
  })),
  coverage: (known.coverage ?? []).map((knownAt) => ({
    venue: 'venue_a',
    market: null,
    feed: 'quotes',
    state: 'live',
    from: knownAt,
    to: null,
    knownAt,
    reason: null,
  })),
})

describe('a replayed history', () => {
  let clock: VirtualClock
  let bus: Bus<IngestTopics>
  /** What was published: the topic, and the seconds from the start that the clock showed. */
  let published: [string, number][]
  /** Rows of each stored batch by kind. */
  let stored: Record<string, number>[]
  let listed: number[]
  let read: number
  let isTapeClosed: boolean
  let disk: Promise<void>
  beforeEach(() => {
    clock = new VirtualClock(START, systemClock)
    published = []
    stored = []
    listed = []
    read = 0
    isTapeClosed = false
    disk = Promise.resolve()
    bus = createBus<IngestTopics>((error) => {
      throw error
    })
    for (const topic of ['facts', 'quote', 'book', 'trade', 'activity', 'correction'] as const)
      bus.subscribe(topic, () => published.push([topic, (clock.now() - START) / SECOND]))
  })

  const open = (
    windows: readonly TapeWindow[],
    effects?: () => Promise<void> | null,
  ): HistoryReplaySource => {
    const tape = {
      keyOf: () => KEY,
      async *windows() {
        try {
          for (const window of windows) {
            read += 1
            yield window
          }
        } finally {
          isTapeClosed = true
        }
      },
    } as unknown as HistoryTape
    const append = async (batch: HistoryBatch): Promise<void> => {
      await disk
      stored.push(
        Object.fromEntries(
          Object.entries(batch).map(([kind, rows]) => [
            kind,
            Array.isArray(rows) ? rows.length : (rows as { market: Int32Array }).market.length,
          ]),
        ),
      )
    }
    const source = new HistoryReplaySource({
      tape,
      from: START,
      to: at(HOUR / SECOND),
      clock,
      store: { append },
      listed: (market) => listed.push(market),
      ...(effects !== undefined && { effects }),
    })
    return source
  }
  const begin = (...args: Parameters<typeof open>): HistoryReplaySource => {
    const source = open(...args)
    source.begin(bus)
    return source
  }

  it('publishes each row at the instant at which it became known, and none before', async () => {
    const events = [traded(at(1)), traded(at(3)), quoted(at(2))]
    const source = begin([windowOf(at(10), events)])
    await source.emitUntil((at(1) + LAG - 1) as Millis)
    expect(published).toEqual([])
    await source.emitUntil((at(1) + LAG) as Millis)
    expect(published).toEqual([['trade', 1.2]])
    await source.emitUntil(at(10))
    expect(published).toEqual([
      ['trade', 1.2],
      ['quote', 2.2],
      ['trade', 3.2],
    ])
    expect(source.events).toBe(3)
    expect(source.arrivedAt('venue_a')).toBe(at(3) + LAG)
    expect(source.arrivedAt('venue_b')).toBeNull()
  })

  it('publishes the rows of one instant in the order of backtests', async () => {
    const known = (at(1) + LAG) as Millis
    const events = [activityAt(at(1)), traded(at(1)), bookAt(at(1)), quoted(at(1))]
    const source = begin([
      windowOf(at(10), events, { facts: [known], corrections: [[known, at(0)]] }),
    ])
    await source.emitUntil(known)
    expect(published.map(([topic]) => topic)).toEqual([
      'facts',
      'quote',
      'book',
      'trade',
      'activity',
      'correction',
    ])
    expect(listed).toEqual([MARKET])
  })

  it('never moves the clock back for a row that was known earlier', async () => {
    const source = begin([windowOf(at(10), [traded(at(1))])])
    clock.moveTo(at(5))
    await source.emitUntil(at(5))
    expect(published).toEqual([['trade', 5]])
  })

  it('publishes the values as they were stored', async () => {
    const events = [
      traded(at(1), { tradeId: 'a', takerSide: null, isBlock: true, origin: 'backfilled' }),
      traded(at(2), { tradeId: 'b', takerSide: 'no', price: 1 as PriceE4, size: 5 as SizeE6 }),
      quoted(at(3), { ask: null, bidSize: 5 as SizeE6 }),
      bookAt(at(4)),
      bookAt(at(5), { bids: [level(41, 1), level(40, 2)], asks: [level(43, 3)] }),
      activityAt(at(6), { volume24h: 5 as SizeE6, lastPrice: 4_100 as PriceE4 }),
    ]
    const news: unknown[] = []
    for (const topic of ['quote', 'book', 'trade', 'activity'] as const)
      bus.subscribe(topic, ({ market, event }) => news.push([market, event]))
    const books: boolean[] = []
    bus.subscribe('book', ({ isStored }) => books.push(isStored))
    const corrections: unknown[] = []
    bus.subscribe('correction', ({ at: time }) => corrections.push(time))
    const changes: [Millis, Millis | null][] = [
      [at(7), at(2)],
      [at(8), null],
    ]
    const source = begin([windowOf(at(10), events, { corrections: changes })])
    await source.emitUntil(at(10))
    expect(news).toEqual(events.map((event) => [MARKET, event]))
    expect(corrections).toEqual([at(2), at(8)])
    expect(books).toEqual([true, true])
  })

  it('waits for the effects of a row before the next one', async () => {
    const effects: (() => void)[] = []
    const source = begin(
      [windowOf(at(10), [traded(at(1)), traded(at(2))])],
      () => new Promise<void>((resolve) => effects.push(resolve)),
    )
    const emitted = source.emitUntil(at(10))
    await expect.poll(() => effects.length).toBe(1)
    await new Promise(setImmediate)
    expect(published).toHaveLength(1)
    effects[0]?.()
    await expect.poll(() => effects.length).toBe(2)
    effects[1]?.()
    await emitted
    expect(published).toHaveLength(2)
  })

  it('reads one window ahead, and stores a window once it has been emitted', async () => {
    const windows = [10, 20, 30].map((end) => windowOf(at(end), [traded(at(end - 5))]))
    const source = begin(windows)
    expect(read).toBe(0)
    await source.emitUntil(at(9))
    expect(read).toBe(2)
    expect(stored).toEqual([])
    await source.emitUntil(at(10))
    await source.settle(at(10))
    expect(stored).toEqual([{ trades: 1 }])
    expect(published).toHaveLength(1)
    await source.emitUntil(at(10))
    expect(read).toBe(2)
    await source.emitUntil(at(40))
    await source.close()
    expect(stored).toEqual([{ trades: 1 }, { trades: 1 }, { trades: 1 }])
    expect(published).toHaveLength(3)
    await source.emitUntil(at(50))
    expect(published).toHaveLength(3)
  })

  it('stores for a read what became known by then, once, and nothing later', async () => {
    const source = begin([windowOf(at(60), [traded(at(1)), quoted(at(2)), traded(at(3))])])
    await source.emitUntil(at(2))
    // Nothing that waits was known then.
    await source.settle((at(1) + LAG - 1) as Millis)
    expect(stored).toEqual([])
    await source.settle((at(1) + LAG) as Millis)
    expect(stored).toEqual([{ trades: 1 }])
    await source.settle(at(2))
    expect(stored).toHaveLength(1)
    await source.emitUntil(at(4))
    await source.settle(at(4))
    expect(stored).toEqual([{ trades: 1 }, { trades: 1, quotes: 1 }])
    await source.emitUntil(at(60))
    await source.close()
    expect(stored).toHaveLength(2)
  })

  it('stores bars, statements of coverage, facts and corrections when they are known', async () => {
    const source = begin([
      windowOf(at(60), [barAt(at(1), MINUTE), barAt(at(5), MINUTE)], {
        coverage: [at(1), at(5)],
        facts: [at(2), at(6)],
        corrections: [
          [at(3), null],
          [at(7), null],
        ],
      }),
    ])
    await source.emitUntil((at(1) - 1) as Millis)
    await source.settle(at(1))
    expect(stored).toEqual([])
    await source.emitUntil(at(1))
    await source.settle((at(1) - 1) as Millis)
    expect(stored).toEqual([])
    await source.settle(at(1))
    expect(stored).toEqual([{ coverage: 1 }])
    await source.emitUntil((at(1) + LAG) as Millis)
    await source.settle((at(1) + LAG) as Millis)
    await source.emitUntil(at(4))
    await source.settle(at(4))
    await source.emitUntil(at(60))
    await source.close()
    expect(stored).toEqual([
      { coverage: 1 },
      { candles: 1 },
      { facts: 1, corrections: 1 },
      { candles: 1, facts: 1, corrections: 1, coverage: 1 },
    ])
    expect(published.map(([topic]) => topic)).toEqual([
      'facts',
      'correction',
      'facts',
      'correction',
    ])
  })

  it('emits no window before the one before the last is on disk', async () => {
    const written = Promise.withResolvers<void>()
    disk = written.promise
    const source = begin([10, 20, 30].map((end) => windowOf(at(end), [traded(at(end - 5))])))
    const emitted = source.emitUntil(at(30))
    await expect.poll(() => published.length).toBe(2)
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
    expect(published).toHaveLength(2)
    written.resolve()
    await emitted
    expect(published).toHaveLength(3)
  })

  it('has rows worth sorting after two hundred thousand of them', async () => {
    const count = 200_000
    const nothing = new Float64Array(count).fill(Number.NaN)
    const activity = {
      market: new Int32Array(count).fill(MARKET),
      ts: new Float64Array(count).map((_, row) => START + row / 100),
      lag: new Float64Array(count).fill(LAG),
      origin: new Uint8Array(count),
      volume: nothing,
      volume24h: nothing,
      openInterest: nothing,
      lastPrice: new Int32Array(count),
    }
    const window = windowOf(at(10), [])
    const source = open([{ ...window, ticks: { ...window.ticks, activity } }])
    expect(source.isSortingDue()).toBe(false)
    await source.emitUntil((START + LAG + 1_999.98) as Millis)
    expect(source.isSortingDue()).toBe(false)
    await source.emitUntil(at(9))
    expect(source.isSortingDue()).toBe(true)
    expect(source.isSortingDue()).toBe(false)
  })

  it('closes the tape and waits for the rows that are being stored', async () => {
    const source = begin([10, 20].map((end) => windowOf(at(end), [traded(at(end - 5))])))
    await source.emitUntil(at(10))
    await source.close()
    expect(isTapeClosed).toBe(true)
    expect(stored).toEqual([{ trades: 1 }])
  })
})
