import { describe, expect, it } from 'vitest'
import { relevanceOf, type TextCorpus } from './relevance.ts'

const corpus: TextCorpus = {
  count: 10,
  titleLength: 10,
  wordsLength: 40,
  holders: new Map([
    ['spread', 2],
    ['market', 9],
  ]),
}
const filler = (length: number): string => 'x'.repeat(length)

describe('the relevance of a text', () => {
  it('is BM25F: one term in a title of mean length', () => {
    // rarity ln(1 + 8.5/2.5), share 3/(1.2 + 3).
    const score = relevanceOf({ title: 'Spread ten', words: filler(40) }, ['spread'], corpus)
    expect(score).toBeCloseTo((Math.log(1 + 8.5 / 2.5) * 3) / 4.2, 9)
  })

  it('counts a title more than the rest, and rare terms more than common ones', () => {
    const inTitle = relevanceOf({ title: 'Spread ten', words: filler(40) }, ['spread'], corpus)
    const inWords = relevanceOf({ title: filler(10), words: 'spread' }, ['spread'], corpus)
    const common = relevanceOf({ title: 'Market ten', words: filler(40) }, ['market'], corpus)
    expect(inTitle).toBeGreaterThan(inWords)
    expect(inTitle).toBeGreaterThan(common)
  })

  it('ranks a longer text lower', () => {
    const short = relevanceOf({ title: filler(10), words: 'spread' }, ['spread'], corpus)
    const long = `spread ${filler(400)}`
    expect(relevanceOf({ title: filler(10), words: long }, ['spread'], corpus)).toBeLessThan(short)
  })

  it('counts a form that the stemmer does not find once, and no term as 0', () => {
    const found = relevanceOf({ title: filler(10), words: filler(40) }, ['spread'], corpus)
    expect(found).toBeCloseTo(Math.log(1 + 8.5 / 2.5) / 2.2, 9)
    expect(relevanceOf({ title: '', words: '' }, [], corpus)).toBe(0)
  })
})
