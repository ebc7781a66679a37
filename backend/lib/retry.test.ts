import fc from '../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { InstantClock } from '../testing/instant-clock.ts'
import { backoffDelay, retry, retryAfter, type RetryPolicy } from './retry.ts'

const POLICY: RetryPolicy = { attempts: 4, firstDelay: 1_000, factor: 2, maxDelay: 3_000 }
const always = () => ({ retry: true, after: null }) as const

describe('backoffDelay', () => {
  it.each([
    [1, 0, 500],
    [1, 0.5, 750],
    [2, 0, 1_000],
    [3, 0, 1_500],
    [9, 0.999, 2_998.5],
  ])('before retry %i + 1 with randomness %d waits %d ms', (attempt, random, expected) => {
    expect(backoffDelay(POLICY, attempt, random)).toBeCloseTo(expected, 6)
  })

  it('stays between half and all of the delay', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempt, random) => {
          const delay = backoffDelay(POLICY, attempt, random)
          expect(delay).toBeGreaterThanOrEqual(500)
          expect(delay).toBeLessThanOrEqual(3_000)
        },
      ),
    )
  })
})

describe('retryAfter', () => {
  it.each([
    ['5', 5_000],
    [' 0.5 ', 500],
    ['Fri, 20 Nov 2026 14:00:30 GMT', 30_000],
    ['Fri, 20 Nov 2026 13:00:00 GMT', 0],
    ['99999', 99_999_000],
    ['soon', null],
    [null, null],
  ])('%j is %j ms', (header, expected) => {
    expect(retryAfter(header, new InstantClock(1).now())).toBe(expected)
  })
})

describe('retry', () => {
  const run = (
    work: (attempt: number) => Promise<string>,
    decide = always as Parameters<typeof retry>[1]['decide'],
    signal?: AbortSignal,
  ) => {
    const clock = new InstantClock(1e9)
    const result = retry(work, {
      policy: POLICY,
      clock,
      random: () => 0,
      decide,
      ...(signal && { signal }),
    })
    return { clock, result }
  }

  it('retries until it works', async () => {
    const { clock, result } = run((attempt) =>
      attempt < 3 ? Promise.reject(new Error('no')) : Promise.resolve(`try ${attempt}`),
    )
    expect(await result).toBe('try 3')
    expect(clock.sleeps).toEqual([500, 1_000])
  })

  it('throws the last failure when the retries are exhausted', async () => {
    const { result } = run((attempt) => Promise.reject(new Error(`no ${attempt}`)))
    await expect(result).rejects.toThrow('no 4')
  })

  it('does not retry permanent failures', async () => {
    const { clock, result } = run(
      () => Promise.reject(new Error('refused')),
      () => ({ retry: false }),
    )
    await expect(result).rejects.toThrow('refused')
    expect(clock.sleeps).toEqual([])
  })

  it('waits for the requested delay', async () => {
    const { clock, result } = run(
      (attempt) => (attempt === 1 ? Promise.reject(new Error('busy')) : Promise.resolve('ok')),
      () => ({ retry: true, after: 7_000 }),
    )
    expect(await result).toBe('ok')
    expect(clock.sleeps).toEqual([7_000])
  })

  it('stops on abort', async () => {
    const stop = new AbortController()
    const { result } = run(
      () => {
        stop.abort()
        return Promise.reject(new Error('first'))
      },
      always,
      stop.signal,
    )
    await expect(result).rejects.toThrow('first')
  })
})
