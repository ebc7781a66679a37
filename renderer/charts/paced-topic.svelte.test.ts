import '../testing/set-up-page.ts'
import { flushSync } from 'svelte'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Topic } from '../api/socket/topics.svelte.ts'
import { PacedTopic } from './paced-topic.svelte.ts'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())

interface Bars {
  readonly close: number
}

it('draws at most four times a second, and the newest at the end [terminal.desktop.pace]', () => {
  const topic = new Topic<Bars>('candles:A:1h')
  const drawn: (number | undefined)[] = []
  const stop = $effect.root(() => {
    const paced = new PacedTopic(() => topic, { monotonic: () => Date.now() })
    $effect(() => void drawn.push(paced.dataOf(topic)?.close))
  })
  for (let tick = 0; tick < 100; tick += 1) {
    topic.data = { close: tick }
    flushSync()
    vi.advanceTimersByTime(10)
    flushSync()
  }
  vi.advanceTimersByTime(250)
  flushSync()
  // One at once, four in the following second, and the last value.
  expect(drawn.length).toBeGreaterThanOrEqual(4)
  expect(drawn.length).toBeLessThanOrEqual(7)
  expect(drawn.at(-1)).toBe(99)
  stop()
})

it('switches to another topic at once, and never shows the previous one under its name', () => {
  const [first, second] = [new Topic<Bars>('a'), new Topic<Bars>('b')]
  first.data = { close: 1 }
  second.data = { close: 2 }
  let topic = $state.raw(first)
  const drawn: (number | undefined)[] = []
  const stop = $effect.root(() => {
    const paced = new PacedTopic(() => topic, { monotonic: () => Date.now() })
    $effect(() => void drawn.push(paced.dataOf(topic)?.close))
  })
  flushSync()
  topic = second
  flushSync()
  expect(drawn.at(-1)).toBe(2)
  expect(drawn.slice(drawn.indexOf(2))).not.toContain(1)
  stop()
})
