import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Path } from './path.ts'
import { PageClock } from '../lib/clock.svelte.ts'
import { noTopics } from '../testing/no-topics.ts'
import { refuseWrites } from '../testing/refuse-writes.ts'
import type { Answer } from './client.ts'
import { backoff, Live } from './live.ts'
import { Source, type PolledQuery } from './source.svelte.ts'

interface Body {
  readonly at: string
  readonly n: number
}
const query: PolledQuery<Body> = {
  path: '/a' as Path<Body>,
  interval: 5000,
  cadence: 60_000,
  timeOf: ({ at }) => at,
}

const refusal = (retryAfter: number | null): Answer<object> => ({
  ok: false,
  failure: { kind: 'refused', status: 502, code: null, message: 'down', retryAfter },
})

function setUp() {
  const start = Date.parse('2026-11-20T00:00:00Z')
  const started = vi.getMockedSystemTime()?.getTime() ?? 0
  const elapsed = () => (vi.getMockedSystemTime()?.getTime() ?? 0) - started
  const clock = new PageClock({ wall: () => start + elapsed(), monotonic: elapsed })
  const requested: string[] = []
  const scene = {
    inView: true,
    answer: null as Answer<object> | null,
    /** Resolves when a request ends: true when it was aborted. */
    wait: null as ((signal: AbortSignal) => Promise<boolean>) | null,
    requested,
  }
  const live = new Live({
    clock,
    topics: noTopics(clock),
    client: {
      get: async (path, signal) => {
        requested.push(path)
        const body = { at: new Date(clock.read()).toISOString(), n: requested.length }
        if (scene.wait !== null && signal !== undefined && (await scene.wait(signal))) return null
        return (scene.answer ?? { ok: true, body }) as Answer<never>
      },
      send: refuseWrites,
    },
    inView: () => scene.inView,
    onFrame: (work) => void setTimeout(work, 16),
  })
  return { live, scene, source: live.source(query) }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

describe('Live', () => {
  it('polls on the cadence while it is visible, once for all its holders', async () => {
    const { live, scene, source } = setUp()
    const first = live.subscribe(source)
    const second = live.subscribe(live.source(query))
    await pass(20)
    expect([scene.requested.length, source.body?.n]).toEqual([1, 1])
    await pass(10_100)
    expect(scene.requested).toHaveLength(3)
    first()
    await pass(5000)
    expect(scene.requested).toHaveLength(4)
    second()
    await pass(60_000)
    expect(scene.requested).toHaveLength(4)
  })

  it('keeps the last good response through failures with increasing delays', async () => {
    const { live, scene, source } = setUp()
    live.subscribe(source)
    await pass(20)
    scene.answer = refusal(null)
    await pass(5000)
    expect(source.body?.n).toBe(1)
    expect(source.failure?.status).toBe(502)
    expect(scene.requested).toHaveLength(2)
    await pass(2100)
    expect(scene.requested).toHaveLength(3)
    await pass(3000)
    expect(scene.requested).toHaveLength(3)
    scene.answer = null
    await pass(1100)
    expect([source.failure, source.body?.n]).toEqual([null, 4])
  })

  it('does not request a source again when its topic becomes current in the frame of the answer', async () => {
    const { live, scene } = setUp()
    const source = live.source({ ...query, path: '/fed' as Path<Body>, streamedInterval: null })
    live.subscribe(source)
    // The answer has arrived, and its frame follows 16 ms later.
    await pass(8)
    const release = live.feed(source)
    await pass(60_000)
    expect([scene.requested, source.body?.n]).toEqual([['/fed'], 1])
    release()
    await pass(20)
    expect(scene.requested).toEqual(['/fed', '/fed'])
  })

  it('keeps the current request when an abandoned one ends', async () => {
    const { live, scene, source } = setUp()
    const ends: (() => void)[] = []
    scene.wait = (signal) =>
      new Promise((resolve) => {
        ends.push(() => resolve(signal.aborted))
      })
    live.subscribe(source)()
    const release = live.subscribe(source)
    await pass(20)
    expect(scene.requested).toHaveLength(2)
    // The first request was aborted; its end must not free a place for a third beside the second.
    ends[0]?.()
    await pass(20)
    expect(source.loading).toBe(true)
    live.subscribe(source)()
    await pass(20)
    expect(scene.requested).toHaveLength(2)
    ends[1]?.()
    await pass(20)
    expect([source.loading, source.body?.n]).toEqual([false, 2])
    release()
  })

  it('does not poll faster when a failing source is held by an effect', async () => {
    const { live, scene, source } = setUp()
    scene.answer = refusal(null)
    const stop = $effect.root(() => {
      $effect(() => live.subscribe(source))
    })
    await pass(1900)
    expect(scene.requested).toHaveLength(1)
    stop()
  })

  it('does not retry sooner after a failure for a new holder', async () => {
    const { live, scene, source } = setUp()
    scene.answer = refusal(20_000)
    const release = live.subscribe(source)
    await pass(50)
    release()
    live.subscribe(source)
    await pass(19_000)
    expect(scene.requested).toHaveLength(1)
    await pass(1100)
    expect(scene.requested).toHaveLength(2)
  })

  it('requests what does not exist again only when the user asks', async () => {
    const { live, scene, source } = setUp()
    scene.answer = {
      ok: false,
      failure: { kind: 'refused', status: 404, code: null, message: 'no', retryAfter: null },
    }
    const release = live.subscribe(source)
    await pass(50)
    release()
    live.subscribe(source)
    await pass(3_600_000)
    expect(scene.requested).toHaveLength(1)
    live.refresh(source)
    await pass(50)
    expect(scene.requested).toHaveLength(2)
  })

  it('waits as long as the service states', async () => {
    const { live, scene, source } = setUp()
    scene.answer = refusal(42_000)
    live.subscribe(source)
    await pass(41_000)
    expect(scene.requested).toHaveLength(1)
    await pass(1100)
    expect(scene.requested).toHaveLength(2)
  })

  it('sends a new request when it is held again while the first is being aborted', async () => {
    const { live, scene, source } = setUp()
    live.subscribe(source)()
    live.subscribe(source)
    await pass(50)
    expect(scene.requested).toHaveLength(2)
    expect([source.body?.n, source.loading]).toEqual([2, false])
  })

  it('sends no request when hidden and catches up when visible', async () => {
    const { live, scene, source } = setUp()
    live.subscribe(source)
    await pass(20)
    scene.inView = false
    live.viewChanged()
    await pass(60_000)
    expect(scene.requested).toHaveLength(1)
    scene.inView = true
    live.viewChanged()
    await pass(20)
    expect(scene.requested).toHaveLength(2)
  })

  it('requests sooner when it is due, unless it is hidden, unheld, pending or paused', async () => {
    const { live, scene, source } = setUp()
    live.requestSoon(source, 0)
    await pass(1_000)
    expect(scene.requested).toEqual([])
    const release = live.subscribe(source)
    live.requestSoon(source, 0)
    await pass(20)
    expect(scene.requested).toHaveLength(1)
    live.requestSoon(source, 1_000)
    await pass(999)
    expect(scene.requested).toHaveLength(1)
    await pass(20)
    expect(scene.requested).toHaveLength(2)
    // Not later than its cadence.
    live.requestSoon(source, 5_000)
    await pass(5_020)
    expect(scene.requested).toHaveLength(3)
    live.requestSoon(source, -50)
    await pass(20)
    expect(scene.requested).toHaveLength(4)
    scene.inView = false
    live.viewChanged()
    live.requestSoon(source, 0)
    await pass(1_000)
    expect(scene.requested).toHaveLength(4)
    scene.inView = true
    const resume = live.pause(source)
    live.requestSoon(source, 0)
    await pass(1_000)
    expect(scene.requested).toHaveLength(4)
    resume()
    release()
  })

  it('requests again after a write although an answer is pending, if anyone shows it', async () => {
    const { live, scene, source } = setUp()
    live.refetch(source)
    await pass(1_000)
    expect(scene.requested).toEqual([])
    const ends: (() => void)[] = []
    scene.wait = (signal) =>
      new Promise((resolve) => {
        ends.push(() => resolve(signal.aborted))
      })
    live.subscribe(source)
    live.refetch(source)
    expect(scene.requested).toHaveLength(2)
    for (const end of ends) end()
    await pass(50)
    expect(source.body?.n).toBe(2)
  })

  it('clears the answers of a user, and requests those in view', async () => {
    const { live, scene, source } = setUp()
    const own = live.source({ ...query, path: '/own' as Path<Body>, isOwn: true })
    const unseen = live.source({ ...query, path: '/unseen' as Path<Body>, isOwn: true })
    live.subscribe(source)
    live.subscribe(own)
    live.subscribe(unseen)()
    await pass(50)
    scene.requested.length = 0
    live.forgetOwn()
    expect([own.body, source.body === null, unseen.body]).toEqual([null, false, null])
    await pass(50)
    expect(scene.requested).toEqual(['/own'])
    expect(own.body?.n).toBe(1)
  })

  it('keeps a hundred answers, those on show in any case', async () => {
    const { live, source } = setUp()
    live.subscribe(source)
    const other = (index: number) => live.source({ ...query, path: `/b${index}` as Path<Body> })
    const first = other(0)
    for (let index = 1; index < 99; index += 1) other(index)
    expect(other(0)).toBe(first)
    // Nothing references an evicted source any more.
    vi.stubGlobal(
      'WeakRef',
      class {
        deref() {
          return undefined
        }
      },
    )
    onTestFinished(() => void vi.unstubAllGlobals())
    other(99)
    expect(other(0)).not.toBe(first)
    expect(live.source(query)).toBe(source)
  })

  it('polls an evicted source again for a pane that still references it', async () => {
    const { live, scene, source } = setUp()
    const own = live.source({ ...query, path: '/own' as Path<Body>, isOwn: true })
    live.subscribe(own)()
    live.subscribe(source)()
    for (let index = 0; index < 150; index += 1) {
      live.source({ ...query, path: `/b${index}` as Path<Body> })
    }
    own.body = { at: '', n: 7 }
    live.forgetOwn()
    expect(own.body).toBeNull()
    scene.requested.length = 0
    expect(live.source(query)).toBe(source)
    live.subscribe(source)
    live.refresh(own)
    await pass(50)
    expect(scene.requested).toEqual(['/a', '/own'])
    expect([source.body?.n, own.body]).toMatchObject([1, { n: 2 }])
  })

  it('evicts the sources first that were viewed longest ago', () => {
    const { live } = setUp()
    const other = (index: number) => live.source({ ...query, path: `/b${index}` as Path<Body> })
    const viewed = other(0)
    const unseen = other(1)
    for (let index = 2; index < 100; index += 1) other(index)
    live.subscribe(viewed)()
    vi.stubGlobal(
      'WeakRef',
      class {
        deref() {
          return undefined
        }
      },
    )
    onTestFinished(() => void vi.unstubAllGlobals())
    other(100)
    expect(other(0)).toBe(viewed)
    expect(other(1)).not.toBe(unseen)
  })

  it('shows no answer that was cancelled before its frame', async () => {
    const { live, scene, source } = setUp()
    live.subscribe(source)
    await pass(10)
    const answered = Promise.withResolvers<boolean>()
    scene.wait = () => answered.promise
    live.refetch(source)
    await pass(50)
    expect([source.body, source.loading]).toEqual([null, true])
    answered.resolve(false)
    await pass(50)
    expect(source.body?.n).toBe(2)
  })

  it('polls rarely while all its holders are fed, and at once when one is not', async () => {
    const { live, scene } = setUp()
    const source = live.source({ ...query, path: '/fed' as Path<Body>, streamedInterval: 60_000 })
    const holders = [live.subscribe(source), live.subscribe(source)]
    await pass(20)
    const feeds = [live.feed(source)]
    await pass(5_000)
    expect([scene.requested.length, source.streamedAt]).toEqual([2, null])
    feeds.push(live.feed(source))
    expect(source.streamedAt).not.toBeNull()
    await pass(50_000)
    expect(scene.requested).toHaveLength(2)
    await pass(10_100)
    expect(scene.requested).toHaveLength(3)
    feeds[0]?.()
    feeds[0]?.()
    await pass(5_000)
    expect([scene.requested.length, source.streamedAt]).toEqual([4, null])
    // The one that is left is the fed one.
    holders[0]?.()
    holders[0]?.()
    expect(source.streamedAt).not.toBeNull()
    const paused = live.pause(source)
    expect(source.streamedAt).toBeNull()
    paused()
    paused()
    expect(source.streamedAt).not.toBeNull()
    holders[1]?.()
    await pass(120_000)
    expect(scene.requested).toHaveLength(4)
  })

  it('keeps an answer while it is paused, and asks only for a missing one', async () => {
    const { live, scene, source } = setUp()
    const resume = live.pause(source)
    live.subscribe(source)
    await pass(20)
    expect([scene.requested.length, source.body?.n]).toEqual([1, 1])
    await pass(60_000)
    expect(scene.requested).toHaveLength(1)
    live.refresh(source)
    await pass(20)
    expect(source.body?.n).toBe(2)
    resume()
    await pass(5_020)
    expect(source.body?.n).toBe(3)
  })

  it('asks once when several ask for it, and knows only its own sources', async () => {
    const { live, scene, source } = setUp()
    live.refresh(source)
    live.refresh(source)
    await pass(50)
    expect(scene.requested).toHaveLength(1)
    const foreign = setUp().live.source({ ...query, path: '/foreign' as Path<Body> })
    live.subscribe(foreign)()
    live.feed(foreign)()
    live.pause(foreign)()
    live.refresh(foreign)
    live.refetch(foreign)
    live.requestSoon(foreign, 0)
    await pass(1_000)
    expect([scene.requested.length, foreign.pauses]).toEqual([1, 0])
  })

  it('doubles its delay up to half a minute', () => {
    expect([1, 2, 3, 4, 5, 9].map(backoff)).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000])
  })
})

describe('the time of an answer', () => {
  const at = Date.parse('2026-11-20T10:00:00.000Z')
  const sourceOf = (timeOf: PolledQuery<Body>['timeOf'], more: Partial<PolledQuery<Body>> = {}) =>
    new Source<Body>({ ...query, timeOf, ...more })

  it('is its own, or that of its arrival, or unknown', () => {
    const own = sourceOf((body) => body.at)
    expect(own.dataAt).toBeNull()
    own.body = { at: '2026-11-20T10:00:00.000Z', n: 1 }
    expect(own.dataAt).toBe(at)
    own.body = { at: 'soon', n: 1 }
    expect(own.dataAt).toBeNull()
    const arrived = sourceOf((_, answeredAt) => answeredAt)
    arrived.body = { at: '', n: 1 }
    expect(arrived.dataAt).toBeNull()
    arrived.answeredAt = at + 5
    expect(arrived.dataAt).toBe(at + 5)
  })

  it('is as new as its last confirmation by the socket', () => {
    const source = sourceOf((body) => body.at)
    source.body = { at: '2026-11-20T10:00:00.000Z', n: 1 }
    const confirmed = (time: number | null) => {
      source.streamedAt = () => time
      return source.dataAt
    }
    expect([confirmed(at + 9), confirmed(at - 9), confirmed(null)]).toEqual([at + 9, at, at])
  })

  it('belongs to markets unless it is that of a user or states otherwise', () => {
    const marks = [{}, { isOwn: true }, { isOwn: true, isOfMarkets: true }, { isOfMarkets: false }]
    expect(marks.map((more) => sourceOf(() => null, more).isOfMarkets)).toEqual([
      true,
      false,
      true,
      false,
    ])
  })

  it('is gone when its answer is cleared', () => {
    const source = sourceOf((body) => body.at)
    source.body = { at: '2026-11-20T10:00:00.000Z', n: 1 }
    source.answeredAt = at
    source.nextTryAt = at
    source.failure = { kind: 'refused', status: 1, code: null, message: '', retryAfter: null }
    source.clear()
    const { body, answeredAt, nextTryAt, failure } = source
    expect([body, answeredAt, nextTryAt, failure]).toEqual([null, null, null, null])
    expect([source.interval, source.streamedInterval]).toEqual([5000, 5000])
    expect(sourceOf(() => null, { streamedInterval: null }).streamedInterval).toBeNull()
  })
})

it('shows the answers of one frame together, and an old request’s answer no more', async () => {
  const { live, scene } = setUp()
  const [first, second] = ['/x', '/y'].map((path) =>
    live.source({ ...query, path: path as Path<Body> }),
  )
  if (first === undefined || second === undefined) throw new Error('no source')
  live.subscribe(first)
  live.subscribe(second)
  expect([first.loading, second.loading]).toEqual([true, true])
  await pass(15)
  expect([first.body, second.body]).toEqual([null, null])
  await pass(1)
  expect([first.body?.n, second.body?.n, first.loading]).toEqual([1, 2, false])
  expect(scene.requested).toEqual(['/x', '/y'])
})

it('waits two seconds after a first failure and half a minute after one that is final', async () => {
  const failing = async (status: number, before: number) => {
    const { live, scene, source } = setUp()
    scene.answer = {
      ok: false,
      failure: { kind: 'refused', status, code: null, message: '', retryAfter: null },
    }
    const release = live.subscribe(source)
    await pass(before)
    const early = scene.requested.length
    await pass(40)
    const late = scene.requested.length
    release()
    return [early, late]
  }
  expect(await failing(500, 1_990)).toEqual([1, 2])
  expect(await failing(408, 1_990)).toEqual([1, 2])
  for (const status of [400, 401, 499]) expect(await failing(status, 29_990)).toEqual([1, 2])
  expect(await failing(399, 1_990)).toEqual([1, 2])
})
