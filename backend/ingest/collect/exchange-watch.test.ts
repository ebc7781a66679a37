import { describe, expect, it } from 'vitest'
import { silentLogger } from '../../lib/logger.ts'
import type { ExchangePause } from '../../venues/connector.ts'
import { ExchangeWatch } from './exchange-watch.ts'

describe('the pauses of an exchange', () => {
  it('hold until the venue states another, and count each change', async () => {
    const { signal } = new AbortController()
    const answers: (ExchangePause | Error | null)[] = []
    const warnings: unknown[] = []
    const watch = new ExchangeWatch({
      connector: {
        exchangePause: () => {
          const answer = answers.shift() ?? null
          return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
        },
      },
      log: { ...silentLogger, warn: (details: unknown) => void warnings.push(details) },
    })
    const paused = () => ['A', 'B'].filter((ticker) => watch.isPaused(ticker))
    expect(paused()).toEqual([])
    const look = async (answer: ExchangePause | null) => {
      answers.push(answer)
      await watch.poll(signal)
      return paused()
    }
    expect(await look(null)).toEqual([])
    expect(warnings).toEqual([])
    expect(await look({ tickers: ['A'] })).toEqual(['A'])
    expect(await look({ tickers: ['B'] })).toEqual(['B'])
    expect(await look({ tickers: null })).toEqual(['A', 'B'])
    answers.push(new Error('no response'))
    await expect(watch.poll(signal)).rejects.toThrow('no response')
    expect(paused()).toEqual(['A', 'B'])
    expect(await look(null)).toEqual([])
    expect(await look({ tickers: null })).toEqual(['A', 'B'])
    expect(warnings).toEqual([{ paused: 1 }, { paused: 'none' }, { paused: 'all' }])
  })
})
