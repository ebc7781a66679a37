import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, type Millis, type PriceE4, type SizeE6 } from '../../../domain/units.ts'
import { silentLogger } from '../../../lib/logger.ts'
import {
  activityColumns,
  bookColumns,
  candleColumns,
  quoteColumns,
  tradeColumns,
} from '../../../testing/history-rows.ts'
import { marketFacts } from '../../../testing/market-facts.ts'
import type { BackupTable, CopyOptions, CopyQuery } from '../../history-copies.ts'
import { openHistory, type OpenHistory } from '../open.ts'

const T0 = Date.parse('2026-11-20T12:00:00Z')
const at = (ms: number): Millis => (T0 + ms) as Millis

describe('copying rows to Parquet', () => {
  let folder = ''
  let history: OpenHistory
  let [z, a] = [-1, -1]
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'augury-copy-'))
    history = await openHistory({
      path: join(folder, 'history.duckdb'),
      memoryLimitMb: 256,
      logger: silentLogger,
    })
    const ids = await history.marketIds([
      { venue: 'venue_a', ticker: 'Z' },
      { venue: 'venue_a', ticker: 'A' },
    ])
    ;[z = -1, a = -1] = ids
  })
  afterEach(async () => {
    await history.close()
    rmSync(folder, { recursive: true })
  })

  const all: CopyQuery = { markets: null, from: at(0), to: at(HOUR), asOf: at(HOUR) }
  /** Copies, and reads the file with an engine of its own. */
  async function copied(
    kind: BackupTable,
    query: Partial<CopyQuery> = {},
    options: CopyOptions = {},
  ) {
    const { rows } = await history.copyTo(kind, { ...all, ...query }, `${kind}.parquet`, options)
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    const read = await connection.runAndReadAll(
      `select * from read_parquet('${join(folder, `${kind}.parquet`)}')`,
    )
    const found = read.getRowObjectsJson()
    connection.closeSync()
    instance.closeSync()
    expect(found).toHaveLength(rows)
    return found
  }

  it('writes trades in the order of ticker and time, sorted rows and recent ones', async () => {
    await history.append({
      trades: tradeColumns([
        { market: z, ts: at(1), tradeId: 'z1', price: 4_100, size: 2_500_000, taker: 2 },
        { market: a, ts: at(2), lag: 5, tradeId: 'a2', price: 55, origin: 2, isBlock: true },
      ]),
    })
    await history.sortClosedHours(at(2 * HOUR))
    await history.append({
      trades: tradeColumns([{ market: a, ts: at(1), tradeId: 'a1', price: 50, taker: 1 }]),
    })
    const rows = await copied('trades')
    expect(rows.map((row) => row['trade_id'])).toEqual(['a1', 'a2', 'z1'])
    expect(rows[1]).toEqual({
      venue: 'venue_a',
      ticker: 'A',
      ts_ms: String(at(2)),
      known_at_ms: String(at(7)),
      origin: 'backfilled',
      trade_id: 'a2',
      price_e4: 55,
      size_e6: '1000000',
      taker_side: null,
      is_block: true,
    })
    expect(rows[2]).toMatchObject({ taker_side: 'no', size_e6: '2500000' })
  })

  it('writes the rows of each copy when two write to the same path one after the other', async () => {
    const markets = [z, a]
    await history.append({
      trades: tradeColumns(
        markets.flatMap((market, side) =>
          Array.from({ length: 400 }, (_, n) => ({
            market,
            ts: at(n),
            tradeId: `${side}${String(n).padStart(5, '0')}`,
            price: 1_000 + side,
          })),
        ),
      ),
    })
    for (let round = 0; round < 10; round++) {
      const side = round % 2
      const rows = await copied('trades', { markets: [markets[side] ?? -1] })
      expect(rows.filter((row) => row['price_e4'] === 1_000 + side)).toHaveLength(400)
    }
  })

  it('filters by markets, time and what was known', async () => {
    await history.append({
      trades: tradeColumns(
        [0, 1, 2].flatMap((ms) => [
          { market: a, ts: at(ms), tradeId: `a${ms}`, price: 50, lag: ms * 10 },
          { market: z, ts: at(ms), tradeId: `z${ms}`, price: 50 },
        ]),
      ),
    })
    const ids = async (query: Partial<CopyQuery>) =>
      (await copied('trades', query)).map((row) => row['trade_id'])
    expect(await ids({ markets: [a] })).toEqual(['a0', 'a1', 'a2'])
    expect(await ids({ markets: [] })).toEqual([])
    expect(await ids({ from: at(1), to: at(2) })).toEqual(['a1', 'z1'])
    expect(await ids({ asOf: at(10) })).toEqual(['a0', 'z0', 'z1', 'z2'])
  })

  it('writes trades as corrected by that time', async () => {
    await history.append({
      trades: tradeColumns([
        { market: a, ts: at(1), tradeId: 'wrong', price: 50 },
        { market: a, ts: at(2), tradeId: 'busted', price: 50 },
        { market: z, ts: at(3), tradeId: 'wrong', price: 50 },
      ]),
      corrections: [
        {
          market: a,
          tradeId: 'wrong',
          knownAt: at(9),
          corrected: {
            ts: at(4),
            price: 60 as PriceE4,
            size: 7 as SizeE6,
            takerSide: 'yes',
            isBlock: false,
          },
        },
        { market: a, tradeId: 'busted', knownAt: at(8), corrected: null },
      ],
    })
    const seen = async (asOf: Millis) =>
      (await copied('trades', { asOf })).map((row) => [row['trade_id'], row['price_e4']])
    expect(await seen(at(7))).toEqual([
      ['wrong', 50],
      ['busted', 50],
      ['wrong', 50],
    ])
    expect(await seen(at(9))).toEqual([
      ['wrong', 60],
      ['wrong', 50],
    ])
    expect((await copied('trades'))[0]).toMatchObject({
      ts_ms: String(at(4)),
      known_at_ms: String(at(9)),
      size_e6: '7',
      taker_side: 'yes',
    })
  })

  it('writes every other kind of row', async () => {
    await history.append({
      quotes: quoteColumns([{ market: a, ts: at(1), bid: 4_000, ask: null, bidSize: 7 }]),
      books: bookColumns([{ market: a, ts: at(1), bids: [[4_000, 7]], asks: [] }]),
      candles: candleColumns([
        { market: a, start: at(0), width: 60_000, prices: [1, 2, 1, 2], volume: 9 },
      ]),
      activity: activityColumns([
        { market: a, ts: at(1), volume: 5, volume24h: null, openInterest: 3, lastPrice: 4_200 },
      ]),
    })
    expect(await copied('quotes')).toMatchObject([
      { bid_e4: 4_000, bid_size_e6: '7', ask_e4: null, ask_size_e6: null, origin: 'live' },
    ])
    expect(await copied('books')).toMatchObject([
      { bid_1_e4: 4_000, bid_1_size_e6: '7', bid_2_e4: null, ask_1_e4: null },
    ])
    expect(await copied('candles')).toMatchObject([
      {
        ts_ms: String(at(60_000)),
        start_ms: String(at(0)),
        width_ms: '60000',
        open_e4: 1,
        high_e4: 2,
        volume_e6: '9',
        bid_close_e4: null,
      },
    ])
    expect(await copied('activity')).toMatchObject([
      { volume_e6: '5', volume_24h_e6: null, open_interest_e6: '3', last_price_e4: 4_200 },
    ])
  })

  it('starts facts with the version that was current', async () => {
    const version = (knownAt: number, title: string) => ({
      market: a,
      knownAt: at(knownAt),
      facts: marketFacts({ ticker: 'A', title, tags: ['x"y'] }),
    })
    await history.append({
      facts: [version(0, 'old'), version(10, 'standing'), version(30, 'new'), version(60, 'late')],
    })
    const titles = async (from: number, to: number, asOf: number = HOUR) =>
      (await copied('facts', { from: at(from), to: at(to), asOf: at(asOf) })).map(
        (row) => row['title'],
      )
    expect(await titles(20, 50)).toEqual(['standing', 'new'])
    expect(await titles(30, 50)).toEqual(['new'])
    expect(await titles(20, 50, 29)).toEqual(['standing'])
    expect(await titles(70, 80)).toEqual(['late'])
    expect((await copied('facts', { from: at(61) }))[0]).toMatchObject({
      venue: 'venue_a',
      ticker: 'A',
      known_at_ms: String(at(60)),
      tags: JSON.stringify(['x"y']),
    })
  })

  it('writes only in the data folder', async () => {
    await expect(history.copyTo('trades', all, join(tmpdir(), 'x.parquet'))).rejects.toThrow(
      'The history could not answer',
    )
  })

  const textOf = async (kind: BackupTable, options: CopyOptions): Promise<string> => {
    const name = `${kind}.${options.format ?? ''}`
    await history.copyTo(kind, all, name, options)
    return readFileSync(join(folder, name), 'utf8')
  }

  it('writes the same rows in the same order for any sort window', async () => {
    const times = Array.from({ length: 60 }, (_, n) => at(n * 7 * HOUR))
    await history.append({
      trades: tradeColumns(
        times.flatMap((ts, n) => [
          { market: a, ts, tradeId: `a${n}`, price: n },
          ...(n % 5 === 0 ? [{ market: z, ts, tradeId: `z${n}`, price: n }] : []),
        ]),
      ),
    })
    const far = { to: at(30 * DAY), asOf: at(30 * DAY) }
    const whole = await copied('trades', far)
    expect(whole).toHaveLength(72)
    const progress: number[] = []
    const onRows = (rows: number) => progress.push(rows)
    expect(await copied('trades', far, { rowsAtOnce: 10, onRows })).toEqual(whole)
    expect(progress.length).toBeGreaterThan(6)
    expect(progress.at(-1)).toBe(72)
    expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([])
  })

  it('writes CSV by RFC 4180, with formulas escaped', async () => {
    await history.append({
      trades: tradeColumns([
        { market: a, ts: at(1), tradeId: '=1+1', price: 50, size: 7 },
        { market: a, ts: at(2), tradeId: "'@x", price: 50, size: 7, taker: 1 },
        { market: a, ts: at(2) + 1, tradeId: '\t=2', price: 50, size: 7 },
        { market: a, ts: at(2) + 2, tradeId: '\r=3', price: 50, size: 7 },
        { market: a, ts: at(2) + 3, tradeId: '-4', price: 50, size: 7 },
        { market: z, ts: at(3), tradeId: 'a "b",\nc', price: 50, size: 7, isBlock: true },
      ]),
    })
    const csv = await textOf('trades', { format: 'csv', rowsAtOnce: 2 })
    expect(csv.split('\r\n')).toEqual([
      'venue,ticker,ts_ms,known_at_ms,origin,trade_id,price_e4,size_e6,taker_side,is_block',
      `venue_a,A,${at(1)},${at(1)},live,'=1+1,50,7,,false`,
      `venue_a,A,${at(2)},${at(2)},live,''@x,50,7,yes,false`,
      `venue_a,A,${at(2) + 1},${at(2) + 1},live,'\t=2,50,7,,false`,
      `venue_a,A,${at(2) + 2},${at(2) + 2},live,"'\r=3",50,7,,false`,
      `venue_a,A,${at(2) + 3},${at(2) + 3},live,'-4,50,7,,false`,
      `venue_a,Z,${at(3)},${at(3)},live,"a ""b"",\nc",50,7,,true`,
      '',
    ])
  })

  it('writes JSON as an array, one object per line', async () => {
    expect(await textOf('quotes', { format: 'json' })).toBe('[]\n')
    await history.append({
      quotes: quoteColumns([
        { market: a, ts: at(1), bid: 4_000, ask: null, bidSize: 9_007_199_254_740_991 },
        { market: z, ts: at(1), bid: 1, ask: 2 },
      ]),
    })
    const json = await textOf('quotes', { format: 'json', rowsAtOnce: 1 })
    expect(json.trim().split('\n')).toHaveLength(4)
    expect(JSON.parse(json)).toEqual([
      {
        venue: 'venue_a',
        ticker: 'A',
        ts_ms: at(1),
        known_at_ms: at(1),
        origin: 'live',
        bid_e4: 4_000,
        bid_size_e6: 9_007_199_254_740_991,
        ask_e4: null,
        ask_size_e6: null,
      },
      expect.objectContaining({ ticker: 'Z', bid_e4: 1, bid_size_e6: null }),
    ])
  })

  it('writes the columns of a file without rows', async () => {
    expect(await textOf('quotes', { format: 'csv' })).toBe(
      'venue,ticker,ts_ms,known_at_ms,origin,bid_e4,bid_size_e6,ask_e4,ask_size_e6\r\n',
    )
    expect(await copied('quotes')).toEqual([])
  })

  it('writes the bars that candles returns, closed ones only', async () => {
    await history.append({
      trades: tradeColumns(
        Array.from({ length: 200 }, (_, n) => ({
          market: n % 3 === 0 ? z : a,
          ts: at(n * 20_000),
          tradeId: `t${n}`,
          price: 4_000 + ((n * 37) % 100),
          size: n + 1,
          isBlock: n % 17 === 0,
        })),
      ),
      coverage: [
        {
          venue: 'venue_a',
          market: a,
          feed: 'trades',
          state: 'gap',
          knownAt: at(0),
          from: at(5 * MINUTE),
          to: at(6 * MINUTE),
          reason: null,
        },
      ],
    })
    const span = { from: at(3 * MINUTE), to: at(55 * MINUTE), asOf: at(40.5 * MINUTE) }
    const rows = await copied('bars', span, { width: MINUTE, rowsAtOnce: 10 })
    const expected = await Promise.all(
      [a, z].map(async (market) => {
        const query = { market, width: MINUTE, asOf: span.asOf, before: span.to, limit: 1_000 }
        const bars = await history.candles(query)
        return bars
          .filter((bar) => bar.start >= span.from && bar.start + MINUTE <= span.asOf)
          .map((bar) => ({
            ticker: market === a ? 'A' : 'Z',
            start_ms: String(bar.start),
            open_e4: bar.open,
            high_e4: bar.high,
            low_e4: bar.low,
            close_e4: bar.close,
            volume_e6: String(bar.volume),
            crosses_gap: bar.crossesGap,
          }))
      }),
    )
    expect(rows).toMatchObject(expected.flat())
    expect(rows.filter((row) => row['crosses_gap'] === true)).toHaveLength(1)
    expect(rows[0]).toMatchObject({ ts_ms: String(at(4 * MINUTE)), width_ms: '60000' })
  })

  it('filters by venue', async () => {
    const [b = -1] = await history.marketIds([{ venue: 'venue_b', ticker: '0xb' }])
    await history.append({
      trades: tradeColumns([
        { market: a, ts: at(1), tradeId: 'a', price: 1 },
        { market: b, ts: at(1), tradeId: 'b', price: 1 },
      ]),
    })
    const ids = (await copied('trades', { venue: 'venue_b' })).map((row) => row['trade_id'])
    expect(ids).toEqual(['b'])
  })

  it('stops on abort, and leaves nothing', async () => {
    await history.append({
      trades: tradeColumns(
        Array.from({ length: 40 }, (_, n) => ({
          market: a,
          ts: at(n * HOUR),
          tradeId: `t${n}`,
          price: 1,
        })),
      ),
    })
    const stop = new AbortController()
    const cancelled = history.copyTo(
      'trades',
      { ...all, to: at(DAY * 9), asOf: at(DAY * 9) },
      'x',
      {
        format: 'csv',
        rowsAtOnce: 5,
        signal: stop.signal,
        onRows: () => stop.abort(),
      },
    )
    await expect(cancelled).rejects.toThrow(/abort|answer/)
    expect(readdirSync(folder).filter((name) => name.startsWith('x'))).toEqual([])
    expect(await copied('trades', { to: at(DAY), asOf: at(DAY) })).toHaveLength(24)
  })
})
