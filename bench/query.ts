// Raw questions over 50,000 markets, in process: how long half and nearly all of them take.
import { MarketTable } from '../backend/computed/market-table.ts'
import type { BoardSnapshot, MarketBoard } from '../backend/computed/market-board.ts'
import type { Millis } from '../backend/domain/units.ts'
import { createQueryService } from '../backend/features/query/query.service.ts'
import { PublicQuery } from '../backend/features/query/query.schema.ts'
import { systemClock } from '../backend/lib/clock.ts'
import { marketFacts } from '../backend/testing/market-facts.ts'

const MARKETS = 50_000
const ASKED = 400
const SUBJECTS = 'Fed ECB Iran Ukraine Bitcoin Oil Senate House Nvidia Tesla OpenAI Trump Recession CPI Lakers Celtics'.split(' ') // prettier-ignore
const VERBS = 'cut raise win lose close above below announce sign pass leave reach'.split(' ')
const OBJECTS = 'rates deal vote record title treaty ceasefire target bill race price'.split(' ')
const MONTHS = 'January February March April May June July August September October'.split(' ')
const pick = (words: readonly string[], seed: number): string => words[seed % words.length] ?? ''
const titleOf = (i: number): string =>
  `Will ${pick(SUBJECTS, i)} ${pick(VERBS, i >> 3)} ${pick(OBJECTS, i >> 5)} ${10 + (i % 990)} in ${pick(MONTHS, i >> 2)}?`

/** Milliseconds of raw questions over a catalogue in memory, ascending. */
export async function measureQueries(): Promise<number[]> {
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
  const at = (): Promise<BoardSnapshot> =>
    Promise.resolve(table.snapshot(systemClock.now(), new Map()))
  const board: MarketBoard = {
    ready: true,
    at,
    live: () => table.snapshot(systemClock.now(), new Map()),
    market: () => Promise.resolve(null),
    markets: () => Promise.resolve(new Map()),
    book: () => Promise.resolve(null),
  }
  const service = createQueryService({
    ...{ board, context: null, model: null, clock: systemClock },
    content: () => Promise.resolve([]),
    lists: { highlights: () => Promise.resolve([]), edges: () => Promise.resolve([]) },
    urls: { baseUrl: 'http://x', dataUrl: 'http://x', appUrl: 'http://x', wsUrl: 'ws://x' },
  })
  const times: number[] = []
  for (let i = 0; i < ASKED; i++) {
    const q = `${pick(SUBJECTS, i * 7)} ${pick(VERBS, i * 5)} ${pick(OBJECTS, i * 3)} ${i % 3 === 0 ? 10 + i : ''} ${i}`
    const asked = PublicQuery['~standard'].validate({ q, mode: 'raw' }).value
    const started = systemClock.monotonic()
    await service.query(asked, false)
    // The first one builds the index.
    if (i > 0) times.push(systemClock.monotonic() - started)
  }
  return times.sort((a, b) => a - b)
}

if (import.meta.main) {
  const times = await measureQueries()
  const quantile = (share: number): string =>
    (times[Math.floor(times.length * share)] ?? 0).toFixed(1)
  console.log(
    `raw query over ${MARKETS} markets: p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms`,
  )
}
