import { flushSync } from 'svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Path } from '../api/path.ts'
import { Live } from '../api/live.ts'
import type { Answer } from '../api/client.ts'
import type { Source } from '../api/source.svelte.ts'
import { PageClock } from '../lib/clock.svelte.ts'
import { noTopics } from '../testing/no-topics.ts'
import { refuseWrites } from '../testing/refuse-writes.ts'
import { watchSources } from './watch-sources.svelte.ts'

interface Body {
  readonly n: number
}

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

/** A pane that shows `/main`, whose topic may publish it, and sources beside it. */
function watching() {
  const time = () => vi.getMockedSystemTime()?.getTime() ?? 0
  const clock = new PageClock({ wall: time, monotonic: time })
  const requested: string[] = []
  const live = new Live({
    clock,
    topics: noTopics(clock),
    client: {
      get: (path) => {
        requested.push(path)
        return Promise.resolve({ ok: true, body: { n: requested.length } } as Answer<never>)
      },
      send: refuseWrites,
    },
    inView: () => true,
    onFrame: (work) => void setTimeout(work, 16),
  })
  const sourceOf = (path: string): Source<Body> =>
    live.source<Body>({
      path: path as Path<Body>,
      interval: 5_000,
      streamedInterval: null,
      cadence: 60_000,
      timeOf: () => null,
    })
  let visible = $state(true)
  let isStreamed = $state(false)
  let beside = $state.raw<readonly Source[]>([])
  const pane = {
    isPaused: false,
    sources: [] as readonly Source[],
    get visible() {
      return visible
    },
  }
  const main = sourceOf('/main')
  const stop = $effect.root(() =>
    watchSources(() => ({
      terminal: { live, pausing: { isAll: false } } as never,
      pane,
      sources: [main],
      // A new list with each change of the pane, as panes build it.
      extraSources: [...beside],
      isStreamed,
    })),
  )
  flushSync()
  const change = (apply: () => void) => {
    apply()
    flushSync()
  }
  return {
    requested,
    pane,
    stop,
    hide: () => change(() => (visible = false)),
    show: () => change(() => (visible = true)),
    feed: () => change(() => (isStreamed = true)),
    addBeside: (path: string) => change(() => (beside = [...beside, sourceOf(path)])),
  }
}

describe('the sources of a pane', () => {
  it('are requested once when their topic becomes current before the answer is shown', async () => {
    const { requested, feed, stop } = watching()
    // The answer has arrived, and its frame follows 16 ms later.
    await pass(8)
    feed()
    await pass(60_000)
    expect(requested).toEqual(['/main'])
    stop()
  })

  it('keep their pending requests when another source is added', async () => {
    const { requested, pane, addBeside, stop } = watching()
    addBeside('/beside')
    await pass(20)
    expect(requested).toEqual(['/main', '/beside'])
    expect(pane.sources.map(({ path }) => path)).toEqual(['/main', '/beside'])
    stop()
  })

  it('are polled only while the pane is visible and exists', async () => {
    const { requested, hide, show, stop } = watching()
    await pass(20)
    hide()
    await pass(60_000)
    expect(requested).toEqual(['/main'])
    show()
    await pass(20)
    expect(requested).toEqual(['/main', '/main'])
    stop()
    await pass(60_000)
    expect(requested).toEqual(['/main', '/main'])
  })
})
