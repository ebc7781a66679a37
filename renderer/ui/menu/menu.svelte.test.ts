import '../../testing/set-up-page.ts'
import { fireEvent, render, screen } from '@testing-library/svelte'
import { expect, it, vi } from 'vitest'
import { KeyRegistry } from '../../lib/keyboard.ts'
import Menu from './Menu.svelte'
import type { MenuPosition } from './menu.ts'

/** A menu of three items that was opened from a button. */
function open(at: MenuPosition | null = null) {
  const keys = new KeyRegistry()
  const done: string[] = []
  const opener = document.createElement('button')
  document.body.replaceChildren(opener)
  opener.focus()
  const item = (label: string, key: string | null = null) => ({
    label,
    key,
    run: () => done.push(label),
  })
  const { unmount } = render(Menu, {
    label: 'Menu of a row',
    items: [item('Open', 'Enter'), item('Chart'), item('Close')],
    keys,
    at,
    onclose: () => done.push('closed'),
  })
  const press = (key: string) =>
    keys.handle(new KeyboardEvent('keydown', { key, cancelable: true }), ['menu'])
  const focused = () => document.activeElement?.textContent
  return { keys, done, opener, unmount, press, focused }
}

it('has the focus of the keyboard, which runs through its items', () => {
  const { press, focused } = open()
  expect(focused()).toBe('OpenEnter')
  const visited = ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp'].map((key) => {
    expect(press(key)).toBe(true)
    return focused()
  })
  expect(visited).toEqual(['Chart', 'Close', 'OpenEnter', 'Close', 'Chart'])
})

it.each(['Escape', 'Tab'])('closes by %s and leaves its keys', (key) => {
  const { press, done, keys, unmount } = open()
  expect(press(key)).toBe(true)
  expect(done).toEqual(['closed'])
  unmount()
  expect(keys.list('menu')).toEqual([])
})

it('closes by a press beside it, except on the button that opened it', () => {
  const { done, opener, unmount } = open()
  const press = (target: Element) =>
    target.dispatchEvent(new Event('pointerdown', { bubbles: true }))
  press(screen.getByRole('menuitem', { name: 'Chart' }))
  press(screen.getByRole('menu'))
  opener.dataset['menuOf'] = 'pane'
  press(opener)
  expect(done).toEqual([])
  press(document.body)
  expect(done).toEqual(['closed'])
  unmount()
  press(document.body)
  expect(done).toEqual(['closed'])
})

it('closes before an item acts, and its click does nothing below the menu', async () => {
  const { done } = open()
  const below = vi.fn()
  document.body.addEventListener('click', below, { once: true })
  await fireEvent.click(screen.getByRole('menuitem', { name: 'Chart' }))
  expect(done).toEqual(['closed', 'Chart'])
  expect(below).not.toHaveBeenCalled()
  document.body.removeEventListener('click', below)
})

it('returns the focus to where it was, unless an item moved it', () => {
  const returned = open()
  returned.unmount()
  expect(document.activeElement).toBe(returned.opener)
  const moved = open()
  const field = document.createElement('input')
  document.body.append(field)
  field.focus()
  moved.unmount()
  expect(document.activeElement).toBe(field)
})

it.each([
  { at: { x: 40, y: 50 }, place: ['40px', '50px'] },
  { at: { x: 900, y: 700 }, place: ['696px', '464px'] },
  { at: { x: -9, y: -9 }, place: ['0px', '0px'] },
  { at: null, place: ['', ''] },
])('stays inside the window when opened at $at', ({ at, place }) => {
  vi.stubGlobal('innerWidth', 1_000)
  vi.stubGlobal('innerHeight', 768)
  const rect = { width: 300, height: 300 } as DOMRect
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(rect)
  open(at)
  const menu = screen.getByRole('menu', { name: 'Menu of a row' })
  expect([menu.style.left, menu.style.top]).toEqual(place)
  expect(menu.classList.contains('free')).toBe(at !== null)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})
