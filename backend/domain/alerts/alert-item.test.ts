import { describe, expect, it } from 'vitest'
import type { Millis } from '../units.ts'
import { itemMeets, similarityAmong, type AlertItem, type AlertItemKind } from './alert-item.ts'

const item = (kind: AlertItemKind, title: string, more: Partial<AlertItem> = {}): AlertItem => ({
  id: title,
  kind,
  title,
  text: '',
  source: 'test',
  url: null,
  at: 0 as Millis,
  tickers: [],
  topics: [],
  refs: [],
  ...more,
})

describe('the similarity of a text and an item', () => {
  const fed = item('news', 'Fed weighs a cut')
  const rain = item('news', 'Rain in Lisbon')

  it('is the share of the terms of the text that the item contains, by rarity', () => {
    const similarity = similarityAmong([fed, rain])
    // methodology: of three equally rare terms two are found.
    expect(similarityAmong([fed, item('news', 'rate')])('fed rate cut', fed)).toBeCloseTo(2 / 3, 3)
    // "rate" is in no item, so that it counts for more.
    expect(similarity('fed rate cut', fed)).toBeLessThan(2 / 3)
    expect(similarity('The Fed: cuts', fed)).toBe(1)
    expect(similarity('fed rate cut', rain)).toBe(0)
  })

  it('reads 500 characters of the text, and finds nothing for a text without terms', () => {
    const long = item('news', 'a', { text: `${'x '.repeat(249)}near and far` })
    const similarity = similarityAmong([long])
    expect(similarity('near', long)).toBe(0)
    expect(similarity('x', long)).toBe(1)
    expect(similarity('the of', long)).toBe(0)
  })
})

describe('an item meets', () => {
  const never = () => 0
  const market = { kind: 'market', ref: 'KXCPI' } as const
  const topic = { kind: 'topic', ref: 'Inflation' } as const
  const release = item('release', 'CPI', {
    tickers: ['KXCPI'],
    topics: ['inflation'],
    refs: ['CPIAUCSL', '10'],
  })
  const rule = { threshold: null, match: null }

  it('econ_release by its object, or by the series or release that the rule names', () => {
    const meets = (object: Parameters<typeof itemMeets>[1], match: string | null = null) =>
      itemMeets({ ...rule, condition: 'econ_release', match }, object, release, never)
    expect(meets(market)).toBe(true)
    expect(meets(topic)).toBe(true)
    expect(meets({ kind: 'series', ref: 'cpiaucsl' })).toBe(true)
    expect(meets({ kind: 'series', ref: 'UNRATE' })).toBe(false)
    expect(meets(market, 'UNRATE')).toBe(false)
    expect(meets({ kind: 'market', ref: 'KXRAIN' }, 'CPIAUCSL')).toBe(true)
    expect(meets({ kind: 'market', ref: 'KXRAIN' }, 'CPI')).toBe(false)
  })

  it('gov_action by its object, by the bill or body that the rule names, or by words', () => {
    const action = item('action', 'Passed Senate with an amendment', { refs: ['hr-1-119'] })
    const meets = (object: Parameters<typeof itemMeets>[1], match: string | null = null) =>
      itemMeets({ ...rule, condition: 'gov_action', match }, object, action, never)
    expect(meets({ kind: 'bill', ref: 'HR-1-119' })).toBe(true)
    expect(meets({ kind: 'bill', ref: 'hr-2-119' })).toBe(false)
    expect(meets(market, 'hr-1-119')).toBe(true)
    expect(meets(market, 'passed senate')).toBe(true)
    expect(meets(market, 'passed house')).toBe(false)
    expect(meets(market)).toBe(false)
  })

  it('semantic_match from its threshold on, for texts only', () => {
    const meets = (similarity: number, threshold: number | null, found: AlertItem) =>
      itemMeets(
        { condition: 'semantic_match', threshold, match: 'x' },
        market,
        found,
        () => similarity,
      )
    expect(meets(0.75, null, item('opinion', 'a'))).toBe(true)
    expect(meets(0.74, null, item('opinion', 'a'))).toBe(false)
    expect(meets(0.5, 0.5, item('bill', 'a'))).toBe(true)
    expect(meets(1, null, release)).toBe(false)
  })
})
