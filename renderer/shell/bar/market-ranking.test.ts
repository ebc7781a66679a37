import { expect, it } from 'vitest'
import { createMarketRanking } from './market-ranking.ts'

it('finds words in any order, by title or ticker', () => {
  const ranking = createMarketRanking()
  ranking.add([
    { ticker: 'KXFED-26DEC-C25', title: 'Fed cuts rates by 25bp in December' },
    { ticker: 'KXOIL-26DEC', title: 'Brent above $80 in December' },
    { ticker: 'KXNBA-26', title: 'Celtics win the title' },
  ])
  const tickers = (text: string) => ranking.find(text, 5).map(({ ticker }) => ticker)
  expect(tickers('december fed')).toEqual(['KXFED-26DEC-C25'])
  expect(tickers('kxoil')).toEqual(['KXOIL-26DEC'])
  expect(tickers('december')).toHaveLength(2)
  expect(tickers('celtcs')).toEqual(['KXNBA-26'])
  expect(tickers('  ')).toEqual([])
  expect(ranking.find('december', 1)).toHaveLength(1)
})

it('finds nothing for a text longer than any name', () => {
  const ranking = createMarketRanking()
  ranking.add([{ ticker: 'KXA', title: 'Anything' }])
  expect(ranking.find('a'.repeat(3_000), 5)).toEqual([])
  expect(ranking.find('a '.repeat(1_500), 5)).toEqual([])
})

const NAMES = Array.from({ length: 400 }, (_, number) => ({
  ticker: `KX${(number % 37).toString(36).toUpperCase()}-26D${number % 11}`,
  title: `Will measure ${number % 53} be above ${number % 9} on day ${number % 7}?`,
}))

it.each(['above 3', 'measure 5 kx', 'day 3 above', 'kxa-26d', 'meazure 4', 'on on', 'zz9'])(
  'finds the same letter by letter as for “%s” at once',
  (text) => {
    const typed = createMarketRanking()
    typed.add(NAMES)
    for (let end = 1; end <= text.length; end += 1) {
      const requested = text.slice(0, end)
      const fresh = createMarketRanking()
      fresh.add(NAMES)
      expect(typed.find(requested, 6), requested).toEqual(fresh.find(requested, 6))
    }
    // And back again, as when letters are deleted.
    const fresh = createMarketRanking()
    fresh.add(NAMES)
    expect(typed.find(text.slice(0, 2), 6)).toEqual(fresh.find(text.slice(0, 2), 6))
  },
)

it('finds markets that were added after a search', () => {
  const ranking = createMarketRanking()
  ranking.add([{ ticker: 'KXFED', title: 'Fed cuts rates' }])
  expect(ranking.find('fed', 5)).toHaveLength(1)
  ranking.add([{ ticker: 'KXFEDUP', title: 'Fed raises rates' }])
  expect(ranking.find('fed r', 5)).toHaveLength(2)
})

it('prefers exact matches to similar ones', () => {
  const ranking = createMarketRanking()
  ranking.add([
    { ticker: 'KXA', title: 'Senate vaote' },
    { ticker: 'KXB', title: 'Senate vote' },
  ])
  expect(ranking.find('vote', 5).map(({ ticker }) => ticker)).toEqual(['KXB', 'KXA'])
})
