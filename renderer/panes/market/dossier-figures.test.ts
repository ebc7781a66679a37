import { expect, it } from 'vitest'
import type { Indicators } from '../../../backend/contract/market.ts'
import type { Figure } from '../parts/figure.ts'
import { dossierFigures, marketFigures } from './dossier-figures.ts'

const textsOf = (figures: readonly Figure[]) =>
  Object.fromEntries(figures.map(({ name, value }) => [name, value]))

it('indicators of a market have their units', () => {
  const known = { iyYes: 12.5, iyNo: -3, cri: 2.5, las: 0.045, overround: -2, rv: 80, vr: 1.5 }
  const figures = marketFigures(known as Indicators)
  expect(textsOf(figures)).toEqual({
    'Yield YES': '12.5%',
    'Yield NO': '−3%',
    'Cliff ratio': '2.5',
    'Relative spread': '4.5%',
    Overround: '−2.0¢',
    'Realised vol': '80%',
    'Volume surprise': '1.5σ',
  })
  expect(figures[0]?.help).toBe('Annual yield, held to settlement')
  expect(figures.every(({ term }) => term !== undefined)).toBe(true)
})

it('indicators that are unknown are a dash with the reason', () => {
  const figures = marketFigures({} as Indicators)
  expect(new Set(figures.map(({ value }) => value))).toEqual(new Set(['–']))
  expect(new Set(figures.map(({ help }) => help))).toEqual(
    new Set(['Not computed: too little history or no book']),
  )
})

it('indicators of a dossier have their units, and a dash for unknown ones', () => {
  const indicators = { adjIy: 4.5, ee: -13, cvr: 1.25, iar: 0, residualVr: 2, expectedVr: null }
  expect(textsOf(dossierFigures({ indicators } as never))).toEqual({
    'Adjusted yield': '4.5%',
    'Expected edge': '−13.0¢',
    'Venue ratio': '1.25',
    'Changes per hour': '0',
    'Unexplained surprise': '2σ',
    'Expected surprise': '–',
    'Days to event': '–',
  })
})
