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
