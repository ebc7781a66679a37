import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isRuleRead, labelledPairsFrom } from './labelled-pair.ts'
import type { LabelledPair } from './labelled-pair.ts'

const split = (name: string): readonly LabelledPair[] => {
  const path = join(import.meta.dirname, '../domain/pairing/labelled-pairs', `${name}.json`)
  return labelledPairsFrom(JSON.parse(readFileSync(path, 'utf8')))
}

const PAIR: LabelledPair = {
  catalogue: '2026-03',
  a: 'A',
  b: 'b',
  titleA: 'it rains',
  titleB: 'it rains',
  label: 'equivalent',
  relation: 'identity',
  inverted: false,
  basis: 'rules',
  event: 'rain',
  reason: 'The same station and day.',
}

describe('labelled pairs', () => {
  const [train, test] = [split('train'), split('test')]
  const all = [...train, ...test]

  it('are complete and unique', () => {
    const keys = all.map(({ catalogue, a, b }) => `${catalogue} ${a} ${b}`)
    expect(new Set(keys).size).toBe(all.length)
  })

  it('keep an event in one split', () => {
    const trained = new Set(train.map(({ event }) => event))
    expect(test.filter(({ event }) => trained.has(event))).toEqual([])
  })

  it('contain over 400 pairs with rules, at least half of each split negative', () => {
    expect(all.filter(({ basis }) => basis !== 'titles').length).toBeGreaterThanOrEqual(400)
    expect(all.filter(isRuleRead).length).toBeGreaterThanOrEqual(250)
    for (const pairs of [train, test, all.filter(isRuleRead)]) {
      const negatives = pairs.filter(({ label }) => label !== 'equivalent')
      expect(negatives.length / pairs.length).toBeGreaterThanOrEqual(0.5)
    }
  })

  it.each([
    ['no reason', { reason: ' ' }],
    ['unknown basis', { basis: 'guess' }],
    ['label and relation disagree', { label: 'near_miss' }],
    ['inverted and relation disagree', { inverted: true }],
  ])('refuse a pair with %s', (message, changes) => {
    expect(() => labelledPairsFrom([PAIR, { ...PAIR, ...changes }])).toThrow(
      `Labelled pair 1: ${message}`,
    )
    expect(labelledPairsFrom([PAIR])).toEqual([PAIR])
  })
})
