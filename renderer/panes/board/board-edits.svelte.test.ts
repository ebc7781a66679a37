import '../../testing/set-up-page.ts'
import { fireEvent, screen, within } from '@testing-library/svelte'
import { describe, expect, it, vi } from 'vitest'
import {
  because,
  card,
  PANELS,
  pass,
  setUp,
  three,
  titles,
} from '../../testing/board-under-test.svelte.ts'
import { panel } from '../../testing/panels.ts'
import { BoardEdits } from './board-edits.ts'

describe('editing the board', () => {
  // [terminal.board.form]
  it('adds a panel from the form, with an error beside its field first', async () => {
    const { press, sent, kept } = await setUp([])
    await press('n')
    const form = screen.getByRole('form', { name: 'New panel' })
    const of = within(form)
    await fireEvent.change(of.getByLabelText('Shows'), { target: { value: 'liquidity' } })
    expect(of.getByLabelText<HTMLSelectElement>('View').value).toBe('bar')
    await fireEvent.input(of.getByLabelText('Title'), { target: { value: 'Dollars' } })
    await fireEvent.input(of.getByLabelText('Refresh interval'), { target: { value: '1' } })
    expect(form.textContent).toContain('Adds “Dollars” as a bar, every 1 min.')
    kept.refusals.push(
      because(400, { reason: 'schedule_cadence_below_tier_floor', minRefreshSeconds: 300 }),
    )
    await fireEvent.submit(form)
    await pass(100)
    const often = of.getByLabelText('Refresh interval')
    expect(document.getElementById(often.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'Your tier refreshes a panel at most every 5 min. Enter 5 min or more.',
    )
    expect([often.getAttribute('aria-invalid'), document.activeElement]).toEqual(['true', often])
    await fireEvent.input(often, { target: { value: '5' } })
    await fireEvent.submit(form)
    await pass(100)
    const spec = {
      version: 1,
      kind: 'preset',
      preset: { id: 'liquidity_by_theme' },
      display: { visualization: 'bar' },
      schedule: { mode: 'interval', cadenceMinutes: 5 },
    }
    expect(sent.at(-1)).toEqual({ method: 'POST', path: PANELS, body: { title: 'Dollars', spec } })
    expect(screen.queryByRole('form', { name: 'New panel' })).toBeNull()
    expect(document.activeElement).toBe(card('1. Dollars'))
  })

  // [terminal.board.command]
  it('fills in the form from a command; a second Enter submits it', async () => {
    const { run, sent } = await setUp([panel('a')])
    await run('PANEL add prices p=20%..60% title="Close to even" -manual')
    expect(sent).toEqual([])
    const form = screen.getByRole('form', { name: 'New panel' })
    expect(document.activeElement).toBe(within(form).getByRole('button', { name: 'Add panel' }))
    await fireEvent.submit(form)
    await pass(100)
    expect(sent[0]?.body).toMatchObject({
      title: 'Close to even',
      spec: { filters: { probability: { min: 0.2, max: 0.6 } } },
    })
  })

  it('keeps the focus on its button after an error of the whole form', async () => {
    const { press, kept } = await setUp([])
    await press('n')
    const form = screen.getByRole('form', { name: 'New panel' })
    kept.refusals.push(because(409, { reason: 'other' }))
    await fireEvent.submit(form)
    await pass(100)
    expect(within(form).getByRole('alert').closest('.button-row')).not.toBeNull()
    expect(document.activeElement).toBe(within(form).getByRole('button', { name: 'Add panel' }))
  })

  it.each([
    [null, { text: 'Panel added', tone: 'info' }],
    [
      because(400, { reason: 'schedule_cadence_below_tier_floor', minRefreshSeconds: 300 }),
      {
        text: 'New panel: Your tier refreshes a panel at most every 5 min. Enter 5 min or more.',
        tone: 'error',
      },
    ],
  ])('reports the answer after the form was closed, and keeps the next form: %j', async (...of) => {
    const [refusal, notice] = of
    const { press, kept, terminal } = await setUp([])
    const send = terminal.live.send.bind(terminal.live)
    let answer = () => {}
    const requested = new Promise<void>((resolve) => (answer = resolve))
    vi.spyOn(terminal.live, 'send').mockImplementation(async (...sent) => {
      await requested
      return send(...sent)
    })
    if (refusal !== null) kept.refusals.push(refusal)
    await press('n')
    await fireEvent.submit(screen.getByRole('form', { name: 'New panel' }))
    await press('Escape')
    expect(screen.queryByRole('form')).toBeNull()
    await press('n')
    const title = () => screen.getByLabelText<HTMLInputElement>('Title')
    await fireEvent.input(title(), { target: { value: 'Next' } })
    answer()
    await pass(100)
    expect(terminal.notice).toEqual(notice)
    expect(title().value).toBe('Next')
  })

  it('changes a panel, and undoes that', async () => {
    const { run, sent, terminal, kept } = await setUp([panel('a')])
    await run('PANEL 1 title=Renamed')
    await fireEvent.submit(screen.getByRole('form', { name: 'Edit Panel a' }))
    await pass(100)
    expect(sent).toEqual([{ method: 'PATCH', path: `${PANELS}/a`, body: { title: 'Renamed' } }])
    expect(titles()).toEqual(['1. Renamed'])
    terminal.run('UNDO')
    await pass(100)
    expect(kept.panels()[0]?.title).toBe('Panel a')
    expect(terminal.notice?.text).toBe('Undone: “Panel a” changed')
  })

  it('changes nothing on Escape', async () => {
    const { run, press, sent } = await setUp([panel('a')])
    await run('PANEL 1 title=Renamed')
    await press('Escape')
    expect(screen.queryByRole('form')).toBeNull()
    expect(document.activeElement).toBe(card('1. Panel a'))
    expect(sent).toEqual([])
  })

  // [terminal.board.remove]
  it('removes a panel at once, and restores it in its place', async () => {
    const { press, sent, terminal, kept } = await setUp(three())
    await press('j')
    await press('Delete')
    await pass(100)
    expect(terminal.notice?.text).toBe('“Panel b” removed. UNDO restores it')
    expect(sent).toEqual([{ method: 'DELETE', path: `${PANELS}/b`, body: undefined }])
    expect(titles()).toEqual(['1. Panel a', '2. Panel c'])
    terminal.run('UNDO')
    await pass(100)
    expect(kept.panels().map(({ title }) => title)).toEqual(['Panel a', 'Panel b', 'Panel c'])
    // The restored panel has a new id and can still be removed again.
    terminal.run('REDO')
    await pass(100)
    expect(titles()).toEqual(['1. Panel a', '2. Panel c'])
  })

  it('reports that a restored panel is not paused as before', async () => {
    const { press, terminal, kept } = await setUp([panel('a', { status: 'paused' })])
    await press('Delete')
    await pass(100)
    const restored = panel('new1')
    kept.set([restored])
    kept.refusals.push({ ok: true, body: { panel: restored } }, because(500, {}))
    terminal.run('UNDO')
    await pass(100)
    expect(terminal.notice?.tone).toBe('error')
  })

  it('confirms before a command runs, pauses or moves a panel', async () => {
    const { run, sent, kept } = await setUp(three())
    await run('PANEL pause 2')
    const pause = screen.getByRole('button', { name: 'Pause' })
    expect([document.activeElement, sent]).toEqual([pause, []])
    await fireEvent.submit(pause.closest('form') ?? pause)
    await pass(100)
    expect(kept.panels()[1]?.status).toBe('paused')
    await run('PANEL move 3 1')
    await fireEvent.submit(screen.getByRole('button', { name: 'Move' }).closest('form') ?? pause)
    await pass(100)
    expect(titles()[0]).toBe('1. Panel c')
    await run('PANEL remove 9')
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })
})

describe('the steps of edits', () => {
  function history() {
    const log: string[] = []
    const notices: (readonly [string, string])[] = []
    const edits = new BoardEdits((text, tone) => notices.push([text, tone]))
    const step = (name: string, refusal: string | null = null) => ({
      text: name,
      undo: async () => {
        log.push(`${name} back`)
        await Promise.resolve()
        log.push(`${name} was back`)
        return refusal
      },
      redo: () => {
        log.push(`${name} forth`)
        return Promise.resolve(refusal)
      },
    })
    const settle = () => pass(0)
    return { edits, log, notices, step, settle }
  }

  it('are undone and redone one after another, the last first', async () => {
    const { edits, log, notices, step, settle } = history()
    expect([edits.undo(), edits.redo()]).toEqual([false, false])
    edits.record(step('a'))
    edits.record(step('b'))
    expect([edits.undo(), edits.undo(), edits.undo()]).toEqual([true, true, false])
    await settle()
    // The second request waits for the first.
    expect(log).toEqual(['b back', 'b was back', 'a back', 'a was back'])
    expect([edits.redo(), edits.redo(), edits.redo()]).toEqual([true, true, false])
    await settle()
    expect(log.slice(4)).toEqual(['a forth', 'b forth'])
    expect(notices).toEqual([
      ['Undone: b', 'info'],
      ['Undone: a', 'info'],
      ['Redone: a', 'info'],
      ['Redone: b', 'info'],
    ])
    expect(edits.undo()).toBe(true)
  })

  it('cannot be redone after another, and report a refusal', async () => {
    const { edits, notices, step, settle } = history()
    edits.record(step('a', 'It is gone.'))
    edits.undo()
    await settle()
    expect(notices).toEqual([['It is gone.', 'error']])
    edits.record(step('b'))
    expect(edits.redo()).toBe(false)
  })

  it('are the last fifty, and none after they are cleared', () => {
    const { edits, step } = history()
    for (let count = 0; count < 60; count++) edits.record(step(String(count)))
    let undone = 0
    while (edits.undo()) undone += 1
    expect(undone).toBe(50)
    edits.clear()
    expect([edits.undo(), edits.redo()]).toEqual([false, false])
  })
})
