import { describe, expect, it } from 'vitest'
import type { EventWindow } from '../event-columns.ts'
import { FULL_FILLS } from '../broker/fill-model.ts'
import { capacityOf, scaledDown, scaledDownModel, SIZE_MULTIPLES } from './capacity.ts'

const steps = (...profits: readonly number[]) =>
  profits.map((profit, i) => ({ multiple: 2 ** i, profit, trades: 1, contracts: 2 ** i }))

describe('capacity', () => {
  it('[backtest.study.capacity] is where the net profit halves, interpolated linearly', () => {
    const found = capacityOf(steps(100, 120, 80, 20))
    // 80 at 4 times, 20 at 8: half of 100 lies halfway between.
    expect(found).toMatchObject({ halvesAt: 6, why: null })
    // 100, 60, 20 a unit: 50 is a quarter of the way from 2 to 4.
    expect(found.perUnitHalvesAt).toBeCloseTo(2.5, 10)
  })

  it('L2: is measured at 2, 4 and 8 times the size', () => {
    expect(SIZE_MULTIPLES).toEqual([2, 4, 8])
  })

  it('is null when the profit does not halve or there is none', () => {
    expect(capacityOf(steps(100, 200, 400, 800))).toMatchObject({
      halvesAt: null,
      perUnitHalvesAt: null,
      why: 'the profit did not halve up to 8 times the size',
    })
    expect(capacityOf(steps(100, 100, 100, 100))).toMatchObject({
      halvesAt: null,
      perUnitHalvesAt: 2,
    })
    expect(capacityOf(steps(-3, 1, 2, 3)).why).toBe('there is no profit to halve')
  })

  it('divides every recorded size and nothing else', () => {
    const columns = {
      known: Float64Array.of(1),
      ts: Float64Array.of(1),
      market: Int32Array.of(0),
    }
    const window: EventWindow = {
      until: 1 as EventWindow['until'],
      trades: {
        ...columns,
        price: Int32Array.of(4_000),
        size: Float64Array.of(8e6),
        taker: Uint8Array.of(1),
      },
      quotes: {
        ...columns,
        bid: Int32Array.of(40),
        ask: Int32Array.of(50),
        bidSize: Float64Array.of(NaN),
        askSize: Float64Array.of(4e6),
      },
      books: null,
      bars: null,
    }
    const thin = scaledDown(window, 4)
    expect(thin.trades?.size).toEqual(Float64Array.of(2e6))
    expect(thin.quotes?.bidSize[0]).toBeNaN()
    expect(thin.quotes?.askSize).toEqual(Float64Array.of(1e6))
    expect(thin.trades?.price).toEqual(window.trades?.price)
    expect(scaledDown(window, 1)).toBe(window)
    expect(scaledDownModel(FULL_FILLS, 4)).toMatchObject({
      assumedLevelContracts: 6.25,
      latencyMs: 250,
    })
  })
})
