import '../../testing/set-up-page.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pageUnderTest } from '../../testing/page-under-test.ts'
import { layoutFile } from './layout-file.ts'
import { NamedLayouts } from './named-layouts.svelte.ts'
import { panePicture } from './pane-picture.ts'
import type { Pane } from './pane.svelte.ts'
import { Pausing } from './pausing.svelte.ts'
import { revealTab } from './reveal-tab.ts'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Panes of these lines, by their order, and the notices about them. */
function panesOf(...lines: string[]) {
  const { paneOf, terminal } = pageUnderTest(() => null)
  const panes = new Map(lines.map((line) => [line, paneOf(line)]))
  const notices: string[] = []
  const pausing = new Pausing(panes, (text) => void notices.push(text))
  const [first, second, third] = [...panes.values()] as [Pane, Pane, Pane]
  const source = (path: string) =>
    terminal.live.source<object>({ path, interval: 1, cadence: 1 } as never)
  return { pausing, panes, notices, first, second, third, source }
}

describe('pausing', () => {
  it('one pane reports it, and so does its end', () => {
    const { pausing, first, second, notices } = panesOf('MOV', 'CHG')
    pausing.toggle(first)
    expect([pausing.isPaused(first), pausing.isPaused(second), pausing.count]).toEqual([
      true,
      false,
      1,
    ])
    pausing.toggle(first)
    expect([pausing.count, notices]).toEqual([
      0,
      ['Movers paused. Space resumes it', 'Movers resumed'],
    ])
  })

  it('a pane is resumed with those that share its requests', () => {
    const { pausing, first, second, third, source } = panesOf('MOV', 'CHG', 'NEW')
    const shared = source('/a')
    first.sources = [shared, source('/b')]
    second.sources = [shared]
    for (const pane of [first, second, third]) pausing.toggle(pane)
    pausing.toggle(second)
    expect([first, second, third].map(({ isPaused }) => isPaused)).toEqual([false, false, true])
    // What a paused pane shows does not change in another one.
    shared.pauses = 1
    expect([pausing.isPaused(first), pausing.isPaused(second), pausing.count]).toEqual([
      true,
      true,
      3,
    ])
  })

  it('all panes ends with any of them, and begins when none is paused', () => {
    const { pausing, first, notices } = panesOf('MOV', 'CHG')
    pausing.toggleAll()
    expect([pausing.isAll, notices.at(-1)]).toEqual([true, 'All panes paused. PAUSE resumes them'])
    first.isPaused = true
    pausing.toggle(first)
    expect([pausing.isAll, first.isPaused, notices.at(-1)]).toEqual([
      false,
      false,
      'All panes resumed',
    ])
    pausing.toggle(first)
    pausing.toggleAll()
    expect([pausing.isAll, first.isPaused]).toEqual([false, false])
  })
})

describe('a pane', () => {
  it.each([
    ['MOV', 'Movers'],
    ['iran NEW', 'New markets · iran'],
    ['$KXFED-26DEC GP', 'Chart · KXFED-26DEC'],
    ['SCAN price=20..60', 'Markets · filtered'],
  ])('of %s has the title %s', (line, title) => {
    const { first } = panesOf(line)
    expect(first.title).toBe(title)
  })

  it('notes its rows, and is reset when another content replaces it', () => {
    const { first, source } = panesOf('MOV')
    first.showCount(0)
    expect(first.note).toBe('')
    first.showCount(12)
    expect(first.note).toBe('12')
    first.sources = [source('/a')]
    first.visibleRows = () => []
    first.edits = { undo: () => true, redo: () => true }
    first.resetContent()
    const { note, sources, visibleRows, edits } = first
    expect({ note, sources, visibleRows, edits }).toEqual({
      note: '',
      sources: [],
      visibleRows: null,
      edits: null,
    })
  })
})

const dockOf = (line: string) =>
  ({
    grid: { root: { type: 'leaf', data: { views: ['p'] } } },
    panels: { p: { id: 'p', params: { line, link: 'A' } } },
  }) as never
const memory = (text?: string) => {
  const items = new Map(text === undefined ? [] : [['augury.layouts', text]])
  return {
    items,
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
  }
}

describe('layouts with a name [terminal.window.layouts]', () => {
  const names = (layouts: NamedLayouts) => layouts.all.map(({ name }) => name)

  it('are in alphabetical order, and known by a name in any case', () => {
    const keep = memory()
    const layouts = new NamedLayouts(keep)
    expect(layouts.save(' b ', dockOf('MOV'), '1')).toBe('saved')
    expect(layouts.save('A', dockOf('CHG'), '2')).toBe('saved')
    expect(layouts.save('c', dockOf('CHG'), '3')).toBe('saved')
    expect(names(new NamedLayouts(keep))).toEqual(['A', 'b', 'c'])
    expect(layouts.save('B', dockOf('NEW'), '4')).toBe('replaced')
    expect([names(layouts), layouts.find(' b')?.savedAt]).toEqual([['A', 'B', 'c'], '4'])
    expect([layouts.delete('x'), layouts.delete('a')?.name, names(layouts)]).toEqual([
      null,
      'A',
      ['B', 'c'],
    ])
    expect(names(new NamedLayouts(keep))).toEqual(['B', 'c'])
  })

  it('are 50 at most: another one deletes none of them', () => {
    const layouts = new NamedLayouts(memory())
    for (let index = 0; index < 50; index += 1) {
      layouts.save(`l${String(index).padStart(2, '0')}`, dockOf('MOV'), '')
    }
    const all = names(layouts)
    expect(layouts.save('another', dockOf('MOV'), '')).toBe('limit-reached')
    const other = new NamedLayouts(memory())
    other.save('another', dockOf('MOV'), '')
    expect(layouts.importFile(other.file(null, 'now'))).toEqual({
      isImported: false,
      text: 'There would be 51 layouts; the limit is 50. Nothing was changed',
    })
    expect(layouts.save('L07', dockOf('CHG'), '')).toBe('replaced')
    expect(names(layouts)).toEqual(all.with(7, 'L07'))
  })

  it('of a file that names one twice are the last ones', () => {
    const layouts = new NamedLayouts(memory())
    const named = (name: string, savedAt: string) => ({ name, savedAt, dock: dockOf('MOV') })
    layouts.importFile(layoutFile([named('a', '1'), named('A', '2')] as never, 'now'))
    expect(layouts.all.map(({ name, savedAt }) => [name, savedAt])).toEqual([['A', '2']])
  })

  it('that are damaged are left out; a damaged store is set aside', () => {
    const stored = { version: 1, layouts: [{ name: 'a', dock: dockOf('MOV') }, { name: 'b' }, 7] }
    const some = new NamedLayouts(memory(JSON.stringify(stored)))
    expect([names(some), some.problem]).toEqual([['a'], null])
    const keep = memory('{')
    const none = new NamedLayouts(keep)
    expect([none.all, none.problem, keep.items.get('augury.layouts.aside')]).toEqual([
      [],
      'unreadable',
      '{',
    ])
    const shapeless = new NamedLayouts(memory('{"version":1,"layouts":{}}'))
    expect(shapeless.problem).toBe('unreadable')
  })

  it('are reloaded from another window, unless what it stored is damaged', () => {
    const keep = memory()
    const [here, there] = [new NamedLayouts(keep), new NamedLayouts(keep)]
    there.save('a', dockOf('MOV'), '')
    expect([here.reload(), names(here)]).toEqual([null, ['a']])
    keep.setItem('augury.layouts', '{')
    expect([here.reload(), names(here)]).toEqual(['unreadable', ['a']])
  })

  it('are written to a file and read from one', () => {
    const layouts = new NamedLayouts(memory())
    layouts.save('a', dockOf('MOV'), '1')
    layouts.save('b', dockOf('CHG'), '2')
    expect(layouts.file('B', 'now')).toBe(layoutFile([layouts.all[1] as never], 'now'))
    expect(layouts.file(null, 'now')).toBe(layoutFile(layouts.all, 'now'))
    const other = new NamedLayouts(memory())
    expect(other.importFile(layouts.file(null, 'now'))).toEqual({
      isImported: true,
      text: 'Imported “a”, “b”',
    })
    expect(names(other)).toEqual(['a', 'b'])
  })
})

describe('a tab that the list of its group hides', () => {
  const placed = (left: number, right: number, className = '') => {
    const element = document.createElement('div')
    element.className = className
    element.getBoundingClientRect = () => ({ left, right }) as DOMRect
    return element
  }
  it.each([
    // The list shows 100 to 300 px.
    { left: 60, right: 140, by: -40 },
    { left: 100, right: 300, by: 0 },
    { left: 250, right: 340, by: 40 },
    // A tab wider than the list shows its start.
    { left: 150, right: 500, by: 50 },
  ])('at $left to $right px is scrolled by $by px', ({ left, right, by }) => {
    const list = placed(100, 300, 'dv-tabs-container')
    const tab = placed(left, right)
    list.append(tab)
    list.scrollLeft = 500
    revealTab(tab)
    expect(list.scrollLeft).toBe(500 + by)
  })

  it('that is in no list is left where it is', () => {
    expect(() => revealTab(placed(0, 9))).not.toThrow()
  })
})

describe('the picture of a pane', () => {
  it('is none when nothing is drawn within ten seconds', async () => {
    const host = document.createElement('div')
    let frames = 0
    vi.stubGlobal('requestAnimationFrame', (draw: () => void) => {
      frames += 1
      setTimeout(draw, 1_000)
    })
    const picture = panePicture({
      frame: () => host,
      isAnswered: () => true,
      heading: () => '',
      monotonic: () => Date.now(),
    })
    await vi.dynamicImportSettled()
    await vi.advanceTimersByTimeAsync(20_000)
    expect([await picture, frames]).toEqual([null, 12])
    vi.unstubAllGlobals()
  })
})
