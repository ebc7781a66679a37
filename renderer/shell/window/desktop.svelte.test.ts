import '../../testing/set-up-page.ts'
import { flushSync } from 'svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type {
  Bridge,
  DataState,
  MenuGroup,
  ShellCommand,
  ServiceUpdate,
} from '../../../electron/bridge.ts'
import { pageUnderTest, refused } from '../../testing/page-under-test.ts'
import { AREAS, COMMANDS } from '../commands/commands.ts'
import { noteOfChange } from './data-state.ts'
import { joinDesktop, menuGroups } from './desktop.svelte.ts'
import { notify, prepare, NOTE_LABELS, type WebNotes } from './notifier.ts'
import { notifyOfData } from './notify-data.svelte.ts'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())

/** A desktop shell that records its calls. */
function shell() {
  const reported = { menus: [] as readonly MenuGroup[], states: [] as DataState[], tickets: 0 }
  let news: (news: ServiceUpdate) => void = () => {}
  let command: (command: ShellCommand) => void = () => {}
  const bridge: Bridge = {
    platform: 'linux',
    version: '0.1.0',
    openOutside: () => Promise.resolve(true),
    onServiceUpdate: (listener) => ((news = listener), () => (news = () => {})),
    onCommand: (listener) => ((command = listener), () => (command = () => {})),
    offerMenus: (groups) => (reported.menus = groups),
    reportState: (state) => void reported.states.push(state),
    notify: () => Promise.resolve('shown'),
    ticket: () => Promise.resolve(`T${(reported.tickets += 1)}`),
    showLogs: () => Promise.resolve(true),
    secretStorage: () => Promise.resolve({ kind: 'memory', text: 'in memory only' }),
  }
  return {
    bridge,
    reported,
    news: (state: ServiceUpdate['state'], afterMs: number | null = null) =>
      news({ state, afterMs }),
    command: (kind: ShellCommand['kind'], line: string) => command({ kind, line }),
  }
}

describe('the native menus', () => {
  it('have every command of the table, each once [terminal.desktop.menus]', () => {
    const groups = menuGroups()
    expect(groups.map(({ label }) => label)).toEqual([...AREAS])
    const verbs = groups.flatMap(({ rows }) => rows.map(({ command }) => command.line.trim()))
    expect(verbs.toSorted()).toEqual(COMMANDS.map(({ verb }) => verb).toSorted())
  })

  it('put commands that need input into the bar, and run the rest [terminal.desktop.menus]', () => {
    const rows = new Map(
      menuGroups().flatMap((group) => group.rows.map((row) => [row.command.line.trim(), row])),
    )
    expect(rows.get('SCAN')).toEqual({ label: 'Markets', command: { kind: 'run', line: 'SCAN' } })
    expect(rows.get('ASK')?.command).toEqual({ kind: 'prefill', line: 'ASK ' })
    expect(rows.get('ASK')?.label).toMatch(/…$/)
  })
})

describe('joinDesktop', () => {
  function setUp(answers: (path: string) => object | null = () => ({})) {
    const page = pageUnderTest(answers)
    const desk = shell()
    const exchanged: unknown[] = []
    const stop = joinDesktop(page.terminal, desk.bridge, (_input, init) => {
      exchanged.push(JSON.parse(typeof init?.body === 'string' ? init.body : ''))
      return Promise.resolve(new Response('{}'))
    })
    flushSync()
    return { ...page, ...desk, exchanged, leave: stop }
  }

  it('runs commands of menus and puts the rest into the bar [terminal.desktop.menus]', () => {
    const { terminal, command } = setUp()
    command('run', 'SCAN')
    expect([...terminal.panes.values()].map(({ line }) => line)).toEqual(['SCAN'])
    command('prefill', 'ASK ')
    expect(terminal.prompt?.text).toBe('ASK ')
    command('run', 'NONSENSE')
    expect(terminal.notice).toMatchObject({ tone: 'error' })
  })

  it('opens panes for a link and refuses writes [terminal.desktop.link]', () => {
    const { terminal, command } = setUp()
    command('link', 'MOV; NEW')
    expect([...terminal.panes.values()].map(({ line }) => line)).toEqual(['MOV', 'NEW'])
    for (const line of ['BIND F5 = SCAN', 'SAVE mine', 'MOV to csv', 'WATCH KXFED-26DEC', 'UNDO']) {
      command('link', line)
      expect(terminal.notice?.text).toMatch(/^A link can only open panes/)
    }
    expect(terminal.panes.size).toBe(2)
    expect(terminal.keySettings.own).toEqual([])
  })

  it('reports the state of the data and pauses to the tray [terminal.desktop.tray]', () => {
    const { terminal, reported } = setUp()
    expect(reported.states.at(-1)).toMatchObject({ tone: 'late', isPaused: false })
    terminal.run('PAUSE on')
    flushSync()
    expect(reported.states.at(-1)?.isPaused).toBe(true)
  })

  it('reports a restart of the service, and keeps the page [terminal.desktop.restart]', () => {
    const { terminal, news } = setUp()
    terminal.run('SCAN')
    news('restarting', 2_000)
    expect(terminal.notice?.text).toBe('The service stopped and restarts in 2 s. Panes stay open')
    news('starting')
    news('running')
    expect(terminal.notice?.text).toBe('The service is running again')
    expect(terminal.panes.size).toBe(1)
  })

  it('signs in again when the restarted service has no session [terminal.desktop.restart]', async () => {
    let knows = true
    const page = setUp((path) => {
      if (path !== '/api/auth/me') return {}
      return knows ? { user: { id: 'u', email: 'a@example.test' } } : refused(401, null, '')
    })
    const { terminal, service, news, reported, exchanged } = page
    const unwatch = $effect.root(() => {
      $effect(() => terminal.account.watch())
    })
    const settle = async () => {
      flushSync()
      await vi.advanceTimersByTimeAsync(10_000)
      flushSync()
    }
    await settle()
    expect(terminal.account.signInState).toBe('known')
    // A restart that keeps the session does not request a sign-in.
    news('restarting', 500)
    news('running')
    await settle()
    expect(exchanged).toEqual([])
    news('restarting', 500)
    knows = false
    service.isSignedIn = false
    service.close(4401)
    news('running')
    await settle()
    expect(exchanged).toEqual([{ ticket: 'T1' }])
    // A user who was not signed in before the restart is not signed in afterwards.
    news('restarting', 500)
    news('running')
    await settle()
    expect(reported.tickets).toBe(1)
    unwatch()
  })

  it.each([
    { away: 59_999, ticket: 'T9', exchanged: [{ ticket: 'T9' }] },
    { away: 60_000, ticket: 'T9', exchanged: [] },
    { away: 1_000, ticket: null, exchanged: [] },
  ])(
    'a session that is gone $away ms after a restart, with the ticket $ticket [terminal.desktop.restart]',
    async ({ away, ticket, exchanged: expected }) => {
      const { terminal } = pageUnderTest(() => ({}))
      const { bridge, news } = shell()
      vi.spyOn(bridge, 'ticket').mockResolvedValue(ticket)
      let state = $state<'known' | 'anonymous'>('known')
      vi.spyOn(terminal.account, 'signInState', 'get').mockImplementation(() => state)
      const exchanged: unknown[] = []
      const leave = joinDesktop(terminal, bridge, (_input, init) => {
        exchanged.push(JSON.parse(typeof init?.body === 'string' ? init.body : ''))
        return Promise.resolve(new Response('{}'))
      })
      flushSync()
      const entered = vi.spyOn(terminal.account, 'onSignIn').mockImplementation(() => {})
      news('restarting', 500)
      news('running')
      flushSync()
      await vi.advanceTimersByTimeAsync(away)
      state = 'anonymous'
      flushSync()
      await vi.advanceTimersByTimeAsync(10)
      expect(exchanged).toEqual(expected)
      expect(entered).toHaveBeenCalledTimes(expected.length)
      leave()
    },
  )

  it('counts the seconds to a restart up, and reports no first start', () => {
    const { terminal, news } = setUp()
    news('starting')
    news('running')
    expect(terminal.notice?.text).toBe('The service is running again')
    terminal.notice = null
    news('running')
    expect(terminal.notice).toBeNull()
    news('restarting', 1_001)
    expect(terminal.notice).toMatchObject({
      tone: 'error',
      text: 'The service stopped and restarts in 2 s. Panes stay open',
    })
    news('restarting')
    expect((terminal.notice as { text: string } | null)?.text).toContain('restarts in 0 s')
  })

  it('leaves menus, commands and the state of the data to the terminal in a pane window', () => {
    const { terminal } = pageUnderTest(() => ({}))
    const singlePane = { line: 'MOV', link: 'A', family: 'f' } as const
    const { bridge, reported, command } = shell()
    joinDesktop(Object.assign(terminal, { singlePane }), bridge)
    flushSync()
    command('run', 'SCAN')
    expect([reported.menus, reported.states, terminal.panes.size]).toEqual([[], [], 0])
  })

  it('removes its handlers', () => {
    const { terminal, command, leave } = setUp()
    leave()
    command('run', 'SCAN')
    expect(terminal.panes.size).toBe(0)
  })
})

describe('notifications', () => {
  const note = { title: 'T', body: 'B', line: 'HEALTH' }
  const web = (
    permission: NotificationPermission,
    requested: NotificationPermission = permission,
  ) => {
    const shown: unknown[] = []
    const notes: WebNotes = {
      permission: () => permission,
      ask: () => Promise.resolve(requested),
      show: (items, onclick) => {
        shown.push(items.title)
        onclick()
      },
    }
    return { notes, shown }
  }

  it('use the desktop shell, otherwise the browser [terminal.desktop.notify]', async () => {
    const { bridge } = shell()
    const { notes, shown } = web('granted')
    const opened: unknown[] = []
    const open = (line: string | null) => void opened.push(line)
    expect(await notify(note, { bridge, web: notes, open })).toBe('shown')
    expect(shown).toEqual([])
    expect(await notify(note, { bridge: null, web: notes, open })).toBe('shown')
    expect(shown).toEqual(['T'])
    expect(opened).toEqual(['HEALTH'])
  })

  it('that are denied are reported [terminal.desktop.notify]', async () => {
    const deps = (notes: WebNotes | null) => ({ bridge: null, web: notes, open: () => {} })
    expect(await notify(note, deps(web('denied').notes))).toBe('denied')
    expect(await prepare(deps(web('default', 'denied').notes))).toBe('denied')
    expect(await prepare(deps(web('default', 'granted').notes))).toBe('shown')
    expect(await prepare(deps(null))).toBe('unsupported')
    expect(NOTE_LABELS.denied).toContain('Allow them in the browser or system settings')
  })

  it('report prices that stop being current, and are again [terminal.desktop.notify]', () => {
    const state = (tone: DataState['tone']) => ({ tone, text: tone, isPaused: false })
    expect(noteOfChange(null, state('stale'))).toBeNull()
    expect(noteOfChange(state('fresh'), state('late'))).toBeNull()
    expect(noteOfChange(state('fresh'), state('stale'))?.title).toContain('no longer current')
    expect(noteOfChange(state('stale'), state('lost'))).toBeNull()
    expect(noteOfChange(state('lost'), state('late'))).toBeNull()
    expect(noteOfChange(state('lost'), state('fresh'))?.title).toContain('prices are current')
  })

  it.each([
    [false, 1],
    [true, 0],
  ])(
    'are sent only when the page is not visible: seen %s, %d [terminal.desktop.notify]',
    async (isSeen, count) => {
      let venueA = 'operational'
      const page = pageUnderTest((path) => {
        const updatedAt = new Date(page.terminal.live.clock.read()).toISOString()
        if (!path.startsWith('/status')) return { source: 'demo', version: '0', time: updatedAt }
        const component = { dataAgeSeconds: 1, detail: '', name: 'venue_b', status: 'operational' }
        return {
          status: 'operational',
          updatedAt,
          components: [component, { ...component, name: 'venue_a', status: venueA }],
        }
      })
      const { notes, shown } = web('granted')
      const release = page.terminal.health.watch()
      const deps = { bridge: null, web: notes, open: () => {} }
      const stop = notifyOfData(page.terminal, deps, () => isSeen)
      const settle = async () => {
        await vi.advanceTimersByTimeAsync(10_000)
        flushSync()
      }
      await settle()
      expect(page.terminal.health.venue('venue_a')).toBe('fresh')
      venueA = 'outage'
      await settle()
      expect(page.terminal.health.venue('venue_a')).toBe('stale')
      expect(shown).toHaveLength(count)
      stop()
      release()
    },
  )
})
