import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { HOUR, MINUTE, type Millis } from '../../domain/units.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import { startArchiveService, type ArchiveService } from '../../testing/archive-service.ts'
import { quoteColumns, tradeColumns } from '../../testing/history-rows.ts'
import { marketFacts } from '../../testing/market-facts.ts'

const START = '2026-11-20T12:00:00Z'
const T0 = Date.parse(START)
const B = `0x${'ab'.repeat(32)}`

/** Two markets of venue_a, one of them on the fed, and one of venue_b; a trade a minute for an hour. */
async function fill(history: HistoryStore): Promise<void> {
  const keys = [
    { venue: 'venue_a', ticker: 'KXFED-1' },
    { venue: 'venue_a', ticker: 'KXRAIN-1' },
    { venue: 'venue_b', ticker: B },
  ] as const
  const titles = ['Will the Fed cut rates in December?', 'Will it rain?', 'Will it snow?']
  const ids = await history.marketIds(keys)
  const minutes = Array.from({ length: 60 }, (_, n) => T0 - HOUR + n * MINUTE)
  await history.append({
    facts: keys.map((key, index) => ({
      market: ids[index] ?? -1,
      knownAt: (T0 - 2 * HOUR) as Millis,
      facts: marketFacts({ ...key, title: titles[index] ?? '', tags: [] }),
    })),
    trades: tradeColumns(
      ids.flatMap((market) =>
        minutes.map((ts, n) => ({ market, ts, tradeId: `${market}-${n}`, price: 4_000 + n })),
      ),
    ),
    quotes: quoteColumns(
      ids.map((market) => ({ market, ts: T0 - MINUTE, bid: 4_000, ask: 4_100 })),
    ),
  })
}

let service: ArchiveService
let outside: string
beforeAll(async () => {
  outside = realpathSync(mkdtempSync(join(tmpdir(), 'augury-outside-')))
  mkdirSync(join(outside, 'allowed'))
  mkdirSync(join(outside, 'secret'))
  service = await startArchiveService({
    start: START,
    fill,
    exportDirs: [join(outside, 'allowed')],
  })
})
afterAll(async () => {
  await service.stop()
  rmSync(outside, { recursive: true, force: true })
})

const folderOf = (): string => join(realpathSync(service.dataDir), 'exports')
afterEach(() => {
  rmSync(folderOf(), { recursive: true, force: true })
  rmSync(join(outside, 'allowed'), { recursive: true, force: true })
  mkdirSync(join(outside, 'allowed'))
})

const run = (body: object) => service.run('/api/exports', body)
const refused = async (body: object) => {
  const { status, text } = await service.ask('POST', '/api/exports', body)
  return { status, ...(JSON.parse(text) as { error: string; code: string }) }
}
const read = (name: string): string => readFileSync(join(folderOf(), name), 'utf8')
const csvRows = (name: string): string[] => read(name).trimEnd().split('\r\n').slice(1)
/** Whether the staging folder of exports is gone. */
const isTidy = (): boolean => !existsSync(join(service.dataDir, 'export'))

describe('POST /api/exports', () => {
  it('writes everything into a folder, one file per kind that has rows', async () => {
    const job = await run({ out: 'all', format: 'parquet' })
    const files = ['markets', 'trades', 'quotes'].map((name) => `${name}.parquet`)
    expect(job).toMatchObject({
      state: 'done',
      rows: 3 + 180 + 3,
      error: null,
      files: files.map((name) => join(folderOf(), 'all', name)),
      startedAt: '2026-11-20T12:00:00.000Z',
      endedAt: '2026-11-20T12:00:00.000Z',
    })
    expect(job['id']).toMatch(/^exp_[0-9a-f]{32}$/)
    expect(readdirSync(join(folderOf(), 'all')).sort()).toEqual(files.toSorted())
    const bytes = files.map((name) => readFileSync(join(folderOf(), 'all', name)).length)
    expect(job['bytes']).toBe(bytes.reduce((sum, each) => sum + each, 0))
    expect(isTidy()).toBe(true)
  })

  it('writes one file of one kind, and a file with the facts of its markets', async () => {
    const job = await run({ out: 'day.csv', format: 'csv', kind: 'trades', markets: ['kxfed-1'] })
    expect(job['files']).toEqual([join(folderOf(), 'day.markets.csv'), join(folderOf(), 'day.csv')])
    expect(csvRows('day.csv')).toHaveLength(60)
    expect(csvRows('day.markets.csv')).toHaveLength(1)
  })

  it.each([
    [{}, 180],
    [{ markets: ['KXFED-1', `pm:${B.toUpperCase().replace('0X', '0x')}`] }, 120],
    [{ venue: 'venue_b' }, 60],
    [{ venue: 'venue_a', markets: [B] }, 0],
    [{ topic: 'Fed-Rate' }, 60],
    [{ topic: 'fed-rate', venue: 'venue_b' }, 0],
    [{ from: '2026-11-20T11:10:00Z', to: '2026-11-20T11:20:00Z' }, 30],
    [{ from: '2026-11-20T11:59:00.001Z' }, 0],
    [{ to: '2026-11-20T11:00:00.001Z' }, 3],
  ])('applies the selection %j', async (filter, rows) => {
    await run({ out: 'x.csv', format: 'csv', kind: 'trades', ...filter })
    expect(csvRows('x.csv')).toHaveLength(rows)
  })

  it('writes valid JSON', async () => {
    await run({ out: 'x.json', format: 'json', kind: 'quotes' })
    expect(JSON.parse(read('x.json'))).toHaveLength(3)
    expect(JSON.parse(read('x.markets.json'))).toMatchObject([
      { ticker: 'KXFED-1', known_at_ms: T0 - 2 * HOUR },
      { ticker: 'KXRAIN-1' },
      { ticker: B },
    ])
  })

  it('writes the same bars as the candles route', async () => {
    const tf = '15m'
    await run({ out: 'x.json', format: 'json', kind: 'candles', tf, markets: ['KXFED-1'] })
    const bars = JSON.parse(read('x.json')) as Record<string, number>[]
    const { text } = await service.ask('GET', `/api/public/market/KXFED-1/candles?tf=${tf}`)
    const { candles } = JSON.parse(text) as { candles: Record<string, number>[] }
    expect(candles).toHaveLength(4)
    const units = [1e3, 100, 100, 100, 100, 1e6]
    const columns = ['start_ms', 'open_e4', 'high_e4', 'low_e4', 'close_e4', 'volume_e6']
    expect(
      bars.map((bar) => columns.map((column, index) => (bar[column] ?? 0) / (units[index] ?? 1))),
    ).toEqual(candles.map(({ t, o, h, l, c, v }) => [t, o, h, l, c, v]))
  })

  it('refuses an existing name, and overwrites it with force', async () => {
    const body = { out: 'x.csv', format: 'csv', kind: 'trades' }
    mkdirSync(folderOf(), { recursive: true })
    for (const fileName of ['x.csv', 'x.markets.csv']) {
      writeFileSync(join(folderOf(), fileName), 'mine')
      expect(await refused(body)).toEqual({ status: 409, error: 'file exists', code: 'CONFLICT' })
      expect(read(fileName)).toBe('mine')
    }
    expect(await run({ ...body, force: true })).toMatchObject({ state: 'done' })
    expect(csvRows('x.csv')).toHaveLength(180)
  })

  it('writes to an allowed folder outside the data folder', async () => {
    const out = join(outside, 'allowed', 'deep', 'x.csv')
    const job = await run({ out, format: 'csv', kind: 'trades' })
    expect(job).toMatchObject({
      state: 'done',
      files: [join(outside, 'allowed/deep/x.markets.csv'), out],
    })
    expect(readdirSync(join(outside, 'allowed', 'deep'))).toHaveLength(2)
  })

  it.each([
    [{ format: 'csv' }, /^out/],
    [{ out: 'x' }, /^format/],
    [{ out: 'x', format: 'xlsx' }, /^format/],
    [{ out: 'x.csv', format: 'json', kind: 'trades' }, 'format is json, but out ends in .csv'],
    [{ out: 'x.csv', format: 'csv' }, 'out must be a folder when no kind is given'],
    [{ out: 'x', format: 'csv', kind: 'secrets' }, /^kind/],
    [{ out: 'x', format: 'csv', tf: '1h' }, 'tf requires kind candles'],
    [{ out: 'x', format: 'csv', kind: 'candles', tf: '2h' }, /^tf/],
    [
      { out: 'x', format: 'csv', markets: ['KXFED-1', 'NOPE'] },
      'markets contains an unknown ticker: NOPE',
    ],
    [{ out: 'x', format: 'csv', markets: [] }, /^markets/],
    [{ out: 'x', format: 'csv', topic: 'nothing' }, 'topic has no markets: nothing'],
    [{ out: 'x', format: 'csv', from: 'soon' }, 'from must be an ISO 8601 time'],
    [{ out: 'x', format: 'csv', from: START, to: START }, 'from must be before to'],
  ])('refuses %j', async (body, message) => {
    const answer = await refused(body)
    expect([answer.status, answer.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(answer.error).toMatch(message)
  })

  it('is for the owner only', async () => {
    const body = { out: 'x', format: 'csv' }
    for (const authorization of [null, 'Launch wrong', 'Bearer svct_live_x']) {
      const { status } = await service.ask('POST', '/api/exports', body, authorization)
      expect(status).toBe(401)
    }
    expect((await service.ask('GET', '/api/exports/exp_0')).status).toBe(404)
    expect((await service.ask('DELETE', '/api/exports/exp_0')).status).toBe(404)
  })
})

describe('allowed destinations of an export', () => {
  const secret = () => join(outside, 'secret')
  it.each([
    '..',
    '../x',
    'a/../../x',
    '../exports-of-others/x',
    '/etc/x',
    '//server/share/x',
    '\\\\server\\share\\x',
    '..\\x',
    'x\0.csv',
    'x\ny',
    '/proc/self/root/tmp/x',
    `${'x/'.repeat(40) + '../'.repeat(41)}x`,
  ])('refuses %j', async (out) => {
    const answer = await refused({ out, format: 'csv' })
    expect([answer.status, answer.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(answer.error).toMatch(/^out /)
  })

  it.each(['..%2fx', '%2e%2e/x', '..%252fx', '....//x', '~/x', '$HOME/x'])(
    'accepts %j as a literal name',
    async (out) => {
      const { files } = await run({ out, format: 'csv', kind: 'quotes' })
      for (const file of files as string[]) expect(file.startsWith(`${folderOf()}/`)).toBe(true)
      expect(files).toHaveLength(2)
    },
  )

  it('resolves links before it compares', async () => {
    mkdirSync(folderOf(), { recursive: true })
    symlinkSync(secret(), join(folderOf(), 'link'))
    symlinkSync(join(secret(), 'missing.csv'), join(folderOf(), 'dangling.csv'))
    symlinkSync(join(outside, 'allowed'), join(folderOf(), 'good'))
    for (const out of ['link', 'link/x', 'link/../link/x', 'dangling.csv', 'dangling.csv/x']) {
      const kind = 'trades'
      expect((await refused({ out, format: 'csv', kind, force: true })).status).toBe(400)
    }
    expect(readdirSync(secret())).toEqual([])
    const { files } = await run({ out: 'good/x', format: 'csv', kind: 'quotes' })
    expect(files).toContain(join(outside, 'allowed', 'x', 'quotes.csv'))
  })

  it('does not write through a link that replaced a file', async () => {
    mkdirSync(join(folderOf(), 'x'), { recursive: true })
    writeFileSync(join(secret(), 'quotes.csv'), 'mine')
    symlinkSync(join(secret(), 'quotes.csv'), join(folderOf(), 'x', 'quotes.csv'))
    expect((await refused({ out: 'x', format: 'csv', kind: 'quotes' })).status).toBe(409)
    await run({ out: 'x', format: 'csv', kind: 'quotes', force: true })
    expect(readFileSync(join(secret(), 'quotes.csv'), 'utf8')).toBe('mine')
    expect(csvRows('x/quotes.csv')).toHaveLength(3)
    rmSync(join(secret(), 'quotes.csv'))
  })
})
