import { expect, it } from 'vitest'
import { Drawings } from './drawings.svelte.ts'

const memory = () => {
  const stored = new Map<string, string>()
  return {
    stored,
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => void stored.set(name, text),
  }
}

it('levels are kept per market [terminal.chart.levels]', () => {
  const keep = memory()
  const drawings = new Drawings(keep)
  drawings.addLevel('KX', 60)
  drawings.addLevel('KX', 60)
  drawings.addLevel('KY', 20)
  const reopened = new Drawings(keep)
  expect(reopened.get('KX')).toEqual([{ id: 'level-60', kind: 'level', price: 60 }])
  reopened.remove('KX', 'level-60')
  drawings.recall()
  expect([drawings.get('KX'), drawings.get('KY').length, drawings.get(null)]).toEqual([[], 1, []])
})

it('damaged drawings are left out', () => {
  const keep = memory()
  const markets = {
    KX: [{ id: 'a', kind: 'level', price: 130 }, { id: 'b', kind: 'level', price: 5 }, 7],
  }
  keep.setItem('augury.drawings', JSON.stringify({ version: 1, markets }))
  expect(new Drawings(keep).get('KX')).toEqual([{ id: 'b', kind: 'level', price: 5 }])
})

it('lines, ranges and texts are kept, and changes are undone per market [terminal.chart.drawings]', () => {
  const keep = memory()
  const drawings = new Drawings(keep)
  const [from, to] = [
    { time: 60, price: 20 },
    { time: 120, price: 40 },
  ]
  drawings.add('KX', { kind: 'trend', from, to })
  drawings.add('KX', { kind: 'trend', from, to })
  drawings.add('KX', { kind: 'text', at: from, text: 'news' })
  drawings.add('KY', { kind: 'range', from, to })
  const kinds = (ticker: string) => new Drawings(keep).get(ticker).map(({ kind }) => kind)
  expect(kinds('KX')).toEqual(['trend', 'text'])
  drawings.clear('KX')
  expect(kinds('KX')).toEqual([])
  expect(drawings.undo('KX')).toBe(true)
  expect(drawings.undo('KX')).toBe(true)
  expect(kinds('KX')).toEqual(['trend'])
  expect(drawings.redo('KX')).toBe(true)
  expect(kinds('KX')).toEqual(['trend', 'text'])
  expect(kinds('KY')).toEqual(['range'])
  expect(drawings.redo('KY')).toBe(false)
})
