import '../../testing/set-up-page.ts'
import { cleanup, fireEvent, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { BacktestRow, BacktestRun } from '../../../backend/contract/backtests.ts'
import type { Answer } from '../../api/client.ts'
import { rowUnderTest, runUnderTest } from '../../testing/backtests.ts'
import { pageUnderTest, refused } from '../../testing/page-under-test.ts'
import { OWNER, renderSignedIn } from '../../testing/signed-in.svelte.ts'
import { tableColumns } from '../../testing/table-columns.ts'
import BacktestPane from './BacktestPane.svelte'
import { openFill, type Trade } from './open-fill.ts'

// jsdom has no canvas.
vi.mock('../../charts/time-lines.ts', () => ({
  drawTimeLines: () => ({ show: () => {}, colour: () => {}, resize: () => {}, remove: () => {} }),
}))
beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

const RECORDED = runUnderTest()
const REPORT = RECORDED.report as NonNullable<BacktestRun['report']>
const run = runUnderTest
const AT = Date.parse('2026-11-19T06:30:00.000Z')
const group = { profit: 0, fees: 0.5, trades: 1, contracts: 10, title: null }

interface Page {
  runs?: readonly BacktestRun[]
  list?: readonly Partial<BacktestRow>[]
  trades?: object
  write?: () => ReturnType<typeof refused> | { ok: true; body: object }
}

/** The pane of a line over a service with these runs; reads can be repeated. */
async function shown(line: string, { runs = [], list, trades, write }: Page) {
  const state = { runs, list: list ?? runs }
  const pageInfo = { limit: 100, nextCursor: null, hasMore: false }
  const page = pageUnderTest(
    (path) => {
      if (path === '/api/auth/me') return OWNER
      if (path.includes('/trades')) return trades ?? null
      if (path.startsWith('/api/backtests?')) return { data: state.list, pageInfo }
      return state.runs.find(({ id }) => path === `/api/backtests/${id}`) ?? null
    },
    write ?? (() => ({ ok: true, body: {} })),
  )
  const pane = page.paneOf(line)
  await renderSignedIn(BacktestPane, page.terminal, pane)
  page.terminal.focusedPane = pane.id
  const executed: string[] = []
  page.terminal.execute = (command) => {
    executed.push(typeof command === 'string' ? command : Object.values(command.args).join(' '))
    return true as never
  }
  const press = async (key: string) => {
    page.terminal.keys.handle(new KeyboardEvent('keydown', { key, cancelable: true }), [
      `pane:${pane.id}`,
    ])
    await pass(40)
  }
  const readsOf = (path: string) => page.requested.filter((one) => one === path).length
  return { ...page, pane, state, executed, press, readsOf }
}
const textOf = (name: string) =>
  screen.getByRole('region', { name }).textContent.replace(/\s+/g, ' ')

describe('a run that has ended [terminal.backtest.report]', () => {
  const gap = {
    venue: 'venue_a',
    feed: 'quotes',
    ticker: null,
    from: AT,
    to: AT + 3_600_000,
    state: 'open',
  }
  const report = {
    ...REPORT,
    gaps: [gap, { ...gap, ticker: 'KX-1', to: null }],
    gapsLeftOut: 3,
    checks: [
      { cutAt: AT, isEqual: true, decisions: 1, fills: 1, firstDifferenceAt: null },
      { cutAt: AT, isEqual: false, decisions: 1, fills: 1, firstDifferenceAt: AT + 60_000 },
    ],
    isDeterministic: true,
    orderEnds: { filled: 4, cancelled: 2 },
    open: [
      {
        market: 1,
        side: 'no',
        status: 'open',
        ticker: 'KX-1',
        contracts: 12.5,
        cost: 5,
        value: 4,
      },
    ],
    byMarket: [
      { ...group, key: 'KX-1', title: 'First', profit: 2 },
      { ...group, key: 'KX-2', title: 'Second', profit: -4 },
    ],
    byTheme: [{ ...group, key: 'rates' }],
    byTag: [
      { ...group, key: 'entry' },
      { ...group, key: 'exit' },
    ],
  } as unknown as NonNullable<BacktestRun['report']>

  it('shows its sections by key, choice and command, with their rows for an export', async () => {
    const { pane, press } = await shown('BT bt_1', { runs: [run({ report })] })
    expect(pane.note).toBe(RECORDED.strategy)
    expect(pane.visibleRows?.()).toHaveLength(report.equityCurve.at.length)
    const seen: unknown[] = []
    for (const key of [']', ']', ']', ']', ']', '[', '1', '4']) {
      await press(key)
      seen.push(pane.command.args['part'])
    }
    expect(seen).toEqual([
      'trades',
      'profit',
      'calibration',
      'conditions',
      'conditions',
      'calibration',
      'overview',
      'calibration',
    ])
  })

  it('states the conditions: look-ahead checks, gaps and open positions', async () => {
    const { pane, terminal } = await shown('BT bt_1 conditions', { runs: [run({ report })] })
    const text = textOf('Conditions of the run')
    expect(text).toContain('Deterministic yes')
    expect(text).toContain(
      'Without data after 2026-11-19 06:30 UTC: same decisions and fills before it',
    )
    expect(text).toContain(
      'Without data after 2026-11-19 06:30 UTC: different decisions from 2026-11-19 06:31 UTC on',
    )
    expect(text).toContain('And 3 more.')
    expect(text).toMatch(/filled 4/)
    const rowsOf = (name: string) =>
      within(screen.getByRole('table', { name }))
        .getAllByRole('row')
        .slice(1)
        .map((row) => [...row.children].map((cell) => cell.textContent.trim()))
    expect(rowsOf('Data gaps')).toEqual([
      [expect.stringMatching(/ quotes$/), 'all', '2026-11-19 06:30', '2026-11-19 07:30', 'open'],
      [expect.stringMatching(/ quotes$/), 'KX-1', '2026-11-19 06:30', 'open', 'open'],
    ])
    expect(rowsOf('Open positions at the end')).toEqual([
      ['KX-1', 'NO', '12.5', '$5.00', '$4.00', '−$1.00', 'open'],
    ])
    expect(pane.visibleRows?.()).toMatchObject([
      { from: '2026-11-19T06:30:00.000Z', to: '2026-11-19T07:30:00.000Z' },
      { ticker: 'KX-1', to: null },
    ])
    const opened: unknown[] = []
    terminal.openMarket = (_pane, ...rest) => void opened.push(rest)
    await fireEvent.click(screen.getByRole('button', { name: 'KX-1' }))
    expect(opened).toEqual([['KX-1', 'GP']])
  })

  it('states when nothing was checked, crossed or held', async () => {
    const nothing = { ...report, gaps: [], gapsLeftOut: 0, checks: [], open: [], orderEnds: {} }
    await shown('BT bt_1 conditions', {
      runs: [run({ report: { ...nothing, isDeterministic: null } })],
    })
    const text = textOf('Conditions of the run')
    for (const words of [
      'Not checked.',
      'No feed gaps in this range.',
      'Deterministic not checked',
    ])
      expect(text).toContain(words)
    expect(text).not.toContain('Order outcomes')
    expect(text).not.toMatch(/And .* more/)
  })

  it('calibrates its entries against the outcomes', async () => {
    const bucket = {
      from: 40,
      to: 50,
      n: 1_200,
      predictedMean: 44.5,
      realizedRate: 50,
      deviation: -5.5,
      brier: 0.2345,
      wilson: { low: 0.4, high: 0.6 },
    }
    const entries = {
      n: 1_200,
      brier: 0.2345,
      logScore: 0.6789,
      skill: 0.0512,
      reliability: 0.00123,
      resolution: 0.01234,
      buckets: [bucket],
    }
    const { pane, press } = await shown('BT bt_1 calibration', {
      runs: [
        run({
          report: {
            ...report,
            entries,
            hitRate: 0.5,
            hitRateInterval: { low: 0.4, high: 0.6 },
          } as unknown as typeof report,
        }),
      ],
    })
    const figures = screen.getAllByRole('definition').map(({ textContent }) => textContent.trim())
    expect(
      screen.getByRole('img', {
        name: 'Entry prices of 1200 settled positions against outcomes, Brier 0.235',
      }),
    ).toBeTruthy()
    expect(figures).toEqual([
      '1,200',
      '0.235',
      '0.679',
      '0.051',
      '0.0012',
      '0.0123',
      '50% (40% to 60%)',
    ])
    expect(pane.visibleRows?.()).toEqual([
      expect.not.objectContaining({ wilson: expect.anything() }),
    ])
    await press('t')
    const table = screen.getByRole('table', { name: 'Entry price buckets' })
    const [, row] = within(table).getAllByRole('row')
    expect([...(row?.children ?? [])].map((cell) => cell.textContent.trim())).toEqual([
      '40–50¢',
      '1,200',
      '44.5¢',
      '50%',
      '−5.5¢',
      '0.235',
    ])
    cleanup()
    expect(pane.visibleRows).toBeNull()
  })

  it('has nothing to calibrate without settled positions', async () => {
    await shown('BT bt_1 calibration', { runs: [run({ report })] })
    expect(screen.getByText(/^No position was settled by an outcome/)).toBeTruthy()
    expect(screen.queryByRole('definition')).toBeNull()
  })

  it('has tables of equity, profit and trades', async () => {
    const { press } = await shown('BT bt_1', {
      runs: [
        run({
          report: {
            ...report,
            tradeList: [{ ...trade, tag: 'entry', isEstimated: true, fee: 0.17 }],
            trades: 1,
          },
        }),
      ],
    })
    await press('t')
    expect(await tableColumns()).toBe(
      'Time | Equity, right | Profit, right | Drawdown, right | Exposure, right',
    )
    await press('2')
    expect(await tableColumns()).toBe(
      'Time | Market | Trade | Price, right | Size, right | Fee, right, hides 1 | Role, hides 2 | Tag, hides 3',
    )
    expect(screen.getByText(/^1 trade\. Enter shows/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
    expect(screen.getByText('est.')).toBeTruthy()
    await press('3')
    expect(await tableColumns()).toBe(
      'Group | Profit, right | , hides 3 | Fees, right, hides 1 | Trades, right | Contracts, right, hides 2',
    )
  })

  it('lists at most a hundred gaps and positions, and counts the others', async () => {
    const many = {
      ...report,
      gaps: Array.from({ length: 101 }, () => gap),
      gapsLeftOut: 3,
      open: Array.from({ length: 102 }, () => report.open[0]),
      notes: Array.from({ length: 101 }, () => ({ at: AT, text: 'noted' })),
    } as unknown as typeof report
    await shown('BT bt_1 conditions', { runs: [run({ report: many, files: ['/data/bt_1'] })] })
    const rows = (name: string) =>
      document.querySelectorAll(`table[aria-label="${name}"] tbody tr`).length
    expect([rows('Data gaps'), rows('Open positions at the end')]).toEqual([100, 100])
    expect(screen.getByText('And 4 more.')).toBeTruthy()
    expect(screen.getByText('And 2 more.')).toBeTruthy()
    expect(screen.getAllByText('noted')).toHaveLength(100)
    expect(screen.getByText('/data/bt_1')).toBeTruthy()
  })

  it('opens the chart of a market of the profit, and nothing for a theme', async () => {
    const { terminal, press, pane } = await shown('BT bt_1 profit', { runs: [run({ report })] })
    const openMarket = vi.spyOn(terminal, 'openMarket').mockReturnValue()
    await press('Home')
    await press('Enter')
    await press('d')
    await press('f')
    await press('Home')
    await press('Enter')
    await press('d')
    expect(openMarket.mock.calls).toEqual([
      [pane, 'KX-1', 'GP'],
      [pane, 'KX-1', 'DES'],
    ])
  })

  it('without trades has no rows of profit', async () => {
    const none = { ...report, byMarket: [], tradeList: [], trades: 0 }
    const { press, pane } = await shown('BT bt_1 profit', { runs: [run({ report: none })] })
    expect(screen.getByText('No trades.')).toBeTruthy()
    await press('2')
    expect(screen.getByText('No trades.')).toBeTruthy()
    expect(screen.getByText(/^0 trades\. Enter/)).toBeTruthy()
    expect(pane.visibleRows?.()).toEqual([])
  })

  it('attributes the profit by market, theme and tag', async () => {
    const { pane, press } = await shown('BT bt_1 profit', { runs: [run({ report })] })
    const groups = []
    for (let turn = 0; turn < 4; turn += 1) {
      groups.push((pane.visibleRows?.() ?? []).map((row) => Object.values(row).slice(0, 1)[0]))
      await press('f')
    }
    expect(groups).toEqual([['market', 'market'], ['theme'], ['tag', 'tag'], ['market', 'market']])
    expect(screen.getByText('rates')).toBeTruthy()
  })

  const trade: Trade = {
    at: AT as Trade['at'],
    ticker: 'KX-1',
    action: 'buy',
    side: 'yes',
    role: 'taker',
    price: 41,
    contracts: 10,
    fee: 0.17,
    isEstimated: false,
    tag: '',
  }

  it('loads further trades page by page, and opens one on its chart among the fills of the market', async () => {
    const { terminal, requested, pane, press } = await shown('BT bt_1 trades', {
      runs: [run({ report: { ...report, tradeList: [trade], trades: 3 } })],
      trades: {
        data: [trade, { ...trade, ticker: 'KX-2', tag: 'entry' }, { ...trade, action: 'sell' }].map(
          (one) => ({ ...one, at: new Date(AT).toISOString() }),
        ),
        pageInfo: { limit: 1_000, nextCursor: null, hasMore: false },
      },
    })
    expect(pane.visibleRows?.()).toMatchObject([{ at: '2026-11-19T06:30:00.000Z', ticker: 'KX-1' }])
    expect(screen.queryByRole('columnheader', { name: /Tag/ })).toBeNull()
    await fireEvent.click(screen.getByRole('button', { name: /more|all/i }))
    await pass(100)
    expect(requested.filter((path) => path.includes('/trades'))).toEqual([
      '/api/backtests/bt_1/trades?limit=1000',
    ])
    expect(pane.visibleRows?.()).toHaveLength(3)
    expect(screen.getByRole('columnheader', { name: /Tag/ })).toBeTruthy()
    await press('j')
    await press('g')
    expect(terminal.links.A).toBe('KX-1')
  })

  it('no page is loaded after the last one, whatever the report counted', async () => {
    const { requested, pane } = await shown('BT bt_1 trades', {
      runs: [run({ report: { ...report, tradeList: [trade], trades: 5 } })],
      trades: {
        data: [trade, trade].map((one) => ({ ...one, at: new Date(AT).toISOString() })),
        pageInfo: { limit: 1_000, nextCursor: null, hasMore: false },
      },
    })
    await fireEvent.click(screen.getByRole('button', { name: 'Show more' }))
    await pass(100)
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
    expect(pane.visibleRows?.()).toHaveLength(2)
    expect(requested.filter((path) => path.includes('/trades'))).toHaveLength(1)
  })

  it('pages of trades are loaded one at a time, and an error is reported', async () => {
    const { terminal, pane, press } = await shown('BT bt_1 trades', {
      runs: [run({ report: { ...report, tradeList: [trade], trades: 3 } })],
    })
    let end: (answer: Answer<object>) => void = () => {}
    const running = new Promise<Answer<object>>((resolve) => (end = resolve))
    const read = vi.spyOn(terminal.live, 'read').mockReturnValue(running)
    expect(screen.getByText(/^The first 1 of 3 trades\. Enter/)).toBeTruthy()
    await fireEvent.click(screen.getByRole('button', { name: 'Show more' }))
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Loading…' })
    expect(button.disabled).toBe(true)
    end(refused(410, 'GONE', 'the run is gone'))
    await pass(40)
    expect(terminal.notice).toEqual({ tone: 'error', text: 'The run is gone.' })
    expect([button.disabled, pane.visibleRows?.().length]).toEqual([false, 1])
    read.mockReturnValue(new Promise(() => {}))
    await fireEvent.click(button)
    const signal = read.mock.calls[1]?.[1]
    expect(signal?.aborted).toBe(false)
    await press('1')
    expect(signal?.aborted).toBe(true)
    const share = vi.spyOn(terminal, 'shareAnswer').mockReturnValue(undefined)
    await press('2')
    await fireEvent.click(screen.getByRole('button', { name: 'Save as CSV' }))
    expect(share.mock.calls).toEqual([[pane, 'csv']])
  })

  it('marks the fills of all its markets, and shows days when they are old', () => {
    const { terminal, paneOf, stop } = pageUnderTest(() => null)
    const pane = paneOf('BT bt_1 trades')
    const marked: {
      fill: { id: string; title: string }
      byTicker: ReadonlyMap<string, unknown>
    }[] = []
    terminal.fillMarks.setRun = (_link, marks) => void marked.push(marks)
    const opened: (string | undefined)[] = []
    terminal.openVerb = (_verb, _link, command) => {
      opened.push(command.args['timeframe'])
      return null as never
    }
    const trades = [trade, { ...trade, ticker: 'KX-2' }, { ...trade, action: 'sell' as const }]
    const sold = trades[2] as Trade
    const day = 86_400_000
    const now = terminal.live.clock.read()
    const old = {
      ...trade,
      tag: 'entry',
      role: 'maker' as const,
      at: (now - 81 * day) as Trade['at'],
    }
    openFill(terminal, pane, { id: 'bt_1' }, trades, sold)
    openFill(terminal, pane, { id: 'bt_1' }, [old], old)
    openFill(terminal, pane, { id: 'bt_1' }, trades, old)
    expect(opened).toEqual(['1h', '1d'])
    expect(marked.map(({ fill: { id, title } }) => [id, title])).toEqual([
      ['fill-2', 'Sold 10 YES at 41.0¢ as taker'],
      ['fill-0', 'Bought 10 YES at 41.0¢ as maker, entry'],
    ])
    expect(
      [...(marked[0]?.byTicker ?? [])].map(([ticker, fills]) => [ticker, (fills as []).length]),
    ).toEqual([
      ['KX-1', 2],
      ['KX-2', 1],
    ])
    stop()
  })

  it('is run again from its settings, and cannot be cancelled', async () => {
    const { executed, press, terminal } = await shown('BT bt_1', { runs: [run()] })
    await press('u')
    await fireEvent.click(screen.getByRole('button', { name: 'Run again' }))
    expect(executed).toEqual(['run bt_1', 'run bt_1'])
    await press('Delete')
    expect(terminal.notice?.text).toBe('This run has ended')
    expect(screen.queryByRole('button', { name: 'Cancel run' })).toBeNull()
  })

  it.each([
    [{ state: 'cancelled' as const, endedAt: null }, 'Cancelled. No report was written.'],
    [{ state: 'failed' as const, error: null }, 'The run failed: no reason was reported.'],
  ])('without a report states why: %j', async (more, text) => {
    await shown('BT bt_1', { runs: [run({ ...more, report: null })] })
    expect(textOf('End of the run')).toContain(text)
  })
})

describe('a run in progress [terminal.backtest.progress]', () => {
  const running = run({ state: 'running', progress: 0.42, report: null, endedAt: null })

  it('is the newest one without a name, and is polled until its report is there', async () => {
    const { state, readsOf } = await shown('BT overview', { runs: [running] })
    expect(textOf('Progress of the run')).toContain('42%')
    expect(textOf('Progress of the run')).toContain('polling instead')
    const before = readsOf('/api/backtests/bt_1')
    state.runs = [run({ state: 'queued', progress: 0, report: null })]
    await pass(2_100)
    expect(readsOf('/api/backtests/bt_1')).toBeGreaterThan(before)
    expect(textOf('Progress of the run')).toContain('Queued behind other runs.')
    state.runs = [run()]
    await pass(2_100)
    expect(screen.queryByRole('region', { name: 'Progress of the run' })).toBeNull()
    const after = readsOf('/api/backtests/bt_1')
    await pass(10_000)
    expect(readsOf('/api/backtests/bt_1')).toBe(after)
  })

  it('is cancelled after a confirmation, which can be left', async () => {
    const { sent, terminal, press, pane } = await shown('BT bt_1', { runs: [running] })
    await press('Delete')
    const strip = within(screen.getByRole('alertdialog', { name: 'Cancel run' }))
    await fireEvent.click(strip.getByRole('button', { name: 'Cancel' }))
    await pass(40)
    expect(sent).toEqual([])
    await press('Delete')
    await fireEvent.click(screen.getByRole('button', { name: 'Cancel run' }))
    await pass(100)
    expect(sent).toEqual([{ method: 'DELETE', path: '/api/backtests/bt_1', body: undefined }])
    expect(terminal.notice).toMatchObject({ text: `The run of ${running.strategy} was cancelled` })
    expect(pane.command.args['action']).toBeUndefined()
    expect(screen.queryByRole('button', { name: 'Cancel run' })).toBeNull()
  })
})

it('a cancellation is reported after another run was opened', async () => {
  const running = run({ state: 'running', progress: 0.42, report: null, endedAt: null })
  const { terminal, pane, press } = await shown('BT bt_1', { runs: [running] })
  let end: (answer: Answer<object>) => void = () => {}
  const pending = new Promise<Answer<object>>((resolve) => (end = resolve))
  vi.spyOn(terminal.live, 'send').mockReturnValue(pending)
  await press('Delete')
  await fireEvent.click(screen.getByRole('button', { name: 'Cancel run' }))
  terminal.setArguments(pane, { id: 'bt_2' })
  await pass(100)
  end({ ok: true, body: {} })
  await pass(100)
  expect(terminal.notice?.text).toBe(`The run of ${running.strategy} was cancelled`)
})

describe('the list of runs [terminal.backtest.tables]', () => {
  const row = (id: string, more: Partial<BacktestRow> = {}): Partial<BacktestRow> => ({
    ...rowUnderTest(),
    id,
    state: 'done',
    profit: 12.07,
    trades: 3,
    ...more,
  })

  it('marks a run and compares it with another, starts and repeats', async () => {
    const { executed, press, terminal, pane } = await shown('BT', {
      list: [row('bt_1'), row('bt_2')],
    })
    expect([pane.note, pane.visibleRows?.().length]).toEqual(['2', 2])
    await press('j')
    await press('m')
    expect(terminal.notice?.text).toMatch(/^Marked\./)
    await press('m')
    expect(terminal.notice?.text).toBe('Mark removed')
    await press('m')
    await press('j')
    await press('m')
    await press('u')
    await press('n')
    expect(executed).toEqual(['compare bt_1 bt_2', 'run bt_2', 'run'])
    await press('Delete')
    expect(terminal.notice?.text).toBe('This run has ended')
  })

  it('is polled while a run continues, and cancels one after a confirmation', async () => {
    const page = await shown('BT', {
      list: [row('bt_1', { state: 'running', strategy: 'drift' })],
      write: () => refused(409, 'CONFLICT', 'It has ended'),
    })
    const { state, sent, press, terminal, requested } = page
    const reads = () => requested.filter((path) => path.startsWith('/api/backtests?')).length
    const before = reads()
    await pass(2_100)
    expect(reads()).toBeGreaterThan(before)
    await press('j')
    await press('Delete')
    state.list = [row('bt_1')]
    await fireEvent.click(screen.getByRole('button', { name: 'Cancel run' }))
    await pass(100)
    expect(sent).toEqual([{ method: 'DELETE', path: '/api/backtests/bt_1', body: undefined }])
    expect(terminal.notice).toMatchObject({ tone: 'error' })
    expect(screen.queryByRole('button', { name: 'Cancel run' })).toBeNull()
    await pass(2_100)
    const after = reads()
    await pass(10_000)
    expect(reads()).toBe(after)
  })
})

describe('the runs of a list [terminal.backtest.tables]', () => {
  const row = (more: Partial<BacktestRow> = {}): Partial<BacktestRow> => ({
    ...rowUnderTest(),
    id: 'bt_1',
    state: 'done',
    profit: 12.07,
    trades: 3,
    ...more,
  })

  it('show their range, profit and trades, and open', async () => {
    const { executed, press, pane } = await shown('BT', {
      list: [
        row(),
        row({ id: 'bt_2', profit: -1, trades: null }),
        row({ id: 'bt_3', profit: null }),
      ],
    })
    const cells = screen.getAllByRole('gridcell').map(({ textContent }) => textContent.trim())
    expect(cells.slice(0, 5)).toEqual([
      'done',
      'buy-and-hold',
      '2026-11-19 to 11-20',
      '+$12.07',
      '3',
    ])
    expect([cells[9], cells[10], cells[15]]).toEqual(['−$1.00', '–', '–'])
    const tone = (text: string) => screen.getByText(text).className
    expect([tone('+$12.07'), tone('−$1.00')]).toEqual([
      expect.stringMatching(/\bup\b/),
      expect.stringMatching(/\bdown\b/),
    ])
    await press('Home')
    await press('Enter')
    expect(executed).toEqual(['bt_1'])
    expect(screen.getByText('Newest first')).toBeTruthy()
    expect(await tableColumns()).toBe(
      'State | Strategy | Range, hides 2 | Profit, right | Trades, right, hides 1 | Submitted, hides 3',
    )
    cleanup()
    expect(pane.visibleRows).toBeNull()
  })

  it('none offer the form', async () => {
    const { executed, pane } = await shown('BT', { list: [] })
    expect(pane.note).toBe('')
    const [, button] = screen.getAllByRole('button', { name: 'New run' })
    if (button !== undefined) await fireEvent.click(button)
    expect(executed).toEqual(['run'])
  })

  it('are not polled while the pane is hidden', async () => {
    const { requested, pane } = await shown('BT', { list: [row({ state: 'running' })] })
    pane.visible = false
    await pass(2_100)
    requested.length = 0
    await pass(4_200)
    expect(requested).toEqual([])
  })

  it('a cancelled one is reported once, and the focus returns to the rows', async () => {
    const { press, terminal, requested } = await shown('BT', { list: [row({ state: 'running' })] })
    await press('Home')
    await press('Delete')
    const strip = () => within(screen.getByRole('alertdialog'))
    await fireEvent.click(strip().getByRole('button', { name: 'Cancel' }))
    await pass(40)
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('grid'))
    let end: (answer: Answer<object>) => void = () => {}
    const running = new Promise<Answer<object>>((resolve) => (end = resolve))
    vi.spyOn(terminal.live, 'send').mockReturnValue(running)
    await press('Delete')
    const button = strip().getByRole<HTMLButtonElement>('button', { name: 'Cancel run' })
    await fireEvent.click(button)
    expect(button.disabled).toBe(true)
    requested.length = 0
    end({ ok: true, body: {} })
    await pass(40)
    expect(terminal.notice).toEqual({
      tone: 'info',
      text: 'The run of buy-and-hold was cancelled',
    })
    expect(requested.filter((path) => path.startsWith('/api/backtests?'))).toHaveLength(1)
    expect(document.activeElement).toBe(screen.getByRole('grid'))
    await press('Delete')
    expect(strip().getByRole<HTMLButtonElement>('button', { name: 'Cancel run' }).disabled).toBe(
      false,
    )
  })
})

describe('the events of a run [terminal.backtest.progress]', () => {
  it('move its progress, and its end shows the report', async () => {
    const streams: (EventTarget & { readonly url: string })[] = []
    class Stream extends EventTarget {
      readonly url: string
      constructor(url: string) {
        super()
        this.url = url
        streams.push(this)
      }
      close() {
        return
      }
    }
    vi.stubGlobal('EventSource', Stream)
    const running = run({ state: 'running', progress: 0.42, report: null, endedAt: null })
    const { state, pane, readsOf, executed, press } = await shown('BT bt_1', { runs: [running] })
    const emit = (kind: string, data: object) =>
      streams.at(-1)?.dispatchEvent(new MessageEvent(kind, { data: JSON.stringify(data) }))
    expect(streams.map(({ url }) => url)).toEqual(['/api/backtests/bt_1'])
    emit('progress', { id: 'bt_1', state: 'running', progress: 0.6, error: null })
    await pass(40)
    expect(textOf('Progress of the run')).toContain('60%')
    expect(textOf('Progress of the run')).not.toContain('polling instead')
    // An older event or one of another run does not turn it back.
    emit('progress', { id: 'bt_1', state: 'running', progress: 0.1, error: null })
    await pass(40)
    expect(textOf('Progress of the run')).toContain('42%')
    emit('progress', { id: 'bt_9', state: 'running', progress: 0.9, error: null })
    await pass(40)
    expect(textOf('Progress of the run')).toContain('42%')
    const before = readsOf('/api/backtests/bt_1')
    state.runs = [run()]
    emit('end', { id: 'bt_1', state: 'done', progress: 1, error: null })
    await pass(100)
    expect(readsOf('/api/backtests/bt_1')).toBe(before + 1)
    expect(screen.getByRole('region', { name: 'Overview of the report' })).toBeTruthy()
    await press('u')
    expect(executed).toEqual(['run bt_1'])
    expect(pane.visible).toBe(true)
    vi.unstubAllGlobals()
  })

  it('a run to cancel is confirmed at once, and leaving it clears the command', async () => {
    const running = run({ state: 'running', progress: 0.42, report: null, endedAt: null })
    const { pane, sent } = await shown('BT cancel bt_1', { runs: [running] })
    const strip = within(screen.getByRole('alertdialog', { name: 'Cancel run' }))
    await fireEvent.click(strip.getByRole('button', { name: 'Cancel' }))
    await pass(40)
    expect([pane.command.args, sent]).toEqual([{ id: 'bt_1' }, []])
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Progress of the run' }))
  })

  it('none states how to start one', async () => {
    const { pane } = await shown('BT latest', { list: [] })
    expect(screen.getByText('No backtests yet. BT run opens the form.')).toBeTruthy()
    expect(pane.note).toBe('')
  })
})

describe('a comparison [terminal.backtest.compare]', () => {
  const other = run({
    id: 'bt_2',
    report: { ...REPORT, seed: 99, profit: 5 },
  })

  it('lists the metrics of both runs, and swaps them', async () => {
    const { pane, press } = await shown('BT compare bt_1 bt_2', { runs: [run(), other] })
    const profit = () => pane.visibleRows?.().find((row) => 'name' in row && row.name === 'Profit')
    expect(profit()).toMatchObject({ b: '+$5.00', difference: '+$5.00' })
    expect(profit()).not.toHaveProperty('help')
    expect(screen.getByText(/^They differ in the seed, so/)).toBeTruthy()
    expect(
      screen.getByRole('img', { name: /^Profit of A, buy-and-hold, \$0\.00, and of B/ }),
    ).toBeTruthy()
    await press('t')
    expect(await tableColumns()).toBe('Time | A, right | B, right | B − A, right')
    await press('x')
    await pass(1_000)
    expect(pane.command.args).toMatchObject({ id: 'bt_2', other: 'bt_1' })
    expect(profit()).toMatchObject({ a: '+$5.00', difference: '−$5.00' })
  })

  it('of two strategies under equal conditions is no mistake', async () => {
    const drift = run({ id: 'bt_2', report: { ...REPORT, strategy: 'drift' } })
    await shown('BT compare bt_1 bt_2', { runs: [run(), drift] })
    expect(screen.getByText('They differ in the strategy.')).toBeTruthy()
  })

  it('of the same settings is called one', async () => {
    const { pane } = await shown('BT compare bt_1 bt_2', { runs: [run(), run({ id: 'bt_2' })] })
    expect(screen.getByText('The same strategy, parameters, range and markets.')).toBeTruthy()
    cleanup()
    expect(pane.visibleRows).toBeNull()
  })

  it('of one run asks for another', async () => {
    const { pane, press } = await shown('BT compare bt_1', { runs: [run()] })
    expect(screen.getByText(/^Name two runs: BT compare/)).toBeTruthy()
    await press('x')
    expect(pane.command.args['id']).toBe('bt_1')
  })

  it('names the run without a report', async () => {
    const failed = run({ id: 'bt_2', report: null, state: 'failed' })
    await shown('BT compare bt_1 bt_2', { runs: [run(), failed] })
    expect(screen.getByText(/is failed and has no report to compare\.$/)).toBeTruthy()
  })
})
