import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from '../../../../scripts/properties.ts'
import { expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, type Millis, type PriceE4, type SizeE6 } from '../../../domain/units.ts'
import { CHANGE_TYPES } from '../../../domain/changes/change-type.ts'
import { COVERAGE_FEEDS } from '../../../domain/coverage-feed.ts'
import { COVERAGE_STATES } from '../../../history/coverage.ts'
import { openHistory, type OpenHistory } from '../../../history/duckdb/open.ts'
import type { BackupTable, CopyFormat } from '../../../history/history-copies.ts'
import { silentLogger } from '../../../lib/logger.ts'
import { candleColumns, quoteColumns, tradeColumns } from '../../../testing/history-rows.ts'
import { marketFacts } from '../../../testing/market-facts.ts'
import { createImportHost } from '../import-host.ts'
import { runImport } from '../run-import.ts'

// Each run opens two engines on disk, which a busy machine does slowly.

const T0 = Date.parse('2026-11-20T00:00:00Z')
const END = (T0 + 10 * DAY) as Millis
const KINDS: readonly BackupTable[] = [
  ...(['facts', 'trades', 'quotes', 'candles', 'changes', 'coverage', 'corrections'] as const),
]

async function withHistory<T>(task: (history: OpenHistory, folder: string) => Promise<T>) {
  const folder = mkdtempSync(join(tmpdir(), 'augury-formats-'))
  mkdirSync(join(folder, 'import'))
  const history = await openHistory({
    path: join(folder, 'history.duckdb'),
    dataDir: folder,
    memoryLimitMb: 256,
    logger: silentLogger,
  })
  try {
    return await task(history, folder)
  } finally {
    await history.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** All reads of a market. */
async function answersOf(history: OpenHistory, ticker: string, then: Millis) {
  const market = history.marketIdOf(ticker)?.market ?? -1
  const from = 0 as Millis
  const range = { market, from, to: END, asOf: END }
  const page = { types: null, markets: [market], after: null, limit: 10_000 }
  const changes = await history.changes({ ...page, since: from, asOf: END })
  const gaps = await history.gaps({ venue: null, from, to: END, asOf: END, limit: 10_000 })
  const bars = { market, asOf: END, before: END, limit: 10_000 }
  const versions = await history.versionsOf(market, END)
  return {
    trades: await history.trades(range),
    tradesThen: await history.trades({ ...range, asOf: then }),
    changes: changes.map((change) => ({ ...change, market: ticker })),
    gaps: gaps.map((gap) => ({ ...gap, market: gap.market && history.keyOf(gap.market).ticker })),
    missing: await history.coverage({ ...range, feed: 'trades' }),
    delivered: await history.coverage({ ...range, feed: 'quotes' }),
    quotes: await history.quotes(range),
    minutes: await history.candles({ ...bars, width: MINUTE }),
    hours: await history.candles({ ...bars, width: HOUR }),
    versions: versions.map(({ facts, knownAt }) => ({ facts, knownAt })),
  }
}

const TICKERS = ['KX-A', 'KX-B']
const price = fc.integer({ min: 1, max: 9_999 })
const time = fc.integer({ min: T0, max: T0 + 3 * DAY })
const row = {
  market: fc.nat(1),
  ts: time,
  lag: fc.nat(100_000),
  origin: fc.constantFrom<0 | 1 | 2>(0, 1, 2),
}
/** Texts that formats and spreadsheets misinterpret; outer blanks are removed. */
const word = fc
  .oneof(
    fc.constantFrom(
      '=1+1',
      "'=x",
      "'\tx",
      "''\rx",
      '-5',
      '+a',
      '@b',
      '=5',
      'a,b',
      'a "b"',
      'two\nlines',
      'cr\r\nlf',
      '[1]',
      '{',
      '2026-1-5',
      '2026-11-20T10:00:00Z',
      '0012',
      '1e5',
      'true',
      'null',
      'NULL',
      'é–\u{1f600}',
      '6B29FC40-CA47-1067-B31D-00DD010662DA',
      "'",
      '""',
      ';',
      '\\',
      'a\tb',
    ),
    fc.string({ minLength: 1, maxLength: 12, unit: 'binary' }),
  )
  .filter((text) => text.trim() === text && !text.includes('\0') && text.isWellFormed())

const number = fc
  .option(fc.double({ noNaN: true, noDefaultInfinity: true }))
  .map((value) => (value === 0 ? 0 : value))
const histories = fc.record({
  trades: fc.uniqueArray(
    fc.record({ ...row, tradeId: word, price, size: fc.integer({ min: 1, max: 2 ** 50 }) }),
    { selector: ({ tradeId }) => tradeId, maxLength: 30 },
  ),
  quotes: fc.uniqueArray(
    fc.record({
      ...row,
      bid: fc.option(price),
      ask: fc.option(price),
      bidSize: fc.option(fc.nat()),
    }),
    { selector: ({ ts }) => ts, maxLength: 30 },
  ),
  bars: fc.uniqueArray(fc.nat(60), { maxLength: 10 }),
  changes: fc.uniqueArray(
    fc.record({
      market: fc.nat(1),
      id: word,
      type: fc.constantFrom(...CHANGE_TYPES),
      at: time,
      before: fc.oneof(word, number),
      after: fc.oneof(word, number),
      delta: number,
    }),
    { selector: ({ id }) => id, maxLength: 20 },
  ),
  coverage: fc.array(
    fc.record({
      market: fc.option(fc.nat(1)),
      from: time,
      span: fc.option(fc.nat(DAY)),
      later: fc.nat(DAY),
      feed: fc.constantFrom(...COVERAGE_FEEDS),
      state: fc.constantFrom(...COVERAGE_STATES),
      reason: fc.option(word),
    }),
    { maxLength: 20 },
  ),
  corrections: fc.array(
    fc.record({
      place: fc.nat(29),
      later: fc.nat(DAY),
      ts: time,
      price,
      size: fc.nat(),
      isBusted: fc.boolean(),
    }),
    { maxLength: 10 },
  ),
  title: word,
  description: word,
  tags: fc.array(word, { maxLength: 3 }),
})

type History = typeof histories extends fc.Arbitrary<infer T> ? T : never

it.each<CopyFormat>(['csv', 'json', 'parquet'])(
  'restores any history from %s unchanged',
  async (format) => {
    const check = async (reader: History) => {
      const { trades, quotes, bars, changes, coverage, corrections, ...facts } = reader
      await withHistory(async (origin, folder) => {
        const ids = await origin.marketIds(TICKERS.map((ticker) => ({ venue: 'venue_a', ticker })))
        const idOf = (index: number): number => ids[index] ?? -1
        const placed = <R extends { market: number }>(rows: readonly R[]) =>
          rows.map((each) => ({ ...each, market: idOf(each.market) }))
        await origin.append({
          trades: tradeColumns(placed(trades)),
          quotes: quoteColumns(placed(quotes)),
          candles: candleColumns(
            bars.map((hour) => ({
              market: idOf(1),
              start: T0 + hour * HOUR,
              width: HOUR,
              volume: hour,
              prices: [3_000, 3_100, 2_900, 3_050 + hour] as const,
            })),
          ),
          changes: placed(changes).map((row) => ({ ...row, at: row.at as Millis })),
          coverage: coverage.map(({ market, from, span, later, ...row }) => ({
            ...row,
            venue: 'venue_a',
            market: market === null ? null : idOf(market),
            from: from as Millis,
            to: span === null ? null : ((from + span) as Millis),
            knownAt: (from + later) as Millis,
          })),
          corrections: corrections.flatMap(({ place, later, isBusted, ts, ...figures }) => {
            const trade = trades[place % Math.max(1, trades.length)]
            if (trade === undefined) return []
            const { market, tradeId } = trade
            const knownAt = (Math.max(trade.ts + trade.lag, ts) + later) as Millis
            const row = { ...figures, ts: ts as Millis, takerSide: null, isBlock: later % 2 === 0 }
            return [
              {
                market: idOf(market),
                tradeId,
                knownAt,
                corrected: isBusted
                  ? null
                  : { ...row, price: row.price as PriceE4, size: row.size as SizeE6 },
              },
            ]
          }),
          facts: ids.map((market, index) => ({
            market,
            knownAt: T0 as Millis,
            facts: marketFacts({ ticker: TICKERS[index] ?? '', ...facts }),
          })),
        })
        const files: string[] = []
        for (const kind of KINDS) {
          const file = join(folder, `${kind}.${format}`)
          const all = { markets: null, from: 0 as Millis, to: END, asOf: END }
          const { rows } = await origin.copyTo(kind, all, file, { format, rowsAtOnce: 20 })
          if (rows > 0) files.push(file)
        }
        await withHistory(async (copy, folder) => {
          const stage = join(folder, 'import')
          const reports = await runImport(
            { paths: files, venue: null, kind: null, dryRun: false },
            createImportHost(copy),
            { stageDir: stage, tempDir: stage, memoryLimitMb: 300 },
            new AbortController().signal,
          )
          expect(reports.map(({ reasons, error }) => ({ reasons, error }))).toEqual(
            files.map(() => ({ reasons: [], error: null })),
          )
          for (const ticker of TICKERS) {
            for (const then of [T0 + DAY, T0 + 3 * DAY, END]) {
              const requested = [ticker, then as Millis] as const
              expect(await answersOf(copy, ...requested)).toEqual(
                await answersOf(origin, ...requested),
              )
            }
          }
        })
      })
    }
    const property = fc.asyncProperty(histories, check)
    await fc.assert(property, { numRuns: 3, seed: 7 })
  },
)
