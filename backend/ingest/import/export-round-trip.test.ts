import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { FileReport } from '../../domain/import-report.ts'
import { HOUR, MINUTE, type Millis, type PriceE4, type SizeE6 } from '../../domain/units.ts'
import type { ChangeRow } from '../../history/change-events.ts'
import { COVERAGE_FEEDS } from '../../domain/coverage-feed.ts'
import type { CoverageRow } from '../../history/coverage.ts'
import { openHistory, type OpenHistory } from '../../history/duckdb/open.ts'
import type { BackupTable } from '../../history/history-copies.ts'
import type { MarketId } from '../../history/market-key.ts'
import type { TradeCorrection } from '../../history/market-rows.ts'
import { silentLogger } from '../../lib/logger.ts'
import {
  activityColumns,
  bookColumns,
  candleColumns,
  quoteColumns,
  tradeColumns,
} from '../../testing/history-rows.ts'
import { marketFacts } from '../../testing/market-facts.ts'
import { createImportHost } from './import-host.ts'
import { runImport } from './run-import.ts'

// Each test opens several engines on disk, which a busy machine does slowly.

const T0 = Date.parse('2026-11-20T12:00:00Z')
const at = (minutes: number): Millis => (T0 + minutes * MINUTE) as Millis
const END = at(600)
const TICKERS = ['KX-A', 'KX-B'] as const
const KINDS: readonly BackupTable[] = [
  ...(['facts', 'trades', 'quotes', 'books', 'candles', 'activity'] as const),
  ...(['changes', 'coverage', 'corrections'] as const),
]

let folders: string[] = []
let [origin, copy]: OpenHistory[] = []
const openIn = (folder: string): Promise<OpenHistory> => {
  mkdirSync(join(folder, 'import'))
  return openHistory({
    path: join(folder, 'history.duckdb'),
    dataDir: folder,
    memoryLimitMb: 256,
    logger: silentLogger,
  })
}
beforeEach(async () => {
  folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'augury-round-trip-')))
  origin = await openIn(folders[0] ?? '')
  copy = await openIn(folders[1] ?? '')
})
afterEach(async () => {
  await origin?.close()
  await copy?.close()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** All reads of both markets at an instant, by ticker. */
async function answersOf(history: OpenHistory, asOf: Millis) {
  const answers: unknown[] = []
  for (const ticker of TICKERS) {
    const found = history.marketIdOf(ticker)
    if (found === null) throw new Error(`${ticker} is unknown`)
    const { market } = found
    const [numbers] = await history.numbersAt(asOf, [market])
    const range = { market, from: 0 as Millis, to: asOf, asOf }
    answers.push(
      { ...numbers, market: ticker },
      await history.trades(range),
      await history.quotes(range),
      await history.bookAt(market, asOf),
      await history.microstructure({ market, from: at(0), asOf }),
      (await history.versionsOf(market, asOf)).map((record) => ({ ...record, market: ticker })),
    )
    for (const feed of COVERAGE_FEEDS) {
      const span = { feed, from: at(-600), to: asOf, asOf }
      answers.push(await history.coverage({ market, ...span }))
    }
    for (const width of [MINUTE, HOUR]) {
      const before = Infinity as Millis
      answers.push(await history.candles({ market, width, asOf, before, limit: 1_000 }))
    }
  }
  const keyOf = (market: MarketId | null) => market && history.keyOf(market)
  const changes = await history.changes({
    since: 0 as Millis,
    asOf,
    types: null,
    markets: null,
    after: null,
    limit: 1_000,
  })
  const gaps = await history.gaps({ venue: null, from: 0 as Millis, to: asOf, asOf, limit: 1_000 })
  const rows = [...changes, ...gaps].map((row) => ({ ...row, market: keyOf(row.market) }))
  return [...answers, rows]
}

const of = (market: MarketId | null): Omit<CoverageRow, 'from' | 'knownAt'> => ({
  venue: 'venue_a',
  market,
  feed: 'quotes',
  state: 'live',
  to: null,
  reason: null,
})

const corrected = (
  market: MarketId,
  n: number,
  known: number,
  minute: number,
): TradeCorrection => ({
  market,
  tradeId: `${market}-${n}`,
  knownAt: at(known),
  corrected: {
    ts: at(minute),
    price: 2_000 as PriceE4,
    size: (3 + known) as SizeE6,
    takerSide: 'no',
    isBlock: false,
  },
})

const busted = (market: MarketId, n: number, known: number): TradeCorrection => ({
  market,
  tradeId: `${market}-${n}`,
  knownAt: at(known),
  corrected: null,
})

const takenBy = (history: OpenHistory, paths: readonly string[]): Promise<FileReport[]> => {
  const stage = join(folders[1] ?? '', 'import')
  return runImport(
    { paths, venue: null, kind: null, dryRun: false },
    createImportHost(history),
    { stageDir: stage, tempDir: stage, memoryLimitMb: 300 },
    new AbortController().signal,
  )
}

it('copied and imported rows give the same answers as the original ones, at every instant', async () => {
  if (origin === undefined || copy === undefined) throw new Error('no histories')
  const keys = TICKERS.map((ticker) => ({ venue: 'venue_a' as const, ticker }))
  const markets = await origin.marketIds(keys)
  const rows = markets.flatMap((market) =>
    Array.from({ length: 40 }, (_, n) => ({ market, n, ts: at(n * 3.7), lag: (n % 5) * 90_000 })),
  )
  await origin.append({
    trades: tradeColumns(
      rows.map(({ n, ...row }) => ({
        ...row,
        tradeId: `${row.market}-${n}`,
        price: 3_000 + n * 7,
        size: 1_000_000 + n,
        taker: ([0, 1, 2] as const)[n % 3] ?? 0,
        isBlock: n % 9 === 0,
      })),
    ),
    quotes: quoteColumns(
      rows.map(({ n, ...row }) => ({
        ...row,
        bid: n % 6 === 0 ? null : 3_000 + n,
        ask: 3_100 + n,
        bidSize: n,
        askSize: null,
      })),
    ),
    books: bookColumns(
      rows
        .filter(({ n }) => n % 4 === 0)
        .map(({ n, ...row }) => ({ ...row, bids: [[3_000 + n, 5]], asks: [] })),
    ),
    activity: activityColumns(
      rows
        .filter(({ n }) => n % 8 === 0)
        .map(({ n, ...row }) => ({
          ...row,
          volume: 7 + n,
          volume24h: null,
          openInterest: 3,
          lastPrice: 4_000 + n,
        })),
    ),
    candles: candleColumns(
      markets.map((market) => ({
        market,
        start: at(-120),
        width: HOUR,
        volume: 9,
        prices: [3_000, 3_100, 2_900, 3_050] as const,
      })),
    ),
    facts: markets.flatMap((market, index) =>
      [-60, 30].map((minute) => ({
        market,
        knownAt: at(minute),
        facts: marketFacts({ ticker: TICKERS[index] ?? '', title: `known at ${minute}` }),
      })),
    ),
    changes: markets.flatMap((market, index): ChangeRow[] => [
      {
        id: `=new ${index}`,
        market,
        type: 'new_market',
        at: at(-60),
        before: null,
        after: 'active',
        delta: null,
      },
      {
        id: `move ${index}`,
        market,
        type: 'price_move',
        at: at(15),
        ...(index > 0 && { knownAt: at(50) }),
        before: 30.1,
        after: 33.4 + index,
        delta: 3.3 + 1e-14,
      },
    ]),
    corrections: [
      // Moved by minutes, busted, moved by hours, and corrected twice.
      ...markets.flatMap((market) => [corrected(market, 2, 50, 8), busted(market, 4, 62)]),
      ...markets.flatMap((market) => [
        corrected(market, 5, 40, -300),
        corrected(market, 7, 41, 30),
        corrected(market, 7, 99, 31),
      ]),
    ],
  })
  const [first = 0] = markets
  const missed = { ...of(null), feed: 'trades', state: 'gap', reason: '=a, "b"\nc' } as const
  await origin.append({
    coverage: [
      { ...of(null), from: at(-60), knownAt: at(-60) },
      { ...missed, from: at(20), knownAt: at(22) },
      { ...missed, from: at(20), to: at(31), knownAt: at(31) },
      { ...missed, from: at(20), to: at(31), knownAt: at(90), state: 'repaired', reason: null },
      { ...of(first), from: at(50), knownAt: at(51), state: 'gap', reason: 'silence' },
      { ...of(first), from: at(-500), to: at(-400), knownAt: at(-400), state: 'gap' },
    ],
  })

  const files: string[] = []
  for (const kind of KINDS) {
    const file = join(folders[0] ?? '', `${kind}.parquet`)
    await origin.copyTo(kind, { markets: null, from: 0 as Millis, to: END, asOf: END }, file)
    files.push(file)
  }
  const reports = await takenBy(copy, files)
  expect(reports.map(({ rowsRefused, error }) => [rowsRefused, error])).toEqual(
    KINDS.map(() => [0, null]),
  )
  const minutes = [10, 21, 45, 61, 95, 600]
  for (const minute of minutes) {
    expect(await answersOf(copy, at(minute))).toEqual(await answersOf(origin, at(minute)))
  }
  const again = await takenBy(copy, files)
  expect(again.map(({ rowsTaken }) => rowsTaken)).toEqual(KINDS.map(() => 0))
  for (const minute of minutes) {
    expect(await answersOf(copy, at(minute))).toEqual(await answersOf(origin, at(minute)))
  }
  // A span without an end has no known end in the copy.
  const after = { feed: 'quotes', from: at(-60), to: at(700), asOf: at(700) } as const
  const spans = await copy.coverage({ market: copy.marketIdOf('KX-B')?.market ?? -1, ...after })
  expect(spans).toEqual([{ state: 'live', from: at(-60), to: END, reason: null }])
})
