import '../../testing/set-up-page.ts'
import { fireEvent, render, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Answer } from '../../api/client.ts'
import type { Panel } from '../../api/watch-types.ts'
import { pageUnderTest, refused, type Sent } from '../../testing/page-under-test.ts'
import { boardOf, panel } from '../../testing/panels.ts'
import BoardPane from './BoardPane.svelte'

const ends: (() => void)[] = []
beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})
afterEach(() => {
  for (const end of ends.splice(0)) end()
  vi.useRealTimers()
})
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

const BOARD = '/api/dashboard2/market-watch-v2'
const PANELS = '/api/dashboard2/market-watch/panels'
const AT = '2026-11-20T10:00:00.000Z'
const user = {
  ...{ id: 'usr_1', email: null, name: 'Owner', tier: 'free', isOwner: true, isAdmin: true },
  ...{ provider: 'local', hasPassword: false, createdAt: AT },
}
const ok = (body: object = { ok: true }): Answer<object> => ({ ok: true, body })
const because = (status: number, more: Readonly<Record<string, unknown>>): Answer<object> => {
  const answer = refused(status, null, 'in the words of the service')
  return answer.ok ? answer : { ...answer, failure: { ...answer.failure, more } }
}

/** A service that keeps a board as the real one does, as far as the page sees it. */
function service(panels: Panel[]) {
  let made = 0
  const refusals: Answer<object>[] = []
  const idOf = (path: string) => path.slice(PANELS.length + 1).split('/')[0] ?? ''
  const write = ({ method, path, body }: Sent): Answer<object> => {
    const refusal = refusals.shift()
    if (refusal !== undefined) return refusal
    const known = panels.find(({ id }) => id === idOf(path))
    if (path === `${PANELS}/reorder`) {
      const { order } = body as { order: { id: string; sortIdx: number }[] }
      panels = panels
        .map((one) => ({ ...one, sortIdx: order.find(({ id }) => id === one.id)?.sortIdx ?? 0 }))
        .sort((a, b) => a.sortIdx - b.sortIdx)
      return ok()
    }
    if (path === PANELS) {
      made += 1
      const added = panel(`new${made}`, body)
      panels = [...panels, added]
      return ok({ panel: added })
    }
    if (method === 'DELETE') panels = panels.filter((one) => one !== known)
    if (method === 'PATCH')
      panels = panels.map((one) => (one === known ? { ...one, ...body } : one))
    return ok(method === 'POST' ? { panelId: idOf(path) } : { ok: true })
  }
  return { write, refusals, panels: () => panels, set: (next: Panel[]) => (panels = next) }
}

async function setUp(panels: Panel[], { isSignedIn = true } = {}) {
  const kept = service(panels)
  const page = pageUnderTest((path) => {
    if (path === '/api/auth/me') {
      return isSignedIn
        ? { user, auth: {}, tier: { tier: 'free', requestsPerMinute: 600 } }
        : refused(401, 'AUTH_REQUIRED', 'Sign in')
    }
    if (path !== BOARD) return null
    return boardOf(kept.panels(), new Date(page.terminal.live.clock.read()).toISOString())
  }, kept.write)
  page.service.isSignedIn = isSignedIn
  const { terminal } = page
  const stop = $effect.root(() => {
    $effect(() => terminal.account.watch())
    $effect(() => terminal.account.follow())
    $effect(() => terminal.live.clock.start())
  })
  ends.push(stop, page.stop)
  await pass(100)
  const pane = page.paneOf('MW')
  terminal.focusedPane = pane.id
  render(BoardPane, { terminal, pane })
  await pass(100)
  const press = async (key: string, more: KeyboardEventInit = {}) => {
    const event = new KeyboardEvent('keydown', { key, cancelable: true, ...more })
    Object.defineProperty(event, 'target', { value: document.activeElement })
    const taken = terminal.keys.handle(event, [`pane:${pane.id}`])
    await pass(50)
    return taken
  }
  const run = async (line: string) => {
    terminal.run(line)
    await pass(50)
  }
  const asks = () => page.asked.filter((path) => path === BOARD).length
  return { ...page, pane, kept, press, run, asks }
}

const titles = () =>
  screen.queryAllByRole('article').map((card) => card.getAttribute('aria-label') ?? '')
const card = (name: string) => screen.getByRole('article', { name })
const three = () => [panel('a'), panel('b'), panel('c')]

describe('the board', () => {
  // [terminal.board.cards]
  it('shows each panel with its number, title, values, cadence and age, and the tier', async () => {
    const screenPanel = panel('b', {
      ...{ kind: 'screen', status: 'paused', title: '<b>Coin</b> flips' },
      spec: {
        ...{ version: 1, kind: 'screen', sources: ['latest_market_prices'] },
        ...{ filters: { probability: { min: 0.4, max: 0.6 } }, display: { visualization: 'stat' } },
        schedule: { mode: 'interval', cadenceMinutes: 10 },
      },
    })
    await setUp([panel('a'), screenPanel])
    expect(screen.getByText('2 of 3 panels, 1 of 1 screens, refresh at least 5 min')).toBeTruthy()
    expect(titles()).toEqual(['1. Panel a', '2. <b>Coin</b> flips'])
    const first = within(card('1. Panel a'))
    expect(first.getByRole('rowheader', { name: 'Oil above 100?' })).toBeTruthy()
    expect(first.getByText('+5.0¢ ▲')).toBeTruthy()
    expect(first.getByText('by hand')).toBeTruthy()
    expect(card('2. <b>Coin</b> flips').textContent).toContain('schedule rests · 40% to 60%')
    expect(document.querySelector('b b')).toBeNull()
  })

  it('offers to sign in, and asks nothing as nobody [terminal.board.sign-in]', async () => {
    const { asks } = await setUp(three(), { isSignedIn: false })
    expect(screen.getByText(/to see your board/)).toBeTruthy()
    expect(asks()).toBe(0)
  })

  it('says what to do when it is empty', async () => {
    const { press } = await setUp([])
    expect(screen.getByText('Your board has no panels yet.')).toBeTruthy()
    await press('n')
    expect(screen.getByRole('form', { name: 'New panel' })).toBeTruthy()
  })

  // [terminal.board.states]
  it('tells waiting, failed and stale panels from fresh ones', async () => {
    const lastError = { at: AT, reason: 'panel_execution_timeout', message: '' }
    const gone = { payload: null, sourceClock: null, cacheState: 'miss' } as const
    await setUp([
      panel('a', { ...gone, executionStatus: 'pending' }),
      panel('b', { ...gone, executionStatus: 'error-miss', lastError }),
      panel('c', { cacheState: 'stale', executionStatus: 'error-stale', lastError }),
      panel('d', { sourceClock: { source: 'quotes', asOf: AT, ageSeconds: 999, stale: true } }),
    ])
    expect(card('1. Panel a').textContent).toContain('Working it out for the first time')
    expect(card('2. Panel b').textContent).toContain('took longer than 15 s')
    expect(card('3. Panel c').textContent).toMatch(/longer than 15 s.*Shown is what stood before/)
    expect(card('3. Panel c').textContent).toContain('+5.0¢')
    expect(card('4. Panel d').textContent).toContain('STALE')
    expect(card('4. Panel d').querySelector('.stale')).not.toBeNull()
    expect(card('3. Panel c').querySelector('.stale')).toBeNull()
  })

  // [terminal.board.schedule]
  it('asks when a panel is due, soon while one is pending, and not while it is hidden', async () => {
    const { asks, kept, pane } = await setUp([
      panel('a', { nextRunAt: '2026-11-20T10:00:09.000Z' }),
    ])
    const first = asks()
    await pass(8_000)
    expect(asks()).toBe(first)
    await pass(2_000)
    expect(asks()).toBe(first + 1)
    kept.set([panel('a', { payload: null, executionStatus: 'pending' })])
    await pass(32_000)
    const before = asks()
    await pass(10_000)
    expect(asks() - before).toBeGreaterThanOrEqual(4)
    pane.visible = false
    await pass(100)
    const hidden = asks()
    await pass(120_000)
    expect(asks()).toBe(hidden)
  })

  it('marks sample data, which the board is made of', async () => {
    const { pane } = await setUp(three())
    expect(pane.sources.map(({ isOwn, isOfMarkets }) => [isOwn, isOfMarkets])).toEqual([
      [true, true],
    ])
  })
})

describe('keys of the board', () => {
  // [terminal.board.keys]
  it('walk over the cards, open one with all its rows and come back', async () => {
    const { press, pane } = await setUp(three())
    await press('j')
    expect(document.activeElement).toBe(card('2. Panel b'))
    await press('End')
    await press('k')
    await press('Enter')
    const opened = screen.getByRole('region', { name: 'Panel b' })
    expect(within(opened).getByRole('grid', { name: 'Rows of Panel b' })).toBeTruthy()
    expect(pane.rowsShown?.()).toMatchObject([{ ticker: 'KXOIL-1', change: 5 }])
    await press('Escape')
    expect(document.activeElement).toBe(card('2. Panel b'))
    expect(pane.rowsShown?.()).toHaveLength(3)
  })

  it('show the table twin of a drawing', async () => {
    const spec = { ...panel('a').spec, display: { visualization: 'gauge' } } as const
    const { press } = await setUp([panel('a', { spec })])
    expect(screen.getByRole('meter')).toBeTruthy()
    await press('t')
    expect(screen.queryByRole('meter')).toBeNull()
    expect(within(card('1. Panel a')).getByRole('table')).toBeTruthy()
  })

  // [terminal.board.reorder]
  it('move a panel by Alt and an arrow, say so, and take that back', async () => {
    const { press, sent, terminal, kept } = await setUp(three())
    expect(await press('ArrowRight', { altKey: true })).toBe(true)
    expect(titles()).toEqual(['1. Panel b', '2. Panel a', '3. Panel c'])
    expect(screen.getByText('«Panel a» moved to place 2 of 3')).toBeTruthy()
    expect(document.activeElement).toBe(card('2. Panel a'))
    expect(sent).toEqual([
      {
        ...{ method: 'POST', path: `${PANELS}/reorder` },
        body: { order: ['b', 'a', 'c'].map((id, sortIdx) => ({ id, sortIdx })) },
      },
    ])
    terminal.run('UNDO')
    await pass(100)
    expect(kept.panels().map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    expect(titles()[0]).toBe('1. Panel a')
    terminal.run('REDO')
    await pass(100)
    expect(titles()[0]).toBe('1. Panel b')
  })

  it('put a refused order back, and say why', async () => {
    const { press, kept, terminal } = await setUp(three())
    kept.refusals.push(because(404, { reason: 'panel_not_found_or_not_owned' }))
    await press('End')
    await press('ArrowLeft', { altKey: true })
    await pass(100)
    expect(titles()).toEqual(['1. Panel a', '2. Panel b', '3. Panel c'])
    expect(terminal.notice?.text).toBe('This panel is gone: it was removed elsewhere.')
  })

  it('drop a dragged panel beside the one under the pointer', async () => {
    await setUp(three())
    const items = screen.getAllByRole('listitem')
    const header = items[2]?.querySelector('header')
    if (!header || !items[0]) throw new Error('no cards')
    await fireEvent.dragStart(header)
    await fireEvent.dragOver(items[0], { clientX: -1 })
    await fireEvent.drop(items[0])
    await pass(50)
    expect(titles()).toEqual(['1. Panel c', '2. Panel a', '3. Panel b'])
  })
})

describe('changing the board', () => {
  // [terminal.board.form]
  it('adds a panel from the form, with a refusal beside its field first', async () => {
    const { press, sent, kept } = await setUp([])
    await press('n')
    const form = screen.getByRole('form', { name: 'New panel' })
    const of = within(form)
    await fireEvent.change(of.getByLabelText('Shows'), { target: { value: 'liquidity' } })
    expect(of.getByLabelText<HTMLSelectElement>('Drawn as').value).toBe('bar')
    await fireEvent.input(of.getByLabelText('Title'), { target: { value: 'Dollars' } })
    await fireEvent.input(of.getByLabelText('How often'), { target: { value: '1' } })
    expect(form.textContent).toContain('Adds «Dollars» as a bar, every 1 min.')
    kept.refusals.push(
      because(400, { reason: 'schedule_cadence_below_tier_floor', minRefreshSeconds: 300 }),
    )
    await fireEvent.submit(form)
    await pass(100)
    const often = of.getByLabelText('How often')
    expect(document.getElementById(often.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'Your tier refreshes a panel no more often than every 5 min. Type 5 min or more.',
    )
    expect([often.getAttribute('aria-invalid'), document.activeElement]).toEqual(['true', often])
    await fireEvent.input(often, { target: { value: '5' } })
    await fireEvent.submit(form)
    await pass(100)
    const spec = {
      ...{ version: 1, kind: 'preset', preset: { id: 'liquidity_by_theme' } },
      display: { visualization: 'bar' },
      schedule: { mode: 'interval', cadenceMinutes: 5 },
    }
    expect(sent.at(-1)).toEqual({ method: 'POST', path: PANELS, body: { title: 'Dollars', spec } })
    expect(screen.queryByRole('form', { name: 'New panel' })).toBeNull()
    expect(document.activeElement).toBe(card('1. Dollars'))
  })

  // [terminal.board.command]
  it('fills the form in from a command; a second Enter does it', async () => {
    const { run, sent } = await setUp([panel('a')])
    await run('PANEL add prices p=20%..60% title="Close to even" -manual')
    expect(sent).toEqual([])
    const form = screen.getByRole('form', { name: 'New panel' })
    expect(document.activeElement).toBe(within(form).getByRole('button', { name: 'Add panel' }))
    await fireEvent.submit(form)
    await pass(100)
    expect(sent[0]?.body).toMatchObject({
      ...{ title: 'Close to even', spec: { filters: { probability: { min: 0.2, max: 0.6 } } } },
    })
  })

  it('changes a panel, and takes that back', async () => {
    const { run, sent, terminal, kept } = await setUp([panel('a')])
    await run('PANEL 1 title=Renamed')
    await fireEvent.submit(screen.getByRole('form', { name: 'Edit Panel a' }))
    await pass(100)
    expect(sent).toEqual([{ method: 'PATCH', path: `${PANELS}/a`, body: { title: 'Renamed' } }])
    expect(titles()).toEqual(['1. Renamed'])
    terminal.run('UNDO')
    await pass(100)
    expect(kept.panels()[0]?.title).toBe('Panel a')
    expect(terminal.notice?.text).toBe('Undone: «Panel a» changed')
  })

  it('leaves all as it is on Escape', async () => {
    const { run, press, sent } = await setUp([panel('a')])
    await run('PANEL 1 title=Renamed')
    await press('Escape')
    expect(screen.queryByRole('form')).toBeNull()
    expect(document.activeElement).toBe(card('1. Panel a'))
    expect(sent).toEqual([])
  })

  // [terminal.board.remove]
  it('removes a panel after the typed word alone, and brings it back to its place', async () => {
    const { press, sent, terminal, kept } = await setUp(three())
    await press('j')
    await press('Delete')
    const dialog = screen.getByRole('alertdialog', { name: 'Remove the panel' })
    const word = within(dialog).getByRole('textbox', { name: 'Type remove to confirm' })
    const confirm = within(dialog).getByRole<HTMLButtonElement>('button', {
      name: 'Remove the panel',
    })
    const form = dialog.querySelector('form')
    if (form === null) throw new Error('no form')
    expect([confirm.disabled, document.activeElement]).toEqual([true, word])
    await fireEvent.submit(form)
    expect(sent).toEqual([])
    await fireEvent.input(word, { target: { value: 'remove' } })
    await fireEvent.submit(form)
    await pass(100)
    expect(sent).toEqual([{ method: 'DELETE', path: `${PANELS}/b`, body: undefined }])
    expect(titles()).toEqual(['1. Panel a', '2. Panel c'])
    terminal.run('UNDO')
    await pass(100)
    expect(kept.panels().map(({ title }) => title)).toEqual(['Panel a', 'Panel b', 'Panel c'])
    // It bears another id now, and still goes again.
    terminal.run('REDO')
    await pass(100)
    expect(titles()).toEqual(['1. Panel a', '2. Panel c'])
  })

  it('asks before a command runs, pauses or moves', async () => {
    const { run, sent, kept } = await setUp(three())
    await run('PANEL pause 2')
    const pause = screen.getByRole('button', { name: 'Pause it' })
    expect([document.activeElement, sent]).toEqual([pause, []])
    await fireEvent.submit(pause.closest('form') ?? pause)
    await pass(100)
    expect(kept.panels()[1]?.status).toBe('paused')
    await run('PANEL move 3 1')
    await fireEvent.submit(screen.getByRole('button', { name: 'Move it' }).closest('form') ?? pause)
    await pass(100)
    expect(titles()[0]).toBe('1. Panel c')
    await run('PANEL remove 9')
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })
})

describe('a run by hand', () => {
  const button = (name = 'Run Panel a now') => screen.getByRole('button', { name })

  // [terminal.board.run]
  it('is followed by the ring of its cooldown, counted down to nothing', async () => {
    const { press, sent, terminal } = await setUp([panel('a')])
    await press('u')
    await pass(1_000)
    expect(sent).toEqual([{ method: 'POST', path: `${PANELS}/a/run`, body: undefined }])
    const left = Number(button().dataset['cooldown'])
    expect(left).toBeGreaterThan(295)
    expect(button().getAttribute('title')).toMatch(/^Refresh again in (\d+ s|5 min) \(Free\)$/)
    await press('u')
    expect(sent).toHaveLength(1)
    expect(terminal.notice?.text).toMatch(/^Refresh again in/)
    await pass(100_000)
    expect(left - Number(button().dataset['cooldown'])).toBeGreaterThanOrEqual(99)
    await pass(201_000)
    expect(button().dataset['cooldown']).toBeUndefined()
  })

  it('that is refused counts down what the service says', async () => {
    const { press, kept } = await setUp([panel('a')])
    kept.refusals.push(because(429, { reason: 'panel_refresh_cooldown', retryAfterSeconds: 42 }))
    await press('u')
    await pass(1_000)
    expect(Number(button().dataset['cooldown'])).toBeGreaterThanOrEqual(41)
    expect(card('1. Panel a').textContent).toContain('Run it again in 42 s.')
    await pass(43_000)
    expect(button().dataset['cooldown']).toBeUndefined()
  })

  it('that found no turn cools nothing down', async () => {
    const { press, kept } = await setUp([panel('a')])
    kept.refusals.push(because(503, { reason: 'panel_execution_busy' }))
    await press('u')
    await pass(1_000)
    expect(button().dataset['cooldown']).toBeUndefined()
    expect(card('1. Panel a').textContent).toContain('All turns are taken')
  })

  it('of another window is known from the board', async () => {
    const { terminal } = await setUp([])
    const until = new Date(terminal.live.clock.machine() + 60_000).toISOString()
    document.body.replaceChildren()
    await setUp([panel('a', { cooldownUntil: until })])
    expect(Number(button().dataset['cooldown'])).toBeGreaterThan(55)
  })
})
