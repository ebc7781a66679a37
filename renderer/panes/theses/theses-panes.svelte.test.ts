import '../../testing/set-up-page.ts'
import { fireEvent, render, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { refused } from '../../testing/page-under-test.ts'
import { showTheses } from '../../testing/theses-page.svelte.ts'
import { strategyUnderTest, thesisUnderTest, trackRecordUnderTest } from '../../testing/theses.ts'
import ThesesPane from './ThesesPane.svelte'

// jsdom has no canvas.
vi.mock('../../charts/time-lines.ts', () => ({
  drawTimeLines: () => ({ show: () => {}, colour: () => {}, resize: () => {}, remove: () => {} }),
}))

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

const ID = thesisUnderTest().id

// [terminal.theses.list]
describe('the list of theses', () => {
  it('shows titles as text with status and confidence, and deletes after a typed word', async () => {
    const title = '<b>Cut</b> by December'
    const { sent, pane, terminal } = await showTheses('THES', {
      theses: [thesisUnderTest({ title, previousConfidence: 0.5 })],
    })
    expect(pane.note).toBe('1')
    const row = screen.getByRole('row', { name: /Cut/ })
    expect(within(row).getByText(title)).toBeTruthy()
    expect(within(row).getByText('55%')).toBeTruthy()
    expect(within(row).getByText('+5 pp')).toBeTruthy()
    terminal.focusedPane = pane.id
    const press = (key: string) =>
      terminal.keys.handle(new KeyboardEvent('keydown', { key }), [`pane:${pane.id}`])
    press('j')
    press('Delete')
    await pass(20)
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Delete thesis' })
    expect(button.disabled).toBe(true)
    await fireEvent.input(screen.getByLabelText('Type delete to confirm'), {
      target: { value: 'delete' },
    })
    await fireEvent.click(button)
    await pass(20)
    expect(sent).toEqual([{ method: 'DELETE', path: `/api/thesis/${ID}`, body: undefined }])
  })
})

// [terminal.theses.form]
describe('the form of a new thesis', () => {
  it('checks the claim by the rules of the service, and follows the formation', async () => {
    const forming = thesisUnderTest({
      status: 'forming',
      causalTree: null,
      formation: { ...thesisUnderTest().formation, step: 'queued', finishedAt: null },
    })
    const { sent, terminal, serve, paneOf } = await showTheses('THES new', {
      theses: [],
      write: () => ({ id: ID, status: 'forming' }),
    })
    const claim = screen.getByLabelText(/^Claim/)
    const create = screen.getByRole<HTMLButtonElement>('button', { name: 'Create thesis' })
    await fireEvent.input(claim, { target: { value: 'Buy as many contracts as you can today' } })
    expect(screen.getByText('This is an order, not a claim.')).toBeTruthy()
    expect(screen.getByText(/^Say what you expect to happen/)).toBeTruthy()
    expect(create.disabled).toBe(true)
    const text = 'The Fed will cut rates by December 2026'
    await fireEvent.input(claim, { target: { value: text } })
    expect(screen.getByText(/A testable claim, until 2026-12-31/)).toBeTruthy()
    serve([forming])
    await fireEvent.click(create)
    await pass(20)
    expect(sent[0]).toMatchObject({ path: '/api/thesis/create', body: { rawThesis: text } })
    const formed = paneOf(`THES ${ID}`)
    render(ThesesPane, { terminal, pane: formed })
    await pass(200)
    expect(screen.getByText('Waiting to be formed')).toBeTruthy()
    serve([thesisUnderTest()])
    await pass(1_100)
    expect(formed.note).toBe('The Fed will cut rates by December')
    expect(screen.getByRole('slider', { name: 'Probability of Condition n1' })).toBeTruthy()
  })

  it('shows the reason and the hint of a refusal', async () => {
    const failure = refused(400, 'THESIS_NOT_A_CLAIM', 'Nothing in this can be checked')
    await showTheses('THES new', {
      theses: [],
      write: () => ({
        ...failure,
        failure: { ...(!failure.ok && failure.failure), details: { hint: 'Name an outcome.' } },
      }),
    })
    await fireEvent.input(screen.getByLabelText(/^Claim/), {
      target: { value: 'The Fed will cut rates by December 2026' },
    })
    await fireEvent.click(screen.getByRole('button', { name: 'Create thesis' }))
    await pass(20)
    expect(screen.getByRole('alert').textContent).toBe(
      'Nothing in this can be checked. Name an outcome.',
    )
  })
})

// [terminal.theses.edit]
describe('the pane of a thesis', () => {
  const slide = async (name: string, value: number) => {
    const slider = screen.getByRole('slider', { name: `Probability of ${name}` })
    await fireEvent.input(slider, { target: { value: String(value) } })
    await fireEvent.change(slider)
  }

  it('shows confidence and edges under edits at once, saves them, and undoes the save', async () => {
    const { sent, pane, terminal } = await showTheses(`THES ${ID}`)
    await slide('Condition n1', 30)
    expect(document.querySelector('[data-projected]')?.textContent).toBe('32.5%')
    terminal.setArguments(pane, { part: 'edges' })
    await pass(20)
    expect(screen.getByText('+5.0¢')).toBeTruthy()
    await fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    await pass(50)
    expect(sent).toEqual([
      {
        method: 'POST',
        path: `/api/thesis/${ID}/nodes/update`,
        body: { updates: [{ nodeId: 'n1', probability: 0.3 }], ifVersion: 3 },
      },
    ])
    expect(pane.edits?.undo()).toBe(true)
    await pass(50)
    expect(sent[1]?.body).toMatchObject({ updates: [{ nodeId: 'n1', probability: 0.6 }] })
  })

  it('shows what moved since yesterday, and the track record of settled edges', async () => {
    const { pane, terminal } = await showTheses(`THES ${ID}`, {
      trackRecord: trackRecordUnderTest(),
    })
    expect(screen.getAllByText(/ 24h$/).map(({ textContent }) => textContent)).toEqual([
      '+10 pp 24h',
    ])
    terminal.setArguments(pane, { part: 'edges' })
    await pass(100)
    const record = screen.getByRole('region', { name: 'Track record' })
    expect(record.textContent.replace(/\s+/g, ' ')).toContain(
      'Brier 0.068, market 0.090 Return after costs +37.1%, YES held +42.9%',
    )
    expect(record.textContent).toContain('Did the Fed cut in October?')
  })

  it('keeps the edits when the tree changed meanwhile', async () => {
    const { terminal } = await showTheses(`THES ${ID}`, {
      write: () => refused(409, 'TREE_CHANGED', 'the tree has changed since'),
    })
    await slide('Condition n2', 90)
    await fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    await pass(50)
    expect(terminal.notice?.text).toContain('Your edits are kept')
    expect(screen.getByText('1 condition edited, not saved')).toBeTruthy()
  })

  it('fills a what-if from a command, and evaluates after a second Enter', async () => {
    const { sent, pane, terminal } = await showTheses(`THES ${ID}`, {
      write: () => ({ evaluation: { summary: 'No condition moved' }, status: 'active' }),
    })
    terminal.run('WHATIF n1=100% n1.1=5%')
    await pass(50)
    expect(document.querySelector('[data-projected]')?.textContent).toBe('85%')
    expect(sent).toEqual([])
    terminal.run('EVAL')
    await pass(50)
    expect(terminal.thesisRequested).toBeNull()
    expect(pane.command.args['id']).toBe(ID)
    await fireEvent.submit(
      within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Evaluate' }),
    )
    await pass(50)
    expect(sent).toEqual([{ method: 'POST', path: `/api/thesis/${ID}/evaluate`, body: {} }])
    expect(terminal.notice?.text).toBe('No condition moved')
  })

  it('augments and forks after a second Enter, opens the copy, and shows the heartbeat', async () => {
    const copy = thesisUnderTest({ id: 'b'.repeat(8), title: 'A copy' })
    const { sent, pane, terminal } = await showTheses(`THES ${ID}`, {
      theses: [thesisUnderTest(), copy],
      write: ({ path }) => (path.endsWith('fork') ? { id: copy.id } : { added: [{}, {}] }),
    })
    const confirmed = async (line: string, label: string) => {
      terminal.run(line)
      await pass(50)
      const strip = screen.getByRole('alertdialog')
      const text = strip.textContent
      await fireEvent.submit(within(strip).getByRole('button', { name: label }))
      await pass(50)
      return text
    }
    expect(await confirmed('AUG', 'Augment')).toContain('Their weight is 0 until you set it')
    expect(terminal.notice?.text).toBe('2 conditions added with weight 0')
    terminal.run('HB')
    await pass(50)
    expect(pane.command.args['part']).toBe('heartbeat')
    expect(await confirmed('FORK', 'Fork')).toContain('not its signals, strategies')
    expect(pane.command.args).toEqual({ id: copy.id })
    expect(sent).toEqual([
      { method: 'POST', path: `/api/thesis/${ID}/augment`, body: {} },
      { method: 'POST', path: `/api/thesis/${ID}/fork`, body: {} },
    ])
  })

  // [terminal.theses.evolve]
  it('continues a thesis under a changed claim, which is checked while it is typed', async () => {
    const child = thesisUnderTest({ id: 'c'.repeat(8), title: 'A child' })
    const { sent, pane, terminal } = await showTheses(`THES ${ID}`, {
      theses: [thesisUnderTest(), child],
      write: () => ({ id: child.id, status: 'forming' }),
    })
    terminal.run('FORK')
    await pass(50)
    const strip = screen.getByRole('alertdialog', { name: 'Fork' })
    expect(document.activeElement?.textContent).toBe('Fork')
    const claim = within(strip).getByLabelText(/^Claim/)
    await fireEvent.input(claim, { target: { value: 'Buy the Fed cut market before it moves' } })
    const evolve = within(strip).getByRole<HTMLButtonElement>('button', { name: 'Evolve' })
    expect(evolve.disabled).toBe(true)
    expect(within(strip).getByRole('status').textContent).toContain('This is an order, not a claim')
    const newRawThesis = 'The Fed will cut rates by June 2027'
    await fireEvent.input(claim, { target: { value: newRawThesis } })
    expect(strip.textContent).toContain('this one becomes dormant and keeps its positions')
    await fireEvent.submit(evolve)
    await pass(50)
    expect(sent).toEqual([
      { method: 'POST', path: `/api/thesis/${ID}/fork`, body: { newRawThesis } },
    ])
    expect(pane.command.args).toEqual({ id: child.id })
  })

  it('adds a condition below the claim, and the field is empty for the next one', async () => {
    const { sent, terminal, pane } = await showTheses(`THES ${ID}`)
    terminal.focusedPane = pane.id
    const open = async () => {
      terminal.keys.handle(new KeyboardEvent('keydown', { key: 'a' }), [`pane:${pane.id}`])
      await pass(20)
      return screen.getByRole<HTMLInputElement>('textbox', { name: /condition/i })
    }
    const field = await open()
    expect(document.activeElement).toBe(field)
    const form = field.form as HTMLFormElement
    await fireEvent.input(field, { target: { value: '  ' } })
    await fireEvent.submit(form)
    await fireEvent.input(field, { target: { value: ' Jobs fall ' } })
    await fireEvent.submit(form)
    await pass(50)
    expect(sent).toMatchObject([
      { body: { add: [{ parentId: null, label: 'Jobs fall', probability: 0.5 }] } },
    ])
    expect(field.isConnected).toBe(false)
    const sliders = screen.getAllByRole('slider')
    expect(document.activeElement).toBe(sliders.at(-1))
    expect((await open()).value).toBe('')
  })

  it('adds a signal, publishes under a checked slug, and lists evaluations', async () => {
    const { sent, pane, terminal } = await showTheses(`THES ${ID} signals`, {
      write: ({ path }) =>
        path.endsWith('signal') ? { pending: 2 } : { url: 'http://x/thesis/cut-soon' },
    })
    await fireEvent.input(screen.getByLabelText(/^Evidence/), { target: { value: 'Jobs fell' } })
    await fireEvent.click(screen.getByRole('button', { name: 'Add signal' }))
    await pass(20)
    expect(screen.getByText('2 signals pending until the next evaluation')).toBeTruthy()
    terminal.setArguments(pane, { part: 'publication' })
    await pass(20)
    const slug = screen.getByLabelText<HTMLInputElement>(/^Address/)
    expect(slug.value).toBe('the-fed-will-cut-rates-by-december')
    const publish = screen.getByRole<HTMLButtonElement>('button', { name: 'Publish' })
    await fireEvent.input(slug, { target: { value: 'No Slug' } })
    expect(publish.disabled).toBe(true)
    await fireEvent.input(slug, { target: { value: 'cut-soon' } })
    await fireEvent.click(publish)
    await pass(20)
    expect(sent.map(({ path }) => path.split('/').at(-1))).toEqual(['signal', 'publish'])
    expect(sent[1]?.body).toEqual({ slug: 'cut-soon', description: null })
    terminal.setArguments(pane, { part: 'history' })
    await pass(100)
    expect(screen.getByText('Confidence 50% to 55%')).toBeTruthy()
  })

  // [terminal.theses.strategies]
  it('adds a strategy after it stated what ticks will do, pauses it and removes it', async () => {
    const { sent, pane, terminal, serve } = await showTheses(`THES ${ID} strategies`, {
      write: () => ({ id: 'str_1' }),
    })
    await fireEvent.click(screen.getByRole('button', { name: 'New strategy' }))
    const check = screen.getByRole('button', { name: 'Check strategy' })
    await fireEvent.click(check)
    expect(screen.getByRole('alert').textContent).toContain('the price at which the strategy buys')
    expect(sent).toEqual([])
    await fireEvent.input(screen.getByLabelText(/^Buy at or below/), { target: { value: '60' } })
    await fireEvent.click(check)
    const strip = screen.getByRole('alertdialog', { name: 'Add strategy' })
    expect(strip.textContent).toContain('ticks buy YES of “Will the Fed cut?” at or below 60.0¢')
    expect(sent).toEqual([])
    serve([thesisUnderTest({ strategies: [strategyUnderTest()] })])
    await fireEvent.submit(within(strip).getByRole('button', { name: 'Add strategy' }))
    await pass(100)
    expect(sent).toMatchObject([
      { method: 'POST', path: `/api/thesis/${ID}/strategies`, body: { entryBelow: 60 } },
    ])
    expect(screen.getByRole('row', { name: /Will the Fed cut/ }).textContent).toContain('≤ 60.0¢')
    terminal.focusedPane = pane.id
    const press = (key: string) =>
      terminal.keys.handle(new KeyboardEvent('keydown', { key }), [`pane:${pane.id}`])
    press('j')
    press('z')
    await pass(100)
    expect(sent[1]).toMatchObject({ method: 'PATCH', body: { status: 'watching' } })
    expect(terminal.notice?.text).toContain('ticks buy nothing for it')
    press('Delete')
    await pass(20)
    const removal = screen.getByRole('alertdialog', { name: 'Remove strategy' })
    expect(removal.textContent).toContain('cancels its open intents')
    await fireEvent.submit(within(removal).getByRole('button', { name: 'Remove strategy' }))
    await pass(20)
    expect(sent[2]).toMatchObject({
      method: 'DELETE',
      path: `/api/thesis/${ID}/strategies/str_1`,
    })
  })
})
