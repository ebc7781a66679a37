import '../../testing/set-up-page.ts'
import { fireEvent, render, screen, within } from '@testing-library/svelte'
import type { Component } from 'svelte'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ServedDecision, ServedTick } from '../../../backend/contract/orders/ticks.ts'
import type { Pane } from '../../shell/dock/pane.svelte.ts'
import type { Terminal } from '../../shell/terminal.svelte.ts'
import { pageUnderTest, refused, type Writes } from '../../testing/page-under-test.ts'
import AttributionPane from './AttributionPane.svelte'
import { profitPlan } from './attribution-map.ts'
import LedgerPane from './LedgerPane.svelte'
import {
  attributionName,
  autopilotText,
  entryText,
  gateValue,
  limitUses,
  outcomeText,
  tickText,
} from './portfolio-labels.ts'
import PositionsPane from './PositionsPane.svelte'
import RiskPane from './RiskPane.svelte'
import TicksPane from './TicksPane.svelte'

// jsdom has no canvas.
vi.mock('../../charts/time-lines.ts', () => ({
  drawTimeLines: () => ({ show: () => {}, colour: () => {}, resize: () => {}, remove: () => {} }),
}))

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

const AT = '2026-11-20T10:00:00.000Z'
const user = {
  user: { id: 'usr_1', name: 'Owner', email: null, tier: 'institutional', isAdmin: true },
  auth: { kind: 'session', sessionId: 'ses_1', keyId: null, expiresAt: AT },
  tier: { tier: 'institutional', requestsPerMinute: 60_000 },
}
const PAGE = { limit: 200, nextCursor: null, hasMore: false }
const position = {
  id: 'paper:venue_a:KX',
  mode: 'paper',
  venue: 'venue_a',
  marketId: 'KX',
  marketTitle: 'Rate cut in December?',
  direction: 'no',
  quantity: 40,
  avgPriceCents: 41.25,
  currentPriceCents: 44,
  stale: true,
  valueCents: 1_760,
  unrealizedPnlCents: 110,
  realizedPnlCents: -250,
  openedAt: AT,
}
const risk = {
  asOf: AT,
  enabled: false,
  mode: 'paper',
  balance: { totalCents: 498_350, minBalanceCents: 10_000 },
  exposure: {
    usedCents: 240_000,
    limitCents: 300_000,
    perMarket: [
      { marketId: 'KX', marketTitle: 'Rate cut?', usedCents: 1_650, limitCents: 100_000 },
    ],
  },
  dailyLoss: { usedCents: 0, limitCents: 15_000 },
  drawdown: {
    usedCents: 50_000,
    limitCents: 50_000,
    warnCents: 30_000,
    peakEquityCents: 550_000,
    equityCents: 500_000,
  },
  positions: { used: 1, limit: 20 },
  cooldown: { ticksSinceLoss: null, required: 4, active: false },
  staleData: false,
  staleReasons: [],
  halted: null,
  lastTick: null,
  nextRunAt: null,
}
const config = {
  cronExpression: '0 7,19 * * *',
  maxOrdersPerTick: 3,
  maxSingleOrderCents: 20_000,
  minTauDays: 3,
  minEdgeCents: 1.5,
  excludeCategories: ['sports'],
  cooldownAfterLossTicks: 4,
  maxTotalExposureCents: 300_000,
  maxPerMarketCents: 100_000,
  maxPositions: 20,
  minBalanceCents: 10_000,
  maxDailyLossCents: 15_000,
  drawdownWarnCents: 30_000,
  maxDrawdownHaltCents: 50_000,
  minAdjIy: 100,
  maxLas: 0.15,
  minThesisConfidence: 0,
  crossVenuePairsEnabled: false,
  decisionModel: 'tier:medium',
  paperStartBalanceCents: 500_000,
  paperFill: 'touch',
  executionMode: 'dry-run',
  withoutEffect: ['decisionModel', 'crossVenuePairsEnabled', 'tickIntervalMinutes'],
  schedule: { lastError: null },
}
const gate = (name: string, passed: boolean, value: number, limit: number) => ({
  gate: name,
  passed,
  value,
  limit,
  note: null,
})
const decision = {
  n: 1,
  kind: 'entry',
  action: 'buy',
  marketId: 'KX',
  marketTitle: 'Rate cut?',
  direction: 'yes',
  quantity: 10,
  limitPriceCents: 44,
  reason: '44¢ is at or under the entry of 50¢',
  gates: [gate('single_order', false, 440, 400), gate('tau', true, 12, 3)],
  outcome: 'rejected_by_gate',
  filledQuantity: 0,
  avgFillPriceCents: null,
} as unknown as ServedDecision
const tick = {
  id: 'pt_1',
  tickAt: AT,
  trigger: 'schedule',
  status: 'completed',
  skipReason: null,
  error: null,
  haltTriggered: false,
  decisions: [decision],
  actionsCount: 1,
  gatesFailed: 1,
  handoffNote: 'Orders: 1 decided',
  portfolioValueCents: 500_000,
  dailyPnlCents: -120,
  drawdownCents: 120,
  tickDurationMs: 63,
} as unknown as ServedTick
const entry = {
  id: 'le_1',
  eventType: 'fill',
  occurredAt: AT,
  marketId: 'KX',
  marketTitle: 'Rate cut?',
  action: 'buy',
  direction: 'yes',
  quantity: 10,
  priceCents: 44,
  cashDeltaCents: -457,
  feeCents: 17,
  realizedPnlCents: null,
  result: null,
  note: null,
  source: 'import_venue_a',
}
const sums = {
  pnlCents: 1_250,
  realizedPnlCents: 1_500,
  unrealizedPnlDeltaCents: -250,
  feeCents: 34,
  slippageCents: 5,
  fills: 2,
  cashDeltaCents: 0,
  positionDelta: 0,
  settlements: 0,
  entries: 2,
}
const attribution = {
  from: '2026-10-22',
  to: '2026-11-20',
  rows: [{ keys: { marketId: 'KX' }, label: 'Rate cut?', ...sums }],
  totals: sums,
  unknown: sums,
}

const daily = {
  from: '2026-11-18',
  to: '2026-11-20',
  rows: [
    { date: '2026-11-18', keys: {}, label: null, ...sums, pnlCents: 4_000 },
    { date: '2026-11-20', keys: {}, label: null, ...sums, pnlCents: -1_000 },
  ],
}

const answers =
  (scene: Partial<Record<'risk' | 'config' | 'ticks' | 'positions' | 'attribution', object>>) =>
  (path: string): object | null => {
    if (path.startsWith('/api/auth/me')) return user
    if (path.includes('/positions')) {
      return scene.positions ?? { data: [position], pageInfo: PAGE }
    }
    if (path.includes('/risk')) return scene.risk ?? risk
    if (path.includes('/config')) return scene.config ?? config
    if (path.includes('/ticks')) return scene.ticks ?? { data: [tick], pageInfo: PAGE }
    if (path.includes('/attribution/daily')) return daily
    if (path.includes('/attribution')) return scene.attribution ?? attribution
    return path.includes('/ledger') || path.includes('/fills')
      ? { data: [entry], pageInfo: { ...PAGE, nextCursor: 'c1', hasMore: true } }
      : null
  }
type Drawn = Component<{ terminal: Terminal; pane: Pane }>
async function show(drawn: Drawn, line: string, scene: object = {}, writes?: Writes) {
  const page = pageUnderTest(answers(scene), writes)
  const pane = page.paneOf(line)
  const { account } = page.terminal
  onTestFinished(
    $effect.root(() => {
      $effect(() => account.watch())
      $effect(() => account.follow())
    }),
  )
  await pass(100)
  render(drawn, { terminal: page.terminal, pane })
  await pass(1_000)
  return { ...page, pane }
}
const cells = () => screen.getAllByRole('gridcell').map(({ textContent }) => textContent.trim())
const figure = (name: string) => screen.getByText(name).nextElementSibling?.textContent
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

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
    const amend = vi.spyOn(terminal, 'amend')
    await press('closed')
    expect(amend).toHaveBeenCalledWith(pane, { state: 'closed' })
  })

  it('say how to get some when there are none', async () => {
    await show(PositionsPane, 'POS', { positions: { data: [], pageInfo: PAGE } })
    expect(screen.getByText(/^No open positions\. An intent/)).toBeTruthy()
  })
})

describe('risk [terminal.portfolio.risk]', () => {
  it('a switch explains first what it will do, then does it', async () => {
    const { sent, terminal } = await show(RiskPane, 'RISK', {}, () => ({ ok: true, body: {} }))
    expect(screen.getByText('The autopilot is off')).toBeTruthy()
    await press('Turn on')
    const strip = screen.getByRole('alertdialog', { name: 'Turn on' })
    expect(strip.textContent).toContain('(0 7,19 * * *, Pacific time), at most 3 orders a time')
    expect(sent).toEqual([])
    await fireEvent.click(within(strip).getByRole('button', { name: 'Turn on' }))
    await pass(100)
    expect(sent).toEqual([
      { method: 'PUT', path: '/api/portfolio/config', body: { enabled: true } },
    ])
    expect(terminal.notice?.text).toBe('Autopilot turned on')
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('a halted account reports why and can resume; an error is reported', async () => {
    const halted = { ...risk, enabled: true, halted: { at: AT, reason: 'drawdown' } }
    const { sent, terminal } = await show(RiskPane, 'AUTO', { risk: halted }, () =>
      refused(403, null, 'Not with this key'),
    )
    expect(screen.getByText('Trading is halted: the drawdown reached its limit')).toBeTruthy()
    await press('Resume trading')
    const strip = screen.getByRole('alertdialog')
    await fireEvent.input(within(strip).getByRole('textbox'), { target: { value: 'resume' } })
    await fireEvent.click(within(strip).getByRole('button', { name: 'Resume trading' }))
    await pass(100)
    expect(sent.map(({ body }) => body)).toEqual([{ executionMode: 'dry-run' }])
    expect(terminal.notice).toMatchObject({ tone: 'error' })
  })

  it('limits are changed after a confirmation that states each change [terminal.portfolio.limits]', async () => {
    let answer: ReturnType<Writes> = refused(400, 'VALIDATION_ERROR', 'cronExpression is not cron')
    const { sent, terminal, pane } = await show(RiskPane, 'RISK', {}, () => answer)
    const keys = (key: string) =>
      terminal.keys.handle(new KeyboardEvent('keydown', { key }), [`pane:${pane.id}`])
    keys('e')
    await pass(50)
    const form = screen.getByRole('form', { name: 'Limits and schedule' })
    const field = (name: RegExp) => within(form).getByRole<HTMLInputElement>('textbox', { name })
    expect(field(/^Single order/).value).toBe('200')
    expect(document.activeElement).toBe(field(/^Single order/))
    expect(within(form).queryByText('Decided by')).toBeNull()
    await fireEvent.submit(form)
    expect(within(form).getByText('Nothing is changed yet')).toBeTruthy()

    await fireEvent.input(field(/^Single order/), { target: { value: 'much' } })
    await fireEvent.submit(form)
    await pass(50)
    expect(within(form).getByRole('alert').textContent).toBe('Single order must be a number')
    expect(field(/^Single order/).getAttribute('aria-invalid')).toBe('true')
    expect(screen.queryByRole('alertdialog')).toBeNull()

    await fireEvent.input(field(/^Single order/), { target: { value: '250' } })
    await fireEvent.input(field(/^Schedule/), { target: { value: 'often' } })
    await fireEvent.submit(form)
    const strip = screen.getByRole('alertdialog', { name: 'Change limits' })
    expect(strip.textContent).toContain(
      'Single order $200.00 → $250.00; Schedule 0 7,19 * * * → often',
    )
    expect(sent).toEqual([])
    await fireEvent.click(within(strip).getByRole('button', { name: 'Change limits' }))
    await pass(100)
    expect(within(form).getByRole('alert').textContent).toBe('Schedule is not cron')
    expect(document.activeElement).toBe(field(/^Schedule/))

    answer = { ok: true, body: {} }
    await fireEvent.input(field(/^Schedule/), { target: { value: '0 9 * * *' } })
    await fireEvent.submit(form)
    await fireEvent.click(
      within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Change limits' }),
    )
    await pass(100)
    expect(sent.at(-1)?.body).toEqual({
      maxSingleOrderCents: 25_000,
      cronExpression: '0 9 * * *',
    })
    expect(screen.queryByRole('form')).toBeNull()
  })

  it('trading halts at once, in one key [terminal.portfolio.halt]', async () => {
    const { sent, terminal, pane } = await show(RiskPane, 'RISK', {}, () => ({
      ok: true,
      body: {},
    }))
    terminal.keys.handle(new KeyboardEvent('keydown', { key: 'h' }), [`pane:${pane.id}`])
    await pass(100)
    expect(sent.map(({ body }) => body)).toEqual([{ executionMode: 'halted' }])
    expect(terminal.notice?.text).toContain('Trading halted')
    expect(terminal.halted).toBe(true)
  })

  it('equity and drawdown of each day follow from the equity now', async () => {
    const { requested } = await show(RiskPane, 'RISK')
    expect(requested).toContain(
      '/api/portfolio/attribution/daily?mode=paper&from=2026-10-22&to=2026-11-20',
    )
    expect(
      screen.getByRole('img', { name: /^Equity \$5,010\.00 on 2026-11-18, \$5,000\.00 now/ }),
    ).toBeTruthy()
    await press('table')
    const table = screen.getByRole('table', { name: 'Account by day' })
    const rows = within(table).getAllByRole('row')
    expect(rows.map(({ textContent }) => textContent.replaceAll(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/^ ?Day/),
      expect.stringMatching(/2026-11-20 ?−\$10\.00 ?\$5,000\.00 ?\$10\.00/),
      expect.stringMatching(/2026-11-19 ?\$0\.00 ?\$5,010\.00 ?\$0\.00/),
      expect.stringMatching(/2026-11-18 ?\+\$40\.00 ?\$5,010\.00 ?\$0\.00/),
    ])
  })

  it('what turning on does follows limits that are changed elsewhere meanwhile', async () => {
    const scene = { risk: { ...risk, enabled: false }, config }
    const { terminal, pane } = await show(RiskPane, 'RISK', scene)
    scene.config = { ...config, cronExpression: '1 * * * *' }
    terminal.keys.handle(new KeyboardEvent('keydown', { key: 'a' }), [`pane:${pane.id}`])
    await pass(100)
    expect(screen.getByRole('alertdialog').textContent).toContain('1 * * * *, Pacific time')
  })

  it('old prices are counted, not listed', async () => {
    const staleReasons = ['A', 'B', 'C'].map((ticker) => `price of ${ticker} is outdated`)
    await show(RiskPane, 'RISK', { risk: { ...risk, staleData: true, staleReasons } })
    expect(screen.getByText('Old data: price of A is outdated; and 2 more')).toBeTruthy()
  })

  it('a fill requests the profit of the days again, and prices do not', async () => {
    const scene = { risk: { ...risk } }
    const { requested } = await show(RiskPane, 'RISK', scene)
    const count = () => requested.filter((path) => path.includes('/daily')).length
    expect(count()).toBe(1)
    scene.risk = { ...risk, drawdown: { ...risk.drawdown, equityCents: 500_100 } }
    await pass(6_000)
    expect(count()).toBe(1)
    scene.risk = { ...risk, balance: { ...risk.balance, totalCents: 497_000 } }
    await pass(6_000)
    expect(count()).toBe(2)
  })

  it('use of limits is a share, full at the limit and for a limit of 0', () => {
    const uses = limitUses(risk as never)
    expect(uses.map(({ name, used, share }) => [name, used, share])).toEqual([
      ['Exposure', '$2,400.00', 0.8],
      ['Loss today', '$0.00', 0],
      ['Drawdown', '$500.00', 1],
      ['Positions', '1', 0.05],
      ['Rate cut?', '$16.50', 0.0165],
    ])
    const none = { ...risk, positions: { used: 0, limit: 0 } }
    expect(limitUses(none as never)[3]?.share).toBe(1)
  })

  it.each([
    [{ enabled: true }, 'The autopilot is on'],
    [
      { enabled: true, cooldown: { ticksSinceLoss: 3, required: 4, active: true } },
      'The autopilot is on and enters nothing for 1 more tick after a loss',
    ],
    [{ halted: { at: AT, reason: 'user' } }, 'Trading is halted'],
  ])('%j', (change, text) => {
    expect(autopilotText({ ...risk, ...change })).toBe(text)
  })
})

describe('ticks [terminal.portfolio.ticks]', () => {
  it('show each decision with its gates', async () => {
    await show(TicksPane, 'TICKS')
    expect(cells()).toEqual(expect.arrayContaining(['schedule', 'completed', '1']))
    const decisions = within(screen.getByRole('table', { name: 'Decisions' }))
    expect(decisions.getByText('buy 10 YES at 44.0¢')).toBeTruthy()
    expect(decisions.getByText('rejected by a gate')).toBeTruthy()
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
    [{ status: 'skipped', skipReason: 'missed' }, /^Nothing was decided\.$/],
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
    ['rejected by a gate', { error: 'RISK_GATE_FAIL:single_order' }],
    ['–', { kind: 'hold', outcome: 'none', error: null }],
  ])('an outcome states its reason: %s', (text, change) => {
    expect(outcomeText({ ...decision, ...change })).toBe(text)
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
