import { describe, expect, it } from 'vitest'
import { SECOND } from '../domain/units.ts'
import { FakeClock } from '../testing/fake-clock.ts'
import { CachedValue } from './cached-value.ts'
import { CircuitBreaker } from './circuit-breaker.ts'

describe('a host that keeps failing', () => {
  const open = () => {
    const clock = new FakeClock()
    const breaker = new CircuitBreaker(clock)
    const fail = (times: number) => {
      for (let time = 1; time <= times; time += 1) breaker.recordFailure(`failure ${time}`)
    }
    return { clock, breaker, fail }
  }

  it('is called until the fifth failure in a row', () => {
    const { clock, breaker, fail } = open()
    fail(4)
    expect([breaker.admit(), breaker.openCircuit]).toEqual(['free', null])
    breaker.recordSuccess()
    fail(4)
    expect(breaker.admit()).toBe('free')
    breaker.recordFailure('the last one')
    expect(breaker.openCircuit).toEqual({ since: clock.now(), reason: 'the last one' })
    expect(breaker.admit()).toBe('refused')
  })

  it('is tried after pauses that double up to five minutes, one call at a time', async () => {
    const { clock, breaker, fail } = open()
    const since = clock.now()
    fail(5)
    for (const seconds of [15, 30, 60, 120, 240, 300, 300]) {
      await clock.advance(seconds * SECOND - 1)
      expect(breaker.admit()).toBe('refused')
      await clock.advance(1)
      expect(breaker.admit()).toBe('trial')
      expect(breaker.admit()).toBe('refused')
      breaker.recordFailure('again')
    }
    expect(breaker.openCircuit).toEqual({ since, reason: 'again' })
  })

  it('is tried again after another pause if a trial has no result', async () => {
    const { clock, breaker, fail } = open()
    fail(5)
    await clock.advance(15 * SECOND)
    expect(breaker.admit()).toBe('trial')
    await clock.advance(30 * SECOND - 1)
    expect(breaker.admit()).toBe('refused')
    await clock.advance(1)
    expect(breaker.admit()).toBe('trial')
  })

  it('is called normally after a trial that succeeded, with the first pause again', async () => {
    const { clock, breaker, fail } = open()
    fail(6)
    await clock.advance(30 * SECOND)
    expect(breaker.admit()).toBe('trial')
    breaker.recordSuccess()
    expect([breaker.admit(), breaker.openCircuit]).toEqual(['free', null])
    fail(4)
    expect(breaker.admit()).toBe('free')
    fail(1)
    await clock.advance(15 * SECOND)
    expect(breaker.admit()).toBe('trial')
  })
})

describe('a cached value', () => {
  it('is requested again once it is older than its span; a failure is not cached', async () => {
    const clock = new FakeClock()
    const value = new CachedValue<number>(1_000, clock)
    let requests = 0
    const ask = () => Promise.resolve((requests += 1))
    await expect(value.read(() => Promise.reject(new Error('no response')))).rejects.toThrow()
    expect(await value.read(ask)).toBe(1)
    await clock.advance(1_000)
    expect(await value.read(ask)).toBe(1)
    await clock.advance(1)
    await expect(value.read(() => Promise.reject(new Error('no response')))).rejects.toThrow()
    expect(await value.read(ask)).toBe(2)
    await clock.advance(1_000)
    expect(await value.read(ask)).toBe(2)
  })
})
