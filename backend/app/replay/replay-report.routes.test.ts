import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunReport } from '../../domain/backtest/report/report.ts'
import { HOUR } from '../../domain/units.ts'
import {
  recordFolder,
  startReplayOf,
  type RecordedFolder,
  type RunningReplay,
} from '../../testing/replayed-folder.ts'
import { BUY, OPEN_LIMITS } from '../../testing/trading-service.ts'

const START = '2026-11-20T14:00:00.000Z'
const FROM = Date.parse(START) - 3 * HOUR
const TO = Date.parse(START) - 2 * HOUR

interface Reported {
  readonly state: string
  readonly now: string
  readonly files: readonly string[]
  readonly report: RunReport
}
interface Line {
  readonly eventType: string
  readonly exact: { readonly cashDelta: string; readonly fee: string }
}

let folder: RecordedFolder
let replay: RunningReplay
beforeAll(async () => {
  folder = await recordFolder({ seed: 5, markets: 30, start: START, livedMs: 1_000 })
  replay = await startReplayOf(folder.dataDir, { from: FROM, to: TO })
}, 120_000)
afterAll(async () => {
  await replay.stop()
  folder.remove()
})

const report = (authorization?: string): Promise<Reported> =>
  replay.ask('GET', '/api/replay/report', undefined, authorization)
const sumOf = (lines: readonly Line[], of: (line: Line) => string): number =>
  Number(lines.reduce((sum, line) => sum + Number(of(line)), 0).toFixed(6))

describe('the report of a replay', () => {
  // [replay.report.agent]
  it('reports no trades while there are none', async () => {
    const { state, now, files, report: reported } = await report()
    expect([state, now, files]).toEqual(['paused', new Date(FROM).toISOString(), []])
    expect(reported).toMatchObject({ trades: 0, profit: 0, startCash: 5_000, hitRate: null })
    expect(reported.invalidatedBy[0]).toBe(
      'There were no trades: the figures say nothing about the strategy.',
    )
  })

  // [replay.report.agent]
  it('contains every fill and fee of the ledger so far, exact to the cent', async () => {
    await replay.ask('PUT', '/api/portfolio/config', { ...OPEN_LIMITS, excludeCategories: [] })
    const listed = await replay.get('/api/public/markets?limit=12&venue=venue_a')
    const { markets } = JSON.parse(listed.text) as { markets: { ticker: string }[] }
    for (const { ticker } of markets) {
      const wish = { ...BUY, marketId: ticker, targetQuantity: 5, maxPrice: null }
      await replay.ask('POST', '/api/intents', { ...wish, rationale: 'a test of the report' })
    }
    await replay.post('step', { n: 5 })
    const { report: reported } = await report()
    const { data } = await replay.ask<{ data: Line[] }>('GET', '/api/portfolio/ledger?limit=500')
    const fills = data.filter(({ eventType }) => eventType === 'fill')
    expect(fills.length).toBeGreaterThan(3)
    expect(reported.trades).toBe(fills.length)
    expect(reported.fees).toBeCloseTo(
      sumOf(fills, ({ exact }) => exact.fee),
      6,
    )
    const cash = 5_000 + sumOf(data, ({ exact }) => exact.cashDelta)
    const value = reported.open.reduce((sum, one) => sum + one.value, 0)
    expect(reported.endEquity).toBeCloseTo(cash + value, 6)
    expect(reported.model).toMatchObject({ name: 'paper', latencyMs: 0, rests: false })
    expect(reported.tradeList.every(({ tag }) => tag === 'agent')).toBe(true)
    expect(reported.notes[0]?.text).toContain('a test of the report')
    const byMarket = reported.byMarket.reduce((sum, { profit }) => sum + profit, 0)
    expect(byMarket).toBeCloseTo(reported.profit, 6)
    // While quotes are fresh, the report values positions like the account.
    const risk = await replay.ask<{ drawdown: { equityCents: number } }>(
      'GET',
      '/api/portfolio/risk',
    )
    expect(Math.round(reported.endEquity * 100)).toBe(risk.drawdown.equityCents)
    await replay.post('step', { n: 1_795 })
    expect((await report()).report.equityCurve.at).toEqual([FROM, FROM + HOUR / 2])
  })

  // [replay.report.own]
  it('is readable by its owner only', async () => {
    const created = await replay.ask<{ key: { key: string } }>('POST', '/api/signup', {
      email: 'other@example.com',
      password: 'a long enough password',
    })
    const { report: reported } = await report(`Bearer ${created.key.key}`)
    expect([reported.trades, reported.orders, reported.notes]).toEqual([0, 0, []])
    const unknown = await replay.get('/api/replay/report')
    expect(unknown.status).toBe(401)
    const format = await fetch(`${replay.url}/api/replay/report?format=pdf`, {
      headers: { authorization: `Launch ${replay.secret}` },
    })
    expect([format.status, await format.text()]).toEqual([400, expect.stringContaining('format')])
  })

  // [replay.report.kept]
  it('is available as files and as a page once the end is reached', async () => {
    await replay.post('step', { n: 1_800 })
    const { state, files, report: reported } = await report()
    expect([state, reported.to]).toEqual(['ended', TO])
    expect(files.map((file) => basename(file))).toEqual([
      'report.html',
      'report.json',
      'trades.csv',
      'trades.parquet',
      'equity.csv',
      'equity.parquet',
    ])
    const [page = '', kept = '', trades = ''] = files
    expect(JSON.parse(readFileSync(kept, 'utf8'))).toEqual(reported)
    expect(readFileSync(trades, 'utf8').trim().split('\n')).toHaveLength(reported.trades + 1)
    const shown = await fetch(`${replay.url}/api/replay/report?format=html`, {
      headers: { authorization: `Launch ${replay.secret}` },
    })
    expect(shown.headers.get('content-type')).toContain('text/html')
    expect(await shown.text()).toBe(readFileSync(page, 'utf8'))
    expect(existsSync(page)).toBe(true)
  })
})
