import { flushSync } from 'svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FakeService } from '../../testing/fake-service.ts'
import { Topics } from './topics.svelte.ts'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

function setUp() {
  const elapsed = () => vi.getMockedSystemTime()?.getTime() ?? 0
  const clock = { read: elapsed, monotonic: elapsed }
  const service = new FakeService(elapsed)
  const topics = new Topics({
    clock,
    open: service.open,
    chance: () => 0,
    onTime: () => {},
    onFrame: (work) => void setTimeout(work, 16),
  })
  return { service, topics, stop: topics.start() }
}

describe('Topics', () => {
  it('follows a topic once for any number of holders, and a while after the last release', async () => {
    const { service, topics, stop } = setUp()
    const first = topics.subscribe([topics.ticker('KX')])
    const second = topics.subscribe([topics.ticker('KX')])
    await pass(300)
    expect(service.followed).toEqual(['ticker:KX'])
    first()
    second()
    second()
    await pass(5_000)
    expect(service.followed).toEqual(['ticker:KX'])
    await pass(6_000)
    expect(service.followed).toEqual([])
    expect(topics.ticker('KX').data).toBeNull()
    stop()
  })

  it('a second release of one holder leaves the others', async () => {
    const { service, topics, stop } = setUp()
    const first = topics.subscribe([topics.ticker('KX')])
    topics.subscribe([topics.ticker('KX')])
    await pass(300)
    first()
    first()
    await pass(20_000)
    expect(service.followed).toEqual(['ticker:KX'])
    stop()
  })

  it('updates a topic once a frame, and no other one with it', async () => {
    const { service, topics, stop } = setUp()
    const [moving, still] = [topics.ticker('A'), topics.ticker('B')]
    topics.subscribe([moving, still])
    await pass(400)
    const drawn = { moving: 0, still: 0 }
    const end = $effect.root(() => {
      $effect(() => {
        if (moving.data !== null) drawn.moving += 1
      })
      $effect(() => {
        if (still.data !== null) drawn.still += 1
      })
    })
    flushSync()
    for (let change = 0; change < 100; change += 1) service.change('ticker:A', { a: change })
    await pass(20)
    flushSync()
    expect(drawn).toEqual({ moving: 2, still: 1 })
    expect(moving.data).toMatchObject({ a: 99 })
    end()
    stop()
  })

  it('never shows as current what the connection does not send any more, in any frame', async () => {
    const { service, topics, stop } = setUp()
    const topic = topics.ticker('KX')
    topics.subscribe([topic])
    await pass(400)
    expect([topic.live, topics.isLive, topics.receivedTime]).toEqual([
      true,
      true,
      expect.any(Number),
    ])
    service.close(1006)
    expect([topic.live, topics.isLive, topics.receivedTime]).toEqual([false, false, null])
    stop()
  })

  it('drops the least recently seen rows beyond 200, never the main topic of a pane', async () => {
    const { service, topics, stop } = setUp()
    topics.subscribe([topics.book('KX'), topics.candles('KX', '1h')])
    for (let page = 0; page < 4; page += 1) {
      topics.subscribe(Array.from({ length: 60 }, (_, row) => topics.ticker(`P${page}R${row}`)))
    }
    await pass(300)
    expect(service.followed).toHaveLength(200)
    expect(service.followed).toContain('book:KX')
    const oldest = service.followed.filter((name) => name.startsWith('ticker:P0'))
    expect(oldest).toHaveLength(18)
    expect(topics.isComplete).toBe(false)
    stop()
  })
})
