import '../testing/set-up-page.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pageUnderTest } from '../testing/page-under-test.ts'
import { Aliases } from './commands/aliases.svelte.ts'
import type { Dock } from './dock/dock.ts'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())

const layout = (line: string) =>
  ({
    grid: { root: { type: 'leaf', data: { views: ['pane-1'] } } },
    panels: { 'pane-1': { id: 'pane-1', params: { line, link: 'A' } } },
  }) as never

/** A terminal whose dock shows every pane it receives. */
function setUp() {
  const page = pageUnderTest(() => ({}))
  const { terminal } = page
  const shown: unknown[] = []
  terminal.dock = {
    add: () => {},
    activate: (id) => void (terminal.focusedPane = id),
    describe: () => {},
    order: () => [...terminal.panes.keys()],
    snapshot: () => layout('MOV'),
    show: (dock) => shown.push(dock) > 0,
  } as Partial<Dock> as Dock
  const run = (line: string): string => {
    const problem = terminal.run(line)
    return problem?.message ?? terminal.notice?.text ?? ''
  }
  const lines = () => [...terminal.panes.values()].map(({ line }) => line)
  return { ...page, run, shown, lines }
}

describe('named layouts', () => {
  it('are saved, listed, restored and deleted [terminal.window.layouts]', () => {
    const { run, shown, terminal } = setUp()
    expect(run('SAVE morning')).toBe('Layout “morning” saved. WS morning restores it')
    expect(run('SAVE "two screens"')).toContain('WS "two screens"')
    expect(run('SAVE Morning')).toContain('replaced')
    expect(terminal.layouts.all.map(({ name }) => name)).toEqual(['Morning', 'two screens'])
    expect(run('WS morning')).toBe('Layout “Morning” applied. UNDO restores the previous one')
    expect(shown).toEqual([layout('MOV')])
    expect(run('SAVE morning -drop')).toBe('Layout “Morning” deleted. The open panes stay')
    expect(run('WS morning')).toMatch(/^No workspace or saved layout is named “morning”/)
  })

  it('that cannot be shown leave the panes unchanged', () => {
    const { run, terminal } = setUp()
    run('SAVE morning')
    terminal.dock = { ...terminal.dock, show: () => false } as Dock
    expect(run('WS morning')).toBe('“morning” cannot be shown. The panes are unchanged')
  })

  it('of a file are imported completely or not at all [terminal.window.layout-refused]', () => {
    const { run, terminal } = setUp()
    run('SAVE morning')
    const file = terminal.layouts.file(null, '2026-11-20T10:00:00.000Z')
    const later = file.replace('"version": 1', '"version": 9')
    expect(terminal.layouts.importFile(later)).toEqual({
      isImported: false,
      text: 'The file has version 9; this version reads up to 1. Update Augury first. Nothing was changed',
    })
    expect(terminal.layouts.importFile(file).text).toBe('Imported “morning”, 1 of them replaced')
  })
})

describe('a workspace', () => {
  it('is opened by number and by name', () => {
    const { run, terminal } = setUp()
    run('WS 3')
    expect([terminal.workspace, terminal.notice]).toEqual([3, null])
    run('WS market')
    expect(terminal.workspace).toBe(2)
  })
})

describe('BIND', () => {
  it('binds a command to a key, and removes it [terminal.window.bind]', () => {
    const { run, terminal } = setUp()
    terminal.keys.bind('global', [{ chord: '$mod+k', label: 'command bar', run: () => {} }])
    expect(run('BIND F8 = W iran 24h')).toBe('F8: W iran 24h')
    expect(run('BIND F8')).toBe('F8: W iran 24h')
    expect(terminal.keySettings.own).toEqual([{ chord: 'F8', line: 'W iran 24h' }])
    expect(run('BIND F8 = MOV')).toBe('F8: MOV')
    expect(run('BIND Ctrl+K = MOV')).toBe(
      'Ctrl+K is assigned to “command bar”. To reassign it: BIND Ctrl+K -take = MOV',
    )
    expect(run('BIND Ctrl+K -take = MOV')).toBe('Ctrl+K: MOV')
    expect(run('BIND Tab = MOV')).toContain('Tab moves focus through the page')
    expect(run('BIND F8 =')).toBe('F8: custom command removed')
    expect(terminal.keySettings.own.map(({ chord }) => chord)).toEqual(['$mod+k'])
  })
})

describe('ALIAS', () => {
  it('defines aliases, and refuses command names and cycles [terminal.window.alias]', () => {
    const { run, lines } = setUp()
    expect(run('ALIAS calm = SCAN price=45..55')).toBe('CALM = SCAN price=45..55')
    run('calm oil')
    expect(lines()).toEqual(['SCAN oil price=45..55'])
    expect(run('ALIAS quiet = calm')).toBe('QUIET = calm')
    expect(run('ALIAS calm = "MOV; quiet"')).toBe(
      'The alias would be circular: CALM → QUIET → CALM',
    )
    expect(run('ALIAS mov = SCAN')).toMatch(/^MOV is a command/)
    expect(run('ALIAS keys = SCAN')).toMatch(/^KEYS is a command/)
    expect(run('ALIAS iran = MOV')).toBe('IRAN is a topic')
    expect(run('ALIAS x1 = MOV')).toMatch(/^An alias must have/)
    expect(run('ALIAS calm')).toBe('CALM = SCAN price=45..55')
    expect(run('ALIAS calm =')).toBe('CALM is no longer an alias')
    expect(run('quiet')).toBe('No command or market called “calm”')
  })
})

describe('a link', () => {
  it.each([
    ['MOV; . GP 1h in new', null],
    ['WATCH', null],
    ['. WATCH', '. WATCH'],
    ['BIND F5 = MOV', 'BIND F5 = MOV'],
    ['SAVE x', 'SAVE x'],
    ['$KX ALERT 60', '$KX ALERT 60'],
    ['MOV; SCAN oil to csv', 'SCAN oil to csv'],
  ])('“%s” only opens panes [terminal.window.link]', (line, refused) => {
    const { terminal, lines, sent } = setUp()
    const refusal = terminal.runLink(line)
    expect(sent).toEqual([])
    if (refused === null) {
      expect(refusal).toBeNull()
      expect(lines().length).toBeGreaterThan(0)
    } else {
      expect(refusal).toBe(`A link can only open panes: “${refused}” was not run`)
      expect(lines()).toEqual([])
    }
  })
})

it('a full store is reported, and the screen is unchanged [terminal.window.storage]', () => {
  const full = {
    getItem: () => null,
    setItem: () => {
      throw new Error('QuotaExceededError')
    },
  }
  const { terminal } = pageUnderTest(() => ({}), undefined, full)
  terminal.watchlist.add('KX', '')
  expect(terminal.notice).toMatchObject({ tone: 'error' })
  expect(terminal.notice?.text).toContain('storage is full or blocked')
  terminal.run('TH light')
  expect(terminal.settings.theme).toBe('light')
  expect(terminal.watchlist.all.map(({ ticker }) => ticker)).toEqual(['KX'])
})

describe('verbs of the window', () => {
  /** A terminal whose dock and exports record what they are called with. */
  function withDock() {
    const page = setUp()
    const calls: string[] = []
    const call =
      (name: string, result = true) =>
      (...values: readonly unknown[]) => {
        calls.push(
          [name, ...values.map((value) => (value as { id?: string } | null)?.id ?? value)].join(
            ' ',
          ),
        )
        return result
      }
    const { terminal } = page
    const layoutDock = terminal.dock
    terminal.dock = {
      ...layoutDock,
      add: call('add'),
      activate: (id: string) => {
        terminal.focusedPane = id
        call('activate')(id)
      },
      close: call('close'),
      closeOthers: call('closeOthers'),
      reset: call('reset'),
      undo: call('undo', false),
      redo: call('redo', false),
    } as unknown as Dock
    const focused = () => terminal.focusedPane ?? ''
    return { ...page, calls, focused }
  }

  it('close panes, and reset the layout', () => {
    const { run, calls, focused, terminal } = withDock()
    run('CLOSE')
    run('CLOSE others')
    expect(calls).toEqual([])
    run('CLOSE all')
    run('MOV')
    const id = focused()
    calls.length = 0
    run('CLOSE')
    run('CLOSE others')
    run('CLOSE all')
    run('RESET')
    expect(calls).toEqual([`close ${id}`, `closeOthers ${id}`, 'closeOthers ', 'reset'])
    expect(terminal.panes.size).toBe(1)
  })

  it('undo and redo in the focused pane before the layout', () => {
    const { run, calls, focused, terminal } = withDock()
    expect([run('UNDO'), run('REDO')]).toEqual(['Nothing to undo', 'Nothing to redo'])
    expect(calls).toEqual(['undo', 'redo'])
    run('MOV')
    const pane = terminal.panes.get(focused())
    if (pane === undefined) throw new Error('no pane')
    const done: string[] = []
    pane.edits = { undo: () => done.push('undo') > 0, redo: () => done.push('redo') > 0 }
    calls.length = 0
    expect([run('UNDO'), run('REDO')]).toEqual(['', ''])
    expect([done, calls]).toEqual([['undo', 'redo'], []])
    pane.edits = { undo: () => false, redo: () => false }
    expect(run('UNDO')).toBe('Nothing to undo')
    terminal.dock = { ...terminal.dock, undo: () => true, redo: () => true } as Dock
    expect([run('UNDO'), run('REDO')]).toEqual(['', ''])
  })

  it('change the theme and the density, and store them', () => {
    const kept = new Map<string, string>()
    const keep = {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, text: string) => void kept.set(name, text),
    }
    const { terminal } = pageUnderTest(() => ({}), undefined, keep)
    const stored = () => JSON.parse(kept.get('augury.settings') ?? '{}') as Record<string, unknown>
    for (const [line, expected] of [
      ['TH light', { theme: 'light' }],
      ['TH', { theme: 'dark' }],
      ['TH', { theme: 'light' }],
      ['TH contrast', { theme: 'contrast' }],
      ['DENS compact', { density: 'compact' }],
      ['DENS', { density: 'normal' }],
    ] as const) {
      terminal.run(line)
      expect(terminal.settings).toMatchObject(expected)
      expect(stored()).toMatchObject(expected)
    }
  })

  it('pause and resume all panes', () => {
    const { run, terminal } = withDock()
    expect([run('PAUSE on'), terminal.pausing.isAll]).toEqual([
      'All panes paused. PAUSE resumes them',
      true,
    ])
    expect([run('PAUSE off'), terminal.pausing.isAll]).toEqual(['All panes resumed', false])
    run('PAUSE')
    expect(terminal.pausing.isAll).toBe(true)
    run('PAUSE')
    expect(terminal.pausing.isAll).toBe(false)
  })

  it('clear the results of the terminal pane, with their number', () => {
    const { run } = withDock()
    expect(run('CLR')).toBe('0 results cleared')
    run('MOV')
    expect(run('CLR')).toBe('One result cleared')
    run('MOV')
    run('CHG')
    expect(run('CLR')).toBe('2 results cleared')
  })

  it('start the tour, or open the help', () => {
    const { run, terminal, lines } = withDock()
    run('HELP')
    expect([lines(), terminal.tour.step]).toEqual([['HELP'], null])
    run('HELP tour')
    expect(terminal.tour.step).toBe(0)
    expect(lines()).not.toContain('HELP tour')
  })

  it('watch and unwatch the market of a command or of the group', () => {
    const { run, terminal, lines } = withDock()
    const watched = () => terminal.watchlist.all.map(({ ticker }) => ticker)
    expect([run('. WATCH'), run('UNWATCH')]).toEqual([
      'Name or select a market first; $ marks a ticker',
      'Name or select a market first; $ marks a ticker',
    ])
    run('$KX WATCH')
    expect(watched()).toEqual(['KX'])
    terminal.focusMarket('A', 'KXFED')
    run('. WATCH')
    expect(watched()).toEqual(['KX', 'KXFED'])
    run('UNWATCH')
    expect(watched()).toEqual(['KX'])
    run('$KX UNWATCH')
    expect(watched()).toEqual([])
    expect(lines()).toEqual([])
    run('WATCH')
    expect(lines()).toEqual(['WATCH'])
  })

  it('request the board, a thesis and their panes', () => {
    const { run, terminal, lines } = withDock()
    run('PANEL add movers')
    expect([lines(), terminal.boardRequested?.command.verb]).toEqual([['MW'], 'PANEL'])
    expect(terminal.boardRequested?.pane).toBe([...terminal.panes.keys()][0])
    run('WHATIF n1=40%')
    expect(terminal.thesisRequested?.command.verb).toBe('WHATIF')
    expect(lines()).toEqual(['MW', 'THES latest'])
  })

  it('report what BIND and ALIAS have not, and keep what panes use', () => {
    const { run, terminal } = withDock()
    expect(run('BIND F9')).toBe('F9 is not assigned')
    expect(run('BIND F9 =')).toBe('F9 has no custom command')
    terminal.keys.bind('pane:1', [{ chord: 'x', label: 'something', run: () => {} }])
    expect(run('ALIAS nope')).toBe('NOPE is not an alias')
    expect(run('ALIAS nope =')).toBe('NOPE is not an alias')
    terminal.keys.bind('global', [{ chord: 'F7', label: 'reload', run: () => {} }])
    expect(run('BIND F7')).toBe('F7: reload')
    run('ALIAS calm = MOV')
    expect(terminal.aliases.commands.get('CALM')).toBe('MOV')
  })

  it('name the nearest layouts, and refuse to delete or export what is not saved', () => {
    const { run, terminal } = withDock()
    expect(run('WS scren')).toMatch(
      /^No workspace or saved layout is named “scren”\. Nearest: Screen/,
    )
    expect(run('SAVE -drop')).toBe('Name a saved layout. SAVE lists them')
    expect(run('SAVE x -drop')).toBe('Name a saved layout. SAVE lists them')
    expect(terminal.notice?.tone).toBe('error')
    expect(run('SAVE to json')).toBe('No saved layouts yet. SAVE morning saves this workspace')
    expect(terminal.notice?.tone).toBe('error')
  })

  it('save nothing before there are panes, and open none for it', () => {
    const { run, terminal, lines } = withDock()
    terminal.dock = null
    run('SAVE morning')
    expect([terminal.layouts.all, lines(), terminal.notice]).toEqual([[], [], null])
  })

  it('import layouts from a chosen file, or report why not', async () => {
    const { run, terminal, lines } = withDock()
    let file: File | null = null
    vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(function (
      this: HTMLInputElement,
    ) {
      expect([this.type, this.accept]).toEqual(['file', 'application/json,.json'])
      if (file !== null) Object.defineProperty(this, 'files', { value: [file] })
      this.dispatchEvent(new Event(file === null ? 'cancel' : 'change'))
    })
    const importing = async (next: File | null) => {
      file = next
      run('SAVE -import')
      await vi.waitFor(() => Promise.resolve())
      await vi.advanceTimersByTimeAsync(10)
      return terminal.notice
    }
    const fileOf = (text: string, size = text.length) =>
      Object.defineProperties(new File([text], 'layouts.json'), {
        size: { value: size },
        text: { value: () => Promise.resolve(text) },
      })
    expect(await importing(null)).toBeNull()
    expect(await importing(fileOf('{'))).toMatchObject({ tone: 'error' })
    run('SAVE morning')
    const text = terminal.layouts.file(null, 'now')
    expect(await importing(fileOf(text, 5_000_000))).toEqual({
      tone: 'info',
      text: 'Imported “morning”, 1 of them replaced',
    })
    expect(await importing(fileOf(text, 5_000_001))).toEqual({
      tone: 'error',
      text: 'layouts.json is larger than 5 MB and was not read',
    })
    expect(lines()).toEqual([])
    vi.restoreAllMocks()
  })

  it('bind a key that panes use as well, which keep it', () => {
    const { run, terminal } = withDock()
    terminal.keys.bind('pane:1', [{ chord: 'F9', label: 'one', run: () => {} }])
    terminal.keys.bind('pane:2', [{ chord: 'F9', label: 'two', run: () => {} }])
    expect(run('BIND F9 = MOV')).toBe('F9: MOV; inside a pane it remains “one, two”')
    // Its own line is replaced.
    expect(run('BIND F9 = CHG')).toContain('F9: CHG')
    expect(terminal.notice?.tone).toBe('info')
  })

  it('open the pane of BIND and ALIAS without words', () => {
    const { run, lines } = withDock()
    run('BIND')
    run('ALIAS')
    expect(lines().length).toBeGreaterThan(0)
  })

  it('read stored aliases that are valid, each once', () => {
    const words = { CALM: 'MOV', MOV: 'CHG', A: 'MOV', loop: 'LOOP', X1: 'MOV', NUM: 7 }
    const kept = new Map([['augury.aliases', JSON.stringify({ version: 1, words })]])
    const keep = {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, text: string) => void kept.set(name, text),
    }
    const aliases = new Aliases(keep)
    expect([...aliases.commands]).toEqual([['CALM', 'MOV']])
    expect([aliases.refusal('TO', ''), aliases.refusal('in', '')]).toEqual([
      'TO is an output target',
      'IN is an output target',
    ])
    expect(aliases.refusal('x'.repeat(32), '')).toBeNull()
    expect(aliases.refusal('x'.repeat(33), '')).toMatch(/^An alias must have/)
    expect([aliases.remove('nope'), aliases.remove('calm'), aliases.commands.size]).toEqual([
      false,
      true,
      0,
    ])
    aliases.define('new_word', 'MOV')
    expect([...new Aliases(keep).commands]).toEqual([['NEW_WORD', 'MOV']])
    kept.set('augury.aliases', '{"version":1,"words":7}')
    aliases.reload()
    expect(aliases.commands.size).toBe(0)
  })

  it('save layouts to a file, one or all of them', () => {
    const { run, terminal, lines } = withDock()
    const files: string[] = []
    const revoked: string[] = []
    vi.stubGlobal(
      'URL',
      Object.assign(URL, {
        createObjectURL: () => 'blob:x',
        revokeObjectURL: (address: string) => void revoked.push(address),
      }),
    )
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      files.push(this.download)
    })
    run('SAVE morning')
    expect(run('SAVE "two screens" to json')).toBe(
      'Wrote “two screens” to augury-layout-two-screens.json',
    )
    expect(run('SAVE to json')).toBe('Wrote all saved layouts to augury-layouts.json')
    expect(files).toEqual(['augury-layout-two-screens.json', 'augury-layouts.json'])
    expect(revoked).toEqual(['blob:x', 'blob:x'])
    expect(terminal.layouts.all).toHaveLength(2)
    expect(lines()).toEqual([])
    run('SAVE')
    expect(lines()).toEqual(['SAVE'])
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })
})

describe('ALERT', () => {
  const rules: object[] = []
  const page = (price: number | null, isRefused = false) => {
    rules.length = 0
    const built = pageUnderTest(
      (path) => (path.includes('/market/') ? { title: 'Fed cuts?', price } : null),
      ({ body }) => {
        rules.push(body ?? {})
        if (!isRefused) return { ok: true, body: {} }
        const failure = {
          kind: 'refused' as const,
          status: 409,
          code: null,
          message: 'at most 50',
          retryAfter: null,
        }
        return { ok: false, failure }
      },
    )
    built.terminal.account.onSignIn()
    return built
  }

  it.each([
    ['$KX ALERT 60', 50, 'price_above', 'Alert set: Fed cuts? ≥ 60.0¢, now 50.0¢'],
    ['$KX ALERT 40', 50, 'price_below', 'Alert set: Fed cuts? ≤ 40.0¢, now 50.0¢'],
    ['$KX ALERT 50', 50, 'price_below', 'Alert set: Fed cuts? ≤ 50.0¢, now 50.0¢'],
    ['$KX ALERT 60 below', 50, 'price_below', 'Alert set: Fed cuts? ≤ 60.0¢, now 50.0¢'],
    ['$KX ALERT 40 above', 50, 'price_above', 'Alert set: Fed cuts? ≥ 40.0¢, now 50.0¢'],
    ['$KX ALERT 40 above', null, 'price_above', 'Alert set: Fed cuts? ≥ 40.0¢, now –'],
  ])('“%s” at %s waits for %s', async (line, price, condition, notice) => {
    const { terminal, sent } = page(price)
    terminal.run(line)
    await vi.advanceTimersByTimeAsync(100)
    expect(sent).toMatchObject([{ method: 'POST', path: '/api/alert-rules' }])
    expect(rules).toEqual([{ ticker: 'KX', condition, threshold: Number(/\d+/.exec(line)?.[0]) }])
    expect(terminal.notice).toEqual({ text: notice, tone: 'info' })
    expect(terminal.panes.size).toBe(0)
  })

  it('asks for the side while the price is unknown', async () => {
    const { terminal, sent } = page(null)
    terminal.run('$KX ALERT 40')
    await vi.advanceTimersByTimeAsync(100)
    expect(sent).toEqual([])
    expect(terminal.notice).toEqual({
      text: 'No alert was set: the price is unknown. Add a side: $KX ALERT 40 above, or $KX ALERT 40 below',
      tone: 'error',
    })
  })

  it('is refused with the reason, without a market and to others than users', async () => {
    const { terminal } = page(50, true)
    terminal.run('$KX ALERT 60')
    await vi.advanceTimersByTimeAsync(100)
    expect(terminal.notice).toEqual({ text: 'No alert was set: at most 50', tone: 'error' })
    terminal.run('ALERT 60')
    expect(terminal.notice?.text).toBe('Name or select a market first; $ marks a ticker')
    terminal.run('ALERT')
    expect([...terminal.panes.values()].map(({ line }) => line)).toEqual(['ALERT'])
  })
})
