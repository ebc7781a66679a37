import '../testing/set-up-page.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pageUnderTest } from '../testing/page-under-test.ts'
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

describe('a window before its panes are ready', () => {
  it('runs queued commands and workspace changes in order, once the panes are ready', () => {
    const { run, terminal, lines } = setUp()
    const ready = terminal.awaitPanes()
    terminal.goTo('3')
    run('MOV')
    expect([terminal.workspace, lines()]).toEqual([1, []])
    // The state at closing is shown first.
    terminal.workspace = 2
    ready()
    expect([terminal.workspace, lines()]).toEqual([3, ['MOV']])
  })
})

describe('panes of commands [terminal.panes.reuse]', () => {
  it('a command reuses the pane of its kind, and lists do not replace the chart', () => {
    const { run, lines } = setUp()
    for (const line of ['SCAN oil', 'YC', 'WORLD', 'TECH', 'DELTA 1h', 'SET', 'KEY']) run(line)
    expect(lines()).toEqual(['TECH', 'DELTA 1h', 'KEY'])
    run('$KXFED-26DEC GP')
    run('$KXFED-26DEC BOOK')
    expect(lines().slice(-2)).toEqual(['. GP', '. BOOK'])
  })

  it('a market of a row is described, shown by its verb, or followed by panes that are open', () => {
    const { run, terminal, lines } = setUp()
    run('SCAN oil')
    const [scan] = terminal.panes.values()
    if (scan === undefined) throw new Error('no pane')
    terminal.openMarket(scan, 'KX-1', null)
    expect([terminal.links.A, lines()]).toEqual(['KX-1', ['SCAN oil', '. DES']])
    // A pane follows the market of the group: nothing else opens.
    terminal.openMarket(scan, 'KX-2', null)
    expect([terminal.links.A, lines()]).toEqual(['KX-2', ['SCAN oil', '. DES']])
    terminal.openMarket(scan, 'KX-3', 'BOOK')
    expect([terminal.links.A, lines()]).toEqual(['KX-3', ['SCAN oil', '. DES', '. BOOK']])
  })

  it('a kept pane, a new pane and the panes of one line stay', () => {
    const { run, terminal, lines } = setUp()
    run('YC')
    const [first] = [...terminal.panes.values()]
    expect(first?.isKept).toBe(false)
    if (first !== undefined) first.isKept = true
    run('ODDS')
    run('LIQ in new')
    run('CALIB; EDGE')
    expect(lines()).toEqual(['YC', 'CALIB', 'LIQ', 'EDGE'])
  })
})

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
      text: 'The file has version 9; this Augury reads up to 1. Update Augury first. Nothing was changed',
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

describe('a numbered pane', () => {
  it('shows the command, and reports a missing number [terminal.window.sink-pane]', () => {
    const { run, lines } = setUp()
    run('MOV')
    run('CHG in new')
    run('iran NEW in 1')
    expect(lines()).toEqual(['iran NEW', 'CHG'])
    expect(run('MOV in 7')).toBe('There is no pane 7: this workspace has 2 panes')
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
    ['MOV; SCAN oil to csv', 'SCAN oil to csv'],
  ])('“%s” only opens panes [terminal.window.link]', (line, refused) => {
    const { terminal, lines } = setUp()
    const refusal = terminal.runLink(line)
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
