import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { namedNumbers, termsOf } from './terms.ts'

const terms = (text: string) => termsOf(text).map(({ term }) => term)

describe('terms', () => {
  it.each([
    ['Will the Federal Reserve cut rates?', 'fed cut rate'],
    ['Who will win the election? The winner', 'win elect win'],
    ['Bitcoin BTC', 'btc btc'],
    ['Republicans vs the GOP', 'gop vs gop'],
    ['United States and US', 'us us'],
    ["Won't Trump resign", 'not trump resign'],
    ['Won’t Trump not resign, never', 'not trump not resign never'],
    ["Trump's cabinet", 'trump cabinet'],
    ['BTC above $70,000 or 70k or 70000.00', 'btc abov #70000 #70000 #70000'],
    ['CPI at 3.0% vs 3%', 'cpi #3 vs #3'],
    ['$1.5b in 2026', '#1500000000 2026'],
    ['ETH above $2,026', 'eth abov #2026'],
    ['by 2026-09-16', 'by 2026 sep #16'],
    ['September 16th, 2026', 'sep #16 2026'],
    ['the 10y yield', '10y yield'],
    ['שלום לעולם', 'שלום לעולם'],
    ['日本の選挙 🔥', '日 本 の 選 挙 🔥'],
    ['', ''],
    ['who will be', ''],
  ])('of “%s” are %s', (text, expected) => {
    const expectedTerms = expected === '' ? [] : expected.split(' ').filter((term) => term !== 'by')
    expect(terms(text)).toEqual(expectedTerms)
  })

  it('keep the words they were read from', () => {
    expect(termsOf('Federal Reserve cuts')).toEqual([
      { term: 'fed', word: 'federal reserve' },
      { term: 'cut', word: 'cuts' },
    ])
  })

  it('are found in any text, bounded by its length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(termsOf(text).length).toBeLessThanOrEqual(Math.max(1, 3 * text.length))
      }),
    )
  })

  it('do not depend on case', () => {
    const letters = fc.array(fc.constantFrom('Fed', 'CUT', "Won't", 'Élan', '70K', 'Sept'))
    fc.assert(
      fc.property(letters, (words) => {
        const text = words.join(' ')
        expect(terms(text.toUpperCase())).toEqual(terms(text.toLowerCase()))
      }),
    )
  })

  // Quadratic work on 100 kB takes many seconds of CPU time, linear work hundredths of one.
  it('are found in linear time in hostile texts', () => {
    const hostile = ['1,', '1,234', '$', "a'", '2026-01-', '1.', 'y', '\u0301', 'é', '🔥', "n't "]
    for (const unit of hostile) {
      const text = unit.repeat(Math.ceil(100_000 / unit.length))
      const started = process.cpuUsage()
      expect(termsOf(text).length).toBeLessThanOrEqual(3 * Math.ceil(100_000 / unit.length))
      expect(process.cpuUsage(started).user, unit).toBeLessThan(2_000_000)
    }
  })
})

describe('named numbers', () => {
  it.each([
    ['Bitcoin above $70,000 on Jul 31, 2026', [2026], [70_000]],
    ['31 July 2026', [2026], []],
    ['Between 3 and 5 cuts', [], [3, 5]],
    ['Nothing named', [], []],
  ])('of “%s”', (text, years, strikes) => {
    expect(namedNumbers(terms(text))).toEqual({ years, strikes })
  })
})
