import { beforeEach, describe, expect, it, vi } from 'vitest'
import { SECOND, type Millis, type PriceE4 } from '../domain/units.ts'
import { openHistory } from '../history/duckdb/open.ts'
import type { HistoryStore } from '../history/history-store.ts'
import { silentLogger } from '../lib/logger.ts'
import { traded } from '../testing/venue-events.ts'
import { tradeColumns } from './batch.ts'
import { NewTrades } from './new-trades.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z')
const first = traded(NOW, { tradeId: 'one' })

describe('trades of a delivery', () => {
  let history: HistoryStore
  let market: number
  beforeEach(async () => {
    history = await openHistory({ path: ':memory:', logger: silentLogger })
    ;[market = -1] = await history.marketIds([first])
    return () => history.close()
  })
  const sort = async (trades: NewTrades, delivery: (typeof first)[]) => {
    const { fresh, corrected } = await trades.classify(delivery, () => market, NOW as Millis)
    return [[...fresh].map((trade) => trade.tradeId), [...corrected].map((trade) => trade.price)]
  }

  it('are new once', async () => {
    const trades = new NewTrades(history)
    expect(await sort(trades, [first, first])).toEqual([['one'], []])
    expect(await sort(trades, [first])).toEqual([[], []])
    expect(trades.duplicates).toBe(2)
  })

  it.each([
    ['another price', { price: 4_200 as PriceE4 }, true],
    ['a time seconds away', { at: (NOW + 5 * SECOND) as Millis }, true],
    ['another taker', { takerSide: 'no' }, true],
    ['a time to the second', { at: (NOW + 400) as Millis }, false],
    ['no taker', { takerSide: null }, false],
  ] as const)('restated with %s: corrected %#', async (_what, figures, isCorrected) => {
    const restated = { ...first, ...figures }
    const inMemory = new NewTrades(history)
    await sort(inMemory, [first])
    const expected = [[], isCorrected ? [restated.price] : []]
    expect(await sort(inMemory, [restated])).toEqual(expected)
    expect(await sort(inMemory, [restated])).toEqual([[], []])

    await history.append({ trades: tradeColumns([{ market, event: first }]) })
    const afterRestart = new NewTrades(history)
    await afterRestart.resume(['venue_a'])
    expect(
      await sort(afterRestart, [{ ...restated, at: Math.min(restated.at, NOW) as Millis }]),
    ).toEqual(restated.at > NOW + SECOND ? [[], []] : expected)
  })

  it('are recognised from history once they left memory', async () => {
    const trades = new NewTrades(history, 2)
    await sort(trades, [first])
    await history.append({ trades: tradeColumns([{ market, event: first }]) })
    const others = ['a', 'b', 'c', 'd', 'e'].map((tradeId) => traded(NOW + SECOND, { tradeId }))
    expect(await sort(trades, others)).toEqual([['a', 'b', 'c', 'd', 'e'], []])
    expect(await sort(trades, [first])).toEqual([[], []])
  })

  it('of a backfill need no lookup in history, however many came before', async () => {
    const trades = new NewTrades(history, 2)
    await history.append({ trades: tradeColumns([{ market, event: first }]) })
    const looks = vi.spyOn(history, 'knownTrades')
    // The newest page of the past comes first.
    for (let page = 0; page < 20; page++) {
      const at = NOW - page * SECOND
      const delivery = ['x', 'y', 'z'].map((name) => traded(at, { tradeId: `${name}${page}` }))
      expect((await sort(trades, delivery))[0]).toHaveLength(3)
    }
    expect(looks).not.toHaveBeenCalled()
  })

  it('are recognised from history if they were dated ahead of our clock', async () => {
    await history.append({ trades: tradeColumns([{ market, event: first }]) })
    const trades = new NewTrades(history)
    await trades.resume(['venue_a'])
    const asStated = { ...first, at: (NOW + 5 * SECOND) as Millis, origin: 'polled' } as const
    expect(await sort(trades, [asStated])).toEqual([[], []])
    expect(trades.duplicates).toBe(1)
  })

  it('are recognised from history if an import brought them meanwhile', async () => {
    const trades = new NewTrades(history)
    await trades.resume(['venue_a'])
    await history.append({ trades: tradeColumns([{ market, event: first }]) })
    await trades.resume(['venue_a'])
    expect(await sort(trades, [first])).toEqual([[], []])
  })
})
