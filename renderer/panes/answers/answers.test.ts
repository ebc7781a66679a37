import { describe, expect, it } from 'vitest'
import type { QueryAnswer, QueryMarket } from '../../../backend/contract/query.ts'
import { citedFirst } from './answer-markets.ts'
import { dueText } from './calendar-labels.ts'

const market = (ticker: string) => ({ ticker, title: ticker }) as QueryMarket

describe('markets of an answer', () => {
  const answer = {
    answer: 'Cut at 22¢ (KXCUT), hold at 70¢ (KXHOLD).',
    keyFactors: ['0xab moved'],
    venue_a: [market('KXHOLD'), market('KXFAR'), market('KXCUT')],
    venue_b: [market('0xcd'), market('0xAB')],
  } as unknown as QueryAnswer

  it('are in the order of the text, the rest one source after another', () => {
    expect(citedFirst(answer).map(({ ticker }) => ticker)).toEqual([
      'KXCUT',
      'KXHOLD',
      '0xcd',
      'KXFAR',
      '0xAB',
    ])
  })

  it('cited at the start of the text are first', () => {
    const cited = { ...answer, answer: 'KXFAR at 3¢, KXCUT at 22¢' }
    expect(citedFirst(cited).map(({ ticker }) => ticker)).toEqual([
      'KXFAR',
      'KXCUT',
      'KXHOLD',
      '0xcd',
      '0xAB',
    ])
  })

  it('are empty when no source had any', () => {
    expect(citedFirst({ query: 'x', keyFactors: [] } as unknown as QueryAnswer)).toEqual([])
  })
})

describe('due dates', () => {
  const now = Date.parse('2026-11-20T10:00:00Z')
  const row = { at: '2026-11-21T00:00:00.000Z', date: '2026-11-21', timeKnown: false }

  it('show only the day while the hour is unknown, the same in every zone', () => {
    expect(dueText(row, now, { timeZone: 'America/Los_Angeles' })).toBe('21 Nov')
  })

  it('show local time when the hour is known', () => {
    const known = { ...row, at: '2026-11-21T13:30:00.000Z', timeKnown: true }
    expect(dueText(known, now, { timeZone: 'America/New_York' })).toBe('21 Nov 08:30')
  })
})
