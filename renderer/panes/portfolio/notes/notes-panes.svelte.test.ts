import '../../../testing/set-up-page.ts'
import { fireEvent, screen, within } from '@testing-library/svelte'
import type { Component } from 'svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Answer } from '../../../api/client.ts'
import type { Pane } from '../../../shell/dock/pane.svelte.ts'
import type { Terminal } from '../../../shell/terminal.svelte.ts'
import { pageUnderTest, refused, type Writes } from '../../../testing/page-under-test.ts'
import { marketRow } from '../../../testing/rows.ts'
import { AT, OWNER, renderSignedIn } from '../../../testing/signed-in.svelte.ts'
import { tableColumns } from '../../../testing/table-columns.ts'
import PlanPane from './PlanPane.svelte'
import { numberOrText, rowProblem, textOrNull } from './row-form.ts'
import ViewsPane from './ViewsPane.svelte'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

const pageInfo = { limit: 200, nextCursor: null, hasMore: false }
const market = marketRow({ ticker: 'KX-1', title: 'Rate cut?', bestBid: 42, bestAsk: 44 })
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

let views: readonly object[] = [view]
let rules: readonly object[] = [rule]
let markets: readonly object[] = [market]
afterEach(() => {
  views = [view]
  rules = [rule]
  markets = [market]
})
function answers(path: string): object | null {
  if (path.startsWith('/api/auth/me')) return OWNER
  if (path.includes('/markets')) return { markets, generatedAt: AT }
  if (path.includes('/views')) return { data: views, views, pageInfo }
  return path.includes('/strategy') ? { data: rules, strategies: rules, pageInfo } : null
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
const done: Writes = () => ({ ok: true, body: { id: 'vw_2' } })
const cells = () => screen.getAllByRole('gridcell').map(({ textContent }) => textContent.trim())
const type = (name: string, value: string) =>
  fireEvent.input(screen.getByRole('textbox', { name }), { target: { value } })
const submit = (name: string) => fireEvent.submit(screen.getByRole('form', { name }))
const strip = () => within(screen.getByRole('alertdialog'))
const confirm = async (name: string) => {
  await fireEvent.click(strip().getByRole('button', { name }))
  await pass(100)
}
const grid = () => screen.getByRole('grid')

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

  it.each([
    [{ direction: 'yes' }, [market], '44.0¢'],
    [{ direction: null }, [market], '44.0¢'],
    [{}, [{ ...market, bestBid: null }], '–'],
    [{}, [], '–'],
  ])('%j costs %s', async (change, known, text) => {
    views = [{ ...view, ...change }]
    markets = known
    await show(ViewsPane, 'VIEWS')
    expect(cells()[5]).toBe(text)
  })

  it.each([
    [{ horizon: '2026-11-20' }, 'active'],
    [{ horizon: '2026-11-19' }, 'ended'],
    [{ horizon: null }, 'active'],
    [{ horizon: null, active: false }, 'paused'],
  ])('%j is %s', async (change, state) => {
    views = [{ ...view, ...change }]
    await show(ViewsPane, 'VIEWS')
    expect(cells()[0]).toBe(state)
  })

  it('name what they lack, and request the prices of the first market of each', async () => {
    views = [
      { ...view, tickers: [], direction: null, horizon: null },
      { ...view, id: 'vw_2', tickers: ['KX-1'] },
    ]
    const { requested } = await show(ViewsPane, 'VIEWS')
    expect(cells().slice(3, 7)).toEqual(['–', '–', '–', '–'])
    expect(cells()[11]).toBe('Rate cut?')
    expect(requested.filter((path) => path.includes('KX-1'))).toHaveLength(1)
    expect(await tableColumns()).toBe(
      'State | View | Conviction, right | Side | Market, hides 2 | Ask, right, hides 1 | Until, right, hides 3',
    )
  })

  it('without rows explain what they are, and request no prices', async () => {
    views = []
    const { pane, requested } = await show(ViewsPane, 'VIEWS')
    expect(screen.getByText(/^No views yet/)).toBeTruthy()
    expect(pane.note).toBe('')
    expect(requested.filter((path) => path.includes('/markets'))).toEqual([])
  })

  it('have keys for their first market', async () => {
    const { terminal, pane, keys } = await show(ViewsPane, 'VIEWS')
    expect(document.activeElement).toBe(grid())
    const open = vi.spyOn(terminal, 'openMarket').mockReturnValue()
    await keys('Home', 'g')
    expect(open.mock.calls).toEqual([[pane, 'KX-1', 'GP']])
  })

  it('one has the market of the link group, and opens by a command', async () => {
    const { terminal, pane, keys } = await show(ViewsPane, 'VIEWS')
    terminal.focusMarket(pane.link, 'KX-7')
    terminal.setArguments(pane, { action: 'new' })
    await pass(50)
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Markets' })
    expect(field.value).toBe('KX-7')
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'View' }))
    await keys('Escape')
    expect(screen.queryByRole('form')).toBeNull()
    expect(pane.line).toBe('VIEWS')
    expect(document.activeElement).toBe(grid())
  })

  it('one is edited with a click on it; another row replaces the form', async () => {
    views = [view, { ...view, id: 'vw_2', title: 'Oil', tickers: ['KX-2'], category: 'energy' }]
    const { keys } = await show(ViewsPane, 'VIEWS')
    await fireEvent.click(screen.getByText('Rates fall'))
    const value = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name }).value
    expect(value('Markets')).toBe('KX-1, KX-2')
    expect(value('Until (optional)')).toBe('2026-11-01')
    expect(value('Why (optional)')).toBe('The labour market weakens')
    await keys('End', 'e')
    expect([value('Markets'), value('Category (optional)')]).toEqual(['KX-2', 'energy'])
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Side' }).value).toBe('no')
  })

  it('a failed pause or removal is reported, and the list is renewed', async () => {
    const { requested, terminal, keys } = await show(ViewsPane, 'VIEWS', () =>
      refused(409, 'CONFLICT', 'it is gone'),
    )
    requested.length = 0
    const renewed = () => requested.splice(0).filter((path) => path.includes('/views')).length
    await keys('Home', 'p')
    expect(terminal.notice).toEqual({ tone: 'error', text: 'It is gone.' })
    expect(renewed()).toBe(1)
    terminal.notice = null
    await keys('Delete')
    await confirm('Remove view')
    expect(terminal.notice).toEqual({ tone: 'error', text: 'It is gone.' })
    expect(renewed()).toBe(1)
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(document.activeElement).toBe(grid())
  })

  it('a removal can be cancelled, is sent once, and states what it did', async () => {
    const { terminal, keys } = await show(ViewsPane, 'VIEWS')
    await keys('Home', 'Delete')
    await confirm('Cancel')
    expect([screen.queryByRole('alertdialog'), document.activeElement]).toEqual([null, grid()])
    let end: (answer: Answer<object>) => void = () => {}
    const running = new Promise<Answer<object>>((resolve) => (end = resolve))
    const send = vi.spyOn(terminal.live, 'send').mockReturnValue(running)
    await keys('Delete')
    await confirm('Remove view')
    const button = strip().getByRole<HTMLButtonElement>('button', { name: 'Remove view' })
    expect(button.disabled).toBe(true)
    end({ ok: true, body: {} })
    await pass(50)
    expect(terminal.notice?.text).toBe('“Rates fall” was removed')
    expect(send).toHaveBeenCalledTimes(1)
    await keys('Delete')
    expect(strip().getByRole<HTMLButtonElement>('button', { name: 'Remove view' }).disabled).toBe(
      false,
    )
  })

  it('state what was saved, paused and resumed', async () => {
    const { terminal, keys } = await show(ViewsPane, 'VIEWS', done)
    await keys('Home', 'p')
    expect(terminal.notice?.text).toBe('“Rates fall” paused')
    views = [{ ...view, active: false }]
    await keys('e')
    await submit('Edit Rates fall')
    await pass(100)
    expect(terminal.notice?.text).toBe('The view was saved')
    expect(screen.queryByRole('form')).toBeNull()
    await keys('p')
    expect(terminal.notice?.text).toBe('“Rates fall” resumed')
    await keys('n')
    await type('View', 'Oil')
    await submit('New view')
    await pass(100)
    expect(terminal.notice?.text).toBe('The view was added')
  })

  it('a form is sent once, with Ctrl+Enter in its text as well', async () => {
    const { terminal, keys } = await show(ViewsPane, 'VIEWS')
    let end: (answer: Answer<object>) => void = () => {}
    const running = new Promise<Answer<object>>((resolve) => (end = resolve))
    const send = vi.spyOn(terminal.live, 'send').mockReturnValue(running)
    await keys('n')
    await type('View', 'Oil')
    const text = screen.getByRole('textbox', { name: 'Why (optional)' })
    // Enter alone is a new line; without the default the browser would insert one before it sends.
    expect(await fireEvent.keyDown(text, { key: 'Enter' })).toBe(true)
    expect(await fireEvent.keyDown(text, { key: 'a', ctrlKey: true })).toBe(true)
    expect(send).not.toHaveBeenCalled()
    expect(await fireEvent.keyDown(text, { key: 'Enter', ctrlKey: true })).toBe(false)
    expect(await fireEvent.keyDown(text, { key: 'Enter', metaKey: true })).toBe(false)
    expect(send).toHaveBeenCalledTimes(1)
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Add view' })
    expect(button.disabled).toBe(true)
    end(refused(500, null, 'down'))
    await pass(50)
    expect(button.disabled).toBe(false)
    // An error of the whole form is beside its button, which has the focus.
    expect(document.activeElement).toBe(button)
    expect(screen.getByRole('alert')).toBeTruthy()
    send.mockReturnValue(new Promise(() => {}))
    await submit('New view')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it.each([
    ['refused', refused(409, 'CONFLICT', 'it is gone'), 'New view: It is gone.'],
    ['saved', { ok: true, body: {} }, 'The view was added'],
  ] as const)(
    'one %s after its form was closed is reported, and the next form stays',
    async (...of) => {
      const [, answer, notice] = of
      const { terminal, keys } = await show(ViewsPane, 'VIEWS')
      let end: (answer: Answer<object>) => void = () => {}
      const running = new Promise<Answer<object>>((resolve) => (end = resolve))
      vi.spyOn(terminal.live, 'send').mockReturnValue(running)
      await keys('n')
      await type('View', 'Oil')
      await submit('New view')
      await keys('Escape')
      expect(screen.queryByRole('form')).toBeNull()
      await keys('n')
      await type('View', 'Gas')
      end(answer)
      await pass(50)
      expect(terminal.notice?.text).toBe(notice)
      expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'View' }).value).toBe('Gas')
      expect(screen.queryByRole('alert')).toBeNull()
    },
  )

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
    expect(await tableColumns()).toBe(
      'Priority, right | State | Name | Rule, hides 1 | Changed, right, hides 2',
    )
    // What is not a number is sent, so that the service rejects its field.
    expect(sent.at(-1)?.body).toEqual({ name: 'Follow', text: 'Buy after news', priority: 'x' })
  })
})

it.each([
  ['5', 5],
  [' 12 ', 12],
  ['5x', '5x'],
  ['', ''],
])('the number “%s” is sent as %j', (text, value) => {
  expect(numberOrText(text)).toBe(value)
})

it.each([
  [' ', null],
  [' a ', 'a'],
])('the text “%s” is sent as %j', (text, value) => {
  expect(textOrNull(text)).toBe(value)
})

it('an error belongs to a field only when the service names it', () => {
  const fields = [{ name: 'title', label: 'View', kind: 'line' }] as const
  const failure = { kind: 'refused', status: 400, code: null, retryAfter: null } as const
  const problem = (message: string, kind: 'refused' | 'limited' = 'refused') =>
    rowProblem({ ...failure, kind, message }, fields)
  expect(problem('title is required.')).toEqual({ field: 'title', text: 'View is required.' })
  expect(problem('title is required', 'limited').field).toBe('')
  expect(problem('name is required').field).toBe('')
})
