import '../../testing/set-up-page.ts'
import { fireEvent, render, screen, within } from '@testing-library/svelte'
import { describe, expect, it } from 'vitest'
import type { OpenMenu } from '../menu/menu.ts'
import { KeyRegistry } from '../../lib/keyboard.ts'
import TableUnderTest from '../../testing/TableUnderTest.svelte'

const many = Array.from({ length: 500 }, (_, index) => ({ name: `m${index}`, price: index % 7 }))

function setUp(rows = many, current: string | null = null, cursor: string | null = null) {
  const keys = new KeyRegistry()
  const opened: string[] = []
  const charted: string[] = []
  const menus: OpenMenu[] = []
  const { rerender } = render(TableUnderTest, {
    rows,
    keys,
    current,
    cursor,
    onopen: (name: string) => opened.push(name),
    onchart: (name: string) => charted.push(name),
    onmenu: (menu: OpenMenu) => menus.push(menu),
  })
  const grid = screen.getByRole('grid', { name: 'Prices' })
  const press = async (key: string) => {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
    keys.handle(event, ['pane:1'])
    await Promise.resolve()
  }
  const bodyRows = () => within(grid).getAllByRole('row').slice(1)
  return { grid, press, bodyRows, opened, charted, menus, rerender }
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
