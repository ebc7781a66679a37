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

it('finds nothing for a text that no market can be named by', () => {
  const ranking = createMarketRanking()
  ranking.add([{ ticker: 'KXA', title: 'Anything' }])
  expect(ranking.find('a'.repeat(3_000), 5)).toEqual([])
  expect(ranking.find('a '.repeat(1_500), 5)).toEqual([])
})
