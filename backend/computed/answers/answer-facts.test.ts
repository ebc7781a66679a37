import { expect, it } from 'vitest'
import { marketFacts } from '../../testing/market-facts.ts'
import type { Grid } from '../grid/grid.ts'
import type { BoardSnapshot, MarketView } from '../market-board.ts'
import { tensionsOf } from './answer-facts.ts'

const view = (ticker: string, title: string) =>
  ({ facts: marketFacts({ ticker, title, eventId: ticker }) }) as MarketView
const A = view('KXA', 'Will rates be cut?')
const B = view('KXB', 'Will oil rise?')
const TWIN = view('0xb', 'Oil up')
const snapshot = {
  get: (ticker: string) => [A, B, TWIN].find(({ facts }) => facts.ticker === ticker) ?? null,
} as BoardSnapshot
const gridOf = (net: number, isTradable: boolean) =>
  ({
    pairOf: new Map([B, TWIN].map(({ facts }) => [facts.ticker, { id: 'pair' }])),
    crossVenue: new Map([['pair', { isTradable, edge: { net } }]]),
    eventEdges: [],
    gaps: () => [],
  }) as unknown as Grid

it('names the market whose venues disagree, which need not be the first one', () => {
  expect(tensionsOf([A, B, TWIN], snapshot, gridOf(22.891, true))).toEqual([
    {
      ...{ kind: 'cross_venue_edge', cents: 22.89 },
      text: '«Will oil rise?»: YES on one venue and NO on the other net 22.89c after fees',
    },
  ])
})

it('tells no edge that costs more than it brings, or that cannot be traded', () => {
  expect(tensionsOf([A, B], snapshot, gridOf(-1, true))).toEqual([])
  expect(tensionsOf([A, B], snapshot, gridOf(5, false))).toEqual([])
  expect(tensionsOf([A], snapshot, gridOf(5, true))).toEqual([])
})
