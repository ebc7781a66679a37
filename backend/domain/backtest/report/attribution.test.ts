import { expect, it } from 'vitest'
import { attributionOf } from './attribution.ts'
import type { RunResult } from './run-result.ts'

const RESULT = {
  tags: ['', 'fade'],
  traded: [
    { market: 4, ticker: 'KXB', title: 'Second', theme: 'oil' },
    { market: 2, ticker: 'KXA', title: 'First', theme: 'oil' },
  ],
  fills: {
    at: [1, 2, 3],
    market: [2, 2, 4],
    tag: [0, 1, 0],
    size: [3e6, 1e6, 2e6],
    fee: [60_000, 20_000, 10_000],
  },
  lots: { market: [2, 4], tag: [1, 0], realised: [500_000, -900_000] },
  open: [{ market: 2, tag: 0, value: 2_000_000, cost: 1_500_000, fees: 40_000 }],
} as unknown as RunResult

it('adds up fills, closed lots and open positions by market, theme and tag', () => {
  const { byMarket, byTheme, byTag } = attributionOf(RESULT)
  const rounded = (rows: typeof byMarket) =>
    rows.map((row) => ({
      ...row,
      profit: Number(row.profit.toFixed(6)),
      fees: Number(row.fees.toFixed(6)),
    }))
  const [a, b] = [
    { key: 'KXA', title: 'First', profit: 0.96, fees: 0.08, trades: 2, contracts: 4 },
    { key: 'KXB', title: 'Second', profit: -0.9, fees: 0.01, trades: 1, contracts: 2 },
  ]
  expect(rounded(byMarket)).toEqual([a, b])
  expect(rounded(byTheme)).toEqual([
    { key: 'oil', title: null, profit: 0.06, fees: 0.09, trades: 3, contracts: 6 },
  ])
  expect(rounded(byTag)).toEqual([
    { key: 'fade', title: null, profit: 0.5, fees: 0.02, trades: 1, contracts: 1 },
    { key: '', title: null, profit: -0.44, fees: 0.07, trades: 2, contracts: 5 },
  ])
})

it('sorts by the size of the profit or loss, then by key', () => {
  const lots = { market: [4, 2, 7], tag: [0, 0, 0], realised: [-5e5, 5e5, 9e5] }
  const nothing = { at: [], market: [], tag: [], size: [], fee: [] }
  const { byMarket } = attributionOf({
    ...RESULT,
    fills: nothing,
    lots,
    open: [],
  } as unknown as RunResult)
  expect(byMarket.map(({ key, title }) => [key, title])).toEqual([
    ['unknown', null],
    ['KXA', 'First'],
    ['KXB', 'Second'],
  ])
})
