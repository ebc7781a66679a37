import '../../testing/set-up-page.ts'
import { fireEvent, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ServedDecision, ServedTick } from '../../../backend/contract/orders/ticks.ts'
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
import AttributionPane from './AttributionPane.svelte'
import { profitPlan } from './attribution-map.ts'
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
  })

  it('say how to get some when there are none', async () => {
    await show(PositionsPane, 'POS', { positions: { data: [], pageInfo: PAGE } })
    expect(screen.getByText(/^No open positions\. Fills of intents/)).toBeTruthy()
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

  it('a live tick is announced as one', async () => {
    const { terminal } = await show(TicksPane, 'TICKS')
    terminal.trading = 'live'
    await press('Run now')
    expect(screen.getByRole('alertdialog').textContent).toContain('trades LIVE at the')
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
      expect.arrayContaining(['fill: buy 10 YES at 44.0¢', '−$4.57', '$0.17', 'import venue a']),
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
    [{ keys: { source: 'import_venue_a' } }, 'import venue a'],
  ])('%j', (row, name) => {
    expect(attributionName({ label: null, ...sums, ...row } as never)).toBe(name)
  })
})
