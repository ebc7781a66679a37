import { describe, expect, it } from 'vitest'
import { FakeClock } from '../testing/fake-clock.ts'
import { QueueFull, RequestBudget, type Priority } from './request-budget.ts'

describe('RequestBudget', () => {
  const setup = (ratePerSecond: number, burst: number) => {
    const clock = new FakeClock()
    const budget = new RequestBudget({ ratePerSecond, burst, clock })
    const granted: string[] = []
    const stop = new AbortController()
    const ask = (name: string, priority: Priority = 'live') =>
      budget.acquire(priority, stop.signal).then(
        () => granted.push(name),
        () => granted.push(`${name} stopped`),
      )
    return { clock, budget, granted, ask, stop }
  }

  it('grants the burst at once and then keeps the rate', async () => {
    const { clock, granted, ask } = setup(2, 3)
    for (let index = 0; index < 7; index += 1) void ask(String(index))
    await clock.advance(0)
    expect(granted).toHaveLength(3)
    await clock.advance(500)
    expect(granted).toHaveLength(4)
    await clock.advance(1_500)
    expect(granted).toHaveLength(7)
  })

  it('serves interactive requests before backfill, each in order', async () => {
    const { clock, granted, ask } = setup(1, 1)
    void ask('first')
    void ask('history 1', 'backfill')
    void ask('history 2', 'backfill')
    void ask('catalogue', 'catalogue')
    void ask('live')
    await clock.advance(5_000)
    expect(granted).toEqual(['first', 'live', 'catalogue', 'history 1', 'history 2'])
  })

  it('holds back everything while paused', async () => {
    const { clock, budget, granted, ask } = setup(10, 10)
    budget.pause(3_000)
    budget.pause(1_000)
    void ask('a')
    await clock.advance(2_999)
    expect(granted).toEqual([])
    await clock.advance(1)
    expect(granted).toEqual(['a'])
  })

  it('drops requests that stopped waiting', async () => {
    const { clock, granted, ask, stop } = setup(1, 1)
    void ask('first')
    void ask('second')
    await clock.advance(0)
    stop.abort()
    await clock.advance(10_000)
    expect(granted).toEqual(['first', 'second stopped'])
  })
  it('trap 13: reserves capacity for interactive requests while backfill and slow responses use the host', async () => {
    const clock = new FakeClock()
    const budget = new RequestBudget({ ratePerSecond: 100, burst: 100, maxConcurrent: 4, clock })
    const { signal } = new AbortController()
    const releases: (() => void)[] = []
    const granted: Priority[] = []
    const ask = (priority: Priority) =>
      void budget.acquire(priority, signal).then((release) => {
        releases.push(release)
        granted.push(priority)
      })
    for (let index = 0; index < 5; index += 1) ask('backfill')
    for (let index = 0; index < 3; index += 1) ask('live')
    await clock.advance(0)
    expect(granted).toEqual(['backfill', 'backfill', 'live', 'live'])
    releases.splice(0, 2).forEach((release) => release())
    await clock.advance(0)
    expect(granted.slice(4)).toEqual(['live'])
    releases.splice(0, 2).forEach((release) => release())
    await clock.advance(0)
    expect(granted.slice(5)).toEqual(['backfill'])
  })

  it('refuses requests over its queue limit', async () => {
    const { budget } = setup(1, 1)
    const { signal } = new AbortController()
    budget.pause(60_000)
    const waiting = Array.from({ length: 1_000 }, () => budget.acquire('backfill', signal))
    await expect(budget.acquire('backfill', signal)).rejects.toBeInstanceOf(QueueFull)
    expect(waiting).toHaveLength(1_000)
  })

  it('spends the cost of a request, at most the whole burst', async () => {
    const { clock, budget, granted } = setup(1, 4)
    const { signal } = new AbortController()
    const ask = (name: string, cost: number) =>
      void budget.acquire('live', signal, cost).then(() => granted.push(name))
    ask('three', 3)
    ask('two', 2)
    ask('dear', 100)
    await clock.advance(0)
    expect(granted).toEqual(['three'])
    await clock.advance(999)
    expect(granted).toEqual(['three'])
    await clock.advance(1)
    expect(granted).toEqual(['three', 'two'])
    await clock.advance(3_999)
    expect(granted).toHaveLength(2)
    await clock.advance(1)
    expect(granted).toEqual(['three', 'two', 'dear'])
  })

  it('saves no more than the burst', async () => {
    const { clock, granted, ask } = setup(10, 2)
    await clock.advance(60_000)
    for (let index = 0; index < 4; index += 1) void ask(String(index))
    await clock.advance(0)
    expect(granted).toHaveLength(2)
  })

  it('has room for half of the history, rounded up', async () => {
    const clock = new FakeClock()
    const budget = new RequestBudget({ ratePerSecond: 100, burst: 100, maxConcurrent: 3, clock })
    const { signal } = new AbortController()
    const granted: Priority[] = []
    for (const priority of ['backfill', 'backfill', 'backfill', 'live'] as const)
      void budget.acquire(priority, signal).then(() => granted.push(priority))
    await clock.advance(0)
    expect(granted).toEqual(['backfill', 'backfill', 'live'])
  })

  it('removes the request that stopped, and refuses one that stopped before', async () => {
    const { clock, budget, granted, ask } = setup(1, 1)
    const stop = new AbortController()
    void ask('first')
    void ask('second')
    const stopped = budget.acquire('live', stop.signal)
    void ask('third')
    stop.abort(new Error('the caller left'))
    await expect(stopped).rejects.toThrow('the caller left')
    await expect(budget.acquire('live', stop.signal)).rejects.toThrow('the caller left')
    await clock.advance(10_000)
    expect(granted).toEqual(['first', 'second', 'third'])
  })
})
