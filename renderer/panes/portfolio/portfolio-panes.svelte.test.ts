import '../../testing/set-up-page.ts'
import { fireEvent, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ServedDecision, ServedTick } from '../../../backend/contract/orders/ticks.ts'
import type { Pane } from '../../shell/dock/pane.svelte.ts'
import type { Terminal } from '../../shell/terminal.svelte.ts'
import type { Answer } from '../../api/client.ts'
import { refused } from '../../testing/page-under-test.ts'
import {
  PAGE,
  position,
  decision,
  tick,
  entry,
  sums,
  attribution,
  show,
  cells,
  figure,
  press,
} from '../../testing/portfolio.ts'
import { tableColumns } from '../../testing/table-columns.ts'
import AttributionPane from './AttributionPane.svelte'
import { attributionSentence, attributionTiles, profitPlan } from './attribution-map.ts'
import LedgerPane from './LedgerPane.svelte'
import { attributionName, entryText, gateValue, outcomeText, tickText } from './portfolio-labels.ts'
import PositionsPane from './PositionsPane.svelte'
import * as queries from '../../api/portfolio-queries.ts'
import TicksPane from './TicksPane.svelte'

// jsdom has no canvas.
vi.mock('../../charts/time-lines.ts', () => ({
  drawTimeLines: () => ({ show: () => {}, colour: () => {}, resize: () => {}, remove: () => {} }),
}))

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)
const keyOf = async (terminal: Terminal, pane: Pane, key: string) => {
  terminal.keys.handle(new KeyboardEvent('keydown', { key }), [`pane:${pane.id}`])
  await pass(50)
}

describe('positions [terminal.portfolio.positions]', () => {
  it('show side, cost, value and profit, and the sums of the account', async () => {
    const { terminal, pane, requested } = await show(PositionsPane, 'POS')
    expect(requested).toContain('/api/portfolio/positions?status=open&limit=200')
    expect(cells()).toEqual(
      expect.arrayContaining([
        'Rate cut in December?',
        'NO',
        '40',
        '41.25¢',
        '44.0¢',
        '+$1.10',
        '−$2.50',
      ]),
    )
    expect(figure('Equity')).toBe('$5,000.00')
    const open = vi.spyOn(terminal, 'openMarket').mockReturnValue()
    for (const key of ['Home', 'g']) {
      terminal.keys.handle(new KeyboardEvent('keydown', { key }), [`pane:${pane.id}`])
      await pass(50)
    }
    expect(open).toHaveBeenCalledWith(pane, 'KX', 'GP')
    const setArguments = vi.spyOn(terminal, 'setArguments')
    await press('closed')
    expect(setArguments).toHaveBeenCalledWith(pane, { state: 'closed' })
  })

  it('name the account of each while any is live', async () => {
    const data = [{ ...position, id: 'live:venue_a:KX', mode: 'live' }, position]
    await show(PositionsPane, 'POS', { positions: { data, pageInfo: PAGE } })
    const modes = cells().filter((text) => text === 'LIVE' || text === 'paper')
    expect(modes).toEqual(['LIVE', 'paper'])
    expect(screen.getAllByRole('columnheader').map(({ title }) => title)).toContain(
      'LIVE positions are at the exchange',
    )
  })

  it('have keys for the market and the sale of one', async () => {
    const { terminal, pane } = await show(PositionsPane, 'POS')
    expect(pane.note).toBe('1')
    const run = vi.spyOn(terminal, 'run').mockReturnValue(null)
    const open = vi.spyOn(terminal, 'openMarket').mockReturnValue()
    for (const key of ['Home', 'c', 'Enter']) await keyOf(terminal, pane, key)
    expect(run.mock.calls).toEqual([['$KX INTENT sell no size=40']])
    expect(open.mock.calls).toEqual([[pane, 'KX', null]])
    expect(await tableColumns()).toBe(
      'Market | Side | Qty, right | Avg, right, hides 1 | Price, right | Value, right, hides 2 | Unrealised, right | Realised, right, hides 3 | Opened, right, hides 4',
    )
  })

  it('that are closed cannot be sold', async () => {
    const data = [{ ...position, status: 'closed', quantity: 0 }]
    const { terminal, pane } = await show(PositionsPane, 'POS closed', {
      positions: { data, pageInfo: PAGE },
    })
    const run = vi.spyOn(terminal, 'run').mockReturnValue(null)
    for (const key of ['Home', 'c']) await keyOf(terminal, pane, key)
    expect(run).not.toHaveBeenCalled()
    expect(terminal.notice).toEqual({ tone: 'error', text: 'Only an open position can be sold' })
  })

  it('explain how to open one when there are none', async () => {
    const { pane } = await show(PositionsPane, 'POS', { positions: { data: [], pageInfo: PAGE } })
    expect(screen.getByText(/^No open positions\. Fills of intents/)).toBeTruthy()
    expect(pane.note).toBe('')
  })

  it('of another state are not called open', async () => {
    await show(PositionsPane, 'POS closed', { positions: { data: [], pageInfo: PAGE } })
    expect(screen.getByText('No positions in this state.')).toBeTruthy()
  })
})

describe('ticks [terminal.portfolio.ticks]', () => {
  it('show each decision with its gates', async () => {
    await show(TicksPane, 'TICKS')
    expect(cells()).toEqual(expect.arrayContaining(['schedule', 'completed', '1']))
    const decisions = within(screen.getByRole('table', { name: 'Decisions' }))
    expect(decisions.getByText('buy 10 YES at 44.0¢')).toBeTruthy()
    expect(decisions.getByText('rejected by a risk limit')).toBeTruthy()
    const gates = within(screen.getByRole('table', { name: 'Gates' }))
    const rows = gates.getAllByRole('row').map((row) => row.textContent.replaceAll(/\s+/g, ' '))
    expect(rows[1]).toMatch(/Cost of the order ?rejected ?\$4\.40 ?\$4\.00/)
    expect(rows[2]).toMatch(/Days to close ?passed ?12 ?3/)
    for (const text of [
      'Orders: 1 decided',
      'equity $5,000.00',
      'today −$1.20',
      'drawdown $1.20',
      'took 63 ms',
    ]) {
      expect(screen.getByText(text)).toBeTruthy()
    }
  })

  it.each([
    [{ status: 'skipped', skipReason: 'halted' }, /because trading is halted/],
    [{ status: 'completed', haltTriggered: true }, /because trading is halted/],
    [{ status: 'skipped', skipReason: 'missed' }, /^No decisions\.$/],
    [{ status: 'completed' }, /no thesis with a strategy or an edge/],
  ])('explain why nothing was decided: %j', async (change, text) => {
    const ticks = { data: [{ ...tick, decisions: [], ...change }], pageInfo: PAGE }
    await show(TicksPane, 'TICKS', { ticks })
    expect(screen.getByText(text)).toBeTruthy()
  })

  it('one is run after a second Enter, and an error is reported', async () => {
    const { sent, terminal } = await show(TicksPane, 'TICKS', {}, () =>
      refused(409, 'PORTFOLIO_DISABLED', 'disabled'),
    )
    await press('Run now')
    expect(sent).toEqual([])
    await fireEvent.click(
      within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Run a tick' }),
    )
    await pass(100)
    expect(sent).toEqual([{ method: 'POST', path: '/api/portfolio/trigger', body: { sync: true } }])
    expect(terminal.notice?.text).toBe('The autopilot is off. Turn it on in RISK first.')
  })

  it('what a tick may change is read again, wherever it is shown', async () => {
    const { terminal, requested } = await show(TicksPane, 'TICKS', {}, () => ({
      ok: true,
      body: {},
    }))
    const { live } = terminal
    const stops = [queries.risk, queries.positions('open'), queries.ledger('all')].map((query) =>
      live.subscribe(live.source(query as typeof queries.risk)),
    )
    await pass(100)
    requested.length = 0
    await press('Run now')
    await fireEvent.click(
      within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Run a tick' }),
    )
    await pass(100)
    expect(terminal.notice?.text).toBe('Tick ended')
    expect(screen.queryByRole('alertdialog')).toBeNull()
    for (const part of ['/ticks', '/risk', '/positions?status=open', '/ledger'])
      expect(
        requested.filter((path) => path.includes(part)),
        part,
      ).toHaveLength(1)
    for (const stop of stops) stop()
  })

  it.each<[string, Partial<ServedTick>]>([
    ['skipped: the service was off', { status: 'skipped', skipReason: 'missed' }],
    ['failed: tick timed out', { status: 'failed', error: 'tick timed out' }],
    ['completed, halted trading', { haltTriggered: true }],
  ])('%s', (text, change) => {
    expect(tickText({ ...tick, ...change })).toBe(text)
  })

  it.each<[string, Partial<ServedDecision>]>([
    ['filled: 10 at 44.0¢', { outcome: 'filled', filledQuantity: 10, avgFillPriceCents: 44 }],
    ['not filled: no matching offers', { outcome: 'not_filled', error: 'no matching offers' }],
    ['not sent: execution is halted', { outcome: 'none', error: 'execution is halted' }],
    ['not sent', { outcome: 'none', error: null }],
    ['rejected by a risk limit', { error: 'RISK_GATE_FAIL:single_order' }],
    ['–', { kind: 'hold', outcome: 'none', error: null }],
  ])('an outcome states its reason: %s', (text, change) => {
    expect(outcomeText({ ...decision, ...change })).toBe(text)
  })

  it.each<[Partial<Pick<Terminal, 'trading'>>, boolean, string]>([
    [{ trading: 'paper' }, false, 'trades on paper within your limits'],
    [{ trading: 'live' }, false, 'trades LIVE at the exchange with real money within'],
    [{ trading: 'live' }, true, 'trades LIVE at the SAMPLE exchange within'],
  ])('one is announced with its account: %j, sample %s', async (change, sample, text) => {
    const { terminal, pane } = await show(TicksPane, 'TICKS')
    Object.assign(terminal, change)
    terminal.health.holdsSample = sample
    await keyOf(terminal, pane, 'n')
    const strip = screen.getByRole('alertdialog', { name: 'Run a tick' })
    expect(strip.textContent).toContain(text)
    await fireEvent.click(within(strip).getByRole('button', { name: 'Cancel' }))
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('the selected one shows its own decisions', async () => {
    const older = {
      ...tick,
      id: 'pt_0',
      tickAt: '2026-11-20T09:00:00.000Z',
      status: 'skipped',
      skipReason: 'missed',
      decisions: [],
      mode: 'live',
    }
    const ticks = { data: [{ ...tick, mode: 'paper' }, older], pageInfo: PAGE }
    const { terminal, pane } = await show(TicksPane, 'TICKS', { ticks })
    expect(pane.note).toBe('2')
    const detail = within(screen.getByRole('region', { name: 'Selected tick' }))
    expect(detail.getByRole('table', { name: 'Decisions' })).toBeTruthy()
    await keyOf(terminal, pane, 'End')
    expect(detail.queryByRole('table', { name: 'Decisions' })).toBeNull()
    expect(detail.getByText('No decisions.')).toBeTruthy()
    // A tick that was skipped took no time.
    expect(detail.queryByText(/^took/)).toBeNull()
    expect(await tableColumns()).toBe(
      'Started | Mode | Trigger, hides 2 | Result | Orders, right | Failed gates, right, hides 1',
    )
  })

  it('the gates of the chosen decision are shown', async () => {
    const other = { ...decision, n: 2, marketTitle: null, outcome: 'filled' } as ServedDecision
    const held = { ...decision, n: 3, gates: [], marketTitle: 'Held', outcome: 'none' }
    const ticks = { data: [{ ...tick, decisions: [held, other, decision] }], pageInfo: PAGE }
    await show(TicksPane, 'TICKS', { ticks })
    const heading = () => screen.queryByRole('heading', { level: 2 })?.textContent
    expect(heading()).toBe('Gates of Rate cut?')
    const decisions = within(screen.getByRole('table', { name: 'Decisions' }))
    await fireEvent.click(decisions.getByText('KX'))
    expect(heading()).toBe('Gates of decision 2')
    await fireEvent.click(decisions.getByText('Held'))
    expect(heading()).toBeUndefined()
  })

  it('without a rejected decision the first one with gates is explained', async () => {
    const held = { ...decision, n: 1, gates: [], outcome: 'none' }
    const filled = { ...decision, n: 2, marketTitle: 'Filled', outcome: 'filled' }
    const ticks = {
      data: [
        {
          ...tick,
          decisions: [held, filled],
          portfolioValueCents: null,
          dailyPnlCents: null,
          drawdownCents: null,
          tickDurationMs: null,
        },
      ],
      pageInfo: PAGE,
    }
    await show(TicksPane, 'TICKS', { ticks })
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Gates of Filled')
    expect(screen.queryByText(/^(equity|today|drawdown|took)/)).toBeNull()
  })

  it('explain how to start one when there are none', async () => {
    const { pane } = await show(TicksPane, 'TICKS', { ticks: { data: [], pageInfo: PAGE } })
    expect(screen.getByText(/^No ticks yet/)).toBeTruthy()
    expect(pane.note).toBe('')
  })

  it('a second one cannot be started while one runs', async () => {
    let end: (answer: Answer<object>) => void = () => {}
    const { terminal } = await show(TicksPane, 'TICKS')
    const running = new Promise<Answer<object>>((resolve) => (end = resolve))
    vi.spyOn(terminal.live, 'send').mockReturnValue(running)
    await press('Run now')
    const button = within(screen.getByRole('alertdialog')).getByRole<HTMLButtonElement>('button', {
      name: 'Run a tick',
    })
    await fireEvent.click(button)
    expect(button.disabled).toBe(true)
    end({ ok: true, body: {} })
    await pass(100)
    await press('Run now')
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Run a tick' }).disabled).toBe(
      false,
    )
  })

  it('values of gates are in their units', () => {
    expect(gateValue('funds', 440)).toBe('$4.40')
    expect(gateValue('tau', 2.5)).toBe('2.5')
    expect(gateValue('category', 'sports')).toBe('sports')
    expect(gateValue('min_edge', null)).toBe('–')
  })
})

describe('the ledger [terminal.portfolio.ledger]', () => {
  it('shows entries with cash and fees, and that there are more', async () => {
    const { requested, pane } = await show(LedgerPane, 'LEDG fills')
    expect(requested).toContain('/api/portfolio/fills?limit=200')
    expect(cells()).toEqual(
      expect.arrayContaining(['fill: buy 10 YES at 44.0¢', '−$4.57', '$0.17', 'Kalshi import']),
    )
    expect(pane.note).toBe('1+')
  })

  it.each([
    [
      { eventType: 'agent_decision', action: null, quantity: null, direction: null },
      'decision: why',
    ],
    [
      { eventType: 'settlement', action: null, result: 'yes' },
      'settlement: 10 YES at 44.0¢ result yes',
    ],
    [
      {
        eventType: 'settlement',
        action: null,
        result: 'yes',
        payload: { corrects: 'le_0', reversal: true },
      },
      'reversed settlement: 10 YES at 44.0¢ result yes',
    ],
    [
      { eventType: 'settlement', action: null, result: 'no', payload: { corrects: 'le_0' } },
      'corrected settlement: 10 YES at 44.0¢ result no',
    ],
  ])('%j', (change, text) => {
    const cleared = 'result' in change ? {} : { priceCents: null, note: 'why' }
    expect(entryText({ ...entry, ...cleared, ...change } as never)).toBe(text)
  })
})

describe('attribution [terminal.portfolio.attribution]', () => {
  it('shows rows and their sums of a period', async () => {
    const { requested, terminal, pane } = await show(AttributionPane, 'ATTR thesis 7d')
    expect(requested).toContain(
      '/api/portfolio/attribution/grouped?groupBy=thesis&from=2026-11-14&to=2026-11-20',
    )
    expect(cells().slice(0, 3)).toEqual(['Rate cut?', '+$12.50', '+$15.00'])
    expect(figure('Unrealised')).toBe('−$2.50')
    const open = vi.spyOn(terminal, 'openMarket').mockReturnValue()
    await fireEvent.click(screen.getByText('Rate cut?'))
    expect(open).toHaveBeenCalledWith(pane, 'KX', null)
    expect(pane.note).toBe('1')
    expect(await tableColumns()).toBe(
      'Row | Profit, right | Realised, right, hides 1 | Fees, right, hides 2 | Slippage, right, hides 3 | Fills, right, hides 4',
    )
  })

  it('opens the thesis of a row, and nothing for a row without one', async () => {
    const rows = [
      { keys: { thesisId: 'th_1' }, label: 'Thesis', ...sums },
      { keys: { thesisId: null }, label: null, ...sums },
    ]
    const { terminal } = await show(AttributionPane, 'ATTR thesis 7d', {
      attribution: { ...attribution, rows },
    })
    const run = vi.spyOn(terminal, 'run').mockReturnValue(null)
    const open = vi.spyOn(terminal, 'openMarket').mockReturnValue()
    await fireEvent.click(screen.getByText('Unattributed'))
    expect(run).not.toHaveBeenCalled()
    await fireEvent.click(screen.getByText('Thesis'))
    expect(run.mock.calls).toEqual([['THES th_1']])
    expect(open).not.toHaveBeenCalled()
  })

  it('has sums in dollars, and a period and rows to choose', async () => {
    const { terminal, pane } = await show(AttributionPane, 'ATTR')
    const sumsShown = screen.getAllByRole('definition').map(({ textContent }) => textContent)
    expect(sumsShown).toEqual(['+$12.50', '+$15.00', '−$2.50', '$0.34', '$0.05'])
    const setArguments = vi.spyOn(terminal, 'setArguments').mockReturnValue()
    await press('thesis')
    await press('7d')
    expect(setArguments.mock.calls).toEqual([
      [pane, { by: 'thesis' }],
      [pane, { period: '7d' }],
    ])
  })

  it('states that the period has no rows', async () => {
    const { pane } = await show(AttributionPane, 'ATTR', {
      attribution: { ...attribution, rows: [] },
    })
    expect(screen.getByText('No trades or positions in this period.')).toBeTruthy()
    expect(pane.note).toBe('')
  })

  it('by day is a curve', async () => {
    const rows = [{ date: '2026-11-20', keys: {}, label: null, ...sums }]
    const { terminal, pane } = await show(AttributionPane, 'ATTR day', {
      attribution: { ...attribution, rows },
    })
    await keyOf(terminal, pane, 't')
    expect(screen.getByRole('img', { name: /^\+\$12\.50 by day over 1 row; best/ })).toBeTruthy()
  })

  it.each([
    [[], 'No trades or positions'],
    [[500, 300], '+$8.00 by market over 2 rows; best A +$5.00'],
    [[-500, -300], '−$8.00 by market over 2 rows; worst A −$5.00'],
    [[0], '$0.00 by market over 1 row'],
  ])('%j in a sentence', (profits, text) => {
    const rows = profits.map((pnlCents, index) => ({
      keys: {},
      label: index === 0 ? 'A' : 'B',
      ...sums,
      pnlCents,
    }))
    expect(attributionSentence(rows as never, 'market')).toBe(text)
  })

  it('tiles are as strong as their share of the largest', () => {
    const tiles = (profits: readonly number[]) =>
      attributionTiles(
        profits.map((pnlCents) => ({ keys: {}, label: 'A', ...sums, pnlCents, fills: 1 })),
      )
    expect(tiles([-25, 100]).map(({ heat, weight, tone }) => [heat, weight, tone])).toEqual([
      [30, 100, 'up'],
      [14, 25, 'down'],
    ])
    expect(tiles([0]).map(({ heat, tone }) => [heat, tone])).toEqual([[0, 'flat']])
    expect(tiles([100])[0]?.title).toBe('A: +$1.00, realised +$15.00, 1 fill')
  })

  it('is a treemap by key: areas are profits and losses, colours their signs', async () => {
    const row = (label: string, pnlCents: number) => ({
      ...attribution.rows[0],
      keys: { marketId: label },
      label,
      pnlCents,
    })
    const rows = [row('Small', 100), row('Loss', -5_000), row('Gain', 2_500), row('None', 0)]
    const { terminal, pane } = await show(AttributionPane, 'ATTR', {
      attribution: { ...attribution, rows },
    })
    terminal.keys.handle(new KeyboardEvent('keydown', { key: 't' }), [`pane:${pane.id}`])
    await pass(50)
    const map = screen.getByRole('group', {
      name: '−$24.00 by market over 4 rows; best Gain +$25.00; worst Loss −$50.00',
    })
    const tiles = within(map).getAllByRole('button')
    expect(tiles.map(({ title, className }) => [title, className.split(' ')[0]])).toEqual([
      ['Loss: −$50.00, realised +$15.00, 2 fills', 'less'],
      ['Gain: +$25.00, realised +$15.00, 2 fills', 'more'],
      ['Small: +$1.00, realised +$15.00, 2 fills', 'more'],
    ])
    const [loss] = tiles
    if (loss === undefined) throw new Error('no tile')
    const open = vi.spyOn(terminal, 'openMarket').mockReturnValue()
    await fireEvent.click(loss)
    expect(open).toHaveBeenCalledWith(pane, 'Loss', null)
  })

  it('days add up to lines', () => {
    const day = (date: string, pnlCents: number) => ({
      date,
      keys: {},
      label: null,
      ...sums,
      pnlCents,
    })
    const plan = profitPlan([day('2026-11-20', -500), day('2026-11-18', 2_000)])
    expect(plan.times).toEqual([Date.parse('2026-11-18') / 1e3, Date.parse('2026-11-20') / 1e3])
    expect(plan.lines.map(({ values }) => values)).toEqual([
      [20, 15],
      [15, 30],
    ])
  })

  it.each([
    [{ date: '2026-11-20', keys: {} }, '2026-11-20'],
    [{ keys: { venue: 'venue_b' } }, 'Polymarket'],
    [{ keys: { thesisId: null } }, 'Unattributed'],
    [{ keys: { source: 'import_venue_a' } }, 'Kalshi import'],
  ])('%j', (row, name) => {
    expect(attributionName({ label: null, ...sums, ...row } as never)).toBe(name)
  })
})
