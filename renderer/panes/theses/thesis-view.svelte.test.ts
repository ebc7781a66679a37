import '../../testing/set-up-page.ts'
import { cleanup, fireEvent, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Answer } from '../../api/client.ts'
import { thesis as thesisQuery } from '../../api/thesis-queries.ts'
import { thesisCommand } from '../../shell/commands/theses/thesis-view.ts'
import { refused } from '../../testing/page-under-test.ts'
import { showTheses } from '../../testing/theses-page.svelte.ts'
import { evaluationUnderTest, nodeUnderTest, thesisUnderTest } from '../../testing/theses.ts'

// jsdom has no canvas.
vi.mock('../../charts/time-lines.ts', () => ({
  drawTimeLines: () => ({ show: () => {}, colour: () => {}, resize: () => {}, remove: () => {} }),
}))

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

const ID = thesisUnderTest().id
const LINE = `THES ${ID}`
const slider = (name: string) =>
  screen.getByRole<HTMLInputElement>('slider', { name: `Probability of ${name}` })
const slide = async (name: string, value: number) => {
  await fireEvent.input(slider(name), { target: { value: String(value) } })
  await fireEvent.change(slider(name))
}
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const press = (name: string) => fireEvent.click(button(name))
const strip = () => within(screen.getByRole('alertdialog'))
const confirm = async (name: string) => {
  await fireEvent.submit(strip().getByRole('button', { name }))
  await pass(50)
}
/** A promise for the answer to the next write, and its end. */
function pending() {
  let end: (answer: Answer<object>) => void = () => {}
  const running = new Promise<Answer<object>>((resolve) => (end = resolve))
  return { running: running as never, end: (answer: Answer<object>) => end(answer) }
}

describe('the thesis of a pane [terminal.theses.edit]', () => {
  it('is the one changed last unless it is named, with the start of its title', async () => {
    const title = 'T'.repeat(60)
    const { pane, requested } = await showTheses('THES latest', {
      theses: [thesisUnderTest({ id: 'last', title }), thesisUnderTest()],
    })
    expect(pane.note).toBe('T'.repeat(40))
    expect(requested).toContain('/api/thesis/last')
    cleanup()
    const named = await showTheses(LINE)
    expect(named.requested.some((path) => path.startsWith('/api/thesis?'))).toBe(false)
  })

  it('without any offers the form', async () => {
    const { pane, terminal } = await showTheses('THES latest', { theses: [] })
    expect(screen.getByText('No theses yet.')).toBeTruthy()
    expect(pane.note).toBe('')
    const execute = vi.spyOn(terminal, 'execute').mockReturnValue(undefined)
    await press('New thesis')
    expect(execute.mock.calls).toEqual([[thesisCommand({ action: 'new' })]])
  })

  it('is read soon while it is being formed, and keeps the focus when it is', async () => {
    const forming = thesisUnderTest({
      status: 'forming',
      causalTree: null,
      formation: { ...thesisUnderTest().formation, step: 'tree', finishedAt: null },
    })
    const { requested, pane, serve } = await showTheses(LINE, { theses: [forming] })
    const reads = () => requested.splice(0).filter((path) => path === `/api/thesis/${ID}`).length
    expect(screen.getByRole('status').textContent).toBe('Splitting the claim into conditions')
    expect(screen.queryByRole('button', { name: 'Evaluate' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Pause' })).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Formation' }))
    reads()
    await pass(1_100)
    expect(reads()).toBe(2)
    pane.visible = false
    await pass(600)
    reads()
    await pass(1_100)
    expect(reads()).toBe(0)
    pane.visible = true
    serve([thesisUnderTest()])
    await pass(600)
    expect(document.activeElement).toBe(slider('Condition n1'))
    reads()
    await pass(1_100)
    expect(reads()).toBe(0)
  })

  it('does not take the focus from another pane', async () => {
    const { terminal, pane } = await showTheses(LINE)
    const active = document.activeElement
    if (active instanceof HTMLElement) active.blur()
    terminal.focusedPane = 'other'
    terminal.setArguments(pane, { part: 'graph' })
    await pass(50)
    expect(document.activeElement).toBe(document.body)
    terminal.focusedPane = pane.id
    terminal.setArguments(pane, { part: 'history' })
    await pass(50)
    expect(document.activeElement).toBe(
      screen.getByRole('region', { name: 'Evaluations, newest first' }),
    )
  })

  it('has keys for its sections and actions', async () => {
    const { terminal, pane, keys } = await showTheses(LINE)
    const run = vi.spyOn(terminal, 'run').mockReturnValue(null)
    await keys('[')
    expect(pane.command.args['part']).toBeUndefined()
    for (const [key, part] of [
      [']', 'graph'],
      [']', 'edges'],
      ['[', 'graph'],
      ['8', 'heartbeat'],
      [']', 'heartbeat'],
      ['1', 'tree'],
      ['p', 'publication'],
    ] as const) {
      await keys(key)
      expect(pane.command.args['part'], key).toBe(part)
    }
    await keys('n')
    expect(run.mock.calls).toEqual([['THES new']])
    await keys('e')
    expect(screen.getByRole('alertdialog', { name: 'Evaluate' })).toBeTruthy()
  })

  it('is changed with buttons, and what was started can be cancelled', async () => {
    const { terminal, requested, sent } = await showTheses(LINE)
    await press('Pause')
    await fireEvent.click(strip().getByRole('button', { name: 'Cancel' }))
    await pass(50)
    expect([screen.queryByRole('alertdialog'), sent]).toEqual([null, []])
    expect(document.activeElement).toBe(slider('Condition n1'))
    const { running, end } = pending()
    vi.spyOn(terminal.live, 'send').mockReturnValue(running)
    await press('Pause')
    await confirm('Pause')
    expect(strip().getByRole<HTMLButtonElement>('button', { name: 'Pause' }).disabled).toBe(true)
    requested.length = 0
    end({ ok: true, body: {} })
    await pass(50)
    expect(terminal.notice).toEqual({
      tone: 'info',
      text: '“The Fed will cut rates by December” is paused',
    })
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(document.activeElement).toBe(slider('Condition n1'))
    expect(requested.filter((path) => path === `/api/thesis/${ID}`)).toHaveLength(1)
  })

  it('the confirmation of an action ends when another thesis is opened', async () => {
    const other = thesisUnderTest({ id: 'other', title: 'Another' })
    const { terminal, pane } = await showTheses(LINE, { theses: [thesisUnderTest(), other] })
    await press('Pause')
    expect(strip().getByRole('button', { name: 'Pause' })).toBeTruthy()
    terminal.replaceCommand(pane, thesisCommand({ id: 'other' }))
    await pass(100)
    expect(pane.note).toBe('Another')
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('an action that failed is reported, and shows the same thesis', async () => {
    const { terminal, pane, keys } = await showTheses(LINE, {
      write: () => refused(409, 'EVALUATION_RUNNING', 'running'),
    })
    await keys('e')
    await confirm('Evaluate')
    expect(terminal.notice?.tone).toBe('error')
    expect(terminal.notice?.text).toContain('Try again when it is done')
    expect(pane.command.args).toEqual({ id: ID })
    expect(strip).toThrow()
    await keys('e')
    expect(strip().getByRole<HTMLButtonElement>('button', { name: 'Evaluate' }).disabled).toBe(
      false,
    )
  })

  it.each([
    ['UNPUB', 'Unpublish', undefined],
    ['EVAL', 'Evaluate', undefined],
    ['PUB', null, 'publication'],
    ['SIG', null, 'signals'],
    ['TREE', null, 'tree'],
  ])('%s asks for %s and shows %s', async (line, label, part) => {
    const { terminal, pane } = await showTheses(`THES ${ID} edges`)
    terminal.run(line)
    await pass(50)
    if (label === null) expect(screen.queryByRole('alertdialog')).toBeNull()
    else expect(screen.getByRole('alertdialog', { name: label })).toBeTruthy()
    expect(pane.command.args['part']).toBe(part)
    expect(terminal.thesisRequested).toBeNull()
  })

  it('a what-if of unknown conditions or values is refused, of known ones is filled in', async () => {
    const { terminal } = await showTheses(LINE)
    terminal.run('WHATIF n9=40%')
    await pass(50)
    expect(terminal.notice?.tone).toBe('error')
    expect(screen.queryByText(/edited, not saved/)).toBeNull()
    terminal.notice = null
    terminal.run('WHATIF n1=40% n2=200%')
    await pass(50)
    expect(terminal).toHaveProperty('notice.text', expect.stringContaining('values like n1=40%'))
    expect(screen.getByText('1 condition edited, not saved')).toBeTruthy()
    terminal.notice = null
    terminal.run('WHATIF n1=40% n2=20%')
    await pass(50)
    expect(terminal.notice).toBeNull()
    expect(screen.getByText('2 conditions edited, not saved')).toBeTruthy()
  })
})

it('another thesis in the same section has its own fields', async () => {
  const other = thesisUnderTest({ id: 'other', slug: 'other-slug', title: 'Another' })
  const line = `THES ${ID} publication`
  const { terminal, pane } = await showTheses(line, { theses: [thesisUnderTest(), other] })
  const slug = () => screen.getByLabelText<HTMLInputElement>(/^Address/).value
  expect(slug()).not.toBe('other-slug')
  // Its answer is known already, so the section is not replaced by a loading state.
  const { live } = terminal
  onTestFinished(live.subscribe(live.source(thesisQuery('other'))))
  await pass(100)
  terminal.replaceCommand(pane, thesisCommand({ id: 'other', part: 'publication' }))
  await pass(100)
  expect(slug()).toBe('other-slug')
})

describe('edits of a tree [terminal.theses.edit]', () => {
  it('are saved with a key once, and the save is undone', async () => {
    const { terminal, keys, pane } = await showTheses(LINE)
    const save = { key: 'Enter', ctrlKey: true }
    const { running, end } = pending()
    const send = vi.spyOn(terminal.live, 'send').mockReturnValue(running)
    await keys(save)
    expect(send).not.toHaveBeenCalled()
    expect(pane.edits?.undo()).toBe(false)
    await slide('Condition n1', 30)
    await keys(save, save)
    expect(send).toHaveBeenCalledTimes(1)
    expect(button('Save').disabled).toBe(true)
    end({ ok: true, body: {} })
    await pass(50)
    expect(terminal.notice).toEqual({ tone: 'info', text: 'Tree saved. UNDO restores it' })
    expect(screen.queryByText(/edited, not saved/)).toBeNull()
    expect(pane.edits?.undo()).toBe(true)
    await pass(50)
    expect(terminal).toHaveProperty('notice.text', 'The saved edits were undone')
    expect(send.mock.calls[1]?.[2]).toEqual({
      updates: [{ nodeId: 'n1', probability: 0.6 }],
      reason: 'undo of an edit',
    })
    expect(pane.edits?.undo()).toBe(false)
    cleanup()
    expect(pane.edits).toBeNull()
  })

  it('are undone and done again step by step, or discarded', async () => {
    const { pane } = await showTheses(LINE)
    await slide('Condition n1', 30)
    await slide('Condition n2', 90)
    expect(pane.edits?.undo()).toBe(true)
    await pass(20)
    expect(screen.getByText('1 condition edited, not saved')).toBeTruthy()
    expect([pane.edits?.redo(), pane.edits?.redo()]).toEqual([true, false])
    await pass(20)
    await press('Discard')
    expect(screen.queryByText(/edited, not saved/)).toBeNull()
  })

  it('that change nothing are dropped without a request', async () => {
    const { keys, sent } = await showTheses(LINE)
    await slide('Condition n1', 30)
    await slide('Condition n1', 60)
    expect(screen.getByText('1 condition edited, not saved')).toBeTruthy()
    await keys({ key: 'Enter', ctrlKey: true })
    expect([screen.queryByText(/edited, not saved/), sent]).toEqual([null, []])
  })

  it('must be saved before a fork', async () => {
    const { terminal } = await showTheses(LINE)
    await slide('Condition n1', 30)
    terminal.run('FORK')
    await pass(50)
    expect(terminal.notice).toEqual({
      tone: 'error',
      text: 'Save or undo your edits first: a fork copies what is saved',
    })
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('stay with their thesis when another one is changed', async () => {
    const other = thesisUnderTest({ id: 'other', title: 'Another' })
    const { serve, pane } = await showTheses('THES latest', {
      theses: [thesisUnderTest(), other],
    })
    await slide('Condition n1', 30)
    serve([other, thesisUnderTest()])
    await pass(16_000)
    expect(pane.note).toBe(thesisUnderTest().title)
    expect(screen.getByText('1 condition edited, not saved')).toBeTruthy()
    await press('Discard')
    await pass(100)
    expect(pane.note).toBe('Another')
  })

  it('that are made during a save stay', async () => {
    const { terminal, keys } = await showTheses(LINE)
    const { running, end } = pending()
    vi.spyOn(terminal.live, 'send').mockReturnValue(running)
    await slide('Condition n1', 30)
    await keys({ key: 'Enter', ctrlKey: true })
    await slide('Condition n2', 90)
    end({ ok: true, body: {} })
    await pass(50)
    expect(screen.getByText('1 condition edited, not saved')).toBeTruthy()
    expect(slider('Condition n2').value).toBe('90')
  })

  it('of a save whose undo failed can be undone again', async () => {
    let answer: object = {}
    const { keys, pane, sent } = await showTheses(LINE, { write: () => answer })
    await slide('Condition n1', 30)
    await keys({ key: 'Enter', ctrlKey: true })
    answer = refused(503, 'UNAVAILABLE', 'no')
    pane.edits?.undo()
    await pass(50)
    answer = {}
    expect(pane.edits?.undo()).toBe(true)
    await pass(50)
    expect(sent.slice(1).map(({ body }) => body)).toEqual([sent[2]?.body, sent[2]?.body])
  })

  it('of a save to a condition that is gone are not undone twice', async () => {
    let answer: object = {}
    const { keys, pane } = await showTheses(LINE, { write: () => answer })
    await slide('Condition n1', 30)
    await keys({ key: 'Enter', ctrlKey: true })
    answer = refused(400, 'BAD_REQUEST', 'nodeId n1 not found')
    expect(pane.edits?.undo()).toBe(true)
    await pass(50)
    expect(pane.edits?.undo()).toBe(false)
  })

  it('a condition without edits leaves nothing to undo when it is removed', async () => {
    const { keys, pane } = await showTheses(LINE)
    slider('Condition n2').focus()
    await keys('Delete')
    await confirm('Remove condition')
    expect(pane.edits?.undo()).toBe(false)
  })

  it('a failed undo of a save is reported only as such', async () => {
    let answer: object = {}
    const { terminal, keys, pane, requested } = await showTheses(LINE, { write: () => answer })
    await slide('Condition n1', 30)
    await keys({ key: 'Enter', ctrlKey: true })
    answer = refused(409, 'TREE_CHANGED', 'changed')
    requested.length = 0
    pane.edits?.undo()
    await pass(50)
    expect(terminal.notice?.tone).toBe('error')
    expect(requested.filter((path) => path === `/api/thesis/${ID}`)).toHaveLength(1)
  })

  it('of a thesis that has ended cannot be saved', async () => {
    await showTheses(LINE, { theses: [thesisUnderTest({ status: 'resolved', outcome: 'yes' })] })
    expect(screen.getByText(/^The thesis is resolved: what-ifs work/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Add a condition' })).toBeNull()
    await slide('Condition n1', 30)
    expect(button('Save').disabled).toBe(true)
    await fireEvent.click(screen.getByRole('button', { name: 'Condition n1' }))
    expect(screen.queryByRole('button', { name: 'Add below' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Remove' })).toBeNull()
  })
})

describe('the head of a thesis', () => {
  const projected = () => document.querySelector<HTMLElement>('[data-projected]')
  it.each([
    [0.5, '+5 pp', 'up'],
    [0.6, '−5 pp', 'down'],
  ])('shows what the last evaluation changed from %f: %s', async (previous, text, tone) => {
    await showTheses(LINE, { theses: [thesisUnderTest({ previousConfidence: previous })] })
    const change = screen.getByText(text)
    expect([change.classList.contains('up'), change.classList.contains('down')]).toEqual([
      tone === 'up',
      tone === 'down',
    ])
    expect(projected()).toBeNull()
  })

  it.each([[null], [0.55]])('shows no change from %s', async (previousConfidence) => {
    await showTheses(LINE, { theses: [thesisUnderTest({ previousConfidence })] })
    expect(screen.queryByText(/ pp$/)).toBeNull()
  })

  it('shows the confidence under edits instead, coloured by its direction', async () => {
    await showTheses(LINE, { theses: [thesisUnderTest({ previousConfidence: 0.5 })] })
    await slide('Condition n1', 90)
    expect([projected()?.textContent, projected()?.className]).toEqual([
      '77.5%',
      expect.stringContaining('up'),
    ])
    expect(screen.queryByText('+5 pp')).toBeNull()
    await slide('Condition n1', 10)
    expect(projected()?.className).toContain('down')
  })

  it.each([
    ['active', ['Pause', 'Evaluate']],
    ['paused', ['Set to active', 'Evaluate']],
    ['killed', ['Set to active', 'Evaluate']],
  ] as const)('offers for one that is %s: %j', async (status, names) => {
    await showTheses(LINE, { theses: [thesisUnderTest({ status })] })
    const offered = ['Pause', 'Set to active', 'Evaluate'].filter(
      (name) => screen.queryByRole('button', { name }) !== null,
    )
    expect(offered.toSorted()).toEqual([...names].toSorted())
  })
})

describe('the conditions of a thesis [terminal.theses.tree]', () => {
  it('are stepped through, opened, locked and left with keys', async () => {
    const { keys } = await showTheses(LINE)
    slider('Condition n1').focus()
    await keys('k')
    expect(document.activeElement).toBe(slider('Condition n1'))
    await keys('j')
    expect(document.activeElement).toBe(slider('Condition n1.1'))
    await keys('j', 'j', 'j')
    expect(document.activeElement).toBe(slider('Condition n2'))
    await keys('k')
    expect(document.activeElement).toBe(slider('Condition n1.1'))
    await keys('Enter')
    const label = () => screen.getByRole('button', { name: 'Condition n1.1' })
    expect(label().getAttribute('aria-expanded')).toBe('true')
    await keys('Enter')
    expect(label().getAttribute('aria-expanded')).toBe('false')
    await keys('v')
    expect(screen.getByLabelText('locked')).toBeTruthy()
    await keys('v')
    expect(screen.queryByLabelText('locked')).toBeNull()
    const active = document.activeElement
    if (active instanceof HTMLElement) active.blur()
    await keys('v', 'Enter', 'Delete')
    expect([screen.queryByLabelText('locked'), screen.queryByRole('alertdialog')]).toEqual([
      null,
      null,
    ])
  })

  it('lock and slider are undone one by one', async () => {
    const { keys, pane } = await showTheses(LINE)
    slider('Condition n1').focus()
    await keys('v', 'v')
    pane.edits?.undo()
    await pass(20)
    expect(screen.getByLabelText('locked')).toBeTruthy()
  })

  it('one is removed after a confirmation, with its edits', async () => {
    const { keys, sent } = await showTheses(LINE)
    await slide('Condition n2', 90)
    slider('Condition n2').focus()
    await keys('Enter', 'Delete')
    expect(screen.getByRole('alertdialog').textContent).toContain('Remove “Condition n2” and')
    await fireEvent.click(strip().getByRole('button', { name: 'Cancel' }))
    expect([screen.queryByRole('alertdialog'), sent]).toEqual([null, []])
    await press('Remove')
    await confirm('Remove condition')
    expect(sent[0]?.body).toEqual({ remove: ['n2'] })
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(screen.queryByText(/edited, not saved/)).toBeNull()
    expect(screen.queryByRole('button', { name: 'Remove' })).toBeNull()
    expect(document.activeElement).toBe(slider('Condition n1'))
  })

  it('one that was not removed keeps its edits; one that was not added its text', async () => {
    const { keys } = await showTheses(LINE, {
      write: () => refused(409, 'TREE_CHANGED', 'changed'),
    })
    await slide('Condition n2', 90)
    slider('Condition n2').focus()
    await keys('Delete')
    await confirm('Remove condition')
    expect(screen.getByText('1 condition edited, not saved')).toBeTruthy()
    await keys('a')
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'New condition' })
    expect(field.placeholder).toBe('Condition')
    await fireEvent.input(field, { target: { value: 'Jobs' } })
    await fireEvent.submit(field.form as HTMLFormElement)
    await pass(50)
    expect(field.value).toBe('Jobs')
    await press('Cancel')
    expect(field.isConnected).toBe(false)
  })

  // A rejection that nobody handles fails the run.
  it('one that is stored after another section was opened changes no focus', async () => {
    const { terminal, pane, keys } = await showTheses(LINE)
    const { running, end } = pending()
    vi.spyOn(terminal.live, 'send').mockReturnValue(running)
    await keys('a')
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'New condition' })
    await fireEvent.input(field, { target: { value: 'Jobs' } })
    await fireEvent.submit(field.form as HTMLFormElement)
    terminal.setArguments(pane, { part: 'graph' })
    await pass(50)
    end({ ok: true, body: {} })
    await pass(50)
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Graph of the tree' }))
  })

  it('one is added once by a double Enter', async () => {
    const { terminal, keys } = await showTheses(LINE)
    const { running, end } = pending()
    const send = vi.spyOn(terminal.live, 'send').mockReturnValue(running)
    await keys('a')
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'New condition' })
    await fireEvent.input(field, { target: { value: 'Jobs' } })
    await fireEvent.submit(field.form as HTMLFormElement)
    await fireEvent.submit(field.form as HTMLFormElement)
    expect(send).toHaveBeenCalledTimes(1)
    expect(button('Add').disabled).toBe(true)
    end({ ok: true, body: {} })
    await pass(50)
    expect(field.isConnected).toBe(false)
  })

  it('one is added below another, but not below the lowest level', async () => {
    const deep = nodeUnderTest('n1.1.1.1', 0.5, 1)
    const third = nodeUnderTest('n1.1.1', 0.5, 1, { children: [deep] as never })
    const second = nodeUnderTest('n1.1', 0.5, 1, { children: [third] as never })
    const nodes = [nodeUnderTest('n1', 0.6, 1, { children: [second] as never })]
    const { causalTree } = thesisUnderTest()
    const { sent } = await showTheses(LINE, {
      theses: [thesisUnderTest({ causalTree: { ...causalTree, nodes } as never })],
    })
    const canAdd = async (name: string) => {
      await fireEvent.click(screen.getByRole('button', { name: `Condition ${name}` }))
      return screen.queryByRole('button', { name: 'Add below' }) !== null
    }
    const levels: boolean[] = []
    for (const name of ['n1', 'n1.1', 'n1.1.1', 'n1.1.1.1']) levels.push(await canAdd(name))
    expect(levels.at(0)).toBe(true)
    expect(levels.at(-1)).toBe(false)
    await canAdd('n1')
    await press('Add below')
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'New condition' })
    expect(document.activeElement).toBe(field)
    expect(field.placeholder).toBe('Condition below n1')
    await fireEvent.input(field, { target: { value: 'Jobs' } })
    await fireEvent.submit(field.form as HTMLFormElement)
    await pass(50)
    expect(sent[0]?.body).toMatchObject({ add: [{ parentId: 'n1', label: 'Jobs' }] })
  })

  it('show moves since yesterday; earlier evaluations are read only when needed', async () => {
    const old = evaluationUnderTest({
      id: 'old',
      evaluatedAt: '2026-11-19T09:00:00.000Z',
      nodeProbabilities: { n1: 0.7, n2: 0.4 },
    })
    const { requested } = await showTheses(LINE, { evaluations: [evaluationUnderTest(), old] })
    expect(requested.some((path) => path.includes('limit=100'))).toBe(false)
    expect(screen.getByText('−10 pp 24h').className).toContain('down')
    expect(screen.queryByText(/^\+.* 24h/)).toBeNull()
    cleanup()
    const recent = evaluationUnderTest({ nodeProbabilities: { n1: 0.5 } })
    const other = await showTheses(LINE, { evaluations: [recent] })
    expect(other.requested.some((path) => path.includes('limit=100'))).toBe(true)
    expect(screen.getByText('+10 pp 24h').className).toContain('up')
  })

  it('edited ones show both probabilities, coloured by their direction', async () => {
    await showTheses(LINE)
    const line = (name: string) => slider(name).closest('.node')
    expect(line('Condition n1')?.querySelector('s')).toBeNull()
    await slide('Condition n1', 90)
    expect(line('Condition n1')?.querySelector('s')?.textContent).toBe('60%')
    expect(line('Condition n1')?.querySelector('b')?.className).toContain('up')
    await slide('Condition n1', 10)
    expect(line('Condition n1')?.querySelector('b')?.className).toContain('down')
  })
})

describe('a fork [terminal.theses.evolve]', () => {
  const open = async (scene: Parameters<typeof showTheses>[1] = {}) => {
    const page = await showTheses(LINE, scene)
    page.terminal.run('FORK')
    await pass(50)
    return page
  }
  const claim = () => strip().getByRole<HTMLTextAreaElement>('textbox')

  it('of a thesis that has ended can only copy it', async () => {
    await open({ theses: [thesisUnderTest({ status: 'killed' })] })
    expect(strip().queryByRole('textbox')).toBeNull()
    expect(strip().getByRole<HTMLButtonElement>('button', { name: 'Fork' }).disabled).toBe(false)
  })

  it('is sent by Enter in its claim, not by Shift+Enter, once', async () => {
    const { terminal } = await open()
    const { running } = pending()
    const send = vi.spyOn(terminal.live, 'send').mockReturnValue(running)
    expect(claim().getAttribute('aria-invalid')).toBe('false')
    await fireEvent.input(claim(), { target: { value: ' ' } })
    expect(strip().getByRole('button', { name: 'Fork' })).toBeTruthy()
    await fireEvent.input(claim(), {
      target: { value: ' The Fed will cut rates by December 2026 ' },
    })
    expect(strip().getByRole('button', { name: 'Fork' })).toBeTruthy()
    await fireEvent.input(claim(), { target: { value: ' The Fed will cut rates by June 2027 ' } })
    expect(await fireEvent.keyDown(claim(), { key: 'a' })).toBe(true)
    expect(await fireEvent.keyDown(claim(), { key: 'Enter', shiftKey: true })).toBe(true)
    expect(send).not.toHaveBeenCalled()
    expect(await fireEvent.keyDown(claim(), { key: 'Enter' })).toBe(false)
    expect(await fireEvent.keyDown(claim(), { key: 'Enter' })).toBe(false)
    await pass(20)
    expect(send.mock.calls).toEqual([
      ['POST', `/api/thesis/${ID}/fork`, { newRawThesis: 'The Fed will cut rates by June 2027' }],
    ])
  })

  it('with a claim that cannot be checked is not sent', async () => {
    const { sent } = await open()
    await fireEvent.input(claim(), { target: { value: 'Buy the Fed cut market now' } })
    expect(claim().getAttribute('aria-invalid')).toBe('true')
    await fireEvent.submit(claim())
    await pass(20)
    expect(sent).toEqual([])
  })

  it('is cancelled with a key, and the focus returns to the section', async () => {
    const { keys, sent } = await open()
    await keys('Escape')
    expect([screen.queryByRole('alertdialog'), sent]).toEqual([null, []])
    expect(document.activeElement).toBe(slider('Condition n1'))
  })
})
