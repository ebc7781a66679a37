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
  expect(reopened.of('KX').map(({ price }) => price)).toEqual([60])
  reopened.remove('KX', 'level-60')
  drawings.recall()
  expect([drawings.of('KX'), drawings.of('KY').length, drawings.of(null)]).toEqual([[], 1, []])
})

it('damaged drawings are left out', () => {
  const keep = memory()
  const markets = {
    KX: [{ id: 'a', kind: 'level', price: 130 }, { id: 'b', kind: 'level', price: 5 }, 7],
  }
  keep.setItem('augury.drawings', JSON.stringify({ version: 1, markets }))
  expect(new Drawings(keep).of('KX')).toEqual([{ id: 'b', kind: 'level', price: 5 }])
})
