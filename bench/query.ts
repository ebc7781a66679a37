// Raw questions over 50,000 markets, in process: duration of half and of nearly all of them.
import { MarketTable } from '../backend/computed/board/market-table.ts'
import type { BoardView, MarketBoard } from '../backend/computed/board/market-board.ts'
import type { Millis } from '../backend/domain/units.ts'
import { createQueryService } from '../backend/features/query/query.service.ts'
import { PublicQuery } from '../backend/contract/query.ts'
import { systemClock } from '../backend/lib/clock.ts'
import { marketFacts } from '../backend/testing/market-facts.ts'
import type { BenchRow } from './bench-row.ts'

const MARKETS = 50_000
const QUESTIONS = 400
const SUBJECTS =
  'Fed ECB Iran Ukraine Bitcoin Oil Senate House Nvidia Tesla OpenAI Trump Recession CPI Lakers Celtics'.split(
    ' ',
  )
const VERBS = 'cut raise win lose close above below announce sign pass leave reach'.split(' ')
const OBJECTS = 'rates deal vote record title treaty ceasefire target bill race price'.split(' ')
const MONTHS = 'January February March April May June July August September October'.split(' ')
const pick = (words: readonly string[], seed: number): string => words[seed % words.length] ?? ''
const titleOf = (i: number): string =>
  `Will ${pick(SUBJECTS, i)} ${pick(VERBS, i >> 3)} ${pick(OBJECTS, i >> 5)} ${10 + (i % 990)} in ${pick(MONTHS, i >> 2)}?`

interface QueryTimes {
  /** Milliseconds of wall time, ascending. */
  readonly wall: readonly number[]
  /** Milliseconds of processor time, ascending: not affected by other load on the machine. */
  readonly cpu: readonly number[]
}
const ascending = (a: number, b: number): number => a - b

/** Cost of raw questions over a catalogue in memory. */
export async function measureQueries(): Promise<QueryTimes> {
  const now = systemClock.now()
  const table = new MarketTable()
  for (let i = 0; i < MARKETS; i++) {
    const facts = marketFacts({
      ticker: `KXQ-${i}`,
      venue: i % 2 === 0 ? 'venue_a' : 'venue_b',
      eventId: `E${i >> 2}`,
      title: titleOf(i),
      status: 'active',
      closeTime: (now + 86_400_000 * 30) as Millis,
    })
    table.put({ market: i + 1, facts, firstSeenAt: now, knownAt: now })
  }
  const at = (): Promise<BoardView> => Promise.resolve(table.snapshot(systemClock.now(), new Map()))
  const board: MarketBoard = {
    ready: true,
    at,
    live: () => table.snapshot(systemClock.now(), new Map()),
    market: () => Promise.resolve(null),
    markets: () => Promise.resolve(new Map()),
    book: () => Promise.resolve(null),
    storedBooks: () => Promise.resolve(new Map()),
  }
  const service = createQueryService({
    board,
    context: null,
    model: () => null,
    clock: systemClock,
    content: () => Promise.resolve([]),
    lists: { highlights: () => Promise.resolve([]), edges: () => Promise.resolve([]) },
    urls: { baseUrl: 'http://x', dataUrl: 'http://x', appUrl: 'http://x', wsUrl: 'ws://x' },
  })
  const wall: number[] = []
  const cpu: number[] = []
  for (let i = 0; i < QUESTIONS; i++) {
    const q = `${pick(SUBJECTS, i * 7)} ${pick(VERBS, i * 5)} ${pick(OBJECTS, i * 3)} ${i % 3 === 0 ? 10 + i : ''} ${i}`
    const requested = PublicQuery['~standard'].validate({ q, mode: 'raw' }).value
    const started = systemClock.monotonic()
    const used = process.cpuUsage()
    await service.query(requested, { isKnown: false, onSpent: () => {} })
    // The first one builds the index.
    if (i === 0) continue
    wall.push(systemClock.monotonic() - started)
    const { user, system } = process.cpuUsage(used)
    cpu.push((user + system) / 1_000)
  }
  return { wall: wall.sort(ascending), cpu: cpu.sort(ascending) }
}

/** Raw questions without the service around them. */
export async function benchQuery(): Promise<BenchRow[]> {
  const { wall, cpu } = await measureQueries()
  const at = (times: readonly number[], share: number): number =>
    times[Math.floor(times.length * share)] ?? NaN
  return [
    {
      name: `query raw, ${MARKETS} markets, in process, p50`,
      ours: at(wall, 0.5),
      baseline: null,
      unit: 'ms',
      ratio: null,
      goal: '≤ 30 ms',
      note: `processor ${at(cpu, 0.5).toFixed(1)} ms; p99 ${at(wall, 0.99).toFixed(1)} ms`,
    },
  ]
}
