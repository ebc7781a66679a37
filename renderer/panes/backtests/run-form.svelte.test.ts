import '../../testing/set-up-page.ts'
import { cleanup, fireEvent, render, screen } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Answer } from '../../api/client.ts'
import { pageUnderTest, refused } from '../../testing/page-under-test.ts'
import RunForm from './RunForm.svelte'
import { draftOfCommand } from './run-draft.ts'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())

const STRATEGY = {
  name: 'buy-and-hold',
  about: 'Buys and holds.',
  feeds: ['quotes'],
  candles: [],
  params: [
    { name: 'contracts', kind: 'number', default: 10 },
    { name: 'both', kind: 'boolean', default: false },
  ],
}

/** The form of a command; the service answers a start with `answer`. */
async function form(line: string, answer: Answer<object>) {
  const page = pageUnderTest(
    (path) => (path.includes('/strategies/buy-and-hold') ? STRATEGY : null),
    () => answer,
  )
  const pane = page.paneOf(line)
  const started: string[] = []
  render(RunForm, {
    terminal: page.terminal,
    pane,
    initial: draftOfCommand(pane.command, Date.parse('2026-11-20T10:00:00Z')),
    problem: null,
    isFilled: false,
    names: ['buy-and-hold', 'resolution-drift'],
    onstarted: (id: string) => started.push(id),
  })
  await vi.advanceTimersByTimeAsync(200)
  const submit = async () => {
    await fireEvent.submit(screen.getByRole('form', { name: 'New run' }))
    await vi.advanceTimersByTimeAsync(200)
  }
  return { ...page, started, submit }
}
const field = (name: string) =>
  document.querySelector<HTMLInputElement>(`[name="${name}"]`) as HTMLInputElement

const LINE = 'BT run buy-and-hold 2026-11-01 2026-11-20'

it('sends the filled form, and reports the id of the run', async () => {
  const { sent, started, submit, stop } = await form(LINE, { ok: true, body: { id: 'bt_1' } })
  expect(screen.getByText('Buys and holds.')).toBeTruthy()
  await fireEvent.input(field('param:contracts'), { target: { value: '5' } })
  await fireEvent.click(field('param:both'))
  await fireEvent.input(field('cash'), { target: { value: '500' } })
  await submit()
  expect(sent).toMatchObject([
    {
      method: 'POST',
      path: '/api/backtests',
      body: {
        strategy: 'buy-and-hold',
        startCashUsd: 500,
        params: { contracts: 5, both: true },
      },
    },
  ])
  expect(started).toEqual(['bt_1'])
  expect(screen.queryByRole('alert')).toBeNull()
  stop()
})

it('starts one run however often it is submitted, and another one later', async () => {
  const { sent, started, submit, stop } = await form(LINE, { ok: true, body: { id: 'bt_1' } })
  const whole = screen.getByRole('form', { name: 'New run' })
  void fireEvent.submit(whole)
  await submit()
  expect(sent).toHaveLength(1)
  await submit()
  expect([sent.length, started]).toEqual([2, ['bt_1', 'bt_1']])
  stop()
})

it('omits a parameter that was set back to its default', async () => {
  const { sent, submit, stop } = await form(LINE, { ok: true, body: { id: 'bt_1' } })
  await fireEvent.input(field('param:contracts'), { target: { value: '5' } })
  await fireEvent.input(field('param:contracts'), { target: { value: '10' } })
  await submit()
  expect(sent[0]?.body).not.toHaveProperty('params.contracts')
  stop()
})

it('shows the reason of the service beside its field, and focuses the field', async () => {
  const refusal = refused(400, 'VALIDATION_ERROR', 'to: must be after from')
  const { sent, started, submit, stop } = await form(LINE, refusal)
  await submit()
  expect(screen.getByRole('alert').textContent).toBe('The end must be after the start.')
  expect(field('to').getAttribute('aria-invalid')).toBe('true')
  expect(field('from').getAttribute('aria-invalid')).toBe('false')
  expect(document.activeElement).toBe(field('to'))
  expect(started).toEqual([])
  // Another strategy is another request: the reason is gone.
  await fireEvent.change(field('strategy'), { target: { value: '' } })
  expect(screen.queryByRole('alert')).toBeNull()
  await submit()
  expect(sent).toHaveLength(1)
  expect(field('strategy').getAttribute('aria-invalid')).toBe('true')
  stop()
})

it('is focused at its strategy, or at its button when a command filled it in', async () => {
  const { terminal, paneOf } = pageUnderTest(() => STRATEGY)
  const pane = paneOf(LINE)
  terminal.focusedPane = pane.id
  const show = async (isFilled: boolean) => {
    cleanup()
    render(RunForm, {
      terminal,
      pane,
      initial: draftOfCommand(pane.command, Date.parse('2026-11-20T10:00:00Z')),
      problem: { field: 'topic', text: 'No such topic.' },
      isFilled,
      names: [],
      onstarted: () => {},
    })
    await vi.advanceTimersByTimeAsync(200)
    return document.activeElement?.getAttribute('name')
  }
  expect(await show(false)).toBe('strategy')
  expect(await show(true)).toBe('submit')
  // The reason why the repeated run failed, and its strategy that is not in the list.
  expect(screen.getByRole('alert').textContent).toBe('No such topic.')
  expect(field('strategy').value).toBe('buy-and-hold')
})

it('disables its button until the service has answered', async () => {
  const { terminal, submit, started, stop } = await form(LINE, { ok: true, body: { id: 'bt_1' } })
  let end: (answer: Answer<object>) => void = () => {}
  const running = new Promise<Answer<object>>((resolve) => (end = resolve))
  vi.spyOn(terminal.live, 'send').mockReturnValue(running)
  await submit()
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Run' })
  expect(button.disabled).toBe(true)
  end({ ok: true, body: { id: 'bt_2' } })
  await vi.advanceTimersByTimeAsync(50)
  expect([button.disabled, started]).toEqual([false, ['bt_2']])
  stop()
})

it('an error of a field that the form lacks is beside the button', async () => {
  const refusal = refused(400, 'VALIDATION_ERROR', 'parameter size must be a number')
  const { submit, stop } = await form(LINE, refusal)
  await submit()
  const alert = screen.getByRole('alert')
  expect(alert.textContent).toBe('Parameter size must be a number.')
  expect(alert.closest('.button-row')).not.toBeNull()
  expect(document.activeElement).toBe(field('submit'))
  stop()
})

it('an error of a parameter is beside its field', async () => {
  const { submit, sent, stop } = await form(LINE, { ok: true, body: { id: 'bt_1' } })
  await fireEvent.input(field('param:contracts'), { target: { value: 'many' } })
  await submit()
  expect(sent).toEqual([])
  expect(field('param:contracts').getAttribute('aria-invalid')).toBe('true')
  expect(document.activeElement).toBe(field('param:contracts'))
  stop()
})

it('another strategy has its own parameters', async () => {
  const { sent, submit, stop } = await form(LINE, { ok: true, body: { id: 'bt_1' } })
  await fireEvent.input(field('param:contracts'), { target: { value: '5' } })
  await fireEvent.change(field('strategy'), { target: { value: 'resolution-drift' } })
  await vi.advanceTimersByTimeAsync(200)
  expect(document.querySelector('[name="param:contracts"]')).toBeNull()
  expect(screen.getByRole('alert').textContent).not.toBe('')
  await submit()
  expect(sent[0]?.body).toMatchObject({ strategy: 'resolution-drift' })
  expect(sent[0]?.body).not.toHaveProperty('params')
  stop()
})
