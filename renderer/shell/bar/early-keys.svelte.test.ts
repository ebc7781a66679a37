import '../../testing/set-up-page.ts'
import { render, screen } from '@testing-library/svelte'
import { expect, it } from 'vitest'
import { Live } from '../../api/live.ts'
import { PageClock } from '../../lib/clock.svelte.ts'
import { noTopics } from '../../testing/no-topics.ts'
import { refuseWrites } from '../../testing/refuse-writes.ts'
import CommandBar from './CommandBar.svelte'
import { EarlyKeys } from './early-keys.ts'
import { MarketFinder } from './market-finder.ts'
import { createMarketRanking } from './market-ranking.ts'
import { Terminal } from '../terminal.svelte.ts'

/** A page before the terminal is built; `build` builds it. */
function setUp() {
  const early = new EarlyKeys()
  /** Whether the browser's default action is kept. */
  const press = (key: string, init: KeyboardEventInit = {}) =>
    document.body.dispatchEvent(
      new KeyboardEvent('keydown', { key, ...init, bubbles: true, cancelable: true }),
    )
  const build = async () => {
    const clock = new PageClock()
    const live = new Live({
      client: { get: async () => null, send: refuseWrites },
      clock,
      topics: noTopics(clock),
      inView: () => false,
      onFrame: (work: () => void) => work(),
    })
    const terminal = new Terminal(live, { getItem: () => null, setItem: () => {} })
    const finder = new MarketFinder(Promise.resolve(createMarketRanking()))
    render(CommandBar, { terminal, finder })
    const input = screen.getByRole<HTMLInputElement>('combobox', { name: 'Command' })
    terminal.keys.bind('global', [{ chord: '/', label: 'bar', run: () => terminal.prefill('') }])
    const received = (event: KeyboardEvent) => terminal.keys.handle(event, ['bar', 'global'])
    window.addEventListener('keydown', received)
    await early.replay()
    window.removeEventListener('keydown', received)
    return { input, opened: [...terminal.panes.values()].map(({ line }) => line) }
  }
  return { press, build }
}

it('runs text typed before the bar existed, in order', async () => {
  const { press, build } = setUp()
  for (const key of ['/', 'm', 'o', 'w', 'Backspace', 'v', ' ', 'o', 'i', 'l', 'Enter']) press(key)
  const { input, opened } = await build()
  expect(opened).toEqual(['oil MOV'])
  expect(input.value).toBe('')
})

it('leaves an unfinished line open for typing', async () => {
  const { press, build } = setUp()
  for (const key of '/sca') press(key)
  const { input } = await build()
  expect([input.value, document.activeElement]).toEqual(['sca', input])
})

it('leaves keys of the browser alone, and all keys once the bar is ready', async () => {
  const { press, build } = setUp()
  expect(press('w', { ctrlKey: true })).toBe(true)
  expect(press('F5')).toBe(true)
  expect(press('x')).toBe(false)
  await build()
  expect(press('x')).toBe(true)
})

it('keeps keys of the terminal only', async () => {
  const { press, build } = setUp()
  const kept = (key: string, init: KeyboardEventInit = {}) => !press(key, init)
  expect([
    kept('k', { ctrlKey: true }),
    kept('k', { metaKey: true }),
    kept('a', { altKey: true }),
    ...['Enter', 'Escape', 'Tab', 'ArrowUp', 'ArrowDown'].map((key) => kept(key)),
  ]).toEqual(Array(8).fill(true))
  expect([
    kept('a', { isComposing: true }),
    kept('k', { ctrlKey: true, altKey: true }),
    kept('Tab', { altKey: true }),
    kept('ArrowLeft'),
    kept('Shift'),
  ]).toEqual(Array(5).fill(false))
  await build()
})

it('replays modifiers as pressed, and types no text with them', async () => {
  const { press, build } = setUp()
  for (const key of '/ab') press(key)
  press('k', { ctrlKey: true, code: 'KeyK' })
  press('x', { altKey: true })
  press('y', { metaKey: true })
  press('Z', { shiftKey: true, code: 'KeyZ' })
  const seen: unknown[] = []
  const record = ({ key, code, ctrlKey, altKey, shiftKey }: KeyboardEvent) =>
    void seen.push([key, code, ctrlKey, altKey, shiftKey])
  window.addEventListener('keydown', record)
  const { input } = await build()
  window.removeEventListener('keydown', record)
  expect(input.value).toBe('abZ')
  expect(seen.slice(3)).toEqual([
    ['k', 'KeyK', true, false, false],
    ['x', '', false, true, false],
    ['Z', 'KeyZ', false, false, true],
  ])
})

it('Backspace deletes the selection or the character before the cursor', async () => {
  const early = new EarlyKeys()
  const field = document.body.appendChild(document.createElement('input'))
  field.value = 'abcd'
  field.focus()
  field.setSelectionRange(1, 3)
  for (const key of ['Backspace', 'Backspace', 'Backspace', 'x']) {
    field.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  }
  const inputs: string[] = []
  field.addEventListener('input', () => inputs.push(field.value))
  await early.replay()
  expect([inputs, field.selectionStart]).toEqual([['ad', 'd', 'd', 'xd'], 1])
  field.remove()
})
