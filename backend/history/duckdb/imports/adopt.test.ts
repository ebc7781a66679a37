import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HOUR, type Millis } from '../../../domain/units.ts'
import { silentLogger } from '../../../lib/logger.ts'
import { quoteColumns, tradeColumns } from '../../../testing/history-rows.ts'
import { marketFacts } from '../../../testing/market-facts.ts'
import type { CoverageFeed } from '../../../domain/coverage-feed.ts'
import type { HistoryImports } from '../../history-copies.ts'
import type { ChangeRow } from '../../change-events.ts'
import type { HistoryStore } from '../../history-store.ts'
import { openHistory } from '../open.ts'
import { contentHashSql } from './staged-content.ts'

const T0 = 1_763_640_000_000
const END = (T0 + 100 * HOUR) as Millis

describe('adopting a staged file', () => {
  let folder = ''
  let history: HistoryStore & HistoryImports
  const open = () =>
    openHistory({
      path: join(folder, 'history.duckdb'),
      memoryLimitMb: 256,
      logger: silentLogger,
    })
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'augury-adopt-'))
    history = await open()
    await history.marketIds([0, 1, 2].map((n) => ({ venue: 'venue_b', ticker: `0x${n}` })))
  })
  afterEach(async () => {
    await history.close()
    rmSync(folder, { recursive: true })
  })

  /** Writes rows as an importer does: with an engine of its own. */
  async function stage(name: string, select: string): Promise<string> {
    const file = join(folder, name)
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    await connection.run(`copy (${select}) to '${file}' (format parquet)`)
    connection.closeSync()
    instance.closeSync()
    return file
  }
  const quotes = (markets: string, from: number, to: number) => `
    select m::integer as market, ${T0} + i * 1000 as ts, 5000 as lag, 3 as origin,
           4000 + (i % 7) as bid, case when i % 5 = 0 then null else 4100 end as ask,
           null as bid_size, 1000000 as ask_size
      from range(${from}, ${to}) a(i), (select unnest([${markets}]) as m) order by 1, 2`

  it('records the steps of an import with their counts, until another import begins', async () => {
    const step = (key: string, result?: unknown) => ({ importId: 'imp_1', key, result })
    const file = await stage('q.parquet', quotes('0, 1', 0, 10))
    await history.adopt('quotes', file, { step: step('b') })
    await history.adoptFacts(
      [{ market: 0, knownAt: T0 as Millis, facts: marketFacts() }],
      step('a'),
    )
    await history.adopt('quotes', file, { step: { importId: 'imp_2', key: 'b' } })
    expect(await history.importSteps('imp_1')).toEqual([
      { key: 'a', result: { taken: 1, known: 0 } },
      { key: 'b', result: { taken: 20, known: 0 } },
    ])
    await history.deleteImportSteps('imp_2')
    expect(await history.importSteps('imp_1')).toEqual([])
    expect(await history.importSteps('imp_2')).toEqual([
      { key: 'b', result: { taken: 0, known: 20 } },
    ])
  })

  it('takes all rows once and none the second time', async () => {
    const file = await stage('q.parquet', quotes('0, 1', 0, 1_000))
    expect(await history.adopt('quotes', file)).toEqual({ taken: 2_000, known: 0 })
    const rows = await history.quotes({ market: 1, from: 0 as Millis, to: END, asOf: END })
    expect(rows).toHaveLength(1_000)
    expect(rows.slice(0, 2)).toEqual([
      { ts: T0, bid: 4000, ask: null },
      { ts: T0 + 1000, bid: 4001, ask: 4100 },
    ])
    expect(await history.adopt('quotes', file)).toEqual({ taken: 0, known: 2_000 })
    const more = await stage('more.parquet', quotes('0, 1, 2', 500, 1_500))
    expect(await history.adopt('quotes', more)).toEqual({ taken: 2_000, known: 1_000 })
    expect((await history.size()).quotes).toBe(4_000)
    expect(await history.quotes({ market: 1, from: 0 as Millis, to: END, asOf: END })).toHaveLength(
      1_500,
    )
  })

  it('takes the rows of each file where all have one name and size', async () => {
    const sizes = new Set<number>()
    for (const market of [0, 1, 2]) {
      const file = await stage('1.parquet', quotes(`${market}`, 0, 400))
      sizes.add(statSync(file).size)
      expect(await history.adopt('quotes', file)).toEqual({ taken: 400, known: 0 })
      rmSync(file)
    }
    expect(sizes.size).toBe(1)
    for (const market of [0, 1, 2]) {
      const everything = { market, from: 0 as Millis, to: END, asOf: END }
      expect(await history.quotes(everything)).toHaveLength(400)
    }
  })

  it('stores nothing of a file with other rows than its writer counted', async () => {
    const file = await stage('q.parquet', quotes('0, 1', 0, 100))
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    const read = await connection.runAndReadAll(
      `select ${contentHashSql('quotes')} from read_parquet('${file}')`,
    )
    const hash = String(read.getRows()[0]?.[0])
    connection.closeSync()
    instance.closeSync()
    await expect(
      history.adopt('quotes', file, { source: 'q', content: { rows: 200, hash: '7' } }),
    ).rejects.toThrow('other content than was written (200 rows): nothing of it was stored')
    await expect(
      history.adopt('quotes', file, { source: 'q', content: { rows: 400, hash } }),
    ).rejects.toThrow('has 400 rows, and 200 were read: nothing of it was stored')
    expect(await history.size()).toMatchObject({ quotes: 0, firstTs: null })
    const everything = { market: 0, from: 0 as Millis, to: END, asOf: END }
    expect(await history.coverage({ ...everything, feed: 'quotes' })).toEqual([])
    const content = { rows: 200, hash }
    expect(await history.adopt('quotes', file, { content })).toEqual({ taken: 200, known: 0 })
    expect(await history.adopt('quotes', file, { content })).toEqual({ taken: 0, known: 200 })
  })

  it('skips rows that are already stored unsorted', async () => {
    await history.append({ quotes: quoteColumns([{ market: 0, ts: T0 + 3000, bid: 1, ask: 2 }]) })
    const file = await stage('q.parquet', quotes('0', 0, 10))
    expect(await history.adopt('quotes', file)).toEqual({ taken: 9, known: 1 })
  })

  it('recognises trades by their id and keeps latest prices correct', async () => {
    await history.append({
      trades: tradeColumns([{ market: 0, ts: T0 + 2, tradeId: 't2', price: 7 }]),
    })
    const file = await stage(
      't.parquet',
      `select 0::integer as market, ${T0} + i as ts, 0 as lag, 2 as origin, 't' || i as trade_id,
              100 + i as price, 5 as size, 1 as taker, i = 4 as is_block from range(5) a(i)`,
    )
    expect(await history.adopt('trades', file)).toEqual({ taken: 4, known: 1 })
    const [all] = await history.numbersAt(END, null)
    expect(all?.last).toEqual({ price: 103, ts: T0 + 3 })
    expect(await history.numbersAt((T0 + 1) as Millis, null)).toMatchObject([
      { last: { price: 101 } },
    ])
    expect(await history.newestTradeAt('venue_b')).toBe(T0 + 4)
  })

  it('keeps its bounds over a reopen', async () => {
    await history.adopt('quotes', await stage('q.parquet', quotes('0, 1', 0, 100)))
    const before = await history.size()
    await history.close()
    history = await openHistory({ path: join(folder, 'history.duckdb'), logger: silentLogger })
    expect(await history.size()).toEqual(before)
    const listed = await history.numbersAt(END, [1])
    expect(listed).toMatchObject([
      { quote: { bid: 4001, ask: 4100, bidSize: null, askSize: 1_000_000 } },
    ])
  })

  it('refuses a file outside the data folder and stores nothing of an invalid one', async () => {
    await expect(history.adopt('quotes', '/etc/passwd')).rejects.toThrow(/could not keep the rows/)
    const broken = await stage('broken.parquet', `select 0::integer as market, ${T0} as ts`)
    await expect(history.adopt('quotes', broken)).rejects.toThrow(/could not keep the rows/)
    expect(await history.size()).toMatchObject({ quotes: 0, firstTs: null })
    const file = await stage('q.parquet', quotes('0', 0, 10))
    expect(await history.adopt('quotes', file)).toEqual({ taken: 10, known: 0 })
  })

  it('records once what a named recording covers', async () => {
    const covered = (market: number, feed: CoverageFeed, asOf = END) =>
      history.coverage({ market, feed, asOf, from: 0 as Millis, to: END })
    const first = await stage('q.parquet', quotes('0, 1', 0, 100))
    const last = await stage('more.parquet', quotes('1', 200, 300))
    const span = (from: number, to: number) => [
      { state: 'imported', from: T0 + from, to: T0 + to, reason: 'day.csv' },
    ]
    await history.adopt('quotes', first, { source: 'day.csv' })
    await history.adopt('quotes', first)
    expect(await covered(0, 'quotes')).toEqual(span(0, 99_001))
    await history.adopt('quotes', last, { source: 'day.csv' })
    expect(await covered(1, 'quotes')).toEqual(span(0, 299_001))
    // The coverage of the later part is known when its last row was.
    const known = (T0 + 299_000 + 5_000) as Millis
    expect(await covered(1, 'quotes', (known - 1) as Millis)).toEqual(span(0, 99_001))
    for (const file of [first, last]) await history.adopt('quotes', file, { source: 'day.csv' })
    expect(await covered(2, 'quotes')).toEqual([])
    expect(await covered(0, 'trades')).toEqual([])
    await history.close()
    const instance = await DuckDBInstance.create(join(folder, 'history.duckdb'))
    const connection = await instance.connect()
    const rows = await connection.runAndReadAll('select market from coverage order by 1')
    expect(rows.getRows()).toEqual([[0], [1], [1]])
    connection.closeSync()
    instance.closeSync()
    history = await open()
  })

  it('counts bars with volume as coverage of trades, and others as none', async () => {
    const bars = await stage(
      'bars.parquet',
      `select m::integer as market, ${T0} + (i + 1) * 60000 as ts, 0 as lag, 3 as origin,
              ${T0} + i * 60000 as start, 60000 as width, 1 as open, 1 as high, 1 as low, 1 as close,
              case when m = 0 then 5 end as volume, null as bid_close, null as ask_close
         from range(3) a(i), (select unnest([0, 1]) as m) order by 1, 2`,
    )
    await history.adopt('candles', bars, { source: 'bars.csv' })
    const covered = (market: number) =>
      history.coverage({ market, feed: 'trades', asOf: END, from: 0 as Millis, to: END })
    expect(await covered(0)).toEqual([
      { state: 'imported', from: T0, to: T0 + 180_000, reason: 'bars.csv' },
    ])
    expect(await covered(1)).toEqual([])
  })

  it('takes each version of facts once', async () => {
    const version = (knownAt: number) => ({
      market: 0,
      knownAt: knownAt as Millis,
      facts: marketFacts(),
    })
    expect(await history.adoptFacts([version(1), version(2), version(2)])).toEqual({
      taken: 2,
      known: 1,
    })
    expect(await history.adoptFacts([version(2), version(3)])).toEqual({ taken: 1, known: 1 })
  })

  it('takes each change event once', async () => {
    const change = (id: string, at: number): ChangeRow => ({
      id,
      market: 0,
      type: 'price_move',
      at: (T0 + at) as Millis,
      before: 40,
      after: 50,
      delta: 10,
    })
    const first = await history.storeStatements({ changes: [change('a', 1), change('b', 2)] })
    expect(first).toMatchObject({ taken: 2, known: 0 })
    const again = await history.storeStatements({ changes: [change('b', 2), change('c', 3)] })
    expect(again).toMatchObject({ taken: 1, known: 1 })
  })
})
