import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { runInPool, Share } from './trial-pool.ts'

const NEVER = new AbortController().signal

describe('concurrent trials', () => {
  it('[backtest.sweep.two] are at most two at a time, and returned in their order', async () => {
    let [now, max] = [0, 0]
    const results = await runInPool([5, 1, 4, 2, 3], NEVER, async (turns) => {
      max = Math.max(max, ++now)
      for (let turn = 0; turn < turns; turn++) await setImmediate()
      now--
      return turns * 10
    })
    expect(results).toEqual([50, 10, 40, 20, 30])
    expect(max).toBe(2)
    expect(await runInPool([], NEVER, () => Promise.resolve(1))).toEqual([])
  })

  it('end together if one fails or all are cancelled', async () => {
    const started: number[] = []
    const failing = runInPool([1, 2, 3, 4], NEVER, async (item, _index, signal) => {
      started.push(item)
      if (item === 2) throw new Error('two is wrong')
      while (!signal.aborted) await setImmediate()
      signal.throwIfAborted()
    })
    await expect(failing).rejects.toThrow('two is wrong')
    expect(started).toEqual([1, 2])
    const stop = new AbortController()
    const cancelled = runInPool([1, 2, 3], stop.signal, async (_item, _index, signal) => {
      stop.abort(new Error('enough'))
      await setImmediate()
      signal.throwIfAborted()
    })
    await expect(cancelled).rejects.toThrow('enough')
  })

  it('report the progress of all of them, never decreasing', () => {
    const shares: number[] = []
    const share = new Share(4, (progress) => shares.push(progress))
    const [one, other] = [share.piece(1), share.piece(2)]
    one.at(0.5)
    other.at(0.5)
    other.at(0.25)
    one.end()
    other.end()
    share.piece(1).end()
    expect(shares).toEqual([0.125, 0.375, 0.75, 1])
  })
})
