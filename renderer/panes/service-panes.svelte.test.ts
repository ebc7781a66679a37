import '../testing/set-up-page.ts'
import { cleanup, fireEvent, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { pageUnderTest, refused, type Writes } from '../testing/page-under-test.ts'
import { marketRow } from '../testing/rows.ts'
import { cells, clickCell, column, press, shownPane } from '../testing/shown-pane.ts'
import { renderSignedIn } from '../testing/signed-in.svelte.ts'
import { tableColumns } from '../testing/table-columns.ts'
import HealthPane from './health/HealthPane.svelte'
import HelpPane from './help/HelpPane.svelte'
import ReplayPane from './replay/ReplayPane.svelte'
import SqlPane from './sql/SqlPane.svelte'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)
const AT = '2026-11-20T10:00:00.000Z'
const textOf = (name: string) =>
  screen.getByRole('region', { name }).textContent.replace(/\s+/g, ' ').trim()

describe('the state of the sources', () => {
  const component = (name: string, more: object = {}) => ({
    name,
    status: 'operational',
    dataAgeSeconds: null,
    lastOkAt: null,
    message: null,
    ...more,
  })
  const incident = (id: string, resolvedAt: string | null) => ({
    id,
    title: `Incident ${id}`,
    impact: 'x',
    startedAt: '2026-11-20T08:00:00.000Z',
    resolvedAt,
  })
  const check = (name: string, state: string, fix: string | null = null) => ({
    name,
    state,
    detail: `Detail of ${name}.`,
    fix,
  })
  const FEED = {
    venue: 'venue_a',
    feed: 'trades',
    mode: 'stream',
    lag: null,
    gaps: { found: 0, unrepaired: 0, open: 0 },
    requests: 1,
    failures: 0,
    refusedRows: 0,
  }
  const limit = (name: string, used: number) => ({ class: name, used, limit: 60, resetAt: AT })
  const status = (incidents: readonly object[] = []) => ({
    status: 'operational',
    components: [component('history', { lastOkAt: '2026-11-20T09:00:00.000Z' })],
    incidents,
    updatedAt: AT,
  })
  const body =
    (checks: readonly object[], limits: readonly object[], incidents: readonly object[] = []) =>
    (path: string): object | null => {
      if (path.startsWith('/api/doctor')) return { checks, feeds: [FEED] }
      if (path.includes('usage')) return { limits }
      return path.startsWith('/status') ? status(incidents) : null
    }
  const MORE = 'Incidents, limits and checks'

  it('of an administrator has the feeds, the use of limits and failed checks', async () => {
    const checks = [
      check('disk', 'fail', 'Free some space.'),
      check('clock', 'warn'),
      check('x', 'ok'),
    ]
    const limits = [limit('reads', 60), limit('writes', 59)]
    const { pane, ran, requested, stop } = await shownPane(
      'HEALTH',
      HealthPane,
      body(checks, limits),
    )
    expect(requested.some((path) => path.startsWith('/api/doctor'))).toBe(true)
    expect(screen.getByRole('table', { name: 'Feeds' }).textContent).toContain('Kalshi, trades')
    const rows = within(screen.getByRole('table', { name: 'Current limits' }))
      .getAllByRole('row')
      .slice(1)
    expect(rows.map((row) => row.classList.contains('warns'))).toEqual([true, false])
    expect(textOf(MORE)).toContain('disk Detail of disk. Free some space.clock Detail of clock.')
    expect(textOf(MORE)).not.toContain('Detail of x')
    expect(textOf(MORE)).toContain('None recently.')
    expect(screen.getByText('disk').className).toContain('error')
    expect(screen.getByText('clock').className).toContain('late')
    expect(pane.visibleRows?.()).toEqual([
      expect.objectContaining({
        name: 'History',
        state: 'OK',
        age: '–',
        lastOkAt: '2026-11-20T09:00:00.000Z',
      }),
      expect.objectContaining({ age: expect.any(String) as string }),
    ])
    await clickCell('History')
    expect(ran).toEqual([['SET sources']])
    expect(cells().slice(0, 4)).toEqual(['History', 'OK', '–', expect.stringMatching(/^09:00/)])
    expect(await tableColumns('Sources')).toBe(
      'Source | State | Data age, right | Last OK, right, hides 1 | Note',
    )
    cleanup()
    expect(pane.visibleRows).toBeNull()
    stop()
  })

  it('counts passed checks, and shows when incidents began and ended', async () => {
    const incidents = [incident('one', null), incident('two', '2026-11-20T09:00:00.000Z')]
    const { stop } = await shownPane('HEALTH', HealthPane, body([check('x', 'ok')], [], incidents))
    expect(textOf(MORE)).toContain('All 1 checks passed.')
    expect(textOf(MORE)).toContain('No limited requests this minute.')
    expect(textOf(MORE)).toMatch(
      /open Incident one, \S+ \S+ 08:00resolved Incident two, \S+ \S+ 08:00 to \S+ \S+ 09:00/,
    )
    expect(textOf(MORE)).not.toContain('None recently.')
    stop()
  })

  it('states why the limits and the checks could not be read', async () => {
    const { stop } = await shownPane('HEALTH', HealthPane, (path) =>
      path.startsWith('/status') ? status() : refused(503, null, 'Busy'),
    )
    expect(textOf(MORE)).toContain('Rate limits this minute Busy (503).')
    expect(textOf(MORE)).toContain('Checks Busy (503).')
    expect(screen.queryByRole('table', { name: 'Feeds' })).toBeNull()
    stop()
  })

  it('of a visitor has no checks, and requests none', async () => {
    const page = pageUnderTest((path) =>
      path.startsWith('/api/auth/me') ? refused(401, null, '') : body([], [])(path),
    )
    const pane = page.paneOf('HEALTH')
    await renderSignedIn(HealthPane, page.terminal, pane)
    expect(textOf(MORE)).toContain('Sign in to see the use of each limit.')
    expect(textOf(MORE)).not.toContain('Checks')
    expect(page.requested.filter((path) => /doctor|usage/.test(path))).toEqual([])
    page.stop()
  })

  it('of a user who is no administrator has limits without checks', async () => {
    const user = { id: 'usr_2', name: 'Other', email: null, tier: 'free', isAdmin: false }
    const page = pageUnderTest((path) =>
      path.startsWith('/api/auth/me')
        ? { user, auth: { kind: 'session', sessionId: 's', keyId: null, expiresAt: AT }, tier: {} }
        : body([], [limit('reads', 1)])(path),
    )
    const pane = page.paneOf('HEALTH')
    await renderSignedIn(HealthPane, page.terminal, pane)
    expect(screen.getByRole('table', { name: 'Current limits' })).toBeTruthy()
    expect(textOf(MORE)).not.toContain('Checks')
    expect(page.requested.filter((path) => path.includes('doctor'))).toEqual([])
    page.stop()
  })
})

describe('a statement', () => {
  const answer = (rows: readonly (readonly unknown[])[], more: object = {}) => ({
    columns: [
      { name: 'ticker', type: 'VARCHAR' },
      { name: 'n', type: 'BIGINT' },
    ],
    rows,
    truncated: false,
    ...more,
  })
  const replies =
    (body: object, delay = 0): Writes =>
    () =>
      (delay > 0
        ? new Promise((resolve) => setTimeout(() => resolve({ ok: true, body }), delay))
        : { ok: true, body }) as never
  const field = () => screen.getByRole<HTMLTextAreaElement>('textbox')
  const type = (text: string) => fireEvent.input(field(), { target: { value: text } })
  const two = answer([
    ['KX-1', 12],
    [null, 2],
  ])
  const sqlPane = (line: string, writes: Writes = replies(two)) =>
    shownPane(line, SqlPane, () => null, writes)
  const statements = (
    sent: readonly { readonly path: string; readonly body: object | undefined }[],
  ) =>
    sent.filter(({ path }) => path === '/api/sql').map(({ body }) => (body as { sql: string }).sql)

  it('of a line runs once, and its rows open their market', async () => {
    const { pane, sent, keys, opened, stop } = await sqlPane('SQL select 1')
    expect(statements(sent)).toEqual(['select 1'])
    expect(field().value).toBe('select 1')
    expect(pane.note).toBe('2')
    expect(pane.visibleRows?.()).toEqual([
      { ticker: 'KX-1', n: 12 },
      { ticker: null, n: 2 },
    ])
    expect(cells()).toEqual(['KX-1', '12', '–', '2'])
    expect(screen.getByText(/^2 rows in \d+ ms, run at/)).toBeTruthy()
    await clickCell('12')
    await clickCell('2')
    await keys('Home', 'Enter', 'g')
    expect(opened).toEqual([
      [pane, 'KX-1', null],
      [pane, 'KX-1', 'DES'],
      [pane, 'KX-1', 'GP'],
    ])
    await press('n')
    expect(column(1)).toEqual(['12', '2'])
    await pass(60_000)
    expect(statements(sent)).toHaveLength(1)
    await keys('r')
    expect(statements(sent)).toEqual(['select 1', 'select 1'])
    cleanup()
    expect(pane.visibleRows).toBeNull()
    stop()
  })

  it('that is typed runs by its button and by Ctrl+Enter, without its terminator', async () => {
    const { pane, sent, stop } = await sqlPane('SQL')
    expect(statements(sent)).toEqual([])
    expect(pane.note).toBe('')
    expect(pane.visibleRows).toBeNull()
    const run = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Run' })
    expect(run().disabled).toBe(true)
    await type('  select 2; ')
    expect(run().disabled).toBe(false)
    await fireEvent.submit(screen.getByRole('form', { name: 'Statement' }))
    await pass(50)
    expect(statements(sent)).toEqual(['select 2'])
    expect(pane.command.args['statement']).toBe('select 2')
    expect(screen.queryByText(/^Below: result/)).toBeNull()
    await type('select 3')
    expect(screen.getByText('Below: result of the previous statement')).toBeTruthy()
    await fireEvent.keyDown(field(), { key: 'Enter' })
    await fireEvent.keyDown(field(), { key: 'a', ctrlKey: true })
    await pass(50)
    expect(statements(sent)).toHaveLength(1)
    for (const [key, count] of [
      ['ctrlKey', 2],
      ['metaKey', 3],
    ] as const) {
      await fireEvent.keyDown(field(), { key: 'Enter', [key]: true })
      await pass(50)
      expect(statements(sent)).toHaveLength(count)
    }
    expect(screen.queryByText(/^Below: result/)).toBeNull()
    await type(' ; ')
    await fireEvent.keyDown(field(), { key: 'Enter', ctrlKey: true })
    expect(statements(sent)).toHaveLength(3)
    stop()
  })

  it('that fails when it runs again is not answered by the earlier result', async () => {
    let reply: ReturnType<Writes> = { ok: true, body: two }
    const { keys, stop } = await sqlPane('SQL select 1', () => reply)
    reply = refused(503, 'UNAVAILABLE', 'busy')
    await keys('r')
    expect(screen.getByRole('alert').textContent).toBe('Busy.')
    expect(screen.getByText('Below: result of the previous run')).toBeTruthy()
    stop()
  })

  it('runs one at a time, and reports that it runs', async () => {
    const { sent, keys, stop } = await sqlPane('SQL', replies(answer([['KX-1', 1]]), 5_000))
    await type('select 4')
    await keys('r')
    expect(screen.getByRole('status').textContent).toBe('Running; 10 s at most')
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Run' }).disabled).toBe(true)
    // Neither the examples nor another result meanwhile.
    expect(screen.queryByText('Examples')).toBeNull()
    await keys('r')
    await pass(5_000)
    expect(statements(sent)).toEqual(['select 4'])
    expect(screen.getByText(/^1 row in 5,0\d\d ms, run at/)).toBeTruthy()
    stop()
  })

  it.each([
    [answer([]), /^0 rows/, 'No rows.'],
    [answer([['KX-1', 1]], { truncated: true }), /^the first 1 row in/, 'KX-1'],
  ])('may have no rows, or only the first', async (body, count, text) => {
    const { stop } = await sqlPane('SQL select 5', replies(body))
    expect(screen.getByText(count)).toBeTruthy()
    expect(screen.getByText(text)).toBeTruthy()
    stop()
  })

  it('that is refused states why, and the next one removes that', async () => {
    let reply: ReturnType<Writes> = refused(400, 'VALIDATION', 'sql: no such view: trade')
    const { keys, stop } = await sqlPane('SQL select 6', () => reply)
    expect(screen.getByRole('alert').textContent).toBe('No such view: trade.')
    reply = { ok: true, body: two }
    await keys('r')
    expect(screen.queryByRole('alert')).toBeNull()
    stop()
  })

  it('that is refused for want of a user offers to sign in', async () => {
    const { stop } = await sqlPane('SQL select 7', () => refused(401, null, 'no'))
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(screen.getByText(/the results of your statements/)).toBeTruthy()
    stop()
  })

  it('of an example runs, and has the focus', async () => {
    const { sent, keys, stop } = await sqlPane('SQL')
    await press('Columns of trades')
    await pass(50)
    expect(statements(sent)).toEqual(['describe trades'])
    expect(document.activeElement).toBe(field())
    field().blur()
    await keys('e')
    expect(document.activeElement).toBe(field())
    stop()
  })

  it('is replaced by that of another line, and removed by a line without one', async () => {
    const { pane, sent, stop } = await sqlPane('SQL select 8')
    pane.command = { ...pane.command, args: { statement: 'select 9' } }
    await pass(100)
    expect(statements(sent)).toEqual(['select 8', 'select 9'])
    expect(field().value).toBe('select 9')
    pane.command = { ...pane.command, args: {} }
    await pass(100)
    expect(field().value).toBe('')
    expect(screen.queryByRole('grid')).toBeNull()
    expect(screen.getByText('Examples')).toBeTruthy()
    expect(pane.note).toBe('')
    pane.command = { ...pane.command, args: { statement: 'select 9' } }
    await pass(100)
    expect(statements(sent)).toHaveLength(3)
    stop()
  })

  it('Escape returns from the field to the pane', async () => {
    const { stop } = await sqlPane('SQL')
    const host = field().closest('.pane-stack')?.parentElement
    host?.setAttribute('data-pane', 'p')
    host?.setAttribute('tabindex', '-1')
    field().focus()
    await fireEvent.keyDown(field(), { key: 'Escape' })
    expect(document.activeElement).toBe(host)
    stop()
  })
})

describe('the replay', () => {
  const state = (more: object = {}) => ({
    state: 'running',
    from: '2026-11-01T00:00:00Z',
    to: '2026-11-05T00:00:00Z',
    now: '2026-11-02T00:00:00Z',
    speed: 60,
    ...more,
  })
  async function replayPane(
    line: string,
    body: object = state(),
    source = 'replay',
    writes?: Writes,
  ) {
    const page = pageUnderTest((path) => {
      if (path.startsWith('/api/replay')) return body
      return path.startsWith('/health') || path.startsWith('/api/health')
        ? { status: 'ok', source, time: AT, version: '1' }
        : null
    }, writes)
    const pane = page.paneOf(line)
    page.terminal.focusedPane = pane.id
    onTestFinished(page.terminal.health.watch())
    await renderSignedIn(ReplayPane, page.terminal, pane)
    const keys = async (key: string) => {
      page.terminal.keys.handle(new KeyboardEvent('keydown', { key }), [`pane:${pane.id}`])
      await pass(50)
    }
    const moves = () => page.sent.map(({ path, body: sent }) => [path, sent])
    return { ...page, pane, keys, moves }
  }
  const ok: Writes = () => ({ ok: true, body: {} })
  const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
  const input = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name })

  it('of live data is explained, and not requested', async () => {
    const { requested, stop } = await replayPane('REPLAY', state(), 'live')
    expect(screen.getByText(/^You are viewing live data/)).toBeTruthy()
    expect(requested.filter((path) => path === '/api/replay')).toEqual([])
    stop()
  })

  it('is paused while it runs, and resumed while it is paused', async () => {
    const running = await replayPane('REPLAY', state(), 'replay', ok)
    expect(screen.getByRole('progressbar').getAttribute('value')).toBe('0.25')
    await fireEvent.click(button('Pause'))
    await pass(50)
    await running.keys('p')
    expect(running.moves()).toEqual([
      ['/api/replay/pause', undefined],
      ['/api/replay/pause', undefined],
    ])
    running.stop()
    cleanup()
    const paused = await replayPane('REPLAY', state({ state: 'paused' }), 'replay', ok)
    await fireEvent.click(button('Resume'))
    await pass(50)
    expect(paused.moves()).toEqual([['/api/replay/resume', undefined]])
    paused.stop()
  })

  it.each([
    [{ state: 'ended' }, 'Resume', true],
    [{ speed: 'step' }, 'Resume', true],
    [{ state: 'paused' }, 'Resume', false],
    [{}, 'Pause', false],
  ])('with %o has a button %s, disabled %s', async (more, name, isDisabled) => {
    const { stop } = await replayPane('REPLAY', state(more))
    expect(button(name).disabled).toBe(isDisabled)
    stop()
  })

  it('moves by a step, to an instant and at a speed, and requests its state again', async () => {
    const { keys, moves, requested, stop } = await replayPane('REPLAY', state(), 'replay', ok)
    await fireEvent.input(input('Step by'), { target: { value: '5m' } })
    const before = requested.filter((path) => path === '/api/replay').length
    await keys('n')
    expect(requested.filter((path) => path === '/api/replay').length).toBeGreaterThan(before)
    await fireEvent.input(input('Seek, UTC'), { target: { value: '2026-11-03' } })
    await fireEvent.click(button('Seek'))
    await pass(50)
    await fireEvent.input(input('Speed'), { target: { value: 'max' } })
    await fireEvent.click(button('Set'))
    await pass(50)
    expect(moves()).toEqual([
      ['/api/replay/step', { n: 300 }],
      ['/api/replay/seek', { to: '2026-11-03T00:00:00.000Z' }],
      ['/api/replay/speed', { speed: 'max' }],
    ])
    stop()
  })

  it('moves once while it is moving', async () => {
    const slow: Writes = () =>
      new Promise((resolve) => setTimeout(() => resolve({ ok: true, body: {} }), 5_000)) as never
    const { keys, moves, stop } = await replayPane('REPLAY', state(), 'replay', slow)
    await keys('n')
    expect(screen.getByText('Moving')).toBeTruthy()
    expect(button('Step').disabled).toBe(true)
    expect(button('Pause').disabled).toBe(true)
    await keys('n')
    await keys('p')
    expect(moves()).toHaveLength(1)
    await pass(5_000)
    expect(screen.queryByText('Moving')).toBeNull()
    expect(button('Step').disabled).toBe(false)
    stop()
  })

  it('states what is wrong at the field, sends nothing, and has the focus there', async () => {
    const { moves, stop } = await replayPane('REPLAY', state(), 'replay', ok)
    await fireEvent.click(button('Seek'))
    await pass(50)
    expect(screen.getByRole('alert').textContent).toContain('Enter a UTC time')
    expect(document.activeElement).toBe(input('Seek, UTC'))
    expect(input('Seek, UTC').getAttribute('aria-invalid')).toBe('true')
    expect(input('Step by').getAttribute('aria-invalid')).toBe('false')
    expect(moves()).toEqual([])
    await fireEvent.click(button('Step'))
    await pass(50)
    expect(screen.queryByRole('alert')).toBeNull()
    expect(moves()).toHaveLength(1)
    stop()
  })

  it('states why a move was refused', async () => {
    const { keys, stop } = await replayPane('REPLAY', state(), 'replay', () =>
      refused(409, 'CONFLICT', 'The replay ended'),
    )
    await keys('p')
    expect(screen.getByRole('alert').textContent).toContain('The replay ended')
    stop()
  })

  it('is filled in by a command, whose button waits for Enter', async () => {
    const { pane, moves, stop } = await replayPane('REPLAY step 1h', state(), 'replay', ok)
    expect(input('Step by').value).toBe('1h')
    expect(document.activeElement).toBe(button('Step'))
    expect(moves()).toEqual([])
    pane.command = { ...pane.command, args: { action: 'seek', to: '2026-11-04' } }
    await pass(50)
    expect(input('Step by').value).toBe('')
    expect(input('Seek, UTC').value).toBe('2026-11-04')
    expect(document.activeElement).toBe(button('Seek'))
    stop()
  })

  it('in another pane than the focused one leaves the focus where it is', async () => {
    const { terminal, pane, stop } = await replayPane('REPLAY')
    const before = document.activeElement
    terminal.focusedPane = 'another'
    pane.command = { ...pane.command, args: { action: 'step', span: '1h' } }
    await pass(50)
    expect(input('Step by').value).toBe('1h')
    expect(document.activeElement).toBe(before)
    stop()
  })
})

describe('help', () => {
  const world = { salient: [{ id: 's-live01' }] }
  const scan = {
    query: '',
    results: [{ ...marketRow({ ticker: 'KX-LIVE' }) }],
    count: 1,
    generatedAt: AT,
  }
  const body = (path: string) => {
    if (path.includes('/api/agent/world')) return world
    return path.includes('/markets') || path.includes('/scan') ? scan : null
  }

  it('runs a harmless example of a current market, and puts others into the bar', async () => {
    const { pane, ran, prefilled, stop } = await shownPane('HELP', HelpPane, body)
    expect(pane.sources).toEqual([])
    const examples = [...document.querySelectorAll<HTMLButtonElement>('button.example')]
    expect(examples.map(({ textContent }) => textContent)).toContain('EXPLAIN s-live01')
    expect(examples.some(({ textContent }) => textContent.includes('KX-LIVE'))).toBe(true)
    const harmless = examples.find(({ title }) => title === 'Run the example')
    const other = examples.find(({ title }) => title.startsWith('Put the example'))
    if (harmless === undefined || other === undefined) throw new Error('examples of both kinds')
    await fireEvent.click(harmless)
    await fireEvent.click(other)
    expect(ran).toEqual([[harmless.textContent]])
    expect(prefilled).toEqual([[other.textContent]])
    await press('WORLD')
    expect(prefilled.at(-1)?.[0]).toMatch(/^WORLD/)
    await press('Tour of six commands')
    expect(ran.at(-1)).toEqual(['HELP TOUR'])
    expect(screen.getByText('Global keys')).toBeTruthy()
    stop()
  })

  it('of one command lists its parts and its route', async () => {
    const { ran, stop } = await shownPane('HELP SCAN', HelpPane, body)
    expect(document.querySelectorAll('button.verb')).toHaveLength(1)
    const text = document.body.textContent.replace(/\s+/g, ' ')
    expect(text).toContain('GET /api/')
    expect(text).toMatch(/\[[a-z0-9]+>…\]/)
    expect(screen.queryByText('Global keys')).toBeNull()
    await press('All commands')
    expect(ran).toEqual([['HELP']])
    stop()
  })

  it('requests examples only while it is visible', async () => {
    const { pane, requested, stop } = await shownPane('HELP', HelpPane, body)
    expect(requested.filter((path) => path.includes('/api/agent/world'))).toHaveLength(1)
    pane.visible = false
    await pass(50)
    requested.length = 0
    await pass(600_000)
    expect(requested.filter((path) => path.includes('/api/agent/world'))).toEqual([])
    stop()
  })
})
