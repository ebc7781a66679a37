import '../../testing/set-up-page.ts'
import { cleanup, fireEvent, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Answer } from '../../api/client.ts'
import { thesisCommand } from '../../shell/commands/theses/thesis-view.ts'
import { refused } from '../../testing/page-under-test.ts'
import { tableColumns } from '../../testing/table-columns.ts'
import { showTheses } from '../../testing/theses-page.svelte.ts'
import { thesisUnderTest } from '../../testing/theses.ts'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

const ID = thesisUnderTest().id
const cells = () => screen.getAllByRole('gridcell').map(({ textContent }) => textContent.trim())
const grid = () => screen.getByRole('grid')
const lists = (requested: readonly string[]) =>
  requested.filter((path) => path.startsWith('/api/thesis?')).length

describe('the list of theses [terminal.theses.list]', () => {
  it('shows changes, edges and horizons, and exports its rows', async () => {
    const { pane } = await showTheses('THES', {
      theses: [
        thesisUnderTest({ previousConfidence: 0.5, published: true }),
        thesisUnderTest({ id: 'b', previousConfidence: 0.6, horizon: null }),
        thesisUnderTest({ id: 'c', confidence: null }),
      ],
    })
    expect(pane.note).toBe('3')
    expect(cells().slice(1, 6)).toEqual(['active', '55%', '+5 pp', '1', '2026-12-31'])
    expect(cells().slice(8, 13)).toEqual(['active', '55%', '−5 pp', '1', '–'])
    expect(cells().slice(15, 18)).toEqual(['active', '–', '–'])
    const tone = (text: string) => screen.getByText(text).className
    expect([tone('+5 pp'), tone('−5 pp')]).toEqual([
      expect.stringContaining('up'),
      expect.stringContaining('down'),
    ])
    expect(pane.visibleRows?.()).toHaveLength(3)
    expect(await tableColumns()).toBe(
      'Thesis | Status | Conf, right | Chg, right, hides 1 | Edges, right, hides 2 | Horizon, hides 3 | Changed, hides 4',
    )
    cleanup()
    expect(pane.visibleRows).toBeNull()
  })

  it('opens a thesis, and the form of a new one', async () => {
    const { terminal, keys } = await showTheses('THES')
    const execute = vi.spyOn(terminal, 'execute').mockReturnValue(undefined)
    await keys('Home', 'Enter', 'n')
    await fireEvent.click(screen.getByRole('button', { name: 'New thesis' }))
    expect(execute.mock.calls).toEqual([
      [thesisCommand({ id: ID })],
      [thesisCommand({ action: 'new' })],
      [thesisCommand({ action: 'new' })],
    ])
  })

  it('empty offers the form', async () => {
    const { pane, terminal } = await showTheses('THES', { theses: [] })
    expect(screen.getByText(/^No theses yet/)).toBeTruthy()
    expect(pane.note).toBe('')
    const execute = vi.spyOn(terminal, 'execute').mockReturnValue(undefined)
    const [, button] = screen.getAllByRole('button', { name: 'New thesis' })
    if (button !== undefined) await fireEvent.click(button)
    expect(execute.mock.calls).toEqual([[thesisCommand({ action: 'new' })]])
  })

  it('marks the thesis that another pane shows', async () => {
    const { terminal } = await showTheses('THES')
    expect(grid().querySelector('.current')).toBeNull()
    terminal.execute(thesisCommand({ id: ID }))
    await pass(50)
    expect(grid().querySelector('.current')?.textContent).toContain('The Fed will cut')
  })

  it.each([
    ['active', 'paused'],
    ['paused', 'active'],
  ] as const)('one that is %s becomes %s with a key', async (status, next) => {
    const { terminal, keys, sent, requested } = await showTheses('THES', {
      theses: [thesisUnderTest({ status, title: 'Cut' })],
    })
    requested.length = 0
    await keys('Home', 'z')
    expect(sent).toEqual([{ method: 'PATCH', path: `/api/thesis/${ID}`, body: { status: next } }])
    expect(terminal.notice).toEqual({ tone: 'info', text: `“Cut” is ${next}` })
    expect(lists(requested)).toBe(1)
  })

  it('a failed pause or deletion is reported, and the list is read again', async () => {
    const { terminal, keys, requested } = await showTheses('THES', {
      write: () => refused(409, 'CONFLICT', 'it is gone'),
    })
    requested.length = 0
    await keys('Home', 'z')
    expect(terminal.notice).toEqual({ tone: 'error', text: 'It is gone.' })
    expect(lists(requested.splice(0))).toBe(1)
    terminal.notice = null
    await keys('Delete')
    const strip = screen.getByRole('alertdialog')
    await fireEvent.input(within(strip).getByRole('textbox'), { target: { value: 'delete' } })
    await fireEvent.submit(within(strip).getByRole('button', { name: 'Delete thesis' }))
    await pass(50)
    expect(terminal.notice).toEqual({ tone: 'error', text: 'It is gone.' })
    expect(lists(requested)).toBe(1)
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(document.activeElement).toBe(grid())
  })

  it('a deletion is cancelled, or sent once and reported', async () => {
    const { terminal, keys } = await showTheses('THES', {
      theses: [thesisUnderTest({ title: 'Cut' })],
    })
    await keys('Home', 'Delete')
    const strip = () => within(screen.getByRole('alertdialog'))
    await fireEvent.click(strip().getByRole('button', { name: 'Cancel' }))
    await pass(20)
    expect([screen.queryByRole('alertdialog'), document.activeElement]).toEqual([null, grid()])
    let end: (answer: Answer<object>) => void = () => {}
    const running = new Promise<Answer<object>>((resolve) => (end = resolve))
    vi.spyOn(terminal.live, 'send').mockReturnValue(running)
    const confirm = async () => {
      await keys('Delete')
      await fireEvent.input(strip().getByRole('textbox'), { target: { value: 'delete' } })
      return strip().getByRole<HTMLButtonElement>('button', { name: 'Delete thesis' })
    }
    const button = await confirm()
    await fireEvent.submit(button)
    await pass(20)
    expect(button.disabled).toBe(true)
    end({ ok: true, body: {} })
    await pass(20)
    expect(terminal.notice).toEqual({ tone: 'info', text: '“Cut” was deleted' })
    expect((await confirm()).disabled).toBe(false)
  })

  it('is read again soon while a thesis is being formed and the pane is shown', async () => {
    const forming = thesisUnderTest({ status: 'forming' })
    const { requested, pane, serve } = await showTheses('THES', { theses: [forming] })
    requested.length = 0
    await pass(2_500)
    expect(lists(requested)).toBe(2)
    serve([thesisUnderTest()])
    await pass(1_000)
    requested.length = 0
    await pass(2_500)
    expect(lists(requested)).toBe(0)
    serve([forming])
    await pass(15_000)
    pane.visible = false
    await pass(1_100)
    requested.length = 0
    await pass(2_500)
    expect(lists(requested)).toBe(0)
  })
})

describe('the form of a new thesis [terminal.theses.form]', () => {
  const claim = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: /^Claim/ })
  const type = (value: string) => fireEvent.input(claim(), { target: { value } })
  const create = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Creat/ })
  const TEXT = 'The Fed will cut rates by December 2026'

  it('has the focus, counts, and checks nothing while it is empty', async () => {
    await showTheses('THES new')
    expect(document.activeElement).toBe(claim())
    expect(screen.getByText(/^The claim is checked as you type/)).toBeTruthy()
    expect([create().disabled, claim().getAttribute('aria-invalid')]).toEqual([true, 'false'])
    expect(screen.getByText(/^0 \//)).toBeTruthy()
    await type('  ')
    expect([create().disabled, claim().getAttribute('aria-invalid')]).toEqual([true, 'false'])
    await type('Buy as many contracts as you can today')
    expect(claim().getAttribute('aria-invalid')).toBe('true')
    await type('The Fed will cut rates soon')
    expect(screen.getByText(/A testable claim\. It names no date/)).toBeTruthy()
    expect(screen.getByText(/^27 \//).className).not.toContain('over')
  })

  it('is sent with a title once, with Ctrl+Enter as well, and shows the thesis', async () => {
    const { terminal } = await showTheses('THES new')
    let end: (answer: Answer<object>) => void = () => {}
    const running = new Promise<Answer<object>>((resolve) => (end = resolve))
    const send = vi.spyOn(terminal.live, 'send').mockReturnValue(running)
    const execute = vi.spyOn(terminal, 'execute').mockReturnValue(undefined)
    const refetch = vi.spyOn(terminal.live, 'refetch')
    // What is no claim yet is not sent.
    await type('  ')
    await fireEvent.submit(screen.getByRole('form'))
    expect(send).not.toHaveBeenCalled()
    await type(TEXT)
    await fireEvent.input(screen.getByRole('textbox', { name: /^Title/ }), {
      target: { value: ' Cut ' },
    })
    expect(await fireEvent.keyDown(claim(), { key: 'Enter' })).toBe(true)
    expect(await fireEvent.keyDown(claim(), { key: 'a', ctrlKey: true })).toBe(true)
    expect(send).not.toHaveBeenCalled()
    expect(await fireEvent.keyDown(claim(), { key: 'Enter', ctrlKey: true })).toBe(false)
    expect(await fireEvent.keyDown(claim(), { key: 'Enter', metaKey: true })).toBe(false)
    expect(send.mock.calls).toEqual([
      ['POST', '/api/thesis/create', { rawThesis: TEXT, title: 'Cut' }],
    ])
    expect([create().disabled, create().textContent]).toEqual([true, 'Creating'])
    end({ ok: true, body: { id: ID, existing: true } })
    await pass(20)
    expect(terminal.notice?.text).toBe('You have this thesis already; it is shown')
    expect(execute.mock.calls).toEqual([[thesisCommand({ id: ID })]])
    expect(refetch).toHaveBeenCalledTimes(1)
    const title = screen.getByRole<HTMLInputElement>('textbox', { name: /^Title/ })
    expect([claim().value, title.value, create().textContent]).toEqual(['', '', 'Create thesis'])
  })

  it('a new one has no notice; a refusal is cleared by the next attempt', async () => {
    let answer: object = refused(400, 'THESIS_NOT_A_CLAIM', 'it is no claim')
    const { terminal } = await showTheses('THES new', { write: () => answer })
    const execute = vi.spyOn(terminal, 'execute').mockReturnValue(undefined)
    await type(TEXT)
    await fireEvent.submit(screen.getByRole('form'))
    await pass(20)
    expect(screen.getByRole('alert').textContent).toBe('It is no claim.')
    expect([claim().value, execute.mock.calls, create().disabled]).toEqual([TEXT, [], false])
    answer = { id: ID }
    await fireEvent.submit(screen.getByRole('form'))
    await pass(20)
    expect([screen.queryByRole('alert'), terminal.notice]).toEqual([null, null])
    expect(execute).toHaveBeenCalledTimes(1)
  })
})
