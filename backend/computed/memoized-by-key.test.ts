import { describe, expect, it } from 'vitest'
import { memoizeByKey } from './memoized-by-key.ts'

describe('a value memoized by its object', () => {
  it('is computed once for each object', () => {
    let calls = 0
    const valueOf = memoizeByKey(({ name }: { name: string }) => `${name} ${(calls += 1)}`)
    const source = { name: 'a' }
    expect([valueOf(source), valueOf(source), valueOf({ name: 'b' })]).toEqual([
      'a 1',
      'a 1',
      'b 2',
    ])
  })

  it('is computed again after a read that failed', async () => {
    let calls = 0
    const valueOf = memoizeByKey((_source: object) => {
      calls += 1
      return calls === 1 ? Promise.reject(new Error('no memory')) : Promise.resolve(calls)
    })
    const source = {}
    await expect(valueOf(source)).rejects.toThrow('no memory')
    expect(await valueOf(source)).toBe(2)
    expect(await valueOf(source)).toBe(2)
  })
})
