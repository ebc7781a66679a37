import '../../testing/set-up-page.ts'
import { fireEvent, render, screen } from '@testing-library/svelte'
import type { SerializedDockview } from 'dockview-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pageUnderTest } from '../../testing/page-under-test.ts'
import { marketRow } from '../../testing/rows.ts'
import type { Dock } from './dock.ts'
import { storeLayouts } from './layout-store.ts'
import PaneGrid from './PaneGrid.svelte'
import { paneMenu } from './pane-menu.ts'
import { WORKSPACES } from './workspaces.ts'

/** The place that the dock gives an element by inline styles; others fill their parent. */
function rectOf(this: HTMLElement): DOMRect {
  const { parentElement, style } = this
  if (parentElement === null) return SIZE as DOMRect
  const outer = rectOf.call(parentElement)
  const px = (text: string, otherwise: number) =>
    text.endsWith('px') ? Number.parseFloat(text) : otherwise
  const [left, top] = [outer.left + px(style.left, 0), outer.top + px(style.top, 0)]
  const [width, height] = [px(style.width, outer.width), px(style.height, outer.height)]
  const place = { left, top, width, height, x: left, y: top, right: left + width }
  return { ...place, bottom: top + height } as DOMRect
}
const SIZE = { width: 1_200, height: 800, x: 0, y: 0, left: 0, top: 0, right: 1_200, bottom: 800 }

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(rectOf)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

/** A store of this machine; the workspace with two panes is open unless it holds another. */
function storeOf(items = new Map<string, string>()) {
  const keep = {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, text: string) => void items.set(name, text),
  }
  if (!items.has('augury.layout')) storeLayouts(keep, { active: 4, workspaces: {} })
  return { items, keep }
}

/** A dock over this store, in a window that is wide enough for panes side by side. */
async function show(
  items = new Map<string, string>(),
  { isColumn = false, answers = () => null as object | null } = {},
) {
  const { keep } = storeOf(items)
  const page = pageUnderTest(answers, undefined, keep)
  page.service.isUp = false
  const { terminal } = page
  const { unmount, container } = render(PaneGrid, { terminal, isColumn })
  await pass(300)
  const dock = (): Dock => {
    if (terminal.dock === null) throw new Error('no dock')
    return terminal.dock
  }
  const lineOf = (id: string | null) => terminal.panes.get(id ?? '')?.line ?? null
  const lines = () => dock().order().map(lineOf)
  const idOf = (line: string) => {
    const pane = [...terminal.panes.values()].find((known) => known.line === line)
    if (pane === undefined) throw new Error(`no pane ${line}`)
    return pane.id
  }
  const run = async (line: string) => {
    terminal.run(line)
    await pass(300)
  }
  const stored = () =>
    JSON.parse(items.get('augury.layout') ?? '{}') as {
      active: number
      workspaces: Record<string, SerializedDockview>
    }
  return { ...page, unmount, container, dock, lines, lineOf, idOf, run, items, stored }
}

/** The sizes of the groups of a layout, as they are nested. */
type Node = { type: string; size?: number; data: Node[] | { views: string[] } }
const sizesOf = ({ data, size }: Node): unknown =>
  Array.isArray(data) ? data.map(sizesOf) : Math.round(size ?? 0)

describe('the panes of a workspace [terminal.window.dock]', () => {
  it('are the default ones at first, in their shares, and are stored', async () => {
    const { lines, terminal, lineOf, dock, stored, idOf } = await show()
    expect(lines()).toEqual(['MW', 'WATCH'])
    expect([terminal.workspace, lineOf(terminal.focusedPane)]).toEqual([4, 'MW'])
    expect(sizesOf(dock().snapshot().grid.root as Node)).toEqual([838, 358])
    expect([...terminal.panes.values()].map(({ isRestored }) => isRestored)).toEqual([false, false])
    expect(lineOf(dock().neighbour(idOf('MW'), 'right'))).toBe('WATCH')
    expect(dock().neighbour(idOf('MW'), 'left')).toBeNull()
    expect(dock().neighbour('none', 'left')).toBeNull()
    expect(dock().frame(idOf('MW'))?.getAttribute('aria-label')).toBe('Market watch')
    expect([stored().active, Object.keys(stored().workspaces)]).toEqual([4, ['4']])
  })

  it('share height as well, and tabs stay behind the first pane', async () => {
    const { terminal, lines, lineOf, dock, idOf, stored } = await show()
    terminal.goTo('3')
    await pass(300)
    expect(lines()).toEqual(['SCAN', 'REG', 'MOV', 'NEW', 'DISP'])
    expect(lineOf(terminal.focusedPane)).toBe('SCAN')
    const heights = dock().snapshot().grid.root as Node
    expect(sizesOf(heights)).toEqual([720, [398, 398]])
    expect(
      [...terminal.panes.values()].filter(({ visible }) => visible).map(({ line }) => line),
    ).toEqual(['SCAN', 'MOV', 'NEW'])
    // A hidden tab is built when it is first shown.
    expect(dock().frame(idOf('REG'))).toBeNull()
    dock().activate(idOf('REG'))
    await pass(300)
    expect(dock().frame(idOf('REG'))).not.toBeNull()
    expect([
      terminal.panes.get(idOf('REG'))?.visible,
      terminal.panes.get(idOf('SCAN'))?.visible,
    ]).toEqual([true, false])
    terminal.goTo('4')
    await pass(300)
    expect([lines(), Object.keys(stored().workspaces), stored().active]).toEqual([
      ['MW', 'WATCH'],
      ['3', '4'],
      4,
    ])
    terminal.goTo('3')
    await pass(300)
    expect(lines()).toEqual(['SCAN', 'REG', 'MOV', 'NEW', 'DISP'])
    expect(lineOf(terminal.focusedPane)).toBe('REG')
  })

  it('each workspace opens all panes of its plan beside each other', async () => {
    const { terminal, lines } = await show()
    for (const { number, plan } of WORKSPACES) {
      terminal.goTo(String(number))
      await pass(300)
      expect(lines().toSorted()).toEqual(plan.map(({ line }) => line).toSorted())
      for (const { share, reference: besidePane } of plan) {
        expect(share === undefined || (share > 0 && share < 1)).toBe(true)
        expect(besidePane === undefined || (besidePane >= 0 && besidePane < plan.length)).toBe(true)
      }
    }
  })

  it('come back as they were, also those of an older version or another build', async () => {
    const first = await show()
    await first.run('MOV')
    expect(first.lines()).toEqual(['MW', 'MOV', 'WATCH'])
    first.unmount()
    expect(first.terminal.dock).toBeNull()
    const text = first.items.get('augury.layout') ?? ''
    first.items.set('augury.layout', text.replaceAll('"line":"WATCH"', '"line":"NOSUCH x"'))
    const second = await show(first.items)
    expect(second.lines()).toEqual(['MW', 'MOV', 'HELP'])
    const panes = [...second.terminal.panes.values()]
    expect(panes.map(({ line, isRestored, isKept }) => [line, isRestored, isKept])).toEqual(
      expect.arrayContaining([
        ['MOV', true, false],
        ['MW', true, true],
      ]),
    )
    second.dock().activate(second.idOf('MOV'))
    expect(second.terminal.panes.get(second.idOf('MOV'))?.isRestored).toBe(false)
  })

  it('opened by one line stay after a reload', async () => {
    const first = await show()
    await first.run('MOV; CHG')
    const second = await show(first.items)
    expect(second.lines().toSorted()).toEqual(['CHG', 'MOV', 'MW', 'WATCH'])
    await second.run('NEW')
    expect(second.lines().toSorted()).toEqual(['CHG', 'MOV', 'MW', 'NEW', 'WATCH'])
  })

  it('that cannot be shown are set aside, with a notice', async () => {
    const dock = {
      grid: { root: { type: 'leaf', data: 3 }, height: 1, width: 1, orientation: 'HORIZONTAL' },
      panels: {},
    }
    const items = new Map<string, string>()
    storeLayouts(storeOf(items).keep, { active: 4, workspaces: { '4': dock as never } })
    const { lines, terminal } = await show(items)
    expect(lines()).toEqual(['MW', 'WATCH'])
    expect(terminal.notice).toEqual({
      text: 'The layout of Watch cannot be shown and was set aside',
      tone: 'error',
    })
    expect(items.get('augury.layout.aside')).toContain('"data":3')
  })

  it.each([
    ['{', /^The saved layout is damaged/],
    ['{"version":9}', /^The saved layout is from a newer version/],
  ])('of an unreadable store %s are reported', async (text, notice) => {
    const { terminal } = await show(new Map([['augury.layout', text]]))
    expect(terminal.notice?.text).toMatch(notice)
    expect(terminal.workspace).toBe(1)
  })
})

describe('changes of the layout', () => {
  it('add a pane to the focused group when a table fits, else to the largest', async () => {
    const { run, lines, terminal, dock, idOf, lineOf } = await show()
    await run('MOV')
    expect([lines(), lineOf(terminal.focusedPane)]).toEqual([['MW', 'MOV', 'WATCH'], 'MOV'])
    // The group of the watchlist is narrower than a table.
    dock().activate(idOf('WATCH'))
    await run('CHG in new')
    expect(lines()).toEqual(['MW', 'MOV', 'CHG', 'WATCH'])
  })

  it('float and dock a pane, and maximise its group', async () => {
    const { dock, idOf, container, terminal, lines, lineOf } = await show()
    const floating = () => dock().snapshot().floatingGroups ?? []
    dock().float(idOf('WATCH'))
    await pass(300)
    expect(floating()).toHaveLength(1)
    expect(lineOf(terminal.focusedPane)).toBe('WATCH')
    dock().float(idOf('WATCH'))
    await pass(300)
    expect([floating(), lines()]).toEqual([[], ['MW', 'WATCH']])
    dock().move(idOf('WATCH'), 'right')
    await pass(300)
    const restore = () => container.querySelector('[aria-label^="Restore "]')
    expect(restore()).toBeNull()
    dock().toggleMaximised(idOf('MW'))
    await pass(300)
    expect(restore()?.getAttribute('aria-label')).toBe('Restore Market watch')
    dock().toggleMaximised(idOf('MW'))
    await pass(300)
    expect(restore()).toBeNull()
  })

  it('close panes, report how many, and restore them', async () => {
    const { dock, idOf, lines, terminal, run } = await show()
    await run('MOV')
    dock().close(idOf('WATCH'))
    expect([lines(), terminal.notice?.text, terminal.panes.size]).toEqual([
      ['MW', 'MOV'],
      'Closed. Ctrl+Z or UNDO restores it',
      2,
    ])
    await pass(300)
    expect(dock().undo()).toBe(true)
    await pass(300)
    expect(lines()).toEqual(['MW', 'MOV', 'WATCH'])
    expect(dock().redo()).toBe(true)
    await pass(300)
    expect([lines(), dock().redo()]).toEqual([['MW', 'MOV'], false])
    dock().undo()
    await pass(300)
    dock().closeOthers(idOf('MOV'))
    await pass(300)
    expect([lines(), terminal.notice?.text]).toEqual([
      ['MOV'],
      'Closed 2 panes. Ctrl+Z or UNDO restores',
    ])
    dock().closeOthers(null)
    await pass(300)
    expect([lines(), terminal.notice?.text, terminal.focusedPane]).toEqual([
      [],
      'Closed 1 pane. Ctrl+Z or UNDO restores',
      null,
    ])
    // Without a pane the dock offers a list.
    await fireEvent.click(screen.getByRole('button', { name: 'List markets' }))
    await pass(300)
    expect(lines()).toEqual(['SCAN'])
    dock().reset()
    await pass(300)
    expect([lines(), terminal.notice?.text]).toEqual([
      ['MW', 'WATCH'],
      'Workspace layout reset. UNDO restores the previous one',
    ])
    dock().undo()
    await pass(300)
    expect(lines()).toEqual(['SCAN'])
    // An unknown pane changes nothing.
    dock().activate('x')
    dock().close('x')
    dock().float('x')
    dock().toggleMaximised('x')
    dock().move('x', 'left')
    expect(lines()).toEqual(['SCAN'])
  })

  it('undone or redone leave the focus in a pane that is open', async () => {
    const { dock, lineOf, terminal, run, idOf } = await show()
    const focused = () => lineOf(terminal.focusedPane)
    await run('MOV')
    dock().undo()
    await pass(300)
    expect(focused()).toBe('MW')
    dock().activate(idOf('WATCH'))
    await pass(300)
    dock().redo()
    await pass(300)
    expect(focused()).toBe('MOV')
  })

  it('undone or redone are stored like any other', async () => {
    const { dock, run, stored } = await show()
    const lines = () =>
      Object.values(stored().workspaces['4']?.panels ?? {}).map(({ params }) => params?.['line'])
    await run('MOV')
    expect(lines()).toContain('MOV')
    dock().undo()
    window.dispatchEvent(new Event('pagehide'))
    expect(lines()).toEqual(['MW', 'WATCH'])
    dock().redo()
    await pass(300)
    expect(lines()).toContain('MOV')
  })

  it('move a pane into the next group, or split its own', async () => {
    const { dock, idOf, lines, lineOf, run } = await show()
    dock().move(idOf('WATCH'), 'left')
    await pass(300)
    expect([lines(), dock().neighbour(idOf('WATCH'), 'left')]).toEqual([['MW', 'WATCH'], null])
    dock().move(idOf('WATCH'), 'down')
    await pass(300)
    expect(lineOf(dock().neighbour(idOf('WATCH'), 'up'))).toBe('MW')
    dock().move(idOf('WATCH'), 'up')
    await pass(300)
    for (const [direction, back] of [
      ['left', 'right'],
      ['right', 'left'],
      ['up', 'down'],
    ] as const) {
      dock().move(idOf('WATCH'), direction)
      await pass(300)
      expect(lineOf(dock().neighbour(idOf('WATCH'), back))).toBe('MW')
      dock().move(idOf('WATCH'), back)
      await pass(300)
    }
    // A single pane cannot be split from its group.
    await run('MOV in new')
    dock().closeOthers(idOf('MW'))
    dock().move(idOf('MW'), 'left')
    await pass(300)
    expect(lines()).toEqual(['MW'])
  })

  it('replace the layout by a saved one, or not at all', async () => {
    const { dock, lines, run, terminal, lineOf } = await show()
    const saved = dock().snapshot()
    await run('MOV')
    expect(dock().show({ grid: {}, panels: {} } as never)).toBe(false)
    expect(lines()).toEqual(['MW', 'MOV', 'WATCH'])
    expect(dock().show(saved)).toBe(true)
    await pass(300)
    expect([lines(), lineOf(terminal.focusedPane)]).toEqual([['MW', 'WATCH'], 'MW'])
    dock().undo()
    await pass(300)
    expect(lines()).toEqual(['MW', 'MOV', 'WATCH'])
  })

  it('are stored after a pause, and when the page is left', async () => {
    const { run, stored, terminal, items, dock, idOf, unmount } = await show()
    const lines = () =>
      Object.values(stored().workspaces['4']?.panels ?? {}).map(({ params }) => params?.['line'])
    terminal.run('MOV')
    await pass(100)
    expect(lines()).toEqual(['MW', 'WATCH'])
    await pass(200)
    expect(lines()).toEqual(['MW', 'MOV', 'WATCH'])
    const pane = terminal.panes.get(idOf('MOV'))
    if (pane === undefined) throw new Error('no pane')
    terminal.setArguments(pane, { window: '1h' })
    window.dispatchEvent(new Event('pagehide'))
    expect(lines()[1]).toBe(pane.line)
    await run('CHG in new')
    dock().close(idOf('CHG'))
    await pass(100)
    expect(lines()).toContain('CHG')
    unmount()
    expect(lines()).not.toContain('CHG')
    const after = items.get('augury.layout')
    window.dispatchEvent(new Event('pagehide'))
    expect(items.get('augury.layout')).toBe(after)
  })

  it('of other windows are kept, unless this one changed the workspace too', async () => {
    const items = new Map<string, string>()
    const { terminal, lines, stored } = await show(items)
    const first = await show(new Map(items))
    await first.run('MOV')
    const other = first.stored()
    const elsewhere = (workspaces: object) => {
      items.set(
        'augury.layout',
        JSON.stringify({ ...stored(), workspaces: { ...stored().workspaces, ...workspaces } }),
      )
      window.dispatchEvent(new StorageEvent('storage', { key: 'augury.layout' }))
    }
    first.unmount()
    elsewhere({ '4': other.workspaces['4'], '6': other.workspaces['4'] })
    expect(lines()).toEqual(['MW', 'WATCH'])
    // What another window stored is shown when the workspace is opened again.
    terminal.goTo('6')
    await pass(300)
    expect(lines()).toEqual(['MW', 'MOV', 'WATCH'])
    terminal.goTo('4')
    await pass(300)
    expect(lines()).toEqual(['MW', 'MOV', 'WATCH'])
    window.dispatchEvent(new StorageEvent('storage', { key: 'augury.other' }))
  })

  it('of other workspaces are taken from other windows while this one changed its own', async () => {
    const items = new Map<string, string>()
    const { terminal, lines, run, stored, unmount } = await show(items)
    const elsewhere = await show(new Map(items))
    await elsewhere.run('NEW')
    const other = elsewhere.stored().workspaces['4']
    elsewhere.unmount()
    await run('MOV')
    const workspaces = { ...stored().workspaces, '4': other, '6': other }
    items.set('augury.layout', JSON.stringify({ ...stored(), workspaces }))
    window.dispatchEvent(new StorageEvent('storage', { key: 'augury.layout' }))
    terminal.goTo('6')
    await pass(300)
    expect(lines()).toEqual(['MW', 'NEW', 'WATCH'])
    terminal.goTo('4')
    await pass(300)
    expect(lines()).toEqual(['MW', 'MOV', 'WATCH'])
    unmount()
  })

  it('leave the page where it is when a pane gets the focus', async () => {
    const { dock, idOf } = await show()
    const focus = vi.spyOn(HTMLElement.prototype, 'focus')
    dock().activate(idOf('WATCH'))
    expect(focus.mock.calls).toContainEqual([{ preventScroll: true }])
    expect(focus.mock.calls).not.toContainEqual([])
  })
})

describe('the tab and the header of a pane', () => {
  it('relink, keep, close and open a menu', async () => {
    const { container, terminal, idOf, lines, run, dock } = await show()
    await run('MOV')
    const tab = [...container.querySelectorAll<HTMLElement>('.tab')].find(({ textContent }) =>
      textContent.includes('Movers'),
    )
    if (tab === undefined) throw new Error('no tab')
    const pane = terminal.panes.get(idOf('MOV'))
    expect([pane?.isKept, tab.title]).toEqual([
      false,
      'MOV. The next command of its kind reuses this pane; double-click keeps it',
    ])
    await fireEvent.dblClick(tab)
    expect([pane?.isKept, tab.title]).toEqual([true, 'MOV'])
    await fireEvent.click(tab.querySelector('.link') as HTMLElement)
    expect(pane?.link).toBe('B')
    const opened = await fireEvent(
      tab,
      new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: 5, clientY: 6 }),
    )
    await pass(300)
    expect([opened, terminal.menu?.label, terminal.menu?.at]).toEqual([
      false,
      'Menu of Movers',
      { x: 5, y: 6 },
    ])
    await pass(300)
    const stored = dock().snapshot().panels[idOf('MOV')]?.params
    expect(stored).toEqual({ line: 'MOV', link: 'B' })
    const selected = new MouseEvent('pointerdown', { bubbles: true })
    const seen = vi.fn()
    container.addEventListener('pointerdown', seen)
    tab.querySelector('.close')?.dispatchEvent(selected)
    expect(seen).not.toHaveBeenCalled()
    await fireEvent.click(tab.querySelector('.close') as HTMLElement)
    expect(lines()).toEqual(['MW', 'WATCH'])
  })

  it('refresh, maximise, add panes and show their state', async () => {
    const list = { movers: [], generatedAt: '2026-11-20T10:00:00.000Z' }
    const { container, terminal, run, requested, idOf, lineOf, dock } = await show(new Map(), {
      answers: () => list,
    })
    await run('MOV')
    const button = (name: string) => screen.getByRole('button', { name })
    const before = requested.length
    await fireEvent.click(button('Refresh Movers'))
    await pass(300)
    expect(requested.length).toBeGreaterThan(before)
    await fireEvent.click(button('Maximise Movers'))
    await pass(300)
    await fireEvent.click(button('Restore Movers'))
    await pass(300)
    await fireEvent.click(button('Menu of Movers'))
    await vi.dynamicImportSettled()
    await pass(100)
    expect(screen.getAllByRole('menuitem').length).toBeGreaterThan(9)
    await fireEvent.click(button('Menu of Movers'))
    await pass(100)
    expect(screen.queryByRole('menuitem')).toBeNull()
    const pane = terminal.panes.get(idOf('MOV'))
    if (pane === undefined) throw new Error('no pane')
    terminal.pausing.toggle(pane)
    await pass(100)
    expect(container.textContent).toContain('PAUSED')
    terminal.pausing.toggle(pane)
    await pass(100)
    expect(container.textContent).not.toContain('PAUSED')
    // The group of the button becomes the place of new panes.
    dock().activate(idOf('WATCH'))
    const [add] = screen.getAllByRole('button', { name: 'Add a pane' })
    await fireEvent.click(add as HTMLElement)
    expect([terminal.galleryShown, lineOf(terminal.focusedPane)]).toEqual([true, 'MOV'])
  })
})

describe('the menu of a pane', () => {
  it('does what its items state', async () => {
    const { terminal, idOf, lines, run, dock, lineOf } = await show()
    await run('MOV')
    const pane = terminal.panes.get(idOf('MOV'))
    if (pane === undefined) throw new Error('no pane')
    const copied: string[] = []
    vi.stubGlobal('navigator', {
      clipboard: { writeText: (text: string) => void copied.push(text) },
    })
    const choose = async (label: string) => {
      const item = paneMenu(terminal, pane).find((known) => known.label === label)
      if (item === undefined) throw new Error(`no item ${label}`)
      item.run()
      await pass(300)
    }
    await choose('Copy as command')
    expect([copied, terminal.notice?.text]).toEqual([['MOV'], 'Copied the command'])
    await choose('Copy link')
    expect([copied[1], terminal.notice?.text]).toEqual([
      `${location.origin}/#c=MOV`,
      'Copied the link',
    ])
    vi.stubGlobal('navigator', {
      clipboard: { writeText: () => Promise.reject(new Error('denied')) },
    })
    await choose('Copy as command')
    expect(terminal.notice).toEqual({
      text: 'The browser denied clipboard access: MOV',
      tone: 'error',
    })
    vi.unstubAllGlobals()
    await choose('Link group A: next')
    expect(pane.link).toBe('B')
    await choose('Duplicate')
    expect(lines()).toEqual(['MW', 'MOV', 'MOV', 'WATCH'])
    expect(terminal.panes.get(terminal.focusedPane ?? '')?.link).toBe('B')
    await choose('Float or dock')
    expect(dock().snapshot().floatingGroups).toHaveLength(1)
    await choose('Float or dock')
    await choose('Maximise or restore')
    await choose('Maximise or restore')
    await choose('Close')
    expect(terminal.panes.has(pane.id)).toBe(false)
    await run('CHG in new')
    const others = paneMenu(terminal, terminal.panes.get(idOf('CHG')) as typeof pane)
    others.find(({ label }) => label === 'Close others')?.run()
    await pass(300)
    expect(lines()).toEqual(['CHG'])
    others.find(({ label }) => label === 'Reset workspace layout')?.run()
    await pass(300)
    expect(lines()).toEqual(['MW', 'WATCH'])
    others.find(({ label }) => label === 'Close all panes')?.run()
    await pass(300)
    expect([lines(), lineOf(terminal.focusedPane)]).toEqual([[], null])
  })

  it('offers what the pane has: rows, a drawing, requests', async () => {
    const { terminal, idOf, paneOf, dock } = await show()
    const labels = (pane = terminal.panes.get(idOf('MW'))) =>
      pane === undefined ? [] : paneMenu(terminal, pane).map(({ label }) => label)
    const optional = ['Save as CSV', 'Save as image', 'Pause', 'Resume']
    const offered = (pane?: ReturnType<typeof paneOf>) =>
      labels(pane).filter((label) => optional.includes(label))
    const help = paneOf('HELP')
    expect(offered(help)).toEqual([])
    help.visibleRows = () => []
    expect(offered(help)).toEqual(['Save as CSV'])
    const pane = terminal.panes.get(idOf('WATCH'))
    if (pane === undefined) throw new Error('no pane')
    dock().frame(pane.id)?.append(document.createElement('canvas'))
    pane.sources = [terminal.live.source({ path: '/a', interval: 1, cadence: 1 } as never)]
    expect(offered(pane)).toEqual(expect.arrayContaining(['Save as image', 'Pause']))
    pane.isPaused = true
    expect(offered(pane)).toContain('Resume')
  })
})

describe('the frame of a pane', () => {
  it('keeps the focus when its content is replaced', async () => {
    const { terminal, dock, idOf } = await show(new Map(), {
      answers: () => ({ ...marketRow(), indicators: {} }),
    })
    const id = idOf('WATCH')
    dock().activate(id)
    expect(dock().frame(id)?.contains(document.activeElement)).toBe(true)
    const pane = terminal.panes.get(id)
    if (pane === undefined) throw new Error('no pane')
    ;(document.activeElement as HTMLElement).blur()
    expect(document.activeElement).toBe(document.body)
    terminal.setArguments(pane, { window: '1h' })
    await pass(300)
    expect(dock().frame(id)?.contains(document.activeElement)).toBe(true)
    // Another pane does not take it.
    terminal.focusedPane = idOf('MW')
    ;(document.activeElement as HTMLElement).blur()
    terminal.setArguments(pane, { window: '6h' })
    await pass(300)
    expect(document.activeElement).toBe(document.body)
    dock()
      .frame(id)
      ?.dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
    expect(terminal.focusedPane).toBe(id)
  })

  it('offers the previous market when the service does not know its own', async () => {
    const { terminal, run, lines } = await show(new Map(), { answers: () => null })
    terminal.focusMarket('A', 'KXOLD')
    terminal.focusMarket('A', 'KXGONE')
    await run('. HIST')
    await vi.dynamicImportSettled()
    await pass(300)
    expect(lines()).toContain('. HIST')
    expect(screen.getByText('KXGONE')).toBeTruthy()
    await fireEvent.click(screen.getByRole('button', { name: 'Back to previous market' }))
    expect(terminal.links.A).toBe('KXOLD')
  })
})

it('a narrow window stacks its panes and keeps the wide layout', async () => {
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView')
  const { dock, idOf, container } = await show(new Map(), { isColumn: true })
  expect(container.querySelector('.grid.column')).not.toBeNull()
  expect(sizesOf(dock().snapshot().grid.root as Node)).toEqual([838, 358])
  dock().activate(idOf('WATCH'))
  expect(scrolled).toHaveBeenCalledWith({ block: 'nearest' })
})
