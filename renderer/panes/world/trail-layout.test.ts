import { expect, it } from 'vitest'
import type { TrailLink, TrailNode } from '../../../backend/contract/world.ts'
import { linkPath, neighbourOf, NODE_HEIGHT, placeTrail } from './trail-layout.ts'

const market = (ticker: string) => ({
  ticker,
  venue: 'venue_a' as const,
  title: `Will ${ticker}?`,
  price: 40,
  url: '',
})
const node = (ticker: string, hop: 1 | 2, via: string): TrailNode => ({
  ...market(ticker),
  hop,
  via,
})
const link = (from: string, to: string): TrailLink => ({
  from,
  to,
  kind: 'contagion',
  strength: 0.5,
  lagSeconds: null,
  note: '',
})
const nodes = [node('A', 1, 'S'), node('B', 1, 'S'), node('C', 2, 'B'), node('D', 2, 'A')]
const links = [link('S', 'A'), link('S', 'B'), link('B', 'C'), link('A', 'D'), link('X', 'A')]
const drawing = placeTrail(market('S'), nodes, links)
const at = (ticker: string) => {
  const found = drawing.nodes.find(({ market: { ticker: known } }) => known === ticker)
  if (found === undefined) throw new Error(ticker)
  return found
}
const tickerOf = (placed: ReturnType<typeof neighbourOf>) => placed?.market.ticker ?? null

it('has columns by hop, inside the drawing, without overlap', () => {
  expect(drawing.nodes.map(({ hop }) => hop)).toEqual([0, 1, 1, 2, 2])
  for (const hop of [1, 2]) {
    const ys = drawing.nodes.filter((placed) => placed.hop === hop).map(({ y }) => y)
    ys.slice(1).forEach((y, index) => {
      expect(y - (ys[index] ?? 0)).toBeGreaterThan(NODE_HEIGHT)
    })
    expect(Math.max(...ys) + NODE_HEIGHT / 2).toBeLessThanOrEqual(drawing.height)
  }
})

it('keeps the second hop in the order of the first, and drops links to hidden markets', () => {
  expect(at('D').y).toBeLessThan(at('C').y)
  expect(drawing.links).toHaveLength(4)
})

it('moves by arrow keys, along links first', () => {
  expect(tickerOf(neighbourOf(drawing, at('S'), 'right'))).toMatch(/^[AB]$/)
  expect(tickerOf(neighbourOf(drawing, at('B'), 'right'))).toBe('C')
  expect(tickerOf(neighbourOf(drawing, at('A'), 'right'))).toBe('D')
  expect(tickerOf(neighbourOf(drawing, at('C'), 'left'))).toBe('B')
  expect(tickerOf(neighbourOf(drawing, at('A'), 'down'))).toBe('B')
  expect(neighbourOf(drawing, at('A'), 'up')).toBeNull()
  expect(neighbourOf(drawing, at('S'), 'left')).toBeNull()
})

it('draws a market without links alone', () => {
  const alone = placeTrail(market('S'), [], [])
  expect(alone.nodes).toHaveLength(1)
  expect(alone.height).toBeGreaterThan(NODE_HEIGHT)
})

it('draws a link between the sides of two boxes, either way, and beside a column', () => {
  const path = (from: string, to: string) =>
    linkPath({ link: link(from, to), from: at(from), to: at(to) })
  expect(at('S')).toMatchObject({ x: 113, y: 52 })
  expect(at('B')).toMatchObject({ x: 387, y: 77 })
  expect(path('S', 'B')).toBe('M 220 52 C 250 52, 250 77, 280 77')
  expect(path('B', 'S')).toBe(path('S', 'B'))
  expect(path('A', 'B')).toBe('M 494 27 C 530 27, 530 77, 494 77')
})
