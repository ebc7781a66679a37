import '../testing/set-up-page.ts'
import { render, screen } from '@testing-library/svelte'
import { expect, it } from 'vitest'
import { Live } from '../api/live.ts'
import { PageClock } from '../lib/clock.svelte.ts'
import { noTopics } from '../testing/no-topics.ts'
import { refuseWrites } from '../testing/refuse-writes.ts'
import CommandBar from './CommandBar.svelte'
import { EarlyKeys } from './early-keys.ts'
import { MarketFinder } from './market-finder.ts'
import { Terminal } from './terminal.svelte.ts'

/** A page without its terminal; `stand` makes that. */
function setUp() {
  const early = new EarlyKeys()
  /** Whether the key is left to the browser. */
  const press = (key: string, init: KeyboardEventInit = {}) =>
    document.body.dispatchEvent(
      new KeyboardEvent('keydown', { key, ...init, bubbles: true, cancelable: true }),
    )
  const stand = async () => {
    const clock = new PageClock()
    const live = new Live({
      client: { get: async () => null, send: refuseWrites },
      ...{ clock, topics: noTopics(clock) },
      ...{ inView: () => false, onFrame: (work: () => void) => work() },
    })
    const terminal = new Terminal(live, { getItem: () => null, setItem: () => {} })
    const finder = new MarketFinder({ onmessage: null, postMessage: () => {} })
    render(CommandBar, { terminal, finder })
    const input = screen.getByRole<HTMLInputElement>('combobox', { name: 'Command' })
    terminal.keys.bind('global', [{ chord: '/', label: 'bar', run: () => terminal.ask('') }])
    const heard = (event: KeyboardEvent) => terminal.keys.handle(event, ['bar', 'global'])
    window.addEventListener('keydown', heard)
    await early.handOver()
    window.removeEventListener('keydown', heard)
    return { input, opened: [...terminal.panes.values()].map(({ line }) => line) }
  }
  return { press, stand }
}

it('runs what was typed before there was a bar, in its order', async () => {
  const { press, stand } = setUp()
  for (const key of ['/', 'm', 'o', 'w', 'Backspace', 'v', ' ', 'o', 'i', 'l', 'Enter']) press(key)
  const { input, opened } = await stand()
  expect(opened).toEqual(['oil MOV'])
  expect(input.value).toBe('')
})

it('leaves a line that is not finished to be typed on', async () => {
  const { press, stand } = setUp()
  for (const key of '/sca') press(key)
  const { input } = await stand()
  expect([input.value, document.activeElement]).toEqual(['sca', input])
})

it('keeps no key of the browser, and none once it handed over', async () => {
  const { press, stand } = setUp()
  expect(press('w', { ctrlKey: true })).toBe(true)
  expect(press('F5')).toBe(true)
  expect(press('x')).toBe(false)
  await stand()
  expect(press('x')).toBe(true)
})
