import { describe, expect, it } from 'vitest'
import { electionDayOf, raceDay } from './election.ts'
import { readRules } from './rules.ts'
import { isSpellingOf, plainWording } from './wording.ts'

const iso = (time: number | null): string | null =>
  time === null ? null : new Date(time).toISOString().slice(0, 10)

describe('the wording of a title', () => {
  it.each([
    ['Will J. D. Vance visit Iran?', 'Will JD Vance visit Iran?'],
    ['Will Lorie K. Logan be nominated?', 'Will Lorie Logan be nominated?'],
    ['Will Oklahoma St. win?', 'Will OklahomaState win?'],
    ['Will St. Louis win?', 'Will St. Louis win?'],
    ['Will West Virginia beat Virginia Tech?', 'Will WestVirginia beat VirginiaTech?'],
    ['Will the Democratic Republic of Congo win?', 'Will the Democratic Republic of Congo win?'],
    ['Elon Musk Net Worth Above $700 B', 'Elon Musk Net Worth Above $700B'],
    ['Will the Fed Hike rates by 0bps?', 'Will the Fed leave rates unchanged?'],
  ])('of "%s" is "%s"', (title, plain) => expect(plainWording(title)).toBe(plain))

  it.each([
    ['ahmad', 'ahmed', true],
    ['cori', 'corei', true],
    ['muhamad', 'muhammad', true],
    ['maria', 'mario', false],
    ['iran', 'iraq', false],
    ['jalen', 'jaylin', false],
    ['jon', 'jan', false],
  ])('%s and %s spell one name: %s', (a, b, same) => {
    expect(isSpellingOf(a, b)).toBe(same)
    expect(isSpellingOf(b, a)).toBe(same)
  })
})

describe('the day that decides', () => {
  it('of elections is the Tuesday after the first Monday of November', () => {
    expect([2022, 2024, 2026, 2028, 2030].map((year) => iso(electionDayOf(year)))).toEqual([
      '2022-11-08',
      '2024-11-05',
      '2026-11-03',
      '2028-11-07',
      '2030-11-05',
    ])
  })

  it('of a race is the last election before the close, or that of the named year', () => {
    const close = Date.parse('2027-11-03T15:00:00Z') as Parameters<typeof raceDay>[3]
    expect(iso(raceDay('maine', ['senate'], [], close))).toBe('2026-11-03')
    expect(iso(raceDay('maine', ['president'], [], close))).toBe('2024-11-05')
    expect(iso(raceDay('kentucky', ['governor'], [], close))).toBe('2027-11-02')
    expect(iso(raceDay('maine', ['senate'], [2028], close))).toBe('2028-11-07')
    expect(raceDay('maine', ['senate'], [2027], close)).toBeNull()
    expect(raceDay('maine', ['senate'], [], null)).toBeNull()
  })

  it.each([
    ['If he leaves before Jan 1, 2027, then the market resolves to Yes.', '2026-12-31'],
    ['Resolves to Yes if it happens by June 30, 2028, 11:59 PM ET.', '2028-06-30'],
    ['Elections are scheduled to be held in Israel on October 27, 2026.', '2026-10-27'],
    ['sworn in as a Senator of Kansas for the term beginning in 2027', '2026-11-03'],
    ['Resolves to Yes if she wins the 2028 presidential election.', '2028-11-07'],
    ['On July 13, 2026, the blockade was announced.', null],
    ['', null],
  ])('by the rules "%s" is %s', (rules, day) => {
    expect(iso(readRules(rules).decisionDay)).toBe(day)
  })
})
