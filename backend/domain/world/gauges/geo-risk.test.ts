import fc from '../../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { worldMarket } from '../../../testing/world-markets.ts'
import type { Cents } from '../../units.ts'
import { wordsOf } from '../../text/tokens.ts'
import { chooseBasket, riskContract, type Theatre } from './geo-basket.ts'
import { activeTheatres, geoRiskOf, type MemberReading } from './geo-risk.ts'
import { riskSign } from '../risk-labels.ts'

const theatre = (d: number, vol: number, level: number, base: number) => ({ d, vol, level, base })
const member = (
  mark: number | null,
  markDayAgo: number | null,
  fields: Partial<MemberReading> = {},
): MemberReading => ({
  theatre: 'iran_gulf',
  sign: 1,
  mark: mark as Cents | null,
  markDayAgo: markDayAgo as Cents | null,
  squaredMoves24h: 24,
  ...fields,
})
const NO_LEVELS: ReadonlyMap<Theatre, readonly number[]> = new Map()

describe('geoRisk', () => {
  it('B2: three theatres give delta 23.3, vol 20, level 13.3 and 20 in total', () => {
    const theatres = [theatre(6, 1.2, 30, 22), theatre(-3, 0.4, 12, 12), theatre(1, 0.8, 40, 41)]
    expect(geoRiskOf(theatres)).toEqual({ value: 20, delta: 23.3, vol: 20, level: 13.3, active: 3 })
  })

  it('B2: no active theatre is 0', () => {
    expect(geoRiskOf([])).toEqual({ value: 0, delta: 0, vol: 0, level: 0, active: 0 })
  })

  it('stays between 0 and 100 and does not depend on the order of theatres', () => {
    const number = fc.double({ min: -500, max: 500, noNaN: true })
    fc.assert(
      fc.property(fc.array(fc.tuple(number, number, number, number), { maxLength: 8 }), (rows) => {
        const theatres = rows.map((row) => theatre(...row))
        const read = geoRiskOf(theatres)
        expect(read.value).toBeGreaterThanOrEqual(0)
        expect(read.value).toBeLessThanOrEqual(100)
        expect(geoRiskOf(theatres.toReversed()).value).toBe(read.value)
      }),
    )
  })
})

describe('theatres', () => {
  it('reverses the sign of peace contracts before averaging', () => {
    const members = [member(36, 30), member(64, 70, { sign: -1, squaredMoves24h: null })]
    expect(activeTheatres(members, NO_LEVELS)).toEqual([
      { theatre: 'iran_gulf', d: 6, vol: 1, level: 36, base: 36 },
    ])
  })

  it('needs two fresh members and one that moved by a cent', () => {
    expect(activeTheatres([member(36, 30)], NO_LEVELS)).toEqual([])
    expect(activeTheatres([member(36, 30), member(null, 30)], NO_LEVELS)).toEqual([])
    expect(activeTheatres([member(30.9, 30), member(40, 40)], NO_LEVELS)).toEqual([])
    expect(activeTheatres([member(31, 30), member(40, null)], NO_LEVELS)).toHaveLength(1)
  })

  it('uses the median of at least seven days as base, otherwise the level', () => {
    const members = [member(36, 30), member(36, 36)]
    const base = (days: number[]) =>
      activeTheatres(members, new Map([['iran_gulf', days]]))[0]?.base
    expect(base([10, 10, 10, 10, 10, 10])).toBe(36)
    expect(base([10, 11, 12, 13, 14, 15, 16])).toBe(13)
  })
})

describe('risk contracts', () => {
  const of = (title: string, fields: Parameters<typeof worldMarket>[0] = {}) =>
    riskContract(worldMarket({ title, ...fields }))

  it.each([
    ['US strikes Iran by February 5?', 'iran_gulf', 1],
    ['Will the US invade Iran before 2027?', 'iran_gulf', 1],
    ['Will the Iranian regime fall by June 30?', 'iran_gulf', 1],
    ['Iran x Israel conflict ends before July?', 'iran_gulf', -1],
    ['Will the US agree to a new Iranian nuclear deal before April?', 'iran_gulf', -1],
    ['Russia x Ukraine ceasefire in 2026?', 'ukraine_russia', -1],
    ['Ukraine ceasefire broken by March?', 'ukraine_russia', 1],
    ['No ceasefire in Gaza by May?', 'israel_levant', 1],
    ['Will China invade Taiwan in 2026?', 'china_taiwan', 1],
    ['North Korea nuclear test this year?', 'korea', 1],
    ['US military action against Venezuela?', 'venezuela_latam', 1],
    ['India strike on Pakistan by June?', 'south_asia', 1],
    ['Attack on Poland triggers NATO article 5?', 'nato_europe', 1],
  ])('%s is %s, %i', (title, theatreOfIt, sign) => {
    expect(of(title)).toEqual({ theatre: theatreOfIt, sign })
  })

  it('leaves out markets without direction, sports and mentions', () => {
    expect(of('Will JD Vance visit Iran before July?')).toBeNull()
    expect(of('Will Trump say "nuclear" about Iran?')).toBeNull()
    expect(of('Ukraine strike first goal?', { category: 'sports' })).toBeNull()
    expect(of('Will the labor strike end?')).toBeNull()
  })

  it('gives the table precedence over words', () => {
    expect(of('Ali Khamenei out?', { seriesId: 'KXKHAMENEIOUT' })?.sign).toBe(1)
    const table = new Map([['KXMINE', { theatre: 'korea', sign: -1 } as const]])
    const market = worldMarket({ title: 'US strikes Iran?', seriesId: 'KXMINE' })
    expect(riskContract(market, table)).toEqual({ theatre: 'korea', sign: -1 })
    expect(riskContract(market, new Map([['KXMINE', null]]))).toBeNull()
  })

  it('uses the event’s title when the market’s has no sign', () => {
    expect(of('Iran, before July', { eventTitle: 'US strikes Iran by...?' })?.sign).toBe(1)
  })

  it('handles any words', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-composite' }), (text) => {
        expect([1, -1, null]).toContain(riskSign(wordsOf(text)))
      }),
    )
  })
})

describe('basket', () => {
  it('takes the eight most traded of a theatre that close in a day or later', () => {
    const markets = Array.from({ length: 12 }, (_, i) =>
      worldMarket({ ticker: `KX${i}`, title: 'US strikes Iran?', volume24hUsd: i * 100 }),
    )
    const soon = worldMarket({ ticker: 'SOON', title: 'US strikes Iran?', tau: 0.5 })
    const ended = worldMarket({ ticker: 'ENDED', title: 'US strikes Iran?', tau: null })
    const basket = chooseBasket([...markets, soon, ended])
    expect(basket.map(({ ticker }) => ticker)).toEqual([
      'KX11',
      'KX10',
      'KX9',
      'KX8',
      'KX7',
      'KX6',
      'KX5',
      'KX4',
    ])
    expect(chooseBasket([...markets, soon, ended].toReversed())).toEqual(basket)
  })
})
