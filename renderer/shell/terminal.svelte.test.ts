import '../testing/set-up-page.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pageUnderTest } from '../testing/page-under-test.ts'
import type { Dock } from './dock/dock.ts'
import { waitUntil } from '../testing/wait-until.ts'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())
const AT = '2026-11-20T10:00:00.000Z'

describe('the state that the page shares', () => {
  const terminalOf = () => {
    const kept = new Map<string, string>()
    const keep = {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, text: string) => void kept.set(name, text),
    }
    const { terminal, paneOf } = pageUnderTest(() => null, undefined, keep)
    const calls: string[] = []
    terminal.dock = {
      add: ({ id }: { id: string }) => calls.push(`add ${id}`),
      activate: (id: string) => calls.push(`activate ${id}`),
      describe: ({ id }: { id: string }) => calls.push(`describe ${id}`),
      order: () => [],
    } as unknown as Dock
    return { terminal, paneOf, calls, kept }
  }

  it('gives panes ids that are free, and relinks them one after another', () => {
    const { terminal, paneOf, calls } = terminalOf()
    const pane = paneOf('MOV')
    terminal.adopt('pane-2', pane.command, 'D')
    const next = terminal.open(pane.command)
    expect([pane.id, next.id, calls]).toEqual([
      'pane-1',
      'pane-3',
      ['add pane-3', 'activate pane-3'],
    ])
    calls.length = 0
    const links = ['B', 'C', 'D', 'A'].map(() => {
      terminal.relink(pane)
      return pane.link
    })
    expect(links).toEqual(['B', 'C', 'D', 'A'])
    terminal.setArguments(pane, { window: '1h' })
    terminal.replaceCommand(pane, next.command)
    expect(calls).toEqual(Array.from({ length: 6 }, () => 'describe pane-1'))
  })

  it('reads what another window stored', () => {
    const { terminal, kept } = terminalOf()
    const other = pageUnderTest(() => null, undefined, {
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, text) => void kept.set(name, text),
    }).terminal
    other.watchlist.add('KX', AT)
    other.aliases.define('CALM', 'MOV')
    expect(terminal.watchlist.has('KX')).toBe(false)
    terminal.onStoredElsewhere('augury.watchlist')
    expect([terminal.watchlist.has('KX'), terminal.aliases.commands.size]).toEqual([true, 0])
    terminal.onStoredElsewhere(null)
    expect(terminal.aliases.commands.get('CALM')).toBe('MOV')
  })

  it('queues what is run before the panes are built', () => {
    const { terminal, paneOf } = terminalOf()
    const { command } = paneOf('CHG')
    terminal.panes.clear()
    const ready = terminal.awaitPanes()
    terminal.execute(command, true)
    terminal.goTo('3')
    expect([terminal.panes.size, terminal.workspace]).toEqual([0, 1])
    ready()
    expect([[...terminal.panes.values()].map(({ line }) => line), terminal.workspace]).toEqual([
      ['CHG'],
      3,
    ])
    terminal.execute(command, true)
    expect(terminal.panes.size).toBe(2)
  })

  it('remembers lines once, opens the market of a row, and prefills again', () => {
    const { terminal, paneOf } = terminalOf()
    const pane = paneOf('MOV')
    terminal.run('CHG')
    terminal.run(' CHG ')
    terminal.run('NEW')
    expect(terminal.history).toEqual(['CHG', 'NEW'])
    expect(terminal.run('"')?.message).toBe('Unclosed quote')
    expect(terminal.history).toHaveLength(2)
    const focused: string[] = []
    terminal.onfocus = (letter, ticker) => focused.push(`${letter} ${ticker}`)
    terminal.openMarket(pane, 'KX', 'BOOK')
    expect([focused, terminal.links.A]).toEqual([['A KX'], 'KX'])
    expect([...terminal.panes.values()].at(-1)?.line).toBe('. BOOK')
    terminal.receiveFocus('A', 'KX2')
    expect([focused.length, terminal.links.A]).toEqual([1, 'KX2'])
    expect(terminal.lineOf(paneOf('. GP 1h'))).toBe('KX2 GP 1h')
    expect(terminal.lineOf(pane)).toBe('MOV')
    terminal.prefill('a')
    terminal.prefill('a')
    expect(terminal.prompt).toEqual({ text: 'a', count: 2 })
  })

  it('reuses the pane of a verb in its link group only', () => {
    const { terminal } = terminalOf()
    terminal.run('. BOOK')
    const [first] = terminal.panes.values()
    if (first === undefined) throw new Error('no pane')
    first.link = 'B'
    terminal.run('. BOOK')
    expect(terminal.panes.size).toBe(2)
    terminal.run('. BOOK 5')
    expect([...terminal.panes.values()].map(({ line }) => line)).toEqual(['. BOOK', '. BOOK 5'])
    // A pane of one market is no pane of the group's.
    terminal.run('$KX GP in new')
    terminal.run('. GP 15m')
    expect([...terminal.panes.values()].map(({ line }) => line)).toEqual([
      '. BOOK',
      '. BOOK 5',
      '$KX GP',
      '. GP 15m',
    ])
  })

  it('reads each part that another window stored, and no other', () => {
    const { terminal } = terminalOf()
    const { settings, keySettings, aliases, layouts, watchlist, drawings } = terminal
    const parts = { settings, keys: keySettings, aliases, layouts, watchlist, drawings }
    const read: string[] = []
    for (const [name, part] of Object.entries(parts)) {
      vi.spyOn(part, 'reload').mockImplementation(() => void read.push(name))
    }
    for (const name of Object.keys(parts)) terminal.onStoredElsewhere(`augury.${name}`)
    expect(read.splice(0)).toEqual(Object.keys(parts))
    terminal.onStoredElsewhere('augury.other')
    expect(read).toEqual([])
    terminal.onStoredElsewhere(null)
    expect(read).toEqual(Object.keys(parts))
  })

  it('reports what cannot be stored', () => {
    const { terminal } = pageUnderTest(() => null, undefined, {
      getItem: () => null,
      setItem: () => {
        throw new Error('QuotaExceededError')
      },
    })
    terminal.watchlist.add('KX', AT)
    expect(terminal.notice).toMatchObject({ tone: 'error' })
    expect(terminal.notice?.text).toMatch(/^Local storage is full or blocked/)
  })

  it('has the market of a pane and of a command, and the group of the focused pane', () => {
    const { terminal, paneOf } = terminalOf()
    const [chart, own, list] = [paneOf('. GP'), paneOf('$KX9 BOOK'), paneOf('MOV')]
    terminal.focusMarket('A', 'KXA')
    terminal.focusMarket('B', 'KXB')
    expect([chart, own, list].map((pane) => terminal.tickerOf(pane))).toEqual(['KXA', 'KX9', null])
    expect([terminal.focused, terminal.letter]).toEqual([null, 'A'])
    list.link = 'B'
    terminal.focusedPane = list.id
    expect([terminal.focused, terminal.letter]).toEqual([list, 'B'])
    expect([chart, own, list].map(({ command }) => terminal.marketOf(command))).toEqual([
      'KXB',
      'KX9',
      null,
    ])
  })

  it('replaces the pane that the last command of a kind opened in its group', () => {
    const { terminal, calls } = terminalOf()
    const lines = () => [...terminal.panes.values()].map(({ line }) => line)
    terminal.run('YC')
    const [first] = terminal.panes.values()
    if (first === undefined) throw new Error('no pane')
    first.note = '9'
    expect([first.isKept, calls.splice(0)]).toEqual([
      false,
      ['add pane-1', 'activate pane-1', 'describe pane-1'],
    ])
    terminal.run('CALIB')
    expect([lines(), first.note, calls.splice(0)]).toEqual([
      ['CALIB'],
      '',
      ['describe pane-1', 'activate pane-1'],
    ])
    // In another group it is kept.
    first.link = 'B'
    terminal.run('YC')
    expect(lines()).toEqual(['CALIB', 'YC'])
    first.link = 'A'
    first.isKept = true
    for (const pane of terminal.panes.values()) pane.isKept = true
    terminal.run('EDGE')
    expect(lines()).toEqual(['CALIB', 'YC', 'EDGE'])
  })

  it('shows the open pane of a verb with the new arguments, and keeps the others of a market', () => {
    const { terminal } = terminalOf()
    const lines = () => [...terminal.panes.values()].map(({ line }) => line)
    terminal.run('. GP 1h rsi')
    terminal.run('. GP 15m')
    expect(lines()).toEqual(['. GP 15m rsi:14'])
    terminal.run('MOV 24h')
    terminal.run('MOV')
    expect(lines()).toEqual(['. GP 15m rsi:14', 'MOV'])
  })

  it('keeps the panes of one line, and of a line for new panes', () => {
    const { terminal } = terminalOf()
    terminal.run('MOV; NEW')
    terminal.run('YC', { inNewPane: true })
    terminal.run('YC', { inNewPane: true })
    expect([...terminal.panes.values()].map(({ line, isKept }) => [line, isKept])).toEqual([
      ['MOV', true],
      ['NEW', true],
      ['YC', true],
      ['YC', true],
    ])
    terminal.showNotice('old')
    terminal.run('CHG')
    expect(terminal.notice).toBeNull()
    terminal.showNotice('old')
    terminal.run('"')
    expect(terminal.notice?.text).toBe('old')
  })

  it('opens the description of a row’s market unless a pane of the group follows it', () => {
    const { terminal, paneOf } = terminalOf()
    const list = paneOf('MOV')
    const other = paneOf('. BOOK')
    other.link = 'C'
    terminal.openMarket(list, 'KX1', null)
    expect([...terminal.panes.values()].at(-1)?.line).toBe('. DES')
    const count = terminal.panes.size
    terminal.openMarket(list, 'KX2', null)
    expect([terminal.panes.size, terminal.links.A, terminal.links.C]).toEqual([count, 'KX2', null])
  })

  it('opens the thesis of a request, or the latest', () => {
    const { terminal, paneOf } = terminalOf()
    const requested = () => terminal.thesisRequested?.pane
    terminal.run('TREE')
    const [latest] = terminal.panes.values()
    expect([latest?.line, requested()]).toEqual(['THES latest', latest?.id])
    terminal.run('TREE 0a1b2c3d')
    const pane = terminal.panes.get(requested() ?? '')
    expect(pane?.command.args['id']).toBe('0a1b2c3d')
    terminal.run('TREE')
    expect(terminal.panes.get(requested() ?? '')?.command.args['id']).toBe('0a1b2c3d')
    expect(paneOf('MOV').id).not.toBe(requested())
  })

  it('opens the panes of a link, kept like those of one line, and nothing else', () => {
    const { terminal } = terminalOf()
    const panes = () => [...terminal.panes.values()].map(({ line, isKept }) => [line, isKept])
    expect(terminal.runLink('MOV')).toBeNull()
    expect(panes()).toEqual([['MOV', false]])
    expect(terminal.runLink('NEW; YC')).toBeNull()
    expect(panes().slice(-2)).toEqual([
      ['NEW', true],
      ['YC', true],
    ])
    const before = panes()
    expect(terminal.runLink('CHG; HALT')).toBe('A link can only open panes: “HALT” was not run')
    expect(terminal.runLink('"')).toBe('The link cannot be read: Unclosed quote')
    expect([panes(), terminal.history]).toEqual([before, []])
    const ready = terminal.awaitPanes()
    terminal.runLink('CALIB')
    expect(panes()).toEqual(before)
    ready()
    expect(panes()).not.toEqual(before)
  })

  it('halts trading, or reports that it could not', async () => {
    const { terminal } = terminalOf()
    terminal.halt()
    await waitUntil(() => expect(terminal.notice?.text).toMatch(/^Not halted: /))
  })

  it('has the commands of each workspace', () => {
    const { terminal } = terminalOf()
    const first = terminal.blocks
    terminal.run('MOV')
    terminal.workspace = 2
    expect([first.all.length, terminal.blocks.all.length]).toEqual([1, 0])
    terminal.workspace = 1
    expect(terminal.blocks).toBe(first)
  })
})
