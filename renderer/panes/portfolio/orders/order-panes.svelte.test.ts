import '../../../testing/set-up-page.ts'
import { fireEvent, render, screen, within } from '@testing-library/svelte'
import type { Component } from 'svelte'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { portfolioConfig } from '../../../api/portfolio-queries.ts'
import type { Pane } from '../../../shell/dock/pane.svelte.ts'
import type { Terminal } from '../../../shell/terminal.svelte.ts'
import { pageUnderTest, refused, type Writes } from '../../../testing/page-under-test.ts'
import { AT, OWNER, renderSignedIn } from '../../../testing/signed-in.svelte.ts'
import { marketRow } from '../../../testing/rows.ts'
import DepthPane from '../../market/DepthPane.svelte'
import PlanPane from '../notes/PlanPane.svelte'
import ViewsPane from '../notes/ViewsPane.svelte'
import TradesPane from '../TradesPane.svelte'
import IntentsPane from './IntentsPane.svelte'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

const pageInfo = { limit: 200, nextCursor: null, hasMore: false }
const market = {
  ...marketRow({ ticker: 'KX-1', title: 'Rate cut?', bestBid: 42, bestAsk: 44 }),
  indicators: { tauDays: 20, adjIy: 1.2, las: 0.05 },
  bidLevels: [{ price: 42, size: 7 }],
  askLevels: [{ price: 44, size: 9 }],
  fetchedAt: AT,
  depthAt: AT,
  siblings: [],
}
const config = {
  enabled: true,
  executionMode: 'dry-run',
  excludeCategories: [],
  minTauDays: 3,
  minAdjIy: 0,
  maxLas: 0.01,
  minEdgeCents: 0,
  minThesisConfidence: 0,
  minBalanceCents: 10_000,
  maxSingleOrderCents: 20_000,
  maxTotalExposureCents: 300_000,
  maxPerMarketCents: 100_000,
  maxDailyLossCents: 15_000,
  maxPositions: 20,
  maxOrdersPerTick: 3,
  cooldownAfterLossTicks: 0,
}
const risk = {
  asOf: AT,
  balance: { totalCents: 500_000 },
  exposure: { usedCents: 0 },
  dailyLoss: { usedCents: 0 },
  positions: { used: 0 },
}
const intent = {
  id: 'in_1',
  action: 'buy',
  marketId: 'KX-1',
  marketTitle: 'Rate cut?',
  direction: 'yes',
  targetQuantity: 10,
  filledQuantity: 0,
  avgFillPrice: null,
  maxPrice: 40,
  triggerType: 'price_below',
  triggerPrice: 41,
  triggerAt: null,
  softCondition: null,
  expireAt: '2026-11-21T10:00:00.000Z',
  status: 'armed',
  statusReason: null,
  autoExecute: true,
  source: 'manual',
  rationale: null,
  gates: [],
  fills: [],
  createdAt: AT,
  finishedAt: null,
}
const rejected = {
  ...intent,
  id: 'in_2',
  triggerType: 'immediate',
  status: 'rejected',
  statusReason: 'RISK_GATE_FAIL:las',
  gates: [{ gate: 'las', passed: false, value: 0.05, limit: 0.01, note: null }],
  finishedAt: AT,
}
const trade = {
  id: 'trd_1',
  marketId: 'KX-1',
  marketTitle: 'Rate cut?',
  direction: 'buy_no',
  quantity: 5,
  entryPriceCents: 40,
  exitPriceCents: 55,
  feesCents: 17,
  realizedPnlCents: 58,
  exitReason: 'take_profit',
  status: 'closed',
  intentId: null,
  tickId: 'pt_1',
  rationale: 'the bid reached 55¢',
  openedAt: AT,
}
const ofIntent = {
  ...trade,
  id: 'trd_2',
  direction: 'buy_yes',
  entryPriceCents: 44,
  exitPriceCents: null,
  realizedPnlCents: null,
  exitReason: null,
  status: 'open',
  intentId: 'in_1',
  openedAt: '2026-11-20T11:00:00.000Z',
}
const view = {
  id: 'vw_1',
  title: 'Rates fall',
  text: 'The labour market weakens',
  category: null,
  tickers: ['KX-1', 'KX-2'],
  direction: 'no',
  conviction: 8,
  horizon: '2026-11-01',
  active: true,
}
const rule = {
  id: 'ps_1',
  name: 'Fade',
  text: 'Sell spikes',
  priority: 5,
  enabled: true,
  updatedAt: AT,
}

let trading: 'paper' | 'live' = 'paper'
function answers(path: string): object | null {
  if (path.startsWith('/api/auth/me')) return OWNER
  if (path.startsWith('/api/intents')) {
    return { data: [rejected, intent], intents: [rejected, intent], pageInfo }
  }
  if (path.includes('/market/')) return market
  if (path.includes('/markets')) return { markets: [market], generatedAt: AT }
  if (path.includes('/positions')) return { data: [], pageInfo }
  if (path.includes('/risk')) return risk
  if (path.includes('/config')) return { ...config, mode: trading }
  if (path.includes('/trades')) return { data: [trade, ofIntent], pageInfo }
  if (path.includes('/views')) return { data: [view], views: [view], pageInfo }
  return path.includes('/strategy') ? { data: [rule], strategies: [rule], pageInfo } : null
}
type Drawn = Component<{ terminal: Terminal; pane: Pane }>
async function show(drawn: Drawn, line: string, writes?: Writes) {
  const page = pageUnderTest(answers, writes)
  const pane = page.paneOf(line)
  page.terminal.focusedPane = pane.id
  await renderSignedIn(drawn, page.terminal, pane)
  const keys = async (...chords: readonly string[]) => {
    for (const key of chords) {
      page.terminal.keys.handle(new KeyboardEvent('keydown', { key }), [`pane:${pane.id}`])
      await pass(50)
    }
  }
  return { ...page, pane, keys }
}
const lost: ReturnType<Writes> = {
  ok: false,
  failure: {
    kind: 'timeout',
    status: null,
    code: null,
    message: 'No answer in time',
    retryAfter: null,
  },
}
const done: Writes = () => ({ ok: true, body: { id: 'in_1' } })
const cells = () => screen.getAllByRole('gridcell').map(({ textContent }) => textContent.trim())
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const type = (name: string, value: string) =>
  fireEvent.input(screen.getByRole('textbox', { name }), { target: { value } })
const submit = (name: string) => fireEvent.submit(screen.getByRole('form', { name }))
const confirm = async (name: string) => {
  const strip = within(screen.getByRole('alertdialog', { name }))
  await fireEvent.click(strip.getByRole('button', { name }))
  await pass(100)
}

describe('intents [terminal.portfolio.intents]', () => {
  it('are listed with the open ones first, and the selected one with its gates', async () => {
    const { keys } = await show(IntentsPane, 'INTENT')
    expect(cells().slice(0, 3)).toEqual([
      'waiting for trigger',
      'Rate cut?',
      'buy 10 YES at 40.0¢ or less',
    ])
    expect(cells()).toContain('YES costs 41.0¢ or less')
    await keys('End')
    const detail = within(screen.getByRole('region', { name: 'Selected intent' }))
    expect(
      detail.getByText('Rejected by your limit. Liquidity-adjusted spread: 0.05, limit 0.01'),
    ).toBeTruthy()
    expect(detail.getByRole('table', { name: 'Gates' })).toBeTruthy()
  })

  it('one is cancelled after an explanation; one that ended is not', async () => {
    const { keys, sent, terminal } = await show(IntentsPane, 'INTENT', done)
    await keys('End', 'Delete')
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(terminal.notice).toMatchObject({ tone: 'error' })
    await keys('Home', 'Delete')
    expect(screen.getByRole('alertdialog').textContent).toContain(
      'Cancels “buy 10 YES at 40.0¢ or less” of Rate cut?. It trades nothing more.',
    )
    expect(sent).toEqual([])
    await confirm('Cancel intent')
    expect(sent).toEqual([{ method: 'DELETE', path: '/api/intents/in_1', body: undefined }])
    expect(terminal.notice?.text).toBe('Intent cancelled')
  })
})

describe('an order [terminal.portfolio.orders]', () => {
  it('shows what it will do, and is sent after a second Enter', async () => {
    const { sent, pane, terminal } = await show(IntentsPane, 'KX-1 INTENT no size=10', done)
    expect(screen.getByText('PAPER')).toBeTruthy()
    const effects = within(screen.getByRole('region', { name: 'Order preview' }))
    expect(effects.getByText('Max loss').nextElementSibling?.textContent).toBe('$5.98')
    expect(effects.getByText('You hold').nextElementSibling?.textContent).toBe('nothing')
    expect(effects.queryByText('Realised')).toBeNull()
    expect(effects.getByRole('status').textContent).toContain('Your limits would reject it now.')
    await submit('New order')
    expect(sent).toEqual([])
    const strip = screen.getByRole('alertdialog', { name: 'Send paper order' })
    expect(strip.textContent).toContain('Paper order: nothing leaves this machine.')
    expect(strip.textContent).toContain('Liquidity-adjusted spread: 0.05, limit 0.01')
    expect(document.activeElement?.textContent).toBe('Send paper order')
    await confirm('Send paper order')
    expect(sent[0]).toMatchObject({
      method: 'POST',
      path: '/api/intents',
      body: { marketId: 'KX-1', direction: 'no', maxPrice: 58, targetQuantity: 10, mode: 'paper' },
    })
    expect(terminal.notice?.text).toBe('Paper order sent')
    expect(pane.line).toBe('INTENT')
    expect(cells()).toContain('waiting for trigger')
  })

  it('is selected in the list after it was sent', async () => {
    const sentAs: Writes = () => ({ ok: true, body: { id: 'in_2' } })
    await show(IntentsPane, 'KX-1 INTENT no size=10', sentAs)
    await submit('New order')
    await confirm('Send paper order')
    expect(screen.getByRole('row', { selected: true }).textContent).toContain('rejected')
    const detail = within(screen.getByRole('region', { name: 'Selected intent' }))
    expect(detail.getByText(/^Rejected by your limit\. Liquidity/)).toBeTruthy()
  })

  it('is marked LIVE while trading is live, and belongs to that mode', async () => {
    trading = 'live'
    onTestFinished(() => void (trading = 'paper'))
    const { sent, terminal } = await show(IntentsPane, 'KX-1 INTENT no size=10', done)
    expect(screen.queryByText('PAPER')).toBeNull()
    expect(screen.getByText('LIVE')).toBeTruthy()
    await submit('New order')
    const strip = screen.getByRole('alertdialog', { name: 'Send LIVE order' })
    expect(strip.textContent).toContain('LIVE order with real money: it is sent to the exchange.')
    await confirm('Send LIVE order')
    expect(sent[0]).toMatchObject({ path: '/api/intents', body: { mode: 'live' } })
    expect(terminal.notice?.text).toBe('LIVE order sent')
  })

  it('is reviewed again when the mode changes meanwhile', async () => {
    onTestFinished(() => void (trading = 'paper'))
    const { sent, terminal } = await show(IntentsPane, 'KX-1 INTENT no size=10', done)
    await submit('New order')
    expect(screen.getByRole('alertdialog', { name: 'Send paper order' })).toBeTruthy()
    trading = 'live'
    terminal.live.refetch(terminal.live.source(portfolioConfig))
    await pass(50)
    expect(screen.getByText('Trading is live now: review the order again.')).toBeTruthy()
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(sent).toEqual([])
  })

  it('[terminal.portfolio.order-once] is sent again unchanged when its answer was lost', async () => {
    let answer: ReturnType<Writes> = lost
    const { sent, terminal } = await show(IntentsPane, 'KX-1 INTENT size=10', () => answer)
    const sendOrder = async () => {
      await submit('New order')
      await pass(3_000)
      await confirm('Send paper order')
    }
    await sendOrder()
    expect(screen.getByRole('alert').textContent).toContain('it is never created twice')
    await sendOrder()
    expect(sent[1]).toEqual(sent[0])
    expect(sent[0]?.repeatKey).toMatch(/^[0-9a-f]{32}$/)
    // Another order has its own key, and so has one that was refused.
    await type('Size', '11')
    answer = refused(409, 'CONFLICT', 'no')
    await sendOrder()
    answer = done({ method: 'POST', path: '', body: undefined })
    await sendOrder()
    expect(new Set(sent.map(({ repeatKey }) => repeatKey)).size).toBe(3)
    expect(terminal.notice?.text).toBe('Paper order sent')
  })

  it('[terminal.portfolio.order-once] is sent once by a double Enter', async () => {
    const { sent } = await show(IntentsPane, 'KX-1 INTENT size=10', done)
    await submit('New order')
    const strip = within(screen.getByRole('alertdialog', { name: 'Send paper order' }))
    const button = strip.getByRole('button', { name: 'Send paper order' })
    button.click()
    button.click()
    await pass(100)
    expect(sent).toHaveLength(1)
  })

  it('another side has its own price until one is typed', async () => {
    await show(IntentsPane, 'KX-1 INTENT')
    const limit = (side: string) =>
      screen.getByRole<HTMLInputElement>('textbox', { name: `Limit in cents of ${side}` }).value
    expect(limit('YES')).toBe('44')
    await press('NO')
    expect(limit('NO')).toBe('58')
    await type('Limit in cents of NO', '57')
    await press('sell')
    expect(limit('NO')).toBe('57')
  })

  it('errors are beside their field, of the page and of the service', async () => {
    const { sent } = await show(IntentsPane, 'KX-1 INTENT', () =>
      refused(400, 'BAD_REQUEST', 'maxPrice must be on the venue’s tick of 1¢'),
    )
    await submit('New order')
    const size = screen.getByRole('textbox', { name: 'Size' })
    expect(size.getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(size)
    expect(screen.getByRole('alert').textContent).toBe('Enter how many contracts to buy.')
    await type('Size', '10')
    await type('Limit in cents of YES', '44.5')
    await submit('New order')
    await confirm('Send paper order')
    expect(sent).toHaveLength(1)
    expect(screen.queryByRole('alertdialog')).toBeNull()
    const limit = screen.getByRole('textbox', { name: 'Limit in cents of YES' })
    expect(limit.getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByRole('alert').textContent).toBe(
      'The limit must be on the venue’s tick of 1¢.',
    )
  })

  it('keeps its market when the link group changes', async () => {
    const page = pageUnderTest(answers)
    page.terminal.focusMarket('A', 'KX-1')
    const pane = page.paneOf('. INTENT')
    render(IntentsPane, { terminal: page.terminal, pane })
    await pass(100)
    expect(pane.line).toBe('KX-1 INTENT')
  })

  it('is opened from a row of the depth ladder with its price', async () => {
    const { service, terminal, paneOf } = pageUnderTest(answers)
    service.isUp = false
    const pane = paneOf('KX-1 BOOK')
    render(DepthPane, { terminal, pane })
    await pass(1_000)
    const run = vi.spyOn(terminal, 'run').mockReturnValue(null)
    for (const key of ['ArrowDown', 'Enter']) {
      terminal.keys.handle(new KeyboardEvent('keydown', { key }), [`pane:${pane.id}`])
      await pass(50)
    }
    expect(run).toHaveBeenLastCalledWith('KX-1 INTENT buy yes limit=42')
    expect(screen.getByRole('status').textContent).toBe('Enter: order at 42.0¢')
    await fireEvent.click(screen.getByRole('rowheader', { name: '44.0¢' }))
    expect(run).toHaveBeenLastCalledWith('KX-1 INTENT buy yes limit=44')
  })
})

describe('trades [terminal.portfolio.trades]', () => {
  it('of the autopilot and of intents are rows of one table, with their sums', async () => {
    const { requested, pane } = await show(TradesPane, 'TRADES')
    expect(requested).toContain('/api/portfolio/trades?limit=200&envelope=true')
    expect(requested.some((path) => path.includes('/fills'))).toBe(false)
    const ended = cells().filter((text) => text === 'open' || text === 'take profit')
    expect(ended).toEqual(['open', 'take profit'])
    expect(cells()).toEqual(expect.arrayContaining(['NO', '40.0¢', '55.0¢', '+$0.58']))
    expect(pane.visibleRows?.()).toMatchObject([{ source: 'intent' }, { resultCents: 58 }])
    expect(screen.getByText('With a gain').nextElementSibling?.textContent).toBe('1 of 1')
  })

  it('of intents alone have a state too', async () => {
    const { requested, pane } = await show(TradesPane, 'TRADES intents closed')
    expect(requested).toContain('/api/portfolio/trades?status=closed&limit=200&envelope=true')
    expect(pane.visibleRows?.()).toMatchObject([{ source: 'intent' }])
  })
})

describe('views [terminal.portfolio.views]', () => {
  it('show the price of their side, and whether they are over', async () => {
    const { pane } = await show(ViewsPane, 'VIEWS')
    expect(pane.note).toBe('1 on')
    // NO costs 100 less the bid.
    expect(cells()).toEqual([
      'ended',
      'Rates fall',
      '8',
      'NO',
      'Rate cut? +1',
      '58.0¢',
      '2026-11-01',
    ])
  })

  it('are added, changed, paused and removed', async () => {
    const { sent, keys } = await show(ViewsPane, 'VIEWS', done)
    await keys('n')
    await type('View', 'Oil rises')
    await type('Markets', 'KX-1 KX-3')
    await submit('New view')
    await pass(100)
    expect(sent.at(-1)).toMatchObject({
      method: 'POST',
      path: '/api/portfolio/views',
      body: { title: 'Oil rises', tickers: ['KX-1', 'KX-3'], direction: null, conviction: 5 },
    })
    await keys('Home', 'e')
    await type('Conviction, 1 to 10', '3')
    await submit('Edit Rates fall')
    await pass(100)
    expect(sent.at(-1)).toMatchObject({ method: 'PUT', body: { id: 'vw_1', conviction: 3 } })
    await keys('p')
    expect(sent.at(-1)?.body).toEqual({ id: 'vw_1', active: false })
    const before = sent.length
    await keys('Delete')
    expect(sent).toHaveLength(before)
    await confirm('Remove view')
    expect(sent.at(-1)).toMatchObject({ method: 'DELETE', body: { id: 'vw_1' } })
  })

  it('show an error of the service beside its field', async () => {
    await show(ViewsPane, 'VIEWS new', () =>
      refused(400, 'BAD_REQUEST', 'horizon must be a date YYYY-MM-DD'),
    )
    await type('View', 'Oil rises')
    await type('Until (optional)', 'soon')
    await submit('New view')
    await pass(100)
    const field = screen.getByRole('textbox', { name: /^Until/ })
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(field)
    expect(screen.getByRole('alert').textContent).toBe(
      'Until (optional) must be a date YYYY-MM-DD.',
    )
  })
})

describe('the plan [terminal.portfolio.plan]', () => {
  it('lists rules by priority, adds and pauses them', async () => {
    const { sent, keys } = await show(PlanPane, 'PLAN', done)
    expect(cells().slice(0, 4)).toEqual(['5', 'active', 'Fade', 'Sell spikes'])
    await keys('Home', 'p')
    expect(sent).toEqual([
      { method: 'PUT', path: '/api/portfolio/strategy', body: { id: 'ps_1', enabled: false } },
    ])
    await keys('n')
    await type('Name', 'Follow')
    await type('Rule', 'Buy after news')
    await type('Priority, lowest first', 'x')
    await submit('New rule')
    await pass(100)
    // What is not a number is sent, so that the service rejects its field.
    expect(sent.at(-1)?.body).toEqual({ name: 'Follow', text: 'Buy after news', priority: 'x' })
  })
})
