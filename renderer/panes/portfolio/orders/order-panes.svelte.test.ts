import '../../../testing/set-up-page.ts'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte'
import type { Component } from 'svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Answer } from '../../../api/client.ts'
import * as queries from '../../../api/portfolio-queries.ts'
import { formatMoment } from '../../../lib/format.ts'
import type { Command } from '../../../shell/commands/command.ts'
import { parseLine } from '../../../shell/commands/parse.ts'
import type { Pane } from '../../../shell/dock/pane.svelte.ts'
import type { Terminal } from '../../../shell/terminal.svelte.ts'
import { pageUnderTest, refused, type Writes } from '../../../testing/page-under-test.ts'
import { AT, OWNER, renderSignedIn } from '../../../testing/signed-in.svelte.ts'
import { tableColumns } from '../../../testing/table-columns.ts'
import { marketRow } from '../../../testing/rows.ts'
import DepthPane from '../../market/DepthPane.svelte'
import TradesPane from '../TradesPane.svelte'
import IntentsPane from './IntentsPane.svelte'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())
/** In the time zone of the machine. */
const momentOf = (iso: string) => formatMoment(iso, Date.parse(AT))
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
let trading: 'paper' | 'live' = 'paper'
let intents: readonly object[] = [rejected, intent]
let positions: readonly object[] = []
let trades: readonly object[] = [trade, ofIntent]
let tradesInfo: object = pageInfo
let intentsInfo: object = pageInfo
afterEach(() => {
  trading = 'paper'
  intents = [rejected, intent]
  positions = []
  trades = [trade, ofIntent]
  tradesInfo = pageInfo
  intentsInfo = pageInfo
})
function answers(path: string): object | null {
  if (path.startsWith('/api/auth/me')) return OWNER
  if (path.startsWith('/api/intents')) {
    return { data: intents, intents, pageInfo: intentsInfo }
  }
  if (path.includes('/market/')) return market
  if (path.includes('/markets')) return { markets: [market], generatedAt: AT }
  if (path.includes('/positions')) return { data: positions, pageInfo }
  if (path.includes('/risk')) return risk
  if (path.includes('/config')) return { ...config, mode: trading }
  return path.includes('/trades') ? { data: trades, pageInfo: tradesInfo } : null
}
function parsed(line: string): Command {
  const commands = parseLine(line)
  if ('message' in commands || commands[0] === undefined) throw new Error(`no command: ${line}`)
  return commands[0]
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

  it('a gate that an unknown value failed is shown', async () => {
    const tau = { gate: 'tau', passed: false, value: null, limit: 3, note: null }
    intents = [{ ...rejected, statusReason: 'RISK_GATE_FAIL:tau', gates: [tau] }]
    await show(IntentsPane, 'INTENT')
    const gates = within(screen.getByRole('table', { name: 'Gates' }))
    expect(gates.getByRole('row', { name: /^Days to close rejected – 3/ })).toBeTruthy()
  })

  it('one is cancelled after an explanation; one that ended is not', async () => {
    const { keys, sent, terminal } = await show(IntentsPane, 'INTENT', done)
    await keys('End', 'Delete')
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(terminal.notice).toMatchObject({ tone: 'error' })
    await keys('Home', 'Delete')
    expect(screen.getByRole('alertdialog').textContent).toContain(
      'Cancels “buy 10 YES at 40.0¢ or less” of Rate cut?. No further orders are sent.',
    )
    expect(sent).toEqual([])
    await confirm('Cancel intent')
    expect(sent).toEqual([{ method: 'DELETE', path: '/api/intents/in_1', body: undefined }])
    expect(terminal.notice?.text).toBe('Intent cancelled')
  })
})

describe('the list of intents [terminal.portfolio.intents]', () => {
  it('notes how many are open, and exports them without their parts', async () => {
    intents = [rejected, { ...intent, fills: [{ at: AT }] }]
    const { pane } = await show(IntentsPane, 'INTENT')
    expect(pane.note).toBe('1 open')
    expect(pane.visibleRows?.()).toEqual([
      expect.objectContaining({ id: 'in_1', fills: 1 }),
      expect.objectContaining({ id: 'in_2', fills: 0 }),
    ])
    expect(pane.visibleRows?.()[0]).not.toHaveProperty('gates')
    expect(document.activeElement).toBe(screen.getByRole('grid'))
    expect(await tableColumns('Intents')).toBe(
      'Status | Market | Order | Filled, right, hides 1 | Starts, hides 3 | Expires, right, hides 2 | Reason, hides 4',
    )
    cleanup()
    expect(pane.visibleRows).toBeNull()
  })

  it('empty explains how to order', async () => {
    intents = []
    const { pane, keys, terminal } = await show(IntentsPane, 'INTENT')
    expect(pane.note).toBe('')
    expect(screen.getByText(/^No intents here/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Cancel intent' })).toBeNull()
    const prefill = vi.spyOn(terminal, 'prefill').mockReturnValue()
    const run = vi.spyOn(terminal, 'run').mockReturnValue(null)
    await keys('n')
    expect(prefill.mock.calls).toEqual([['INTENT ']])
    terminal.focusMarket(pane.link, 'KX-1')
    await press('New order')
    expect(run.mock.calls).toEqual([['KX-1 INTENT']])
    expect(prefill).toHaveBeenCalledTimes(1)
  })

  it('opens the market of a row, and another state', async () => {
    intentsInfo = { ...pageInfo, hasMore: true }
    const { terminal, pane, keys } = await show(IntentsPane, 'INTENT')
    expect(screen.getByText('The newest 2')).toBeTruthy()
    const open = vi.spyOn(terminal, 'openMarket').mockReturnValue()
    await keys('Home', 'Enter', 'g')
    expect(open.mock.calls).toEqual([
      [pane, 'KX-1', null],
      [pane, 'KX-1', 'GP'],
    ])
    const setArguments = vi.spyOn(terminal, 'setArguments').mockReturnValue()
    await press('open')
    expect(setArguments.mock.calls).toEqual([[pane, { show: 'open' }]])
  })

  it('keeps what was filled, and reports why one cannot be cancelled', async () => {
    intents = [{ ...intent, filledQuantity: 4, avgFillPrice: 41 }]
    const { requested, terminal, keys } = await show(IntentsPane, 'INTENT', () =>
      refused(409, 'CONFLICT', 'it has ended'),
    )
    await press('Cancel intent')
    const strip = () => within(screen.getByRole('alertdialog', { name: 'Cancel intent' }))
    expect(screen.getByRole('alertdialog').textContent).toContain(
      'No further orders are sent. The filled part (4 of 10 at 41.0¢) stays.',
    )
    await fireEvent.click(strip().getByRole('button', { name: 'Cancel' }))
    await pass(50)
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('grid'))
    await keys('Home', 'Delete')
    requested.length = 0
    await confirm('Cancel intent')
    expect(terminal.notice).toEqual({ tone: 'error', text: 'It has ended.' })
    expect(requested.filter((path) => path.startsWith('/api/intents'))).toHaveLength(1)
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('grid'))
  })

  it('one is cancelled once', async () => {
    const { terminal, keys } = await show(IntentsPane, 'INTENT')
    let end: (answer: Answer<object>) => void = () => {}
    const running = new Promise<Answer<object>>((resolve) => (end = resolve))
    vi.spyOn(terminal.live, 'send').mockReturnValue(running)
    await keys('Home', 'Delete')
    const strip = within(screen.getByRole('alertdialog'))
    const button = strip.getByRole<HTMLButtonElement>('button', { name: 'Cancel intent' })
    await fireEvent.click(button)
    expect(button.disabled).toBe(true)
    end({ ok: true, body: {} })
    await pass(50)
    await keys('Home', 'Delete')
    expect(
      within(screen.getByRole('alertdialog')).getByRole<HTMLButtonElement>('button', {
        name: 'Cancel intent',
      }).disabled,
    ).toBe(false)
  })

  it.each([
    [{}, `expires ${momentOf(intent.expireAt)} · created by you · traded on paper`],
    [{ mode: 'live' }, 'traded LIVE at the exchange'],
    [{ autoExecute: false }, 'traded by you elsewhere'],
    [
      { status: 'filled', finishedAt: AT, source: 'strategy' },
      `ended ${momentOf(AT)} · created by a strategy`,
    ],
  ])('the selected one states where it trades: %j', async (change, text) => {
    intents = [
      {
        ...intent,
        mode: 'paper',
        ...change,
        fills: [{ at: AT, fillQuantity: 4, fillPrice: 41, fillCostCents: 164 }],
        gates: [{ gate: 'funds', passed: true, value: null, limit: null, note: null }],
      },
    ]
    await show(IntentsPane, 'INTENT')
    const detail = within(screen.getByRole('region', { name: 'Selected intent' }))
    expect(detail.getByText(/· starts YES costs/).textContent).toContain(text)
    const fills = within(detail.getByRole('table', { name: 'Fills' }))
    const [, fill] = fills.getAllByRole('row')
    expect([...(fill?.children ?? [])].map((cell) => cell.textContent.trim())).toEqual([
      momentOf(AT),
      '4',
      '41.0¢',
      '$1.64',
    ])
    // A gate without a value was not needed.
    expect(detail.queryByRole('table', { name: 'Gates' })).toBeNull()
  })
})

describe('an order [terminal.portfolio.orders]', () => {
  it('shows what it will do, and is sent after a second Enter', async () => {
    const { sent, pane, terminal } = await show(IntentsPane, 'KX-1 INTENT no size=10', done)
    expect(screen.getByText('PAPER')).toBeTruthy()
    const effects = within(screen.getByRole('region', { name: 'Order preview' }))
    expect(effects.getByText('Max loss').nextElementSibling?.textContent).toBe('$5.98')
    expect(effects.getByText('You hold').nextElementSibling?.textContent).toBe('none')
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
    const { sent, terminal } = await show(IntentsPane, 'KX-1 INTENT no size=10', done)
    await submit('New order')
    expect(screen.getByRole('alertdialog', { name: 'Send paper order' })).toBeTruthy()
    trading = 'live'
    terminal.live.refetch(terminal.live.source(queries.portfolioConfig))
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
    expect(document.activeElement?.textContent).toBe('Review order')
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

  it('keeps the limit of its command on another side', async () => {
    await show(IntentsPane, 'KX-1 INTENT limit=30 size=10')
    await press('NO')
    expect(
      screen.getByRole<HTMLInputElement>('textbox', { name: 'Limit in cents of NO' }).value,
    ).toBe('30')
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Size' }))
  })

  it('has a unit, preset sizes, a type and a start', async () => {
    const { sent } = await show(IntentsPane, 'KX-1 INTENT', done)
    expect(screen.getByText(/^With a size and a price/)).toBeTruthy()
    await press('50')
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Size' }).value).toBe('50')
    await press('dollars')
    await press('market')
    expect(screen.queryByRole('textbox', { name: /^Limit/ })).toBeNull()
    await fireEvent.change(screen.getByRole('combobox', { name: 'Start' }), {
      target: { value: 'time' },
    })
    await submit('New order')
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Start time' }))
    await type('Start time', '2h')
    await submit('New order')
    await confirm('Send paper order')
    expect(sent[0]?.body).toMatchObject({ triggerType: 'time', executionStyle: 'ioc' })
  })

  it('that was made invalid after its review is not sent', async () => {
    const { sent } = await show(IntentsPane, 'KX-1 INTENT size=10', done)
    await fireEvent.change(screen.getByRole('combobox', { name: 'Start' }), {
      target: { value: 'time' },
    })
    await type('Start time', '2h')
    await submit('New order')
    await type('Start time', 'soon')
    await confirm('Send paper order')
    expect(sent).toEqual([])
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(screen.getByRole('alert').textContent).toMatch(/^Enter a duration/)
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Start time' }))
  })

  it('is closed with a key, and its review is cancelled', async () => {
    const { pane, keys, sent } = await show(IntentsPane, 'KX-1 INTENT size=10')
    expect(pane.note).toBe('new order')
    await submit('New order')
    await fireEvent.click(
      within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Cancel' }),
    )
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(document.activeElement?.textContent).toBe('Review order')
    await keys('Escape')
    expect([pane.line, sent]).toEqual(['INTENT', []])
    // The list is read first; then its rows have the focus.
    await pass(50)
    expect(document.activeElement).toBe(screen.getByRole('grid'))
  })

  const gone = refused(400, 'BAD_REQUEST', 'targetQuantity is too large')
  it.each([
    [
      'refused',
      gone,
      { tone: 'error', text: 'LIVE order for “Rate cut?”: The size is too large.' },
    ],
    [
      'lost',
      lost,
      {
        tone: 'error',
        text: 'LIVE order for “Rate cut?”: No answer in time. The order may have been created: look for it among your intents.',
      },
    ],
    ['sent', { ok: true, body: { id: 'in_2' } }, { tone: 'info', text: 'LIVE order sent' }],
  ] as const)(
    '%s after its form was closed is reported, and the next form stays',
    async (...of) => {
      const [, answer, notice] = of
      trading = 'live'
      const { terminal, pane, keys, requested } = await show(IntentsPane, 'KX-1 INTENT size=10')
      let end: (answer: Answer<object>) => void = () => {}
      const running = new Promise<Answer<object>>((resolve) => (end = resolve))
      vi.spyOn(terminal.live, 'send').mockReturnValue(running)
      await submit('New order')
      await confirm('Send LIVE order')
      await keys('Escape', 'Escape')
      expect(screen.queryByRole('form', { name: 'New order' })).toBeNull()
      terminal.replaceCommand(pane, parsed('KX-1 INTENT size=20'))
      await pass(100)
      requested.length = 0
      end(answer)
      await pass(100)
      expect(terminal.notice).toEqual(notice)
      expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Size' }).value).toBe('20')
      expect(screen.queryByRole('alert')).toBeNull()
      expect(requested.some((path) => path.startsWith('/api/portfolio/risk'))).toBe(true)
    },
  )

  it('states what is held, and what a sale realises', async () => {
    positions = [
      { marketId: 'KX-9', mode: 'paper', direction: 'yes', quantity: 1, avgPriceCents: 1 },
      { marketId: 'KX-1', mode: 'live', direction: 'yes', quantity: 2, avgPriceCents: 1 },
      { marketId: 'KX-1', mode: 'paper', direction: 'yes', quantity: 20, avgPriceCents: 40 },
    ]
    const { terminal } = await show(IntentsPane, 'KX-1 INTENT sell size=10', done)
    const effects = within(screen.getByRole('region', { name: 'Order preview' }))
    const value = (name: string) => effects.getByText(name).nextElementSibling?.textContent
    expect(value('You hold')).toBe('20 YES')
    expect(value('Proceeds after fees')).toBe('$4.02')
    expect(value('Realised')).toBe('+$0.02')
    expect(effects.queryByText('Max gain')).toBeNull()
    const run = vi.spyOn(terminal, 'run').mockReturnValue(null)
    if (effects.queryByRole('button', { name: 'Limits' }) !== null) await press('Limits')
    expect(run.mock.calls.flat()).toEqual([])
  })

  it('renews the lists and the account, once it is sent', async () => {
    const { terminal } = await show(IntentsPane, 'KX-1 INTENT no size=10', done)
    const refetch = vi.spyOn(terminal.live, 'refetch')
    await submit('New order')
    await confirm('Send paper order')
    const { live } = terminal
    const renewed = refetch.mock.calls.map(([source]) => source)
    for (const query of [queries.intents('all'), queries.intents('open'), queries.risk])
      expect(renewed).toContain(live.source(query as typeof queries.risk))
  })

  it('of the sample exchange states that no money is real', async () => {
    trading = 'live'
    const { terminal } = await show(IntentsPane, 'KX-1 INTENT no size=10')
    terminal.health.holdsSample = true
    await submit('New order')
    expect(screen.getByRole('alertdialog').textContent).toContain('the SAMPLE exchange')
  })

  it('without a market of the link group is a list', async () => {
    const page = pageUnderTest(answers)
    const pane = page.paneOf('. INTENT')
    render(IntentsPane, { terminal: page.terminal, pane })
    await pass(100)
    expect(pane.line).toBe('INTENT')
    expect(page.terminal.notice?.text).toBe('No market selected. Choose one first')
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

it('an order meets the market of now, also where its group shows a past instant', async () => {
  const { terminal, requested } = await show(IntentsPane, 'KX-1 INTENT buy yes')
  terminal.instants.A = '2026-11-19T10:00:00.000Z'
  await pass(1_000)
  const markets = requested.filter((path) => path.startsWith('/api/public/market/KX-1?'))
  expect(markets.length).toBeGreaterThan(0)
  expect(markets.filter((path) => path.includes('asOf'))).toEqual([])
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
    expect(pane.note).toBe('2')
    expect(await tableColumns()).toBe(
      'Time | Market | Side | Qty, right | Entry, right, hides 1 | Exit, right, hides 1 | Result, right | Fees, right, hides 3 | By, hides 2 | State, hides 2 | Reason, hides 4',
    )
    cleanup()
    expect(pane.visibleRows).toBeNull()
  })

  it('open their market, and are filtered', async () => {
    tradesInfo = { ...pageInfo, hasMore: true }
    const { pane, terminal, keys } = await show(TradesPane, 'TRADES')
    expect(pane.note).toBe('2+')
    expect(screen.getByText('The newest 2; augury portfolio trades reads all')).toBeTruthy()
    const open = vi.spyOn(terminal, 'openMarket').mockReturnValue()
    await keys('Home', 'Enter')
    expect(open.mock.calls).toEqual([[pane, 'KX-1', null]])
    const setArguments = vi.spyOn(terminal, 'setArguments').mockReturnValue()
    await press('intents')
    await press('closed')
    expect(setArguments.mock.calls).toEqual([
      [pane, { by: 'intents' }],
      [pane, { state: 'closed' }],
    ])
  })

  it.each([
    ['TRADES', 'No trades yet. Trades of intents and of the autopilot appear here.'],
    ['TRADES both closed', 'There are no closed trades.'],
  ])('%s: %s', async (line, text) => {
    trades = []
    const { pane } = await show(TradesPane, line)
    expect(screen.getByText(text)).toBeTruthy()
    expect(pane.note).toBe('')
  })

  it('of intents alone have a state too', async () => {
    const { requested, pane } = await show(TradesPane, 'TRADES intents closed')
    expect(requested).toContain('/api/portfolio/trades?status=closed&limit=200&envelope=true')
    expect(pane.visibleRows?.()).toMatchObject([{ source: 'intent' }])
  })
})
