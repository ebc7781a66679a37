import '../../testing/set-up-page.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pageUnderTest } from '../../testing/page-under-test.ts'
import type { Dock } from '../dock/dock.ts'

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

describe('targets of a command', () => {
  const place = () => {
    const page = setUp()
    const { terminal } = page
    const added: string[] = []
    terminal.dock = {
      ...terminal.dock,
      add: (pane: { line: string }, placement: string) =>
        void added.push(`${pane.line} ${placement}`),
    } as unknown as Dock
    return { ...page, added }
  }

  it('are a tab, a floating pane, a link group and a numbered pane', () => {
    const { run, added, terminal, lines } = place()
    run('MOV in new')
    run('CHG in float')
    expect(added).toEqual(['MOV tab', 'CHG float'])
    run('$KX GP in c')
    expect([terminal.links.C, terminal.links.A]).toEqual(['KX', null])
    expect([...terminal.panes.values()].at(-1)?.link).toBe('C')
    expect(run('MOV in 1')).toBe('')
    expect(lines()[0]).toBe('MOV')
    expect(terminal.focusedPane).toBe([...terminal.panes.keys()][0])
    terminal.panes.clear()
    run('MOV')
    expect(run('MOV in 2')).toBe('There is no pane 2: this workspace has 1 pane')
    expect(terminal.notice?.tone).toBe('error')
  })

  it('stay the terminal pane while it has the focus', () => {
    const { run, terminal, lines } = place()
    run('TERM')
    run('MOV')
    expect([lines(), terminal.blocks.all.length]).toEqual([['TERM'], 1])
    expect(terminal.focused?.command.verb).toBe('TERM')
    run('CHG in new')
    expect(lines()).toEqual(['TERM', 'CHG'])
    // What the window does is no result.
    run('TH dark')
    expect(terminal.blocks.all.length).toBe(2)
  })

  it('a block names the market that the group had', () => {
    const { run, terminal } = place()
    terminal.focusMarket('A', 'KXOLD')
    run('. HIST')
    terminal.focusMarket('A', 'KXNEW')
    expect(terminal.blocks.all.map(({ pane }) => pane.line)).toEqual(['$KXOLD HIST'])
  })
})
