import { describe, expect, it } from 'vitest'
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
  drawings.reload()
  expect([drawings.get('KX'), drawings.get('KY').length, drawings.get(null)]).toEqual([[], 1, []])
})

const drawingsOf = (stored: object) => {
  const keep = memory()
  keep.setItem('augury.drawings', JSON.stringify({ version: 1, ...stored }))
  return new Drawings(keep)
}

describe('stored drawings', () => {
  const at = { time: 60, price: 20 }
  const id = 'a'
  it.each([
    { id, kind: 'level', price: 0 },
    { id, kind: 'level', price: 100 },
    { id, kind: 'text', at, text: 'news' },
    { id, kind: 'text', at, text: 'x'.repeat(120) },
    { id, kind: 'trend', from: at, to: { time: -1, price: 100 } },
    { id, kind: 'range', from: at, to: at },
  ])('are taken: $kind $price $text', (drawing) => {
    expect(drawingsOf({ markets: { KX: [drawing] } }).get('KX')).toEqual([drawing])
  })

  it.each([
    7,
    null,
    [],
    { kind: 'level', price: 5 },
    { id: 7, kind: 'level', price: 5 },
    { id, kind: 'level', price: 100.1 },
    { id, kind: 'level', price: -0.1 },
    { id, kind: 'level', price: '5' },
    { id, kind: 'circle', from: at, to: at },
    { id, kind: 'trend', from: at },
    { id, kind: 'trend', to: at },
    { id, kind: 'trend', from: at, to: [] },
    { id, kind: 'trend', from: at, to: { time: null, price: 5 } },
    { id, kind: 'trend', from: at, to: { time: 60, price: 101 } },
    { id, kind: 'text', text: 'news' },
    { id, kind: 'text', at },
  ])('are left out when damaged: %j', (damaged) => {
    const whole = { id: 'b', kind: 'level', price: 5 }
    const drawings = drawingsOf({ markets: { KX: [damaged, whole], KY: damaged } })
    expect([drawings.get('KX'), drawings.get('KY')]).toEqual([[whole], []])
  })

  it('are none when all of them are damaged, and long texts are cut', () => {
    const owned = { markets: [], owner: 'u', unsent: ['KX'] }
    const damaged = drawingsOf(owned)
    expect([damaged.tickers, damaged.owner, damaged.unsent]).toEqual([[], null, []])
    const text = { id, kind: 'text', at, text: 'x'.repeat(121) }
    expect(drawingsOf({ markets: { KX: [text] } }).get('KX')).toEqual([
      { ...text, text: 'x'.repeat(120) },
    ])
  })

  it('have an owner and unsent markets only when these are texts', () => {
    const whole = drawingsOf({ markets: {}, owner: 'u', unsent: ['KX', 7] })
    expect([whole.owner, whole.unsent]).toEqual(['u', ['KX']])
    const damaged = drawingsOf({ markets: {}, owner: 7, unsent: 'KX' })
    expect([damaged.owner, damaged.unsent]).toEqual([null, []])
  })
})

it('50 drawings of a market are kept, and 200 markets: the oldest go', () => {
  const drawings = new Drawings(memory())
  for (let price = 1; price <= 51; price += 1) drawings.addLevel('KX', price)
  expect(drawings.get('KX').map((level) => ('price' in level ? level.price : null))).toEqual(
    Array.from({ length: 50 }, (_, index) => index + 2),
  )
  for (let index = 1; index <= 200; index += 1) drawings.addLevel(`K${index}`, 5)
  expect([drawings.tickers.length, drawings.tickers[0]]).toEqual([200, 'K1'])
  const all = Array.from({ length: 201 }, (_, index) => [`M${index}`, [drawing]] as const)
  drawings.replace([...all, ['EMPTY', []]], 'u', [])
  expect([drawings.tickers.length, drawings.tickers[0]]).toEqual([200, 'M1'])
})
const drawing = { id: 'level-5', kind: 'level', price: 5 }

it('50 changes are undone at most; another change ends what can be redone', () => {
  const drawings = new Drawings(memory())
  for (let price = 1; price <= 51; price += 1) drawings.addLevel('KX', price)
  for (let count = 1; count <= 50; count += 1) expect(drawings.undo('KX')).toBe(true)
  expect([drawings.undo('KX'), drawings.get('KX')]).toEqual([
    false,
    [{ id: 'level-1', kind: 'level', price: 1 }],
  ])
  expect(drawings.redo('KX')).toBe(true)
  drawings.addLevel('KX', 70)
  expect(drawings.redo('KX')).toBe(false)
})

it('a level moved onto another becomes one with it', () => {
  const drawings = new Drawings(memory())
  drawings.addLevel('KX', 10)
  drawings.addLevel('KX', 20)
  drawings.addLevel('KX', 30)
  drawings.moveLevel('KX', 'level-10', 20)
  const prices = drawings.get('KX').map((level) => ('price' in level ? level.price : null))
  expect(prices).toEqual([20, 30])
})

it('changes of a user are unsent until the account has them', () => {
  const keep = memory()
  const changed: string[] = []
  const drawings = new Drawings(keep)
  drawings.addLevel('KX', 10)
  expect(drawings.unsent).toEqual([])
  drawings.store = { onChanged: (ticker) => void changed.push(ticker) }
  drawings.replace([['KX', [drawing, 7]]], 'u', ['KZ'])
  expect([drawings.get('KX'), changed]).toEqual([[drawing], []])
  drawings.addLevel('KY', 20)
  drawings.addLevel('KY', 30)
  drawings.clear('KX')
  expect(changed).toEqual(['KY', 'KY', 'KX'])
  expect(new Drawings(keep)).toMatchObject({ owner: 'u', unsent: ['KZ', 'KY', 'KX'] })
  drawings.markSent('KY')
  expect(new Drawings(keep).unsent).toEqual(['KZ', 'KX'])
  // A market without drawings takes no room.
  expect(new Drawings(keep).tickers).toEqual(['KY'])
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
