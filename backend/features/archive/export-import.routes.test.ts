import { basename } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { scaled } from '../../../scripts/properties.ts'
import { DAY, HOUR, MINUTE, type Millis, type PriceE4, type SizeE6 } from '../../domain/units.ts'
import type { CoverageRow } from '../../history/coverage.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import { startArchiveService, type ArchiveService } from '../../testing/archive-service.ts'
import {
  activityColumns,
  bookColumns,
  candleColumns,
  quoteColumns,
  tradeColumns,
} from '../../testing/history-rows.ts'
import { marketFacts } from '../../testing/market-facts.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const START = '2026-11-20T12:00:00Z'
const T0 = Date.parse(START)
const FIRST = T0 - 2 * DAY
const B = `0x${'cd'.repeat(32)}`
const TICKERS = ['KXFED-1', 'KXRAIN-1', B]

const hour = (hours: number): Millis => (FIRST + hours * HOUR) as Millis

/** Two days of every kind of row, out of order and received late, one market settled in between. */
async function fill(history: HistoryStore): Promise<void> {
  const keys = [
    { venue: 'venue_a', ticker: 'KXFED-1' },
    { venue: 'venue_a', ticker: 'KXRAIN-1' },
    { venue: 'venue_b', ticker: B },
  ] as const
  const ids = await history.marketIds(keys)
  const rows = ids.flatMap((market) =>
    Array.from({ length: 200 }, (_, n) => ({
      market,
      n,
      ts: FIRST + ((n * 37) % 200) * 14 * MINUTE,
      lag: (n % 4) * 40_000,
    })),
  )
  const version = (index: number, knownAt: number, more: object) => ({
    market: ids[index] ?? -1,
    knownAt: knownAt as Millis,
    facts: marketFacts({
      ...keys[index],
      title: `=Will it "happen", ${index}?`,
      tags: ['@tag', 'b'],
      description: 'Rules\nof\r\nit',
      closeTime: (T0 + DAY) as Millis,
      ...more,
    }),
  })
  await history.append({
    facts: [
      ...[0, 1, 2].map((index) => version(index, FIRST - HOUR, {})),
      version(1, FIRST + DAY, { status: 'settled', result: 'yes', settlementPrice: 10_000 }),
      version(2, FIRST + DAY, { title: 'A title that changed' }),
    ],
    trades: tradeColumns(
      rows.map(({ n, ...row }) => ({
        ...row,
        tradeId: `-${row.market}-${n}`,
        price: 3_000 + n * 11,
        size: 1_000_000 + n,
        taker: ([0, 1, 2] as const)[n % 3] ?? 0,
        isBlock: n % 19 === 0,
      })),
    ),
    quotes: quoteColumns(
      rows.map(({ n, ...row }) => ({
        ...row,
        bid: n % 9 === 0 ? null : 3_000 + n,
        ask: 3_200 + n,
        bidSize: n,
        askSize: null,
      })),
    ),
    books: bookColumns(
      rows
        .filter(({ n }) => n % 5 === 0)
        .map(({ n, ...row }) => ({ ...row, bids: [[3_000 + n, 5]], asks: [[3_200 + n, 6]] })),
    ),
    activity: activityColumns(
      rows
        .filter(({ n }) => n % 8 === 0)
        .map(({ n, ...row }) => ({
          ...row,
          volume: (70 + n) * 1e6,
          volume24h: null,
          openInterest: 3e6,
          lastPrice: 4_000 + n,
        })),
    ),
    candles: candleColumns([
      {
        market: ids[0] ?? -1,
        start: FIRST - 2 * HOUR,
        width: HOUR,
        volume: 9e6,
        prices: [3_000, 3_100, 2_900, 3_050] as const,
      },
    ]),
  })
  const [first = -1, second = -1, third = -1] = ids
  const coverageOf = (market: number | null): Omit<CoverageRow, 'from' | 'to' | 'knownAt'> => ({
    venue: 'venue_a',
    market,
    feed: 'trades',
    state: 'gap',
    reason: null,
  })
  await history.append({
    changes: ids.map((market, index) => ({
      id: `new ${index}`,
      market,
      type: 'new_market',
      at: (FIRST - HOUR) as Millis,
      before: null,
      after: 'active',
      delta: null,
    })),
    coverage: [
      { ...coverageOf(null), from: hour(3), to: null, knownAt: hour(4), reason: 'lost' },
      { ...coverageOf(null), from: hour(3), to: hour(6), knownAt: hour(6), reason: 'lost' },
      {
        ...coverageOf(null),
        state: 'repaired',
        from: hour(3),
        to: hour(6),
        knownAt: hour(26),
        reason: null,
      },
      {
        ...coverageOf(second),
        feed: 'quotes',
        from: hour(20),
        to: null,
        knownAt: hour(20),
        reason: 'silence',
      },
    ],
    corrections: [
      { market: first, tradeId: `-${first}-20`, knownAt: hour(25), corrected: null },
      {
        market: third,
        tradeId: `-${third}-30`,
        knownAt: hour(28),
        corrected: {
          ts: hour(12),
          price: 9_000 as PriceE4,
          size: 7e6 as SizeE6,
          takerSide: 'yes',
          isBlock: false,
        },
      },
    ],
  })
  await history.sortClosedHours((T0 - DAY) as Millis)
}

const INSTANTS = [FIRST + 5 * HOUR, FIRST + DAY, T0 - DAY + 7 * MINUTE + 13, T0 - MINUTE].map(
  (ms) => new Date(ms).toISOString(),
)
const PATHS = [
  'markets?status=active',
  'markets?status=settled',
  'markets?q=title&depth=true',
  ...TICKERS.flatMap((ticker) => [
    `market/${ticker}?depth=true`,
    `market/${ticker}/history?x=1`,
    ...['1m', '5m', '15m', '1h', '1d'].map((tf) => `market/${ticker}/candles?limit=2000&tf=${tf}`),
  ]),
  ...['since=14d&limit=500', 'since=14d&type=price_move,new_market&limit=3'].map(
    (query) => `../changes?${query}`,
  ),
  ...TICKERS.map((ticker) => `market-microstructure-history?ticker=${ticker}`),
]

/** Every read, grouped by instant because reads of one instant share a computation. */
const readsAt = (instants: readonly string[]): string[] =>
  instants.flatMap((asOf) => PATHS.map((path) => `/api/public/${path}&asOf=${asOf}`))
const LATEST = INSTANTS.slice(-scaled(2))

let origin: ArchiveService
let answers: Map<string, Awaited<ReturnType<ArchiveService['ask']>>>
beforeAll(async () => {
  origin = await startArchiveService({ start: START, fill })
  answers = new Map()
  for (const read of readsAt(INSTANTS)) answers.set(read, await origin.ask('GET', read))
})
afterAll(() => origin.stop())

describe.each([
  { format: 'parquet', instants: INSTANTS },
  { format: 'csv', instants: LATEST },
  { format: 'json', instants: LATEST },
] as const)('an export as $format', ({ format, instants }) => {
  let copy: ArchiveService
  beforeAll(async () => {
    copy = await startArchiveService({ start: START })
  })
  afterAll(() => copy.stop())

  it('answers every read byte for byte the same after an import into an empty folder', async () => {
    const exported = await origin.run('/api/exports', { out: format, format })
    expect(exported['state']).toBe('done')
    const files = exported['files'] as string[]
    const kinds = ['markets', 'trades', 'quotes', 'book', 'candles', 'snapshots']
    expect(files.map((file) => basename(file, `.${format}`))).toEqual([
      ...kinds,
      'changes',
      'coverage',
      'corrections',
    ])
    const imported = await copy.run('/api/imports', { paths: files })
    expect(imported['state']).toBe('done')
    for (const file of imported['files'] as object[]) {
      expect(file).toMatchObject({ rowsRefused: 0, error: null })
    }
    for (const read of readsAt(instants)) {
      const mine = answers.get(read)
      expect([read, mine?.status]).toEqual([read, 200])
      expect(await copy.ask('GET', read), read).toEqual(mine)
    }
  })
})
