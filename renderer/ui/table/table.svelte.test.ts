import { resize } from '../../testing/set-up-page.ts'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte'
import { describe, expect, it, vi } from 'vitest'
import type { OpenMenu } from '../menu/menu.ts'
import { KeyRegistry } from '../../lib/keyboard.ts'
import TableUnderTest from '../../testing/TableUnderTest.svelte'

const many = Array.from({ length: 500 }, (_, index) => ({ name: `m${index}`, price: index % 7 }))

function setUp(
  rows = many,
  current: string | null = null,
  cursor: string | null = null,
  label = 'Prices',
) {
  const keys = new KeyRegistry()
  const opened: string[] = []
  const charted: string[] = []
  const menus: OpenMenu[] = []
  const moved: string[] = []
  const viewed: string[][] = []
  const { rerender } = render(TableUnderTest, {
    rows,
    label,
    keys,
    current,
    cursor,
    onopen: (name: string) => opened.push(name),
    onchart: (name: string) => charted.push(name),
    onmenu: (menu: OpenMenu) => menus.push(menu),
    oncursor: (name: string) => moved.push(name),
    onview: (names: string[]) => viewed.push(names),
  })
  const grid = screen.getByRole('grid', { name: label })
  const press = async (key: string) => {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
    const isHandled = keys.handle(event, ['pane:1'])
    await Promise.resolve()
    return isHandled
  }
  const bodyRows = () => within(grid).getAllByRole('row').slice(1)
  const viewport = grid.parentElement as HTMLElement
  const sorting = () =>
    screen.getAllByRole('columnheader').map((header) => header.getAttribute('aria-sort'))
  const reports = { opened, charted, menus, moved, viewed }
  return { grid, viewport, keys, press, bodyRows, sorting, rerender, ...reports }
}

describe('Table', () => {
  it('draws a window of the rows and shows how many there are', () => {
    const { grid, bodyRows } = setUp()
    expect(grid).toHaveProperty('ariaRowCount', '501')
    expect(bodyRows().length).toBeLessThan(40)
    expect(bodyRows()[0]?.getAttribute('aria-rowindex')).toBe('2')
  })

  it('moves by keys and opens the row under the cursor', async () => {
    const { press, opened, charted, bodyRows } = setUp()
    await press('j')
    await press('j')
    await press('ArrowDown')
    await press('k')
    await press('g')
    await press('Enter')
    expect([charted, opened]).toEqual([['m1'], ['m1']])
    expect(bodyRows()[1]?.getAttribute('aria-selected')).toBe('true')
  })

  it('keys act on the current row until one is chosen [terminal.keyboard.fresh]', async () => {
    const { press, opened, charted } = setUp(many, 'm3')
    await press('g')
    await press('j')
    await press('g')
    await press('Enter')
    expect([charted, opened]).toEqual([['m3', 'm0'], ['m0']])
  })

  it('has the cursor where its owner puts it, also before the row arrives, and scrolls to it', async () => {
    const { grid, bodyRows, press, opened, rerender } = setUp(many.slice(0, 200), null, 'm300')
    expect(bodyRows().some((row) => row.ariaSelected === 'true')).toBe(false)
    await rerender({ rows: many })
    await fireEvent.scroll(grid.parentElement as HTMLElement)
    expect(screen.getByRole('row', { selected: true }).textContent).toContain('m300')
    await press('k')
    await press('Enter')
    expect(opened).toEqual(['m299'])
  })

  it('leaves its keys to others without rows, and to the button that has the focus', async () => {
    const { press, bodyRows, rerender, keys, opened } = setUp()
    await press('j')
    const button = within(bodyRows()[0] as HTMLElement).getByRole('button')
    const event = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })
    button.addEventListener('keydown', (seen) => keys.handle(seen, ['pane:1']))
    button.dispatchEvent(event)
    expect([event.defaultPrevented, opened]).toEqual([false, []])
    await rerender({ rows: [] })
    for (const key of ['j', 'k', 'Home', 'End', 'Enter', 'g']) expect(await press(key)).toBe(false)
  })

  it('scrolls just as far as the row under the cursor needs', async () => {
    const { press, viewport } = setUp()
    Object.defineProperty(viewport, 'clientHeight', { value: 26 * 11 })
    const tops: number[] = []
    for (const key of [...Array<'j'>(12).fill('j'), ...Array<'k'>(11).fill('k')]) {
      await press(key)
      tops.push(viewport.scrollTop / 26)
    }
    // Ten rows below the header.
    expect(tops.join(' ')).toBe('0 0 0 0 0 0 0 0 0 0 1 2 2 2 2 2 2 2 2 2 2 1 0')
  })

  it('sorts by the next column with each press, and by none after the last', async () => {
    const { press, sorting, bodyRows } = setUp()
    const seen = []
    for (let count = 0; count < 3; count += 1) {
      await press('s')
      seen.push(sorting())
    }
    expect(seen).toEqual([
      ['descending', 'none'],
      ['none', 'descending'],
      ['none', 'none'],
    ])
    expect(bodyRows()[0]?.textContent).toContain('m0')
  })

  it('opens no menu when there is none to open, and lists only what a row can do', async () => {
    const { bodyRows, rerender, menus, moved } = setUp()
    const press = () => fireEvent.contextMenu(bodyRows()[1] as HTMLElement)
    expect(await press()).toBe(false)
    await rerender({ onmenu: undefined })
    expect([await press(), menus.length, moved]).toEqual([true, 1, ['m1']])
  })

  it('opens a row by a click, but not by a button in it', async () => {
    const { bodyRows, opened } = setUp()
    const row = bodyRows()[2] as HTMLElement
    await fireEvent.click(within(row).getByRole('button'))
    expect([opened, row.getAttribute('aria-selected')]).toEqual([[], 'true'])
    await fireEvent.click(within(row).getByText('m2'))
    expect(opened).toEqual(['m2'])
  })

  it('opens a menu with the actions of a row [terminal.panes.menus]', async () => {
    const { bodyRows, menus, charted, opened } = setUp()
    await fireEvent.contextMenu(bodyRows()[2] as HTMLElement, { clientX: 40, clientY: 50 })
    const [menu] = menus
    expect(menu?.at).toEqual({ x: 40, y: 50 })
    expect(menu?.items.map(({ label, key }) => [label, key])).toEqual([
      ['Open', 'Enter'],
      ['Chart', 'g'],
    ])
    for (const { run } of menu?.items ?? []) run()
    expect([opened, charted]).toEqual([['m2'], ['m2']])
    expect(bodyRows()[2]?.getAttribute('aria-selected')).toBe('true')
  })

  it('sorts by a header and announces it', async () => {
    const { bodyRows } = setUp()
    const header = screen.getByRole('columnheader', { name: 'Price' })
    await fireEvent.click(within(header).getByRole('button'))
    expect(header.getAttribute('aria-sort')).toBe('descending')
    expect(bodyRows()[0]?.textContent).toContain('6')
    await fireEvent.click(within(header).getByRole('button'))
    expect(bodyRows()[0]?.textContent).toContain('0')
  })

  it('opens a row on click', async () => {
    const { bodyRows, opened } = setUp()
    await fireEvent.click(bodyRows()[3] as HTMLElement)
    expect(opened).toEqual(['m3'])
  })
})

describe('Table of a known height', () => {
  it('moves by page, to the first and to the last row, and stops there', async () => {
    const { press, moved, viewport } = setUp()
    // 11 rows high: two rows of a page stay in view.
    resize(viewport, 400, 26 * 11)
    await Promise.resolve()
    for (const key of ['j', 'PageDown', 'PageDown', 'PageUp', 'End', 'j', 'PageDown', 'Home']) {
      expect(await press(key)).toBe(true)
    }
    await press('k')
    await press('PageUp')
    expect(moved.join(' ')).toBe('m0 m9 m18 m9 m499 m499 m499 m0 m0 m0')
  })

  it('moves by one row a page while it is not higher than three rows', async () => {
    const { press, moved, viewport } = setUp()
    resize(viewport, 400, 26 * 3)
    await Promise.resolve()
    await press('j')
    await press('PageDown')
    expect(moved).toEqual(['m0', 'm1'])
  })

  it('reports the visible rows, and others when it is scrolled', async () => {
    const { viewport, viewed } = setUp()
    resize(viewport, 400, 26 * 3)
    await Promise.resolve()
    const first = viewed.at(-1) ?? []
    expect(first[0]).toBe('m0')
    viewport.scrollTop = 26 * 100
    await fireEvent.scroll(viewport)
    const later = viewed.at(-1) ?? []
    expect([later.includes('m100'), later.includes('m102'), later.includes('m0')]).toEqual([
      true,
      true,
      false,
    ])
    expect(later.length).toBe(first.length + 1)
  })

  it('renders more rows once it is hovered or focused by a key', async () => {
    for (const act of ['hover', 'key'] as const) {
      const { viewport, bodyRows, press } = setUp()
      resize(viewport, 400, 26 * 3)
      await Promise.resolve()
      const still = bodyRows().length
      if (act === 'hover') await fireEvent.pointerEnter(viewport)
      else await press('j')
      expect(bodyRows().length).toBeGreaterThan(still)
      cleanup()
    }
  })

  it('names the row under the cursor only while it is rendered', async () => {
    const { grid, press, viewport } = setUp()
    expect(grid.getAttribute('aria-activedescendant')).toBeNull()
    await press('j')
    const id = grid.getAttribute('aria-activedescendant')
    expect(document.getElementById(id ?? '')?.textContent).toContain('m0')
    viewport.scrollTop = 26 * 300
    await fireEvent.scroll(viewport)
    expect(grid.getAttribute('aria-activedescendant')).toBeNull()
  })

  it('is drawn at once in its last size when it is shown again', async () => {
    const first = setUp()
    resize(first.viewport, 400, 26 * 3)
    await Promise.resolve()
    const { length } = first.bodyRows()
    cleanup()
    expect(setUp().bodyRows().length).toBe(length)
    cleanup()
    resize(setUp().viewport, 0, 26 * 9)
    await Promise.resolve()
    expect(screen.getAllByRole('row').length - 1).toBe(length)
  })

  it('measures its columns once it has a size and rows', async () => {
    const measured = vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect')
    // Columns that were measured in no other test.
    const { viewport, rerender } = setUp([], null, null, 'Unmeasured')
    await Promise.resolve()
    resize(viewport, 400, 26 * 3)
    await Promise.resolve()
    await Promise.resolve()
    expect(measured).not.toHaveBeenCalled()
    await rerender({ rows: many.slice(0, 2) })
    await Promise.resolve()
    expect(measured).toHaveBeenCalled()
    cleanup()
    measured.mockClear()
    setUp(many, null, null, 'Without a size')
    await Promise.resolve()
    await Promise.resolve()
    expect(measured).not.toHaveBeenCalled()
    measured.mockRestore()
  })
})
