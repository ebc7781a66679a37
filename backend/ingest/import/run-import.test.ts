import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FileReport, ImportRequest } from '../../domain/import-report.ts'
import type { Millis } from '../../domain/units.ts'
import { openHistory } from '../../history/duckdb/open.ts'
import type { HistoryImports } from '../../history/history-copies.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import { silentLogger } from '../../lib/logger.ts'
import { createImportHost } from './import-host.ts'
import { createImporter } from './importer.ts'
import { runImport } from './run-import.ts'

const LATER = 8_640_000_000_000_000 as Millis
// Each test opens two engines on disk, which a busy machine does slowly.
const never = (): AbortSignal => new AbortController().signal

let folder: string
let history: HistoryStore & HistoryImports
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'augury-import-'))
  mkdirSync(join(folder, 'import'))
  const path = join(folder, 'history.duckdb')
  history = await openHistory({ path, dataDir: folder, logger: silentLogger })
})
afterEach(async () => {
  await history.close()
  rmSync(folder, { recursive: true, force: true })
})

const take = (paths: string[], request: Partial<ImportRequest> = {}): Promise<FileReport[]> =>
  runImport(
    { paths, venue: null, kind: null, dryRun: false, ...request },
    createImportHost(history),
    { stageDir: join(folder, 'import'), tempDir: join(folder, 'import'), memoryLimitMb: 300 },
    never(),
  )

const file = (name: string, content: string): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

async function parquet(name: string, sql: string): Promise<string> {
  const path = join(folder, name)
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run(`copy (${sql}) to '${path}' (format parquet)`)
  connection.closeSync()
  instance.closeSync()
  return path
}

const quoteRows = (rows: string): string => `
  select ts::timestamp as ts, slug, 'sports' as category, bid::double as bid, ask::double as ask,
         null::double as mid, null::double as spread, null::double as volume24hr, 1 as segment
    from (values ${rows}) as given(ts, slug, bid, ask)`

const GOOD = `('2026-07-10 00:00:00', 'b-two', '0.4', '0.45'), ('2026-07-10 00:02:00', 'b-two', null, null),
  ('2026-07-10 00:00:00', 'a-one', '0.6', '0.55'), ('2026-07-10 00:02:00', 'a-one', '0.001', null)`

const idOf = (ticker: string): number => {
  const found = history.marketIdOf(ticker)
  if (found === null) throw new Error(`${ticker} is unknown`)
  return found.market
}

const quotesOf = (ticker: string) =>
  history.quotes({ market: idOf(ticker), from: 0 as Millis, to: LATER, asOf: LATER })

describe('importing quotes', () => {
  it('imports crossed and empty books as recorded, in store units', async () => {
    const path = await parquet('q.parquet', quoteRows(GOOD))
    const [report] = await take([path])
    expect(report).toEqual({
      path,
      layout: 'pmus_quotes',
      rowsTaken: 4,
      rowsKnown: 0,
      rowsUndescribed: 4,
      marketsUndescribed: 2,
      rowsRefused: 0,
      reasons: [],
      error: null,
    })
    const start = Date.parse('2026-07-10T00:00:00Z')
    expect(await quotesOf('A-ONE')).toEqual([
      { ts: start, bid: 6000, ask: 5500 },
      { ts: start + 120_000, bid: 10, ask: null },
    ])
    expect(await quotesOf('B-TWO')).toEqual([
      { ts: start, bid: 4000, ask: 4500 },
      { ts: start + 120_000, bid: null, ask: null },
    ])
  })

  it('dates nothing as known before the delay of the venue has passed', async () => {
    await take([await parquet('q.parquet', quoteRows(GOOD))])
    const ts = Date.parse('2026-07-10T00:00:00Z')
    const at = (asOf: number) =>
      history.quotes({ market: idOf('A-ONE'), from: 0 as Millis, to: LATER, asOf: asOf as Millis })
    expect(await at(ts + 4_999)).toEqual([])
    expect(await at(ts + 5_000)).toHaveLength(1)
  })

  it('adds nothing the second time, and only the new rows of an overlapping file', async () => {
    const path = await parquet('q.parquet', quoteRows(GOOD))
    await take([path])
    const [again] = await take([path])
    expect(again).toMatchObject({ rowsTaken: 0, rowsKnown: 4, rowsRefused: 0 })
    const more = await parquet(
      'more.parquet',
      quoteRows(`${GOOD}, ('2026-07-10 00:04:00', 'a-one', '0.5', '0.6')`),
    )
    const [overlapping] = await take([more])
    expect(overlapping).toMatchObject({ rowsTaken: 1, rowsKnown: 4 })
    expect((await history.size()).quotes).toBe(5)
  })

  it('counts bad rows by reason with the first of them, and imports the good ones', async () => {
    const bad = `('2026-07-10 00:01:00', null, '0.4', '0.45'), (null, 'c', '0.4', '0.45'),
      ('2026-07-10 00:01:00', 'c', '1.5', '0.45'), ('2026-07-10 00:01:00', 'd', '0.4', 'nan'),
      ('2026-07-10 00:01:00', 'd', '-0.1', '0.2'), ('2026-07-10 00:00:00', 'a-one', '0.7', '0.8')`
    const [report] = await take([await parquet('q.parquet', quoteRows(`${GOOD}, ${bad}`))])
    expect(report).toMatchObject({ rowsTaken: 4, rowsRefused: 6, error: null })
    expect(report?.reasons).toEqual([
      { reason: 'slug is missing', count: 1, firstRow: 5 },
      { reason: 'ts is not a time', count: 1, firstRow: 6 },
      { reason: 'bid is not a price from 0 to 1', count: 2, firstRow: 7 },
      { reason: 'ask is not a price from 0 to 1', count: 1, firstRow: 8 },
      { reason: 'another row of the same market and instant', count: 1, firstRow: 10 },
    ])
    expect((await quotesOf('A-ONE'))[0]).toMatchObject({ bid: 6000 })
    expect(history.marketIdOf('C')).toBeNull()
  })

  it('reads the same table as CSV and as JSON, for any file name', async () => {
    const header = 'ts,slug,category,bid,ask,mid,spread,volume24hr,segment'
    const csv = file('a.parquet', `${header}\n2026-07-10 00:00:00,a-one,sports,0.6,,,,,1\n`)
    const rows = [
      {
        ts: '2026-07-10T00:02:00Z',
        slug: 'a-one',
        bid: 0.61,
        ask: 0.62,
        mid: 0.615,
        spread: 0.01,
        segment: 1,
      },
    ]
    const json = file('b.csv', JSON.stringify(rows))
    const reports = await take([csv, json])
    expect(reports.map(({ layout, rowsTaken, error }) => [layout, rowsTaken, error])).toEqual([
      ['pmus_quotes', 1, null],
      ['pmus_quotes', 1, null],
    ])
    expect(await quotesOf('A-ONE')).toEqual([
      { ts: Date.parse('2026-07-10T00:00:00Z'), bid: 6000, ask: null },
      { ts: Date.parse('2026-07-10T00:02:00Z'), bid: 6100, ask: 6200 },
    ])
  })

  it('imports the good lines of an invalid CSV and counts the others', async () => {
    const header = 'ts,slug,category,bid,ask,mid,spread,volume24hr,segment'
    const path = file(
      'q.csv',
      `${header}\n2026-07-10 00:00:00,a-one,sports,0.6,0.7,,,,1\nbroken,line\n2026-07-10 00:02:00,a-one,sports,x,0.7,,,,1\n`,
    )
    const [report] = await take([path])
    expect(report).toMatchObject({ rowsTaken: 1, rowsRefused: 2, error: null })
  })
})

describe('a bad file', () => {
  it('is reported and does not affect others', async () => {
    const whole = await parquet('whole.parquet', quoteRows(GOOD))
    const cut = file('cut.parquet', '')
    writeFileSync(cut, readFileSync(whole).subarray(0, 200))
    const damaged = file('damaged.parquet', '')
    const bytes = readFileSync(whole)
    bytes.fill(0xff, bytes.length - 60, bytes.length - 8)
    writeFileSync(damaged, bytes)
    const reports = await take([
      cut,
      damaged,
      file('half.json', '{"markets":[{"ticker":"A"'),
      file('other.csv', 'a,b\n1,2\n'),
      file('other.json', '{"weather":"fine"}'),
      join(folder, 'nowhere.json'),
      whole,
    ])
    expect(reports.map((report) => report.error?.split(/[:.]/)[0] ?? null)).toEqual([
      'the Parquet file is truncated',
      'the file could not be read as parquet',
      'the JSON is malformed or truncated (line 1 column 26)',
      'the layout is unknown',
      'the JSON holds no markets, trades, books or bars of a known venue',
      'the file could not be read',
      null,
    ])
    expect(reports.at(-1)).toMatchObject({ rowsTaken: 4 })
  })

  it('is refused without quoting its content if no layout is similar', async () => {
    const secret = 'root:x:0:0:secret'
    const reports = await take([
      file('passwd', `${secret}\ndaemon:x:1:1:secret\n`),
      file('token.json', `{"token":"${secret}",\n"other":}`),
      file('lines.json', `["${secret}" "${secret}"]`),
      file('key.csv', `${secret},venue\n1,2\n`),
    ])
    for (const { error } of reports) {
      expect(error).not.toBeNull()
      expect(error).not.toContain('secret')
    }
    const [near] = await take([file('near.csv', 'venue,ticker,ts_ms,origin,trade_id,secret\n1\n')])
    expect(near?.error).toBe(
      'the layout is unknown. Columns of augury_trades that are missing: known_at_ms, price_e4, size_e6, taker_side, is_block. Present: venue, ticker, ts_ms, origin, trade_id. Rename or add the missing ones',
    )
    const [far] = await take([file('far.csv', 'ts,slug,bid,secret\n1\n')])
    expect(far?.error).toContain(
      'Columns of pmus_quotes that are missing: ask, mid, spread, segment. Present: ts, slug, bid.',
    )
    expect(far?.error).not.toContain('secret')
  })

  it('is refused if it is of another kind or venue than requested', async () => {
    const path = await parquet('q.parquet', quoteRows(GOOD))
    const [kind] = await take([path], { kind: 'pmus_labels' })
    expect(kind).toMatchObject({ layout: 'pmus_quotes', rowsTaken: 0 })
    expect(kind?.error).toBe('the layout is pmus_quotes, not pmus_labels')
    const [venue] = await take([path], { venue: 'venue_a' })
    expect(venue?.error).toBe('the file holds data of Polymarket, not Kalshi')
    expect((await history.size()).quotes).toBe(0)
  })

  it('has a path without wildcards', async () => {
    await parquet('q1.parquet', quoteRows(GOOD))
    const pattern = file('q[1].parquet', '')
    writeFileSync(pattern, readFileSync(join(folder, 'q1.parquet')))
    appendFileSync(join(folder, 'q1.parquet'), 'spoilt')
    const [report] = await take([pattern])
    expect(report).toMatchObject({ rowsTaken: 4, error: null })
  })
})

describe('importing times written as text', () => {
  const textRows = (times: readonly string[]): string =>
    quoteRows(times.map((time) => `('${time}', 'a-one', '0.4', '0.5')`).join(',')).replace(
      'ts::timestamp as ts',
      'ts',
    )

  it('reads zones, counts of seconds and milliseconds, and months as words', async () => {
    const times = [
      '2026-07-10T22:00:01+02:00',
      '1783713602',
      '1783713603000',
      'Jul 10, 2026 20:00:04',
      'Fri, 10 Jul 2026 20:00:05 GMT',
      '2026-07-10 20:00:06 UTC',
      '07/10/2026',
    ]
    const [report] = await take([await parquet('text.parquet', textRows(times))])
    expect(report).toMatchObject({ rowsTaken: 6, rowsRefused: 1 })
    expect(report?.reasons).toEqual([{ reason: 'ts is not a time', count: 1, firstRow: 7 }])
    const at = Date.parse('2026-07-10T20:00:00Z')
    expect((await quotesOf('A-ONE')).map(({ ts }) => ts - at)).toEqual(
      [1, 2, 3, 4, 5, 6].map((s) => s * 1_000),
    )
  })
})

describe('importing rows of markets that nothing describes', () => {
  const QUOTES = Date.parse('2026-07-10T00:00:00Z')
  const markets = () =>
    parquet(
      'described.parquet',
      `select 'a-one' as slug, 'Will one win?' as question, 'sports' as category, 10 as n_snaps,
              timestamp '2026-07-09 10:00:00' as first_ts, timestamp '2026-07-11 10:00:00' as last_ts`,
    )
  const titleAt = async (ticker: string, at: number): Promise<string | undefined> =>
    (await history.recordsAt(at as Millis, [idOf(ticker)]))[0]?.facts.title

  it('counts them and describes the markets by their ids from their first row on', async () => {
    const [report] = await take([await parquet('q.parquet', quoteRows(GOOD))])
    expect(report).toMatchObject({ rowsTaken: 4, rowsUndescribed: 4, marketsUndescribed: 2 })
    expect(await titleAt('A-ONE', LATER)).toBe('A One')
    expect(await titleAt('A-ONE', QUOTES)).toBeUndefined()
    expect(await titleAt('A-ONE', QUOTES + 5_000)).toBe('A One')
    const [again] = await take([await parquet('q.parquet', quoteRows(GOOD))])
    expect(again).toMatchObject({ rowsKnown: 4, rowsUndescribed: 4 })
  })

  it('counts none that the same or an earlier import describes', async () => {
    const quotes = await parquet('q.parquet', quoteRows(GOOD))
    const [, beside] = await take([await markets(), quotes])
    expect(beside).toMatchObject({ rowsUndescribed: 2, marketsUndescribed: 1 })
    expect(await titleAt('A-ONE', LATER)).toBe('Will one win?')
    const [dry] = await take([quotes], { dryRun: true })
    expect(dry).toMatchObject({ rowsUndescribed: 2, marketsUndescribed: 1 })
  })

  it('takes a later description, also one that was known before the first row', async () => {
    await take([await parquet('q.parquet', quoteRows(GOOD))])
    await take([await markets()])
    expect(await titleAt('A-ONE', QUOTES - 1)).toBe('Will one win?')
    expect(await titleAt('A-ONE', QUOTES + 6_000)).toBe('Will one win?')
    expect(await titleAt('A-ONE', LATER)).toBe('Will one win?')
    expect(await titleAt('B-TWO', LATER)).toBe('B Two')
  })
})

describe('importing markets and outcomes', () => {
  it('takes a bare list of markets of either venue', async () => {
    const market = {
      ticker: 'KXRAIN-26',
      event_ticker: 'KXRAIN',
      title: 'Will it rain?',
      status: 'active',
      market_type: 'binary',
      yes_sub_title: 'Yes',
    }
    const [report] = await take([file('markets-2026-03-01.json', JSON.stringify([market, market]))])
    expect(report).toMatchObject({ layout: 'venue_a_markets', error: null })
    expect(history.marketIdOf('KXRAIN-26')).not.toBeNull()
  })

  it('adds the outcome in the slug to markets of one question', async () => {
    const rows = [
      ['tc-temp-nychigh-2026-08-04-lt81f', 'Highest temperature?'],
      ['tc-temp-nychigh-2026-08-04-gte81lt82f', 'Highest temperature?'],
      ['enwc-ussep-sc-2026-08-11-rep', 'Who wins?'],
      ['enwc-ussep-sc-2026-08-11-dem', 'Who wins?'],
      ['aec-mlb-kc-det-2026-07-23', 'Royals vs Tigers'],
      ['aec-mlb-kc-det-2026-07-26', 'Royals vs Tigers'],
      ['only-2026-07-26-dem', 'Alone?'],
    ]
    const values = rows.map(([slug, question]) => `('${slug}', '${question}')`).join(',')
    const path = await parquet(
      'slugs.parquet',
      `select slug, question, 'sports' as category, 10 as n_snaps,
              timestamp '2026-07-10 10:00:00' as first_ts, timestamp '2026-07-11 10:00:00' as last_ts
         from (values ${values}) as given(slug, question)`,
    )
    await take([path])
    const records = await history.recordsAt(LATER, null)
    expect(records.map(({ facts }) => facts.title).sort()).toEqual([
      'Alone?',
      'Highest temperature? - 81 to 82°F',
      'Highest temperature? - less than 81°F',
      'Royals vs Tigers - 2026-07-23',
      'Royals vs Tigers - 2026-07-26',
      'Who wins? - Democratic',
      'Who wins? - Republican',
    ])
  })

  const markets = () =>
    parquet(
      'markets.parquet',
      `select slug, question, 'sports' as category, 10 as n_snaps,
              timestamp '2026-07-10 10:00:00' as first_ts, timestamp '2026-07-11 10:00:00' as last_ts
         from (values ('a-one', 'Will one win?'), ('b-two', 'Will two win?'), ('c', '')) as given(slug, question)`,
    )
  const labels = () =>
    parquet(
      'labels.parquet',
      `select slug, y::integer as y, source from (values ('a-one', 1, 'api'), ('b-two', 0, 'convergence'),
        ('zz', 0, 'api')) as given(slug, y, source)`,
    )

  it('describes, ends and settles a market at the instants at which it was known', async () => {
    const reports = await take([await labels(), await markets()])
    expect(reports.map(({ rowsTaken, rowsRefused }) => [rowsTaken, rowsRefused])).toEqual([
      [1, 2],
      [2, 1],
    ])
    const at = async (iso: string) => {
      const [record] = await history.recordsAt(Date.parse(iso) as Millis, [idOf('A-ONE')])
      return record?.facts.status ?? null
    }
    expect(await at('2026-07-10T10:00:04.999Z')).toBeNull()
    expect(await at('2026-07-10T10:00:05Z')).toBe('active')
    expect(await at('2026-07-11T10:15:00Z')).toBe('closed')
    expect(await at('2026-07-11T10:15:00.001Z')).toBe('settled')
    const [record] = await history.recordsAt(LATER, [idOf('A-ONE')])
    expect(record?.facts).toMatchObject({
      title: 'Will one win?',
      category: 'sports',
      eventId: 'a-one',
      volumeUnit: 'usd',
      result: 'yes',
      settlementPrice: 10_000,
    })
  })

  it('reports why outcomes are refused', async () => {
    const [report] = await take([await labels(), await markets()])
    expect(report?.reasons).toEqual([
      { reason: 'outcome is inferred from prices, not official', count: 1, firstRow: 2 },
      { reason: 'market is unknown: import pmus_markets with it', count: 1, firstRow: 3 },
    ])
  })

  it('adds nothing the second time', async () => {
    const paths = [await labels(), await markets()]
    await take(paths)
    const again = await take(paths)
    expect(again.map(({ rowsTaken, rowsKnown }) => [rowsTaken, rowsKnown])).toEqual([
      [0, 1],
      [0, 2],
    ])
  })

  it('stores nothing on a dry run', async () => {
    const [report] = await take([await markets()], { dryRun: true })
    expect(report).toMatchObject({ rowsTaken: 2, rowsRefused: 1 })
    expect(history.marketIdOf('A-ONE')).toBeNull()
  })
})

describe('importing payloads of a venue', () => {
  const market = (ticker: string, more = {}) => ({
    ticker,
    event_ticker: 'KXE-1',
    status: 'active',
    yes_sub_title: ticker,
    yes_bid_dollars: '0.5000',
    yes_ask_dollars: '0.5300',
    volume_fp: '12.00',
    open_time: '2026-01-01T00:00:00Z',
    close_time: '2027-01-01T00:00:00Z',
    updated_time: '2026-02-01T00:00:00Z',
    ...more,
  })
  const trade = (id: string, more = {}) => ({
    trade_id: id,
    ticker: 'KXA',
    count_fp: '3.00',
    yes_price_dollars: '0.5200',
    taker_side: 'yes',
    created_time: '2026-02-01T00:00:00Z',
    ...more,
  })

  it('imports markets, trades and books, row by row', async () => {
    const reports = await take([
      file(
        'trades.json',
        JSON.stringify({ trades: [trade('t1'), trade('t1'), { trade_id: 'x', ticker: 'KXA' }, 7] }),
      ),
      file(
        'markets.json',
        JSON.stringify({ markets: [market('KXA'), market('KXB', { status: 'odd' })] }),
      ),
      file(
        'book_2026-02-01.json',
        JSON.stringify({
          ticker: 'KXA',
          orderbook_fp: { yes_dollars: [['0.5000', '10.00']], no_dollars: [] },
        }),
      ),
    ])
    expect(
      reports.map(({ layout, rowsTaken, rowsRefused }) => [layout, rowsTaken, rowsRefused]),
    ).toEqual([
      ['venue_a_trades', 1, 3],
      ['venue_a_markets', 1, 1],
      ['venue_a_orderbooks', 1, 0],
    ])
  })

  it('titles markets by the events and series of the same import', async () => {
    const paths = [
      file('m.json', JSON.stringify({ markets: [market('KXA')] })),
      file(
        'e.json',
        JSON.stringify({
          events: [{ event_ticker: 'KXE-1', series_ticker: 'KXE', title: 'Who wins?' }],
        }),
      ),
      file(
        's.json',
        JSON.stringify({
          series: [{ ticker: 'KXE', title: 'Wins', category: 'Sports' }, { ticker: 'KXO' }],
        }),
      ),
    ]
    const reports = await take(paths)
    expect(reports.map(({ rowsTaken, rowsRefused }) => [rowsTaken, rowsRefused])).toEqual([
      [1, 0],
      [1, 0],
      [1, 1],
    ])
    const [record] = await history.recordsAt(LATER, [idOf('KXA')])
    expect(record?.facts).toMatchObject({
      eventTitle: 'Who wins?',
      seriesTitle: 'Wins',
      category: 'sports',
    })
  })

  it('adds nothing the second time, in its own thread', async () => {
    const paths = [
      file('m.json', JSON.stringify({ markets: [market('KXA')] })),
      file('t.json', JSON.stringify({ trades: [trade('t1'), trade('t2')] })),
    ]
    const importer = createImporter({ host: createImportHost(history), dataDir: folder })
    const request = { paths, venue: null, kind: null, dryRun: false }
    const received = new Map<number, FileReport>()
    const first = await importer.importFiles(request, never(), (index, report) =>
      received.set(index, report),
    )
    expect(first.map(({ rowsTaken, rowsKnown }) => [rowsTaken, rowsKnown])).toEqual([
      [1, 0],
      [2, 0],
    ])
    expect([received.get(0), received.get(1)]).toEqual(first)
    const size = await history.size()
    const again = await importer.importFiles(request, never())
    expect(again.map(({ rowsTaken, rowsKnown }) => [rowsTaken, rowsKnown])).toEqual([
      [0, 1],
      [0, 2],
    ])
    expect(await history.size()).toEqual(size)
  })

  it('stops reading when it is cancelled', async () => {
    const importer = createImporter({ host: createImportHost(history), dataDir: folder })
    const paths = [file('m.json', JSON.stringify({ markets: [market('KXA')] }))]
    const [report] = await importer.importFiles(
      { paths, venue: null, kind: null, dryRun: false },
      AbortSignal.abort(),
    )
    expect(report).toMatchObject({ rowsTaken: 0, error: null })
    expect(history.marketIdOf('KXA')).toBeNull()
  })

  it('reads no further file when it is cancelled in one', async () => {
    const stop = new AbortController()
    const importHost = createImportHost(history)
    const host: typeof importHost = {
      ...importHost,
      adoptFacts: (...facts) => {
        stop.abort()
        return importHost.adoptFacts(...facts)
      },
    }
    const paths = [
      file('m.json', JSON.stringify({ markets: [market('KXA')] })),
      file('t.json', JSON.stringify({ trades: [trade('t1')] })),
    ]
    const importer = createImporter({ host, dataDir: folder })
    const request = { paths, venue: null, kind: null, dryRun: false }
    const reports = await importer.importFiles(request, stop.signal)
    expect(reports.map(({ rowsTaken }) => rowsTaken)).toEqual([1, 0])
    expect(history.marketIdOf('KXA')).not.toBeNull()
  })
})
