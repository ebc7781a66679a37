import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { finalScore, rankMarkets } from './market-ranking.ts'
import type { SearchedMarket } from './market-ranking.ts'
import { TextIndex } from './index-search.ts'
import type { Millis } from '../units.ts'

interface Entry extends Partial<SearchedMarket> {
  readonly title: string
}

function ranked(query: string, entries: readonly Entry[], options = {}) {
  const index = new TextIndex()
  for (const [key, { title }] of entries.entries()) {
    index.put(key, { title, subtitle: '', tags: [], eventTitle: '', rules: '' })
  }
  const marketOf = (key: number): SearchedMarket | null => {
    const entry = entries[key]
    if (entry === undefined) return null
    return {
      ticker: entry.ticker ?? `T${key}`,
      eventKey: entry.eventKey ?? `event ${key}`,
      live: entry.live ?? true,
      closeTime: entry.closeTime ?? null,
      volume24hUsd: entry.volume24hUsd ?? null,
      liquidity: entry.liquidity ?? 'low',
    }
  }
  return rankMarkets(index, query, marketOf, options)
}
const order = (query: string, entries: readonly Entry[], options = {}) =>
  ranked(query, entries, options).map(({ key }) => key)

it('has the worked example', () => {
  expect(finalScore(0.8, 0.9, 'high')).toBeCloseTo(0.78, 10)
})

describe('ranking', () => {
  it('prefers volume and liquidity among equal texts, then the ticker', () => {
    expect(
      order('iran', [
        { title: 'iran b', ticker: 'B' },
        { title: 'iran b', ticker: 'A' },
        { title: 'iran b', liquidity: 'high' },
        { title: 'iran b', volume24hUsd: 1_000, liquidity: 'high' },
      ]),
    ).toEqual([3, 2, 1, 0])
  })

  it('ranks ended markets and other years or strikes far down', () => {
    const entries = [
      { title: 'bitcoin above $70,000 in 2026', live: false },
      { title: 'bitcoin above $71,000 in 2026' },
      { title: 'bitcoin above $70,000 in 2027' },
      { title: 'bitcoin above $70,000 in 2026' },
    ]
    const results = ranked('bitcoin above 70k 2026', entries)
    const scores = new Map(results.map(({ key, score }) => [key, score]))
    expect(results[0]?.key).toBe(3)
    expect((scores.get(0) ?? 0) / (scores.get(3) ?? 0)).toBeCloseTo(0.3, 1)
    expect(scores.get(1)).toBeLessThan(0.2)
    expect(scores.get(2)).toBeLessThan(0.2)
  })

  it('uses the year of the close when the title names none', () => {
    const closing = (text: string) => Date.parse(text) as Millis
    const results = ranked('recession 2026', [
      { title: 'recession', closeTime: closing('2027-01-01T05:00:00Z') },
      { title: 'recession', closeTime: closing('2027-06-30T00:00:00Z') },
      { title: 'recession', closeTime: null },
    ])
    expect(results.map(({ key }) => key)).toEqual([0, 2, 1])
    expect((results[2]?.score ?? 0) / (results[0]?.score ?? 0)).toBeCloseTo(0.2, 10)
  })

  it('does not mistake a day of a month for a strike', () => {
    const [first] = ranked('fed on september 16', [{ title: 'fed above 4 on Sep 16' }])
    expect(first?.score).toBeGreaterThan(0.5)
  })

  it('keeps three of an event', () => {
    const ladder = Array.from({ length: 6 }, (_, key) => ({
      title: 'iran deal',
      eventKey: 'one',
      volume24hUsd: key,
    }))
    expect(order('iran', [...ladder, { title: 'iran', eventKey: 'two' }])).toHaveLength(4)
    expect(order('iran', ladder)).toEqual([5, 4, 3])
  })

  it('leaves out results far weaker than the best', () => {
    const filler = Array.from({ length: 40 }, () => ({ title: 'the common word' }))
    const keys = order('common zanzibar', [{ title: 'zanzibar common' }, ...filler])
    expect(keys).toEqual([0])
  })

  it('puts the named market first even when no word matched', () => {
    const results = ranked('KXFED', [{ title: 'iran' }, { title: 'kxfed words' }], { exact: 0 })
    expect(results[0]).toEqual({ key: 0, score: 1, relevance: 1, matched: ['kxfed'] })
    expect(results[1]?.key).toBe(1)
  })

  it('has no result for an empty query', () => {
    expect(ranked('', [{ title: 'iran' }])).toEqual([])
    expect(ranked('iran', [])).toEqual([])
    expect(order('iran', [{ title: 'iran' }], { limit: 0 })).toEqual([])
  })
})

const title = fc
  .array(fc.constantFrom('iran', 'oil', 'fed', '2026', '2027', '70000', '$80,000'), {
    minLength: 1,
    maxLength: 4,
  })
  .map((words) => words.join(' '))
const entry = fc.record({
  title,
  eventKey: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  live: fc.boolean(),
  volume24hUsd: fc.integer({ min: 0, max: 100 }),
  liquidity: fc.constantFrom('high' as const, 'medium' as const, 'low' as const),
})

/** Methodology I1 literally: every document scored, compared and sorted. */
function slowly(query: string, entries: readonly Entry[]): number[] {
  const index = new TextIndex()
  for (const [key, { title }] of entries.entries()) {
    index.put(key, { title, subtitle: '', tags: [], eventTitle: '', rules: '' })
  }
  const hits = index.search(query, (key) => key)
  const relevant = hits.keys
    .map((key, hit) => ({ key, relevance: (hits.scores[hit] ?? 0) / hits.best }))
    .filter(({ relevance }) => relevance >= 0.15)
  const dollars = (key: number): number => entries[key]?.volume24hUsd ?? 0
  const numbersIn = (text: string): string[] => text.replace(/[$,]/g, '').match(/\d+/g) ?? []
  const isYear = (number: string): boolean => number.length === 4
  const differs = (requested: readonly string[], own: readonly string[]): boolean =>
    requested.length > 0 && own.length > 0 && !requested.some((number) => own.includes(number))
  const scored = relevant.map(({ key, relevance }) => {
    const { title = '', live = true, liquidity = 'low' } = entries[key] ?? {}
    const below = relevant.filter((other) => dollars(other.key) <= dollars(key)).length
    const [requested, own] = [numbersIn(query), numbersIn(title)]
    const isOther =
      differs(requested.filter(isYear), own.filter(isYear)) ||
      differs(
        requested.filter((number) => !isYear(number)),
        own.filter((number) => !isYear(number)),
      )
    const score = finalScore(relevance, below / relevant.length, liquidity)
    return { key, score: score * (live ? 1 : 0.3) * (isOther ? 0.2 : 1) }
  })
  const order = (a: { key: number; score: number }, b: { key: number; score: number }): number =>
    b.score - a.score || (`T${a.key}` < `T${b.key}` ? -1 : 1)
  const counts = new Map<string, number>()
  return scored.sort(order).flatMap(({ key }) => {
    const event = entries[key]?.eventKey ?? ''
    counts.set(event, (counts.get(event) ?? 0) + 1)
    return (counts.get(event) ?? 0) > 3 ? [] : [key]
  })
}

describe('for any markets', () => {
  it('ranks like a full scoring and sort', () => {
    fc.assert(
      fc.property(
        fc.array(entry, { maxLength: 60 }),
        title,
        fc.integer({ min: 1, max: 12 }),
        (entries, query, limit) => {
          const found = ranked(query, entries, { limit }).map(({ key }) => key)
          expect(found).toEqual(slowly(query, entries).slice(0, limit))
        },
      ),
      { numRuns: 300 },
    )
  })

  it('a limited result is a prefix of the full one', () => {
    fc.assert(
      fc.property(
        fc.array(entry, { maxLength: 60 }),
        title,
        fc.integer({ min: 1, max: 4 }),
        (entries, query, limit) => {
          const whole = ranked(query, entries)
          expect(ranked(query, entries, { limit })).toEqual(whole.slice(0, limit))
          for (const { score } of whole) {
            expect(score).toBeGreaterThan(0)
            expect(score).toBeLessThanOrEqual(1)
          }
          expect(whole.map(({ score }) => score)).toEqual(
            whole.map(({ score }) => score).toSorted((a, b) => b - a),
          )
        },
      ),
    )
  })
})
