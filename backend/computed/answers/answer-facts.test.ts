import { expect, it } from 'vitest'
import { marketFacts } from '../../testing/market-facts.ts'
import type { ContextSnapshot } from '../snapshot/context-snapshot.ts'
import type { BoardView, MarketView } from '../board/market-board.ts'
import { tensionsOf } from './answer-facts.ts'

const view = (ticker: string, title: string) =>
  ({ facts: marketFacts({ ticker, title, eventId: ticker }) }) as MarketView
const A = view('KXA', 'Will rates be cut?')
const B = view('KXB', 'Will oil rise?')
const TWIN = view('0xb', 'Oil up')
const boardView = {
  get: (ticker: string) => [A, B, TWIN].find(({ facts }) => facts.ticker === ticker) ?? null,
} as BoardView
const contextSnapshotOf = (net: number, isTradable: boolean) =>
  ({
    pairOf: new Map([B, TWIN].map(({ facts }) => [facts.ticker, { id: 'pair' }])),
    crossVenue: new Map([['pair', { isTradable, edge: { net } }]]),
    eventEdges: [],
    distinctGaps: () => [],
  }) as unknown as ContextSnapshot

it('names the market whose venues disagree, even if it is not the first one', () => {
  expect(tensionsOf([A, B, TWIN], boardView, contextSnapshotOf(22.891, true))).toEqual([
    {
      kind: 'cross_venue_edge',
      cents: 22.89,
      text: '“Will oil rise?”: YES on one venue and NO on the other net 22.89¢ after fees',
      ticker: 'KXB',
    },
  ])
})

it('reports no edge with a negative net or without tradable markets', () => {
  expect(tensionsOf([A, B], boardView, contextSnapshotOf(-1, true))).toEqual([])
  expect(tensionsOf([A, B], boardView, contextSnapshotOf(5, false))).toEqual([])
  expect(tensionsOf([A], boardView, contextSnapshotOf(5, true))).toEqual([])
})
