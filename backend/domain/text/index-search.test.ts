import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { TextIndex } from './index-search.ts'
import type { TextDocument } from './index-search.ts'

const doc = (change: Partial<TextDocument> = {}): TextDocument => ({
  title: '',
  subtitle: '',
  tags: [],
  eventTitle: '',
  rules: '',
  ...change,
})
const all = (key: number) => ({ key })
const scoresOf = (index: TextIndex, query: string, minShare = 0): Record<number, number> => {
  const hits = index.search(query, all, minShare)
  return Object.fromEntries(hits.keys.map((key, hit) => [key, hits.scores[hit] ?? NaN]))
}
const indexOf = (...documents: TextDocument[]): TextIndex => {
  const index = new TextIndex()
  for (const [key, document] of documents.entries()) index.put(key, document)
  return index
}

describe('text index', () => {
  it('scores a single document as the formula does', () => {
    const index = indexOf(doc({ title: 'iran deal', rules: 'iran' }), doc({ title: 'oil price' }))
    // Lengths 2 = mean in title, 1 against a mean of 0.5 in rules.
    const weighted = 3 / (0.25 + 0.75) + 0.5 / (0.25 + 0.75 * 2)
    const expected = (Math.log(1 + (2 - 1 + 0.5) / 1.5) * weighted) / (1.2 + weighted)
    expect(scoresOf(index, 'iran')[0]).toBeCloseTo(expected, 12)
    expect(Object.keys(scoresOf(index, 'iran'))).toEqual(['0'])
  })

  it('weights title over subtitle over event over rules', () => {
    const scores = scoresOf(
      indexOf(
        doc({ title: 'iran', subtitle: 'a1', eventTitle: 'b1', rules: 'c1' }),
        doc({ title: 'a2', subtitle: 'iran', eventTitle: 'b2', rules: 'c2' }),
        doc({ title: 'a3', subtitle: 'b3', eventTitle: 'iran', rules: 'c3' }),
        doc({ title: 'a4', subtitle: 'b4', eventTitle: 'c4', rules: 'iran' }),
        doc({ title: 'a5', subtitle: 'b5', eventTitle: 'c5', rules: 'd5' }),
      ),
      'iran',
    )
    expect(scores[0]).toBeGreaterThan(scores[1] ?? NaN)
    expect(scores[1]).toBeGreaterThan(scores[2] ?? NaN)
    expect(scores[2]).toBeGreaterThan(scores[3] ?? NaN)
    expect(scores[4]).toBeUndefined()
  })

  it('adds a fifth for a phrase in order, within one field', () => {
    const scores = scoresOf(
      indexOf(
        doc({ title: 'fed rate path' }),
        doc({ title: 'rate fed path' }),
        doc({ title: 'path fed', subtitle: 'rate' }),
      ),
      'fed rate',
    )
    expect((scores[0] ?? 0) / (scores[1] ?? 0)).toBeCloseTo(1.2, 12)
    expect(scores[2]).toBeLessThan(scores[0] ?? NaN)
  })

  it('finds synonyms, stems, numbers and every script', () => {
    const index = indexOf(
      doc({ title: 'Federal Reserve cuts' }),
      doc({ title: 'Bitcoin above $70,000' }),
      doc({ title: 'מי ינצח בבחירות' }),
      doc({ title: 'Feuer 🔥 in Zürich' }),
      doc({ title: '日本の選挙' }),
    )
    const found = (query: string) => Object.keys(scoresOf(index, query)).map(Number)
    expect(found('fed cut')).toEqual([0])
    expect(found('btc 70k')).toEqual([1])
    expect(found('בבחירות')).toEqual([2])
    expect(found('🔥')).toEqual([3])
    expect(found('zurich')).toEqual([3])
    expect(found('選挙')).toEqual([4])
    expect(found('will the')).toEqual([])
    expect(found('')).toEqual([])
    expect(found('nothing')).toEqual([])
  })

  it('lists the matched words', () => {
    const index = indexOf(doc({ title: 'Fed cuts' }), doc({ title: 'Iran' }))
    const hits = index.search('cutting unknown federal reserve', all)
    expect(hits.keys).toEqual([0])
    expect(hits.matchedBy(0)).toEqual(['cutting', 'federal reserve'])
  })

  it('excludes unselected documents before it compares scores', () => {
    const index = indexOf(
      doc({ title: 'iran' }),
      doc({ title: 'a long text that names iran once among many other words', rules: 'x' }),
    )
    const hits = index.search('iran', (key) => (key === 1 ? 'kept' : null), 0.99)
    expect(hits.keys).toEqual([1])
    expect(hits.items).toEqual(['kept'])
    expect(hits.best).toBe(hits.scores[0])
  })

  it('is unchanged after a selection that threw', () => {
    const index = indexOf(doc({ title: 'iran' }), doc({ title: 'iran oil' }))
    const before = scoresOf(index, 'iran')
    const failing = () => {
      throw new Error('selection failed')
    }
    expect(() => index.search('iran', failing)).toThrow('selection failed')
    expect(scoresOf(index, 'iran')).toEqual(before)
  })

  it('accepts long texts', () => {
    const index = indexOf(doc({ title: 'iran '.repeat(2_000), rules: 'oil '.repeat(5_000) }))
    expect(Object.keys(scoresOf(index, 'iran oil'))).toEqual(['0'])
  })

  it('replaces a document under its key', () => {
    const index = indexOf(doc({ title: 'iran' }))
    index.put(0, doc({ title: 'oil' }))
    expect(index.size).toBe(1)
    expect(scoresOf(index, 'iran')).toEqual({})
    expect(Object.keys(scoresOf(index, 'oil'))).toEqual(['0'])
    index.remove(0)
    index.remove(0)
    expect(index.size).toBe(0)
    expect(scoresOf(index, 'oil')).toEqual({})
  })

  it('keeps its results while thousands of documents are added and removed', () => {
    const index = new TextIndex()
    for (let key = 0; key < 4_000; key++) {
      index.put(key, doc({ title: `market ${key} iran`, rules: `only${key}` }))
      if (key >= 100) index.remove(key - 100)
    }
    const fresh = new TextIndex()
    for (let key = 3_900; key < 4_000; key++) {
      fresh.put(key, doc({ title: `market ${key} iran`, rules: `only${key}` }))
    }
    for (const query of ['iran', '3950', 'only3999', 'only10', 'market iran']) {
      expect(scoresOf(index, query)).toEqual(scoresOf(fresh, query))
    }
    expect(index.titleTerms(3_950)).toEqual(['market', '#3950', 'iran'])
  })
})

const word = fc.constantFrom('iran', 'oil', 'fed', 'rate', 'cut', 'btc', 'win', '2026', '70000')
const text = fc.array(word, { maxLength: 5 }).map((words) => words.join(' '))
const anyDocument = fc.record({
  title: text,
  subtitle: text,
  tags: fc.array(word, { maxLength: 2 }),
  eventTitle: text,
  rules: text,
})
const change = fc.tuple(fc.integer({ min: 0, max: 8 }), fc.option(anyDocument))

describe('for any documents', () => {
  it('adding and removing gives the results of a rebuild', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), text, (changes, query) => {
        const index = new TextIndex()
        const last = new Map<number, TextDocument>()
        for (const [key, document] of changes) {
          if (document === null) {
            index.remove(key)
            last.delete(key)
          } else {
            index.put(key, document)
            last.set(key, document)
          }
        }
        const fresh = new TextIndex()
        for (const [key, document] of last) fresh.put(key, document)
        expect(scoresOf(index, query)).toEqual(scoresOf(fresh, query))
      }),
    )
  })

  it('sweeping many removed documents leaves results and titles unchanged', () => {
    const numbered = (key: number, turn: string) =>
      doc({ title: `oil ${turn}${key} price`, tags: [`tag${key % 7}`], rules: 'barrel of oil' })
    const index = new TextIndex()
    const fresh = new TextIndex()
    for (const turn of ['first', 'second', 'third']) {
      for (let key = 0; key < 1_100; key++) index.put(key, numbered(key, turn))
    }
    for (let key = 0; key < 1_100; key++) {
      if (key % 3 === 0) index.remove(key)
      else fresh.put(key, numbered(key, 'third'))
    }
    expect(index.size).toBe(fresh.size)
    for (const query of ['third7 price', 'oil barrel', 'tag3', 'first7', 'second8']) {
      expect(scoresOf(index, query)).toEqual(scoresOf(fresh, query))
    }
    for (const key of [0, 1, 1_099]) expect(index.titleTerms(key)).toEqual(fresh.titleTerms(key))
  })

  it('leaving out weak results never changes strong ones', () => {
    fc.assert(
      fc.property(fc.array(anyDocument, { maxLength: 30 }), text, (documents, query) => {
        const index = indexOf(...documents)
        const whole = scoresOf(index, query)
        const best = Math.max(0, ...Object.values(whole))
        const strong = Object.fromEntries(
          Object.entries(whole).filter(([, score]) => score >= 0.15 * best),
        )
        expect(scoresOf(index, query, 0.15)).toEqual(strong)
      }),
    )
  })
})
