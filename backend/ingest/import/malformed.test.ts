import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from '../../../scripts/properties.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FileReport } from '../../domain/import-report.ts'
import { END, openImportFolder, type ImportFolder } from '../../testing/import-folder.ts'

let folder: ImportFolder
beforeEach(async () => {
  folder = await openImportFolder()
})
afterEach(() => folder.close())

const rowsIn = ({ rowsTaken, rowsKnown, rowsRefused }: FileReport): number =>
  rowsTaken + rowsKnown + rowsRefused

const TRADES =
  'side,asset,conditionId,size,price,timestamp,outcomeIndex,transactionHash,title,slug,eventSlug'
const CONDITION = `0x${'ab'.repeat(32)}`
const trade = (change: Partial<Record<string, string>> = {}): string => {
  const row: Record<string, string> = {
    side: 'BUY',
    asset: '77',
    conditionId: CONDITION,
    size: '10.5',
    price: '0.25',
    timestamp: '1760098160',
    outcomeIndex: '0',
    transactionHash: '0xfe',
    title: 'Will it?',
    slug: 'will-it',
    eventSlug: 'it',
    ...change,
  }
  return TRADES.split(',')
    .map((column) => row[column] ?? '')
    .join(',')
}
const tradesFile = (...rows: string[]): string =>
  folder.file('trades.csv', [TRADES, ...rows, ''].join('\n'))

const QUOTES = 'ts,slug,category,bid,ask,mid,spread,volume24hr,segment'

describe('a malformed row', () => {
  it('is reported with its number and reason, and valid rows are imported', async () => {
    const path = tradesFile(
      trade(),
      trade({ price: 'NaN', transactionHash: '0x1' }),
      trade({ price: '1e400', transactionHash: '0x2' }),
      trade({ price: '-0.1', transactionHash: '0x3' }),
      trade({ price: '1.01', transactionHash: '0x4' }),
      trade({ size: '-5', transactionHash: '0x5' }),
      trade({ conditionId: '', transactionHash: '0x6' }),
      trade({ timestamp: 'yesterday', transactionHash: '0x7' }),
      trade({ outcomeIndex: '2', transactionHash: '0x8' }),
      trade({ price: '2.5e-1', transactionHash: '0x9' }),
    )
    const [report] = await folder.importFiles([path])
    expect(report).toMatchObject({ rowsTaken: 1, rowsRefused: 9, error: null })
    expect(report?.reasons).toEqual([
      { reason: 'trade without a price', count: 5, firstRow: 2 },
      { reason: 'trade without a size', count: 1, firstRow: 6 },
      { reason: 'trade without a market', count: 1, firstRow: 7 },
      { reason: 'trade without a time', count: 1, firstRow: 8 },
      { reason: 'trade of an unknown outcome', count: 1, firstRow: 9 },
    ])
    const market = folder.idOf(CONDITION)
    const query = { market, from: 0 as typeof END, to: END, asOf: END }
    expect(await folder.history.trades(query)).toMatchObject([
      { price: 2500, size: 10_500_000, takerSide: 'yes' },
    ])
  })

  it('may be ragged, invalid UTF-8, or a huge line', async () => {
    const good = '2026-07-10 00:00:00,a-one,sports,0.6,0.7,,,,1'
    const other = '2026-07-10 00:02:00,a-one,sports,0.6,0.7,,,,1'
    const bytes = Buffer.concat([
      Buffer.from(`${QUOTES}\n${good}\nragged,line\n`),
      Buffer.from([0x62, 0xff, 0xfe, 0x2c, 0x62, 0x0a]),
      Buffer.from(`${'x'.repeat(3_000_000)}\n${other}\n`),
    ])
    const [report] = await folder.importFiles([folder.file('q.csv', bytes)])
    expect(report).toMatchObject({ rowsTaken: 2, rowsRefused: 3, error: null })
  })

  it('may contain line ends and separators inside quotes', async () => {
    const title = '"Will it, or\nwon’t it?"'
    const [report] = await folder.importFiles([tradesFile(trade({ title }))])
    expect(report).toMatchObject({ rowsTaken: 1, rowsRefused: 0 })
    const [record] = await folder.history.recordsAt(END, [folder.idOf(CONDITION)])
    expect(record?.facts.title).toBe('Will it, or\nwon’t it?')
  })

  it('with an unclosed quote is reported with all that it contains', async () => {
    const [report] = await folder.importFiles([
      tradesFile(trade(), trade({ title: '"Will it', transactionHash: '0x1' }), trade()),
    ])
    expect(report?.rowsTaken).toBeLessThanOrEqual(1)
    expect(report?.reasons.map(({ firstRow }) => firstRow)).toEqual([2])
  })

  it('is refused if it repeats an earlier row', async () => {
    const row = '2026-07-10 00:00:00,a-one,sports,0.6,0.7,,,,1'
    const [report] = await folder.importFiles([folder.file('q.csv', `${QUOTES}\n${row}\n${row}\n`)])
    expect(report).toMatchObject({ rowsTaken: 1, rowsRefused: 1 })
  })
})

describe('an invalid file', () => {
  it('is reported, and the others are imported', async () => {
    mkdirSync(join(folder.path, 'a-folder'))
    symlinkSync(join(folder.path, 'loop'), join(folder.path, 'loop'))
    const packed = gzipSync(`${TRADES}\n${trade()}\n`)
    const reports = await folder.importFiles([
      folder.file('empty.csv', ''),
      join(folder.path, 'a-folder'),
      join(folder.path, 'loop'),
      folder.file('cut.csv.gz', packed.subarray(0, packed.length - 12)),
      folder.file('noise.gz', Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8])),
      folder.file('whole.csv.gz', packed),
    ])
    expect(reports.map(({ error }) => error?.split(':')[0] ?? null)).toEqual([
      'the file is empty',
      'the file could not be read',
      'the file could not be read',
      'the gzip file is truncated or damaged',
      'the gzip file is truncated or damaged',
      null,
    ])
    expect(reports.at(-1)).toMatchObject({ layout: 'polymarket_trades', rowsTaken: 1 })
  })
})

describe('a JSON list without entries', () => {
  it('has no rows, for any requested kind', async () => {
    const paths = [folder.file('trades.json', '[]\n'), folder.file('q.json', ' [ ] ')]
    for (const request of [{}, { kind: 'augury_trades', strict: true }]) {
      for (const report of await folder.importFiles(paths, request)) {
        expect(report).toMatchObject({ rowsTaken: 0, rowsKnown: 0, rowsRefused: 0, error: null })
      }
    }
  })
})

describe('strict', () => {
  it('imports nothing of a file with a refused row, and all of one without', async () => {
    const bad = tradesFile(trade(), trade({ price: '7', transactionHash: '0x2' }))
    const good = folder.file('good.csv', `${QUOTES}\n2026-07-10 00:00:00,a-one,s,0.6,0.7,,,,1\n`)
    const [first, second] = await folder.importFiles([bad, good], { strict: true })
    expect(first).toMatchObject({ rowsTaken: 0, rowsRefused: 1 })
    expect(first?.error).toBe(
      'nothing was imported: some rows were refused, and the import is strict',
    )
    expect(second).toMatchObject({ rowsTaken: 1, error: null })
    expect(await folder.history.size()).toMatchObject({ trades: 0, quotes: 1 })
  })

  it('knows no asset of a file of markets that it refused', async () => {
    const market = {
      conditionId: CONDITION,
      question: 'Will it?',
      outcomes: '["Yes","No"]',
      clobTokenIds: '["1","2"]',
      active: true,
      closed: false,
    }
    const markets = [market, { ...market, conditionId: '', condition_id: 'none' }]
    const book = {
      market: CONDITION,
      asset_id: '1',
      timestamp: '1760098160000',
      bids: [{ price: '0.4', size: '3' }],
      asks: [{ price: '0.5', size: '2' }],
    }
    const paths = [
      folder.file('markets-2026-03-01.json', JSON.stringify({ markets })),
      folder.file('books.json', JSON.stringify([book])),
    ]
    const reports = await folder.importFiles(paths, { strict: true })
    expect(reports).toMatchObject([
      { layout: 'venue_b_markets', rowsTaken: 0, rowsRefused: 1 },
      {
        layout: 'venue_b_books',
        rowsTaken: 0,
        reasons: [{ reason: 'book of an unknown outcome: import its market with it' }],
      },
    ])
    expect(await folder.history.size()).toMatchObject({ markets: 0, books: 0 })
  })
})

/** Valid and invalid cells. */
const cell = fc.oneof(
  fc.constantFrom('', '0', '1', '0.5', 'NaN', '1e400', '-1', '1e-7', 'Infinity', '9'.repeat(40)),
  fc.constantFrom('BUY', 'null', '""', '"', "'", '2026-01-01', '1760098160', CONDITION, '\u0000'),
  fc.string({ maxLength: 12 }),
)
const column = fc.constantFrom(...TRADES.split(','))

describe('any table', () => {
  it('is counted to its last row without a crash', async () => {
    const rows = fc.array(fc.dictionary(column, cell, { maxKeys: 3 }), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(rows, async (changes) => {
        const held = changes.map((change, index) => ({
          side: 'SELL',
          asset: '7',
          conditionId: CONDITION,
          size: '1',
          price: '0.5',
          timestamp: '1760098160',
          outcomeIndex: '1',
          transactionHash: `0x${index}`,
          ...change,
        }))
        // In JSON any text is a cell.
        const whole = [...held, { ...held[0], side: 'BUY', asset: '8', transactionHash: 'last' }]
        const path = folder.file(
          'fuzz.json',
          whole.map((row) => `${JSON.stringify(row)}\n`).join(''),
        )
        const [report] = await folder.importFiles([path], { kind: null, dryRun: true })
        if (report === undefined) throw new Error('no report')
        if (report.error === null) expect(rowsIn(report)).toBe(whole.length)
        else expect(report.rowsTaken).toBe(0)
      }),
      { numRuns: 25 },
    )
  })

  it('of unlimited depth is refused before the engine parses it', async () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000)
    const reports = await folder.importFiles([
      folder.file('deep.json', deep),
      folder.file('deep-lines.json', `{"a":1}\n{"a":${deep}}\n`),
    ])
    expect(reports.map(({ error }) => error)).toEqual(
      reports.map(() => 'the JSON is nested more than 100 levels deep'),
    )
  })

  it('may have any bytes and any name', async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)),
      fc.string({ maxLength: 200 }).map((text) => Buffer.from(`${TRADES}\n${text}`)),
      fc.json().map((text) => Buffer.from(text)),
      fc.json().map((text) => Buffer.from(`{"markets":[${text}],"trades":[${text}]}`)),
      fc.json().map((text) => Buffer.from(`{"market":${text},"asset_id":"1","bids":[],"asks":[]}`)),
    )
    await fc.assert(
      fc.asyncProperty(bytes, async (content) => {
        const [report] = await folder.importFiles([folder.file('any_2026-01-01.bin', content)])
        expect(report).toBeDefined()
        expect(report?.rowsTaken).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 25 },
    )
    expect((await folder.history.size()).trades).toBe(0)
  })
})
