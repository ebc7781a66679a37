import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { HOUR, MINUTE, type Millis } from '../../domain/units.ts'
import { startArchiveService, type ArchiveService } from '../../testing/archive-service.ts'
import { quoteColumns } from '../../testing/history-rows.ts'
import { marketFacts } from '../../testing/market-facts.ts'
import type { RunReport } from '../../domain/backtest/report/report.ts'
import type {
  BacktestPage,
  BacktestRun,
  StrategyMetadata,
  TradePage,
} from '../../contract/backtests.ts'

const START = '2026-11-20T12:00:00.000Z'
const T0 = Date.parse('2026-11-19T00:00:00Z')
const TITLE = '<script>alert(1)</script>'
let service: ArchiveService

beforeAll(async () => {
  service = await startArchiveService({
    start: START,
    async fill(history) {
      const [market = -1] = await history.marketIds([{ venue: 'venue_a', ticker: 'KX-BT' }])
      const facts = marketFacts({ ticker: 'KX-BT', title: TITLE, openTime: (T0 - HOUR) as Millis })
      await history.append({
        facts: [{ market, knownAt: (T0 - HOUR) as Millis, facts }],
        quotes: quoteColumns(
          Array.from({ length: 60 }, (_, n) => ({
            market,
            ts: T0 + n * MINUTE,
            lag: 1_000,
            bid: 4_000,
            ask: 4_100,
          })),
        ),
      })
    },
  })
})
afterAll(() => service.stop())

const BODY = { strategy: 'buy-and-hold', from: '2026-11-19T00:00:00Z', to: '2026-11-19T02:00:00Z' }
/** Buys and sells alternately, with a name that a list must escape. */
const TURNS = `export default {
  name: 'turns', about: 'Buys and sells alternately.', feeds: ['quotes'],
  create: () => ({
    onEvent(event, run) {
      if (event.kind !== 'quote') return
      if (run.position(event.market) === null) run.order({ market: event.market, action: 'buy', side: 'yes', contracts: 2.5, limit: null, tag: 'in, "again"' })
      else run.sell(event.market, 'yes', 2.5)
    },
  }),
}`
const read = async <T>(path: string): Promise<T> =>
  JSON.parse((await service.ask('GET', path)).text) as T

it('covers everything stored if no range is given', async () => {
  await service.run('/api/backtests', { strategy: 'buy-and-hold' })
  const { data } = await read<BacktestPage>('/api/backtests?limit=1')
  expect(data[0]).toMatchObject({
    state: 'done',
    from: '2026-11-18T23:00:00.000Z',
    to: '2026-11-19T00:59:01.000Z',
  })
})

it('[backtest.http.run] runs a backtest, reports it, and writes its files', async () => {
  const { id } = (await service.run('/api/backtests', BODY)) as { id: string }
  expect(id).toMatch(/^bt_/)
  const run = await read<BacktestRun>(`/api/backtests/${id}`)
  expect(run).toMatchObject({ state: 'done', progress: 1, error: null })
  expect(run.report).toMatchObject({ trades: 1, markets: 1, checks: [{ isEqual: true }] })
  expect(run.files.map((file) => file.split('/').at(-1))).toEqual([
    'report.html',
    'report.json',
    'trades.csv',
    'trades.parquet',
    'equity.csv',
    'equity.parquet',
  ])
  const text = (name: string): string =>
    readFileSync(run.files.find((file) => file.endsWith(name)) ?? '', 'utf8')
  // [backtest.report.page] titles are untrusted text, and the page needs no other resource.
  expect(text('.html')).toContain('<polyline')
  expect(text('.html')).toContain('&lt;script&gt;')
  expect(text('.html')).not.toMatch(/<script|src=|href=/)
  expect(text('trades.csv').split('\n')[1]).toContain('KX-BT,buy,yes,taker,4100,10000000,')
  // The run's request, so that it can be repeated.
  expect(run.request).toMatchObject(BODY)
  const page = await read<BacktestPage>('/api/backtests?limit=1')
  expect(page.data).toMatchObject([{ id, state: 'done', trades: 1 }])
  const response = await service.ask('GET', `/api/backtests/${id}`)
  expect(response.status).toBe(200)
})

it('[backtest.http.progress] streams progress as server-sent events until the run ends', async () => {
  const started = async (more = {}): Promise<string> => {
    const { text } = await service.ask('POST', '/api/backtests', { ...BODY, ...more })
    return (JSON.parse(text) as { id: string }).id
  }
  // Runs are sequential: this one waits for the sweep before it, so it cannot end before the stream
  // is open.
  await started({ sweep: { params: { contracts: { from: 1, to: 4, step: 1 } }, method: 'grid' } })
  const id = await started()
  const { url, authorization, clock } = service
  const requested = await fetch(`${url}/api/backtests/${id}`, {
    headers: { authorization, accept: 'text/event-stream' },
  })
  expect(requested.headers.get('content-type')).toContain('text/event-stream')
  const received = { text: null as string | null }
  void requested.text().then((text) => (received.text = text))
  const isOver = async (): Promise<boolean> => {
    const { state } = await read<BacktestRun>(`/api/backtests/${id}`)
    return state !== 'queued' && state !== 'running'
  }
  // The strategy's watchdog uses the same clock, which must not run ahead of it.
  await vi.waitUntil(isOver, { timeout: 120_000 })
  // The service polls the run every 250 ms of its clock.
  while (received.text === null) await clock.advance(250)
  const eventText = received.text
    .split('\n\n')
    .filter((block) => block.startsWith('event: '))
    .map((block) => {
      const [event = '', data = ''] = block.split('\n')
      const run = JSON.parse(data.replace('data: ', '')) as Record<string, unknown>
      return { event: event.replace('event: ', ''), ...run }
    })
  expect(eventText.length).toBeGreaterThan(1)
  expect(eventText.at(-1)).toEqual({ event: 'end', id, state: 'done', progress: 1, error: null })
  for (const { event, state, ...run } of eventText.slice(0, -1) as Record<string, unknown>[]) {
    expect(event).toBe('progress')
    expect(['queued', 'running']).toContain(state)
    expect(run).toMatchObject({ id, error: null })
  }
  const shares = eventText.map((run) => (run as Record<string, unknown>)['progress'])
  expect(shares).toEqual(shares.toSorted((a, b) => Number(a) - Number(b)))
})

it('[backtest.http.study] runs a sweep, reports on it, and writes its trials', async () => {
  const sweep = { params: { contracts: { from: 1, to: 2, step: 1 } }, method: 'grid' }
  const { id } = (await service.run('/api/backtests', { ...BODY, sweep })) as { id: string }
  const { report, state, files } = await read<BacktestRun>(`/api/backtests/${id}`)
  expect(state).toBe('done')
  expect(report).toMatchObject({ study: { kind: 'sweep', gridPoints: 2, luck: { trials: 2 } } })
  const text = (name: string): string =>
    readFileSync(files.find((file) => file.endsWith(name)) ?? '', 'utf8')
  expect(text('trials.csv').split('\n')[0]).toBe(
    'fold,state,param_contracts,days,trades,profit_usd,sharpe_daily,median_of_neighbours,neighbours,error',
  )
  expect(text('trials.csv').split('\n')[1]).toMatch(/^0,whole,1,0,1,/)
  // [backtest.report.study] the page reports the trials and their statistical value.
  expect(text('.html')).toContain('Not distinguishable from luck')
  expect(text('.html')).toContain('Confidence intervals (bootstrap)')
})

it('[backtest.http.study-refused] refuses invalid studies before any trial runs', async () => {
  const refusal = async (change: object): Promise<string> => {
    const { status, text } = await service.ask('POST', '/api/backtests', { ...BODY, ...change })
    expect(status, text).toBe(400)
    return (JSON.parse(text) as { error: string }).error
  }
  const over = (contracts: unknown, more = {}) =>
    refusal({ sweep: { params: { contracts }, ...more } })
  expect(await over({ from: 1, to: 900, step: 1 })).toContain(
    'the grid has 900 points, at most 500',
  )
  expect(await over({ from: 9, to: 1, step: 1 })).toContain('runs from 9 to 1')
  expect(await over({ from: 1, to: 9, step: 0 })).toContain('the step of contracts must be above 0')
  expect(await over({ from: '1', to: 9, step: 1 })).toContain('sweep')
  expect(await over({ from: 1 })).toContain('sweep')
  expect(await over({ values: [] })).toContain('sweep')
  expect(await over({ values: [1] }, { method: 'all' })).toContain('method')
  expect(await over({ values: [1] }, { method: 'random', trials: 501 })).toContain('trials')
  expect(await over({ values: [1] }, { trials: 2 })).toContain('a grid runs all of its points')
  expect(await refusal({ sweep: { params: {} } })).toContain('sweep')
  expect(await refusal({ walkForward: {} })).toBe(
    'walkForward: needs a sweep to select parameters from',
  )
  const walk = { sweep: { params: { contracts: { values: [1, 2] } } }, walkForward: {} }
  expect(await refusal(walk)).toContain('need 81 days between from and to, which are 0 apart')
  expect(await refusal({ ...walk, walkForward: { trainDays: 1.5 } })).toContain('trainDays')
  expect(await refusal({ capacity: 'yes' })).toContain('capacity')
  const unknown = await service.run('/api/backtests', {
    ...BODY,
    sweep: { params: { size: { values: [1] } } },
  })
  expect(unknown).toMatchObject({ state: 'failed' })
  expect(JSON.stringify(unknown)).toContain('unknown parameter size')
})

it('[backtest.http.trades] returns all trades of a run page by page, and none of a run that is not done', async () => {
  const strategy = join(service.dataDir, 'strategies', 'turns.ts')
  mkdirSync(dirname(strategy), { recursive: true })
  writeFileSync(strategy, TURNS)
  const { id } = (await service.run('/api/backtests', { ...BODY, strategy: 'turns' })) as {
    id: string
  }
  const { report } = await read<{ report: RunReport }>(`/api/backtests/${id}`)
  const trades: unknown[] = []
  let cursor: string | null = null
  let pages = 0
  do {
    const more: string = cursor === null ? '' : `&cursor=${cursor}`
    const page = await read<TradePage>(`/api/backtests/${id}/trades?limit=7${more}`)
    trades.push(...page.data)
    cursor = page.pageInfo.nextCursor
    pages++
  } while (cursor !== null)
  expect(trades.length).toBe(report.trades)
  expect(pages).toBe(Math.ceil(report.trades / 7))
  expect(pages).toBeGreaterThan(2)
  // The same rows as in the report, which holds the first of them.
  expect(trades).toEqual(
    report.tradeList.map(({ at, ...trade }) => ({ at: new Date(at).toISOString(), ...trade })),
  )
  const ask = async (path: string) => (await service.ask('GET', `/api/backtests/${path}`)).status
  expect(await ask(`${id}/trades?cursor=later`)).toBe(400)
  expect(await ask(`${id}/trades?cursor=7`)).toBe(400)
  expect(await ask('bt_unknown/trades')).toBe(404)
  const failed = (await service.run('/api/backtests', { ...BODY, params: { nothing: 1 } })) as {
    id: string
  }
  const refused = await service.ask('GET', `/api/backtests/${failed.id}/trades`)
  expect(refused.status).toBe(409)
  expect(refused.text).toContain('The backtest is failed')
  const { files } = await read<BacktestRun>(`/api/backtests/${id}`)
  writeFileSync(files.find((file) => file.endsWith('trades.parquet')) ?? '', 'none')
  expect(await ask(`${id}/trades`)).toBe(503)
  rmSync(files.find((file) => file.endsWith('trades.parquet')) ?? '')
  expect(await ask(`${id}/trades`)).toBe(404)
})

it('[backtest.http.pages] lists the newest first, page by page', async () => {
  await service.run('/api/backtests', BODY)
  await service.run('/api/backtests', { ...BODY, params: { contracts: 3 } })
  const ids: string[] = []
  let path: string | null = '/api/backtests?limit=1'
  while (path !== null) {
    const page: BacktestPage = await read<BacktestPage>(path)
    ids.push(...page.data.map(({ id }) => id))
    const { nextCursor } = page.pageInfo
    path = nextCursor === null ? null : `/api/backtests?limit=1&cursor=${nextCursor}`
  }
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toEqual((await read<BacktestPage>('/api/backtests')).data.map(({ id }) => id))
  expect((await service.ask('GET', '/api/backtests?cursor=x')).status).toBe(400)
})

it('[backtest.http.refused] refuses invalid requests, and reports failed runs', async () => {
  const refusal = async (change: object): Promise<string> => {
    const { status, text } = await service.ask('POST', '/api/backtests', { ...BODY, ...change })
    expect(status).toBe(400)
    return (JSON.parse(text) as { error: string }).error
  }
  expect(await refusal({ strategy: 'none' })).toContain('strategy not found: none. Available:')
  expect(await refusal({ strategy: '../x' })).toContain('strategy not found')
  expect(await refusal({ to: BODY.from })).toBe('to: must be after from')
  expect(await refusal({ to: '2030-01-01T00:00:00Z' })).toContain('future')
  expect(await refusal({ from: 'yesterday' })).toContain('ISO 8601')
  expect(await refusal({ from: 'Nov 20, 2026' })).toContain('ISO 8601')
  const failed = await service.run('/api/backtests', { ...BODY, markets: ['NOPE'] })
  expect(failed).toMatchObject({ state: 'failed', error: 'markets: NOPE is not in the history' })
  expect((await service.ask('GET', '/api/backtests/bt_none')).status).toBe(404)
  expect((await service.ask('DELETE', '/api/backtests/bt_none')).status).toBe(404)
  expect((await service.ask('GET', '/api/backtests', undefined, null)).status).toBe(401)
  const { text } = await service.ask('GET', '/api/backtests/strategies')
  expect(JSON.parse(text)).toMatchObject({
    strategies: expect.arrayContaining(['thesis-edge']) as string[],
  })
})

it('[backtest.http.strategy] describes a strategy and its parameters', async () => {
  expect(await read<StrategyMetadata>('/api/backtests/strategies/thesis-edge')).toMatchObject({
    name: 'thesis-edge',
    about: expect.stringMatching(/\w/) as string,
    params: expect.arrayContaining([
      { name: 'word', kind: 'string', default: '' },
      { name: 'fair', kind: 'number', default: 50 },
    ]) as object[],
  })
  const path = '/api/backtests/strategies/'
  expect(await service.ask('GET', `${path}none`)).toMatchObject({ status: 400 })
  expect((await service.ask('GET', `${path}..%2Fx`)).text).toContain('strategy not found')
  expect((await service.ask('GET', `${path}thesis-edge`, undefined, null)).status).toBe(401)
})
