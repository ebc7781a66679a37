import '../../testing/set-up-page.ts'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Answer } from '../../api/client.ts'
import type { KillCondition } from '../../../backend/domain/theses/tree.ts'
import { pageUnderTest, refused } from '../../testing/page-under-test.ts'
import { tableColumns } from '../../testing/table-columns.ts'
import { showTheses } from '../../testing/theses-page.svelte.ts'
import {
  evaluationUnderTest,
  nodeUnderTest,
  strategyUnderTest,
  thesisUnderTest,
  trackRecordUnderTest,
} from '../../testing/theses.ts'
import NodeEditor from './NodeEditor.svelte'

// jsdom has no canvas.
vi.mock('../../charts/time-lines.ts', () => ({
  drawTimeLines: () => ({ show: () => {}, colour: () => {}, resize: () => {}, remove: () => {} }),
}))

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

const AT = '2026-11-20T10:00:00.000Z'
const ID = thesisUnderTest().id
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const press = (name: string) => fireEvent.click(button(name))
const type = (name: RegExp, value: string) =>
  fireEvent.input(screen.getByLabelText(name), { target: { value } })
const strip = () => within(screen.getByRole('alertdialog'))
function pending() {
  let end: (answer: Answer<object>) => void = () => {}
  const running = new Promise<Answer<object>>((resolve) => (end = resolve))
  return { running: running as never, end: (answer: Answer<object>) => end(answer) }
}
const failing = () => refused(409, 'CONFLICT', 'it is gone')
const plain = (text: string | null | undefined) => text?.replaceAll(/\s+/g, ' ').trim()

describe('edges of a thesis [terminal.theses.edges]', () => {
  const [edge] = thesisUnderTest().edgeAnalysis?.edges ?? []
  if (edge === undefined) throw new Error('no edge')
  const withEdges = (...edges: readonly object[]) => {
    const { edgeAnalysis } = thesisUnderTest()
    return [thesisUnderTest({ edgeAnalysis: { ...edgeAnalysis, edges } as never })]
  }
  const LINE = `THES ${ID} edges`

  it('state prices and why, and open their market', async () => {
    const other = {
      ...edge,
      marketId: 'KX-2',
      direction: 'no',
      rationale: 'The reverse.',
      relatedNodeId: null,
      derivation: { ...edge.derivation, polarity: -1 },
    }
    const done = { ...edge, marketId: 'KX-3', settled: true, rationale: 'Settled.' }
    const open = { ...done, marketId: 'KX-4', settled: false, rationale: 'Open.' }
    const unknown = { ...open, derivation: { ...edge.derivation, shift: null } }
    const { terminal, pane, keys } = await showTheses(LINE, {
      theses: withEdges(edge, other, done, unknown),
    })
    const why = () => plain(screen.getByRole('region', { name: 'Why' }).textContent)
    expect(why()).toBe('Asks condition n1. A confidence of 60% moves its price by +10.0¢.')
    await keys('Home', 'j')
    expect(why()).toBe(
      'The reverse. A confidence of 60% moves its price by +10.0¢, the other way round.',
    )
    await keys('j')
    expect(why()).toBe('Settled.')
    await keys('j')
    expect(why()).toBe('Open.')
    expect(pane.visibleRows?.()).toHaveLength(4)
    const openMarket = vi.spyOn(terminal, 'openMarket').mockReturnValue()
    await keys('Home', 'Enter', 'g')
    await fireEvent.click(screen.getAllByText('YES')[0] as HTMLElement)
    expect(openMarket.mock.calls).toEqual([
      [pane, edge.marketId, 'DES'],
      [pane, edge.marketId, 'GP'],
      [pane, edge.marketId, null],
    ])
    expect(screen.getAllByText('settled')).toHaveLength(1)
    expect(await tableColumns()).toBe(
      'Market | V, hides 2 | Side | Market, right | Thesis, right | Edge, right | After costs, right | Node, hides 1',
    )
    cleanup()
    expect(pane.visibleRows).toBeNull()
  })

  it('have a column for edits only with some', async () => {
    const { terminal, pane } = await showTheses(`THES ${ID}`)
    const slider = screen.getByRole('slider', { name: 'Probability of Condition n1' })
    await fireEvent.input(slider, { target: { value: '30' } })
    terminal.setArguments(pane, { part: 'edges' })
    await pass(50)
    expect(await tableColumns()).toBe(
      'Market | V, hides 2 | Side | Market, right | Thesis, right | Edge, right | If, right | After costs, right | Node, hides 1',
    )
  })

  it('that were not computed are not counted', async () => {
    await showTheses(LINE, { theses: [thesisUnderTest({ edgeAnalysis: null })] })
    expect(screen.getByText(/^The edges of this thesis were not computed yet/)).toBeTruthy()
  })

  it('none state how many markets were compared', async () => {
    await showTheses(LINE, { theses: withEdges() })
    expect(plain(screen.getByText(/^No market differs/).textContent)).toContain(
      '4 markets were compared.',
    )
  })
})

describe('the track record of a thesis', () => {
  const LINE = `THES ${ID} edges`
  it.each([
    [trackRecordUnderTest({ closedEdges: 0 }), 'No track record yet'],
    [trackRecordUnderTest(), '1 settled edge '],
    [trackRecordUnderTest({ closedEdges: 2, avgReturnPct: -3 }), '2 settled edges'],
  ])('%#', async (trackRecord, text) => {
    await showTheses(LINE, { trackRecord })
    const record = screen.getByRole('region', { name: 'Track record' })
    expect(plain(record.textContent)).toContain(text.trim())
    const result = within(record).queryByText(/^[+−]3/)
    if (result !== null) {
      expect(result.classList.contains('up')).toBe((trackRecord.avgReturnPct ?? 0) > 0)
      expect(result.classList.contains('down')).toBe((trackRecord.avgReturnPct ?? 0) < 0)
    }
  })

  it('is read only while it is shown', async () => {
    const { requested, pane, terminal } = await showTheses(`THES ${ID}`)
    pane.visible = false
    terminal.setArguments(pane, { part: 'edges' })
    await pass(100)
    expect(requested.some((path) => path.includes('/context'))).toBe(false)
  })
})

describe('the fields of a condition', () => {
  const kill = (change: Partial<KillCondition> = {}): KillCondition => ({
    text: 'It fails',
    op: 'prob_below',
    ticker: null,
    value: 0.1,
    ...change,
  })
  function show(change: Parameters<typeof nodeUnderTest>[3] = {}) {
    const { terminal, paneOf } = pageUnderTest(() => null)
    const pane = paneOf(`THES ${ID}`)
    const onchange = vi.fn()
    const oncommit = vi.fn()
    const node = nodeUnderTest('n1', 0.6, 0.7525, { tickers: ['KXFED'], ...change })
    render(NodeEditor, {
      terminal,
      pane,
      node,
      canAdd: true,
      canRemove: true,
      onchange,
      oncommit,
      onadd: () => {},
      onremove: () => {},
    })
    return { terminal, pane, edits: () => onchange.mock.calls.flat(), oncommit }
  }
  const choose = (name: RegExp, value: string) =>
    fireEvent.change(screen.getByLabelText(name), { target: { value } })

  it.each([
    ['prob_below', { op: 'prob_below', value: 0.1, ticker: null }],
    ['prob_above', { op: 'prob_above', value: 0.1, ticker: null }],
    ['price_below', { op: 'price_below', value: 10, ticker: 'KXFED' }],
    ['price_above', { op: 'price_above', value: 10, ticker: 'KXFED' }],
    ['text', { op: 'text', value: null, ticker: null }],
  ])('a kill condition %s begins with %j', async (op, killCondition) => {
    const { edits, oncommit } = show()
    await choose(/^Ends the thesis when/, op)
    expect(edits()).toEqual([{ killCondition: { text: 'Condition n1 fails', ...killCondition } }])
    expect(oncommit).toHaveBeenCalledTimes(1)
  })

  it('a kill condition of no market has no ticker, and is removed', async () => {
    const { edits, oncommit } = show({ killCondition: kill(), tickers: [] })
    await choose(/^Ends the thesis when/, 'price_below')
    await choose(/^Ends the thesis when/, '')
    expect(edits()).toEqual([
      { killCondition: kill({ op: 'price_below', value: 10 }) },
      { killCondition: null },
    ])
    expect(oncommit).toHaveBeenCalledTimes(2)
  })

  it.each([
    ['prob_below', '25', 0.25],
    ['prob_below', '150', 1],
    ['price_below', '25', 25],
    ['price_below', '-5', 0],
    ['price_above', '150', 100],
  ] as const)('the threshold of %s typed as %s is %f', async (op, text, value) => {
    const { edits } = show({ killCondition: kill({ op, value: 0.5 }) })
    await type(/^Threshold/, text)
    expect(edits()).toEqual([{ killCondition: kill({ op, value }) }])
  })

  it.each([0.57, 0.07, 0.125])('the threshold %f is shown in percent', (value) => {
    show({ killCondition: kill({ value }) })
    const field = screen.getByLabelText<HTMLInputElement>(/^Threshold/)
    expect(field.value).toBe(String(Math.round(value * 1_000) / 10))
  })

  it('texts and thresholds that are empty change nothing', async () => {
    const { edits } = show({ killCondition: kill() })
    expect(screen.getByLabelText<HTMLInputElement>(/^Threshold/).value).toBe('10')
    await type(/^Threshold/, ' ')
    await type(/^Weight/, ' ')
    await type(/^Condition/, ' ')
    await type(/^Kill condition in words/, ' ')
    expect(edits()).toEqual([])
    await type(/^Condition/, 'Jobs')
    await type(/^Kill condition in words/, 'Jobs rise')
    expect(edits()).toEqual([{ label: 'Jobs' }, { killCondition: kill({ text: 'Jobs rise' }) }])
  })

  it('a note has no threshold, a price has cents', () => {
    show({ killCondition: kill({ op: 'text', value: null }) })
    expect(screen.queryByLabelText(/^Threshold/)).toBeNull()
    cleanup()
    show({ killCondition: kill({ op: 'price_below', value: 12 }) })
    expect(screen.getByLabelText<HTMLInputElement>(/^Threshold/).value).toBe('12')
  })

  it.each([
    ['30', 0.3],
    ['-1', 0],
    ['101', 1],
  ])('a weight typed as %s is %f', async (text, importance) => {
    const { edits } = show()
    const field = screen.getByLabelText<HTMLInputElement>(/^Weight/)
    expect(field.value).toBe('75.3')
    await type(/^Weight/, text)
    expect(edits()).toEqual([{ importance }])
  })

  it.each([
    ['yes', 'yes'],
    ['no', 'no'],
    ['', null],
  ])('the outcome “%s” is %s', async (word, outcome) => {
    const { edits, oncommit } = show({ outcome: outcome === null ? 'yes' : null })
    await choose(/^Outcome/, word)
    expect(edits()).toEqual([{ outcome }])
    expect(oncommit).toHaveBeenCalledTimes(1)
  })

  it('it is locked, and its markets open', async () => {
    const { edits, oncommit, terminal, pane } = show()
    await fireEvent.click(screen.getByRole('checkbox', { name: /^Locked/ }))
    expect([edits(), oncommit.mock.calls.length]).toEqual([[{ locked: true }], 1])
    const open = vi.spyOn(terminal, 'openMarket').mockReturnValue()
    await press('KXFED')
    expect(open.mock.calls).toEqual([[pane, 'KXFED', null]])
  })
})

describe('the graph of a thesis [terminal.theses.tree]', () => {
  it('shows the claim and each condition with its probability', async () => {
    const nodes = [
      nodeUnderTest('n1', 0.6, 0.75, { locked: true }),
      nodeUnderTest('n2', 0.4, 0.25, {
        killCondition: { text: 'x', op: 'text', ticker: null, value: null },
      }),
    ]
    const { causalTree } = thesisUnderTest()
    await showTheses(`THES ${ID} graph`, {
      theses: [thesisUnderTest({ causalTree: { ...causalTree, nodes } as never })],
    })
    const image = screen.getByRole('img')
    expect(image.getAttribute('aria-label')).toBe(
      'The Fed will cut rates by December 2026: 55%. n1 Condition n1: 60%. n2 Condition n2: 40%',
    )
    const boxes = [...document.querySelectorAll('.box')].map(({ textContent }) =>
      plain(textContent),
    )
    expect(boxes).toEqual([
      'The Fed will cut rates by December 2026 55%',
      '⚿ Condition n1 60%',
      'Condition n2 40% · kill',
    ])
    const weights = [...image.querySelectorAll('path')].map((path) =>
      path.getAttribute('stroke-width'),
    )
    expect(weights).toEqual(['4', '2'])
  })
})

describe('the heartbeat of a thesis [terminal.theses.heartbeat]', () => {
  const beat = (change: object = {}, config: object = {}) => ({
    config: {
      mode: 'active',
      paused: false,
      closedLoop: false,
      newsIntervalMin: 30,
      xIntervalMin: 15,
      monthlyBudgetUsd: 5,
      ...config,
    },
    pausedReason: null,
    lastRunAt: AT,
    nextRunAt: null,
    lastError: null,
    costs: { monthlyTotal: 1.5, llmCalls: 3, budgetNote: null },
    sources: { news: { note: null }, social: { note: 'No account' } },
    ...change,
  })
  let body: object = beat()
  afterEach(() => void (body = beat()))
  const show = (write?: Parameters<typeof showTheses>[1]) =>
    showTheses(`THES ${ID} heartbeat`, {
      read: (path) => (path.includes('/heartbeat') ? structuredClone(body) : null),
      ...write,
    })
  const page = () => plain(screen.getByRole('region', { name: 'Heartbeat' }).textContent)
  const box = (name: RegExp) => screen.getByRole<HTMLInputElement>('checkbox', { name })

  it.each([
    [beat(), 'Running. Every 15 minutes'],
    [beat({}, { mode: 'paused' }), 'Paused. Every'],
    [
      beat({ pausedReason: 'budget' }, { mode: 'paused' }),
      'Paused: the budget of the month is spent. Every',
    ],
    [beat({}, { newsIntervalMin: 5 }), 'Every 5 minutes'],
    [beat(), '$1.50 of $5.00, 3 model calls'],
    [beat({}, { monthlyBudgetUsd: 0 }), '$1.50, no limit'],
    [beat({ lastError: 'no key' }), 'Last run: no key'],
    [beat(), 'News is scanned. No account'],
  ])('%#: %s', async (served, text) => {
    body = served
    await show()
    expect(page()).toContain(text)
  })

  it('is paused and resumed, once at a time', async () => {
    const { terminal, requested } = await show()
    const { running, end } = pending()
    const send = vi.spyOn(terminal.live, 'send').mockReturnValue(running)
    await press('Pause heartbeat')
    expect(button('Pause heartbeat').disabled).toBe(true)
    requested.length = 0
    body = beat({}, { mode: 'paused', paused: true })
    end({ ok: true, body: {} })
    await pass(50)
    expect(terminal.notice).toEqual({ tone: 'info', text: 'Heartbeat paused' })
    expect(requested.filter((path) => path.includes('/heartbeat'))).toHaveLength(1)
    expect(button('Resume heartbeat').disabled).toBe(false)
    await press('Resume heartbeat')
    await pass(50)
    expect(terminal.notice?.text).toBe('Heartbeat resumed')
    expect(send.mock.calls.map(([method, path, sent]) => [method, path, sent])).toEqual([
      ['PATCH', `/api/thesis/${ID}/heartbeat`, { paused: true }],
      ['PATCH', `/api/thesis/${ID}/heartbeat`, { paused: false }],
    ])
  })

  it.each([
    [false, [false, false]],
    [true, [true, true]],
    [{ entry: true, exit: false }, [true, false]],
  ])('trades strategies: %j', async (closedLoop, checked) => {
    body = beat({}, { closedLoop })
    const { sent, terminal } = await show()
    expect([box(/^Buy/).checked, box(/^Sell/).checked]).toEqual(checked)
    await fireEvent.click(box(/^Sell/))
    await pass(20)
    const [entry, exit] = checked
    expect(sent[0]?.body).toEqual({ closedLoop: { entry, exit: exit !== true } })
    expect(terminal.notice?.text).toBe(
      `Heartbeat sells for strategies turned ${exit === true ? 'off' : 'on'}`,
    )
  })

  it('a box shows what the service has after a refusal', async () => {
    const { terminal } = await show({ write: failing })
    await fireEvent.click(box(/^Buy/))
    await pass(20)
    expect([box(/^Buy/).checked, terminal.notice]).toEqual([
      false,
      { tone: 'error', text: 'It is gone.' },
    ])
  })

  it('buys are named in the notice', async () => {
    const { terminal } = await show()
    await fireEvent.click(box(/^Buy/))
    await pass(20)
    expect(terminal.notice?.text).toBe('Heartbeat buys for strategies turned on')
  })
})

describe('the history of a thesis [terminal.theses.history]', () => {
  const LINE = `THES ${ID} history`
  it('shows what each evaluation read and changed, and the price of a market', async () => {
    const evaluations = [
      evaluationUnderTest({
        model: 'manual',
        cost: { ...evaluationUnderTest().cost, usd: 0.25 },
        updatedNodes: [
          {
            nodeId: 'n1',
            label: 'Jobs',
            previousProbability: 0.4,
            newProbability: 0.5,
            reason: 'They fell.',
          },
        ] as never,
        events: [{ title: 'Jobs report', source: 'BLS' }] as never,
        corrections: ['clamped'],
        killConditions: [
          { nodeId: 'n1', triggered: true, text: 'Jobs rise', evidence: 'They rose' },
          { nodeId: 'n2', triggered: false, text: 'Not met', evidence: null },
        ] as never,
        positionUpdates: [{ positionId: 'p1', recommendation: 'hold', reason: 'why' }] as never,
      }),
      evaluationUnderTest({ id: 'ev_0', previousConfidence: null, confidenceDelta: -0.05 }),
    ]
    const edges = thesisUnderTest().edgeAnalysis?.edges ?? []
    const { requested } = await showTheses(LINE, {
      evaluations,
      theses: [
        thesisUnderTest({
          edgeAnalysis: {
            ...thesisUnderTest().edgeAnalysis,
            edges: [...edges, { ...edges[0], marketId: 'KX-2', marketTitle: 'Another?' }],
          } as never,
        }),
      ],
    })
    const [first, second] = screen
      .getByRole('region', { name: /^Evaluations/ })
      .querySelectorAll('ol > li')
    const text = plain(first?.textContent)
    for (const part of [
      '55% +5 pp your edit, $0.25',
      'Jobs: 40% → 50%. They fell.',
      'Jobs report (BLS)',
      'clamped',
      'Kill condition met: Jobs rise. They rose',
      'hold, why',
    ])
      expect(text).toContain(part)
    expect(text).not.toContain('Not met')
    expect(plain(second?.textContent)).toContain('55% rules-1 ')
    expect(plain(second?.textContent)).not.toContain('pp')
    expect(screen.getByRole('img', { name: /^2 evaluations; confidence/ })).toBeTruthy()
    const candles = () =>
      requested.filter((path) => path.includes('candles') || path.includes('/history'))
    expect(candles().some((path) => path.includes('KXFED-26DEC'))).toBe(true)
    await fireEvent.change(screen.getByRole('combobox', { name: 'Market of the chart' }), {
      target: { value: 'KX-2' },
    })
    await pass(100)
    expect(candles().some((path) => path.includes('KX-2'))).toBe(true)
  })

  it('without evaluations has no chart', async () => {
    await showTheses(LINE, { evaluations: [] })
    expect(screen.getByText('No evaluations yet.')).toBeTruthy()
    expect(screen.queryByRole('img')).toBeNull()
  })

  it('is read only while it is shown', async () => {
    const { requested, pane, terminal } = await showTheses(`THES ${ID} graph`)
    pane.visible = false
    requested.length = 0
    terminal.setArguments(pane, { part: 'history' })
    await pass(100)
    expect(requested).toEqual([])
    expect(screen.getByText('Loading evaluations')).toBeTruthy()
  })
})

it.each([
  ['heartbeat', 'the heartbeat'],
  ['history', 'evaluations'],
  ['signals', 'evaluations'],
])('the section %s states why it could not be loaded', async (part, what) => {
  await showTheses(`THES ${ID} ${part}`, { evaluations: 'unreadable' })
  expect(screen.getByText(`Could not load ${what}. It is gone (409).`)).toBeTruthy()
})

describe('the signals of a thesis [terminal.theses.signals]', () => {
  const LINE = `THES ${ID} signals`
  const note = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: /^Evidence/ })

  it('are sent once with their type, condition and link, with Ctrl+Enter as well', async () => {
    const { terminal } = await showTheses(LINE)
    const { running, end } = pending()
    const send = vi.spyOn(terminal.live, 'send').mockReturnValue(running)
    await fireEvent.submit(screen.getByRole('form'))
    await type(/^Evidence/, ' ')
    await fireEvent.submit(screen.getByRole('form'))
    expect([send.mock.calls, button('Add signal').disabled]).toEqual([[], true])
    await type(/^Evidence/, 'Jobs fell')
    await fireEvent.change(screen.getByLabelText(/^Type/), { target: { value: 'news' } })
    await fireEvent.change(screen.getByLabelText('Condition'), { target: { value: 'n1.1' } })
    await type(/^Link/, ' https://bls.gov ')
    expect(await fireEvent.keyDown(note(), { key: 'Enter' })).toBe(true)
    expect(await fireEvent.keyDown(note(), { key: 'b', ctrlKey: true })).toBe(true)
    expect(send).not.toHaveBeenCalled()
    expect(await fireEvent.keyDown(note(), { key: 'Enter', ctrlKey: true })).toBe(false)
    expect(await fireEvent.keyDown(note(), { key: 'Enter', metaKey: true })).toBe(false)
    expect(send.mock.calls).toEqual([
      [
        'POST',
        `/api/thesis/${ID}/signal`,
        {
          type: 'news',
          content: 'Jobs fell',
          source: 'user',
          nodeId: 'n1.1',
          url: 'https://bls.gov',
        },
      ],
    ])
    expect(button('Add signal').disabled).toBe(true)
    end({ ok: true, body: { pending: 1 } })
    await pass(20)
    expect(screen.getByText('1 signal pending until the next evaluation')).toBeTruthy()
    const link = screen.getByLabelText<HTMLInputElement>(/^Link/)
    expect([note().value, link.value]).toEqual(['', ''])
    await press('Evaluate now')
    expect(screen.getByRole('alertdialog', { name: 'Evaluate' })).toBeTruthy()
  })

  it('a refusal keeps the text, and is cleared by the next attempt', async () => {
    let answer: object = failing()
    const { sent } = await showTheses(LINE, { write: () => answer })
    await type(/^Evidence/, 'Jobs fell')
    await fireEvent.submit(screen.getByRole('form'))
    await pass(20)
    expect([screen.getByRole('alert').textContent, note().value]).toEqual([
      'It is gone.',
      'Jobs fell',
    ])
    expect(button('Add signal').disabled).toBe(false)
    answer = { pending: 2 }
    await fireEvent.submit(screen.getByRole('form'))
    await pass(20)
    expect(screen.queryByRole('alert')).toBeNull()
    expect(sent[1]?.body).toEqual({ type: 'user_note', content: 'Jobs fell', source: 'user' })
  })

  it('that evaluations read are listed', async () => {
    const signal = { id: 's1', type: 'user_note', source: 'user', content: 'Jobs fell' }
    await showTheses(LINE, {
      evaluations: [evaluationUnderTest({ signalsConsumed: [signal] as never })],
    })
    const list = screen.getByRole('list', { name: /^Signals that evaluations read/ })
    expect(plain(list.textContent)).toContain('user note, user Jobs fell')
    cleanup()
    await showTheses(LINE)
    expect(screen.getByText('No evaluation has read a signal yet.')).toBeTruthy()
  })
})

describe('the publication of a thesis [terminal.theses.publication]', () => {
  const LINE = `THES ${ID} publication`
  const slug = () => screen.getByLabelText<HTMLInputElement>(/^Address/)

  it('is sent once with its description, and reported with its address', async () => {
    const { terminal, requested } = await showTheses(LINE)
    expect(screen.getByText(/It is private now\.$/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Unpublish' })).toBeNull()
    const { running, end } = pending()
    const send = vi.spyOn(terminal.live, 'send').mockReturnValue(running)
    await type(/^Address/, 'No Slug')
    expect(slug().getAttribute('aria-invalid')).toBe('true')
    await fireEvent.submit(screen.getByRole('form'))
    expect(send).not.toHaveBeenCalled()
    await type(/^Address/, 'cut-soon')
    await type(/^Description/, ' Why ')
    const preview = within(screen.getByRole('region', { name: 'Preview' }))
    expect(preview.getByText('Why')).toBeTruthy()
    await fireEvent.submit(screen.getByRole('form'))
    await fireEvent.submit(screen.getByRole('form'))
    expect(send.mock.calls).toEqual([
      ['POST', `/api/thesis/${ID}/publish`, { slug: 'cut-soon', description: 'Why' }],
    ])
    expect(button('Publish').disabled).toBe(true)
    requested.length = 0
    end({ ok: true, body: { url: 'http://x/thesis/cut-soon' } })
    await pass(50)
    expect(terminal.notice?.text).toBe('Public at http://x/thesis/cut-soon')
    expect(requested.filter((path) => path === `/api/thesis/${ID}`)).toHaveLength(1)
    expect(button('Publish').disabled).toBe(false)
  })

  it('a refusal is beside the button until the next attempt', async () => {
    let answer: object = failing()
    const { terminal } = await showTheses(LINE, { write: () => answer })
    await fireEvent.submit(screen.getByRole('form'))
    await pass(20)
    expect(screen.getByRole('alert').textContent).toBe('It is gone.')
    expect([terminal.notice, button('Publish').disabled]).toEqual([null, false])
    answer = { url: 'http://x' }
    await fireEvent.submit(screen.getByRole('form'))
    await pass(20)
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it.each([
    ['ab', true],
    ['abc', false],
    ['a'.repeat(60), false],
    ['a'.repeat(121), true],
    ['a--b', true],
  ])('the address %s is invalid: %s', async (text, invalid) => {
    await showTheses(LINE)
    await type(/^Address/, text)
    expect(slug().getAttribute('aria-invalid')).toBe(String(invalid))
  })

  it('shows what is public, without settled edges', async () => {
    const { edgeAnalysis } = thesisUnderTest()
    const [edge] = edgeAnalysis?.edges ?? []
    const edges = [edge, { ...edge, marketId: 'KX-2', marketTitle: 'Settled?', settled: true }]
    const thesis = thesisUnderTest({
      published: true,
      publishedAt: AT,
      publicUrl: 'http://x/thesis/cut',
      slug: 'cut',
      description: 'Because',
      edgeAnalysis: { ...edgeAnalysis, edges } as never,
    })
    await showTheses(LINE, { theses: [thesis] })
    expect([slug().value, screen.getByRole('link').getAttribute('href')]).toEqual([
      'cut',
      '/thesis/cut',
    ])
    const preview = within(screen.getByRole('region', { name: 'Preview' }))
    expect(preview.getByText('Because')).toBeTruthy()
    const items = (name: string) =>
      within(preview.getByRole('list', { name }))
        .getAllByRole('listitem')
        .map((item) => plain(item.textContent))
    expect(items('Public conditions')).toEqual([
      'Condition n1: 60%',
      'Condition n1.1: 50%',
      'Condition n2: 40%',
    ])
    expect(items('Public edges')).toEqual([
      'Will the Fed cut? market 50.0¢, thesis 60.0¢, edge +10.0¢',
    ])
    expect(button('Publish again')).toBeTruthy()
    await press('Unpublish')
    expect(screen.getByRole('alertdialog', { name: 'Unpublish' })).toBeTruthy()
  })
})

describe('strategies of a thesis [terminal.theses.strategies]', () => {
  const LINE = `THES ${ID} strategies`
  const show = (strategies: readonly object[], write?: () => object) =>
    showTheses(LINE, {
      theses: [thesisUnderTest({ strategies: strategies as never })],
      ...(write !== undefined && { write }),
    })

  it('show entries and sizes', async () => {
    await show([
      strategyUnderTest({ entryAbove: 70, stopLoss: 30, takeProfit: 80.5 }),
      strategyUnderTest({ id: 'str_2', status: 'watching', entryBelow: null, entryAbove: 70 }),
    ])
    const cells = screen.getAllByRole('gridcell').map(({ textContent }) => plain(textContent))
    expect(cells.slice(0, 8).join(' | ')).toBe(
      'active | Will the Fed cut? | YES | ≤ 60.0¢ ≥ 70.0¢ | 30.0¢ | 80.5¢ | 50 / 500 | 50',
    )
    expect(cells.slice(8).join(' | ')).toBe(
      'paused | Will the Fed cut? | YES | ≥ 70.0¢ | – | – | 50 / 500 | 50',
    )
    expect(await tableColumns()).toBe(
      'State | Market | Side | Entry, right | Stop, right, hides 2 | Target, right, hides 2 | Order, right, hides 1 | Priority, right, hides 3',
    )
  })

  it('one that has ended cannot be changed', async () => {
    const { keys, terminal } = await show([strategyUnderTest({ status: 'executed' })])
    await keys('Home', 'Enter')
    expect(terminal.notice).toEqual({
      tone: 'error',
      text: 'The strategy is executed and cannot change; add a new one',
    })
    expect(screen.queryByRole('form')).toBeNull()
  })

  it('one is changed, and paused or removed from its form', async () => {
    const { keys, sent, terminal, requested } = await show([strategyUnderTest()])
    await keys('Home', 'Enter')
    expect(screen.getByRole('form', { name: 'Strategy for Will the Fed cut?' })).toBeTruthy()
    expect(screen.queryByLabelText('Market')).toBeNull()
    await type(/^Priority/, '60')
    await press('Check strategy')
    requested.length = 0
    await fireEvent.submit(strip().getByRole('button', { name: 'Save strategy' }))
    await pass(50)
    expect(sent[0]).toMatchObject({
      method: 'PATCH',
      path: `/api/thesis/${ID}/strategies/str_1`,
      body: { priority: 60 },
    })
    expect(requested.filter((path) => path === `/api/thesis/${ID}`)).toHaveLength(1)
    expect(terminal.notice?.text).toBe('The strategy was saved')
    expect(screen.queryByRole('form')).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('grid'))
    await keys('Enter')
    const line = screen.getByText('YES of Will the Fed cut?').closest('.pane-line') as HTMLElement
    await fireEvent.click(within(line).getByRole('button', { name: 'Pause' }))
    await pass(20)
    expect(sent[1]?.body).toEqual({ status: 'watching' })
    expect(screen.queryByRole('form')).toBeNull()
    await keys('Enter')
    await press('Remove')
    expect(screen.queryByRole('form')).toBeNull()
    await fireEvent.click(strip().getByRole('button', { name: 'Cancel' }))
    await pass(20)
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('grid'))
  })

  it('one that is edited after its review is reviewed again', async () => {
    const { keys, sent } = await show([strategyUnderTest()])
    await keys('Home', 'Enter')
    await press('Check strategy')
    expect(screen.getByRole('alertdialog').textContent).toContain('at or below 60.0¢')
    await type(/^Buy at or below/, '90')
    expect(screen.queryByRole('alertdialog')).toBeNull()
    await press('Check strategy')
    expect(screen.getByRole('alertdialog').textContent).toContain('at or below 90.0¢')
    expect(sent).toEqual([])
  })

  it('one that is paused is resumed', async () => {
    const { keys, sent, terminal } = await show([strategyUnderTest({ status: 'watching' })])
    await keys('Home', 'z')
    expect(sent[0]?.body).toEqual({ status: 'active' })
    expect(terminal.notice).toEqual({
      tone: 'info',
      text: 'The strategy was resumed: ticks follow it',
    })
  })

  it('errors are reported, and the thesis is read again', async () => {
    const { keys, terminal, requested } = await show([strategyUnderTest()], failing)
    requested.length = 0
    await keys('Home', 'z')
    expect(terminal.notice).toEqual({ tone: 'error', text: 'It is gone.' })
    expect(requested.splice(0).filter((path) => path === `/api/thesis/${ID}`)).toHaveLength(1)
    terminal.notice = null
    await keys('Delete')
    await fireEvent.submit(strip().getByRole('button', { name: 'Remove strategy' }))
    await pass(20)
    expect(terminal.notice).toEqual({ tone: 'error', text: 'It is gone.' })
    expect(requested.filter((path) => path === `/api/thesis/${ID}`)).toHaveLength(1)
    expect(document.activeElement).toBe(screen.getByRole('grid'))
  })

  it('a removal is sent once', async () => {
    const { keys, terminal } = await show([strategyUnderTest()])
    const { running, end } = pending()
    vi.spyOn(terminal.live, 'send').mockReturnValue(running)
    await keys('Home', 'Delete')
    const confirm = strip().getByRole<HTMLButtonElement>('button', { name: 'Remove strategy' })
    await fireEvent.submit(confirm)
    await pass(20)
    expect(confirm.disabled).toBe(true)
    end({ ok: true, body: {} })
    await pass(20)
    expect(terminal.notice?.text).toBe('The strategy was removed')
    await keys('Delete')
    expect(
      strip().getByRole<HTMLButtonElement>('button', { name: 'Remove strategy' }).disabled,
    ).toBe(false)
  })

  it.each([
    [refused(404, 'NOT_FOUND', 'no market'), 'No market has this ticker.', /^Market/],
    [
      refused(400, 'BAD_REQUEST', 'priority must be less'),
      'Priority, 0 to 100, high first must',
      /^Priority/,
    ],
  ])('a new one that the service refuses: %#', async (answer, text, field) => {
    const { keys } = await show([], () => answer)
    await keys('a')
    await type(/^Buy at or below/, '60')
    await press('Check strategy')
    await fireEvent.submit(strip().getByRole('button', { name: 'Add strategy' }))
    await pass(50)
    expect(screen.getByRole('alert').textContent).toContain(text)
    expect(document.activeElement).toBe(screen.getByLabelText(field))
  })

  it('a new one is reported', async () => {
    const { keys, terminal } = await show([])
    expect(screen.getByText(/^No strategies yet/)).toBeTruthy()
    await keys('a')
    await type(/^Buy at or below/, '60')
    await press('Check strategy')
    await fireEvent.submit(strip().getByRole('button', { name: 'Add strategy' }))
    await pass(50)
    expect(terminal.notice?.text).toBe('The strategy was added')
    expect(document.activeElement?.textContent).toBe('New strategy')
  })
})
