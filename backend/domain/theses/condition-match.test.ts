import { expect, it } from 'vitest'
import { marketReading } from '../finder/reading.ts'
import type { Millis } from '../units.ts'
import {
  addsNumber,
  asksMore,
  asksOtherRank,
  countsInWords,
  hasOtherDeadline,
  oppositeOf,
  wordingsOf,
} from './condition-match.ts'

const market = (title: string, close = '2026-12-31', subtitle: string | null = null) =>
  marketReading({
    title,
    subtitle,
    eventTitle: null,
    closeTime: Date.parse(`${close}T23:00:00Z`) as Millis,
    expirationTime: null,
    tags: [],
  })

it.each([
  ['Putin will be out by the end of 2026', market('Putin out before 2027?'), false],
  ['Putin will be out by the end of 2026', market('Putin out by June 30, 2026?'), true],
  ['Putin will be out', market('Putin out by June 30, 2026?'), false],
  ['Putin will be out before 2027', market('Putin out?', '2029-01-01'), true],
  ['Putin will be out before 2027', market('Putin out?', '2027-01-01'), false],
  ['Xi will stay in power through 2026', market('Xi out by June 30?', '2026-06-30'), true],
  ['Xi will stay in power through 2026', market('Xi out before 2027?'), false],
  ['It ends by June 23, 2026', market('Will it end by June 30, 2026?'), false],
  ['It ends by June 22, 2026', market('Will it end by June 30, 2026?'), true],
  ['It ends by July 8, 2026', market('Will it end by June 30, 2026?'), true],
  ['It ends before 2027', market('Will it end?', '2027-02-28'), false],
  ['It ends before 2027', market('Will it end?', '2027-03-02'), true],
  ['It ends before 2027', market('Will it end by June 30?', '2026-06-30', 'June 30'), true],
])('%s: compares deadlines', (label, reading, isOther) =>
  expect(hasOtherDeadline(label, reading)).toBe(isOther),
)

it('finds a number that a condition leaves open', () => {
  expect(addsNumber('OpenAI will IPO', market('OpenAI $1T IPO before 2027?'))).toBe(true)
  expect(addsNumber('OpenAI will IPO', market('OpenAI IPO before 2027?'))).toBe(false)
  expect(addsNumber('Bitcoin will hit $100,000', market('Bitcoin above $90,000?'))).toBe(false)
})

it('leaves weak matches out that ask for more', () => {
  const asOf = Date.parse('2026-03-01T12:00:00Z') as Millis
  const asks = (title: string, match: number) =>
    asksMore('Trump will resign', { title, match, asOf })
  expect(asks('Will Kash Patel leave the Trump administration?', 0.6)).toBe(true)
  expect(asks('Will Trump (DJT) resign?', 0.6)).toBe(false)
  expect(asks('Will Kash Patel leave the Trump administration?', 0.7)).toBe(false)
})

it('words a condition without the office of a person, and its opposite', () => {
  expect(wordingsOf('Macron will be out as president of France by June')).toContain(
    'Macron will be out by June',
  )
  expect(wordingsOf('Gold falls')).toEqual(['Gold falls'])
  expect(oppositeOf('OpenAI will IPO')).toBe('OpenAI will IPO not')
  expect(oppositeOf('No human will land on Mars')).toBe('human will land on Mars')
  expect(oppositeOf('Neither Iran nor Israel will attack')).toBe('Iran and Israel will attack')
  expect(oppositeOf('Anyone but Mistral will lead')).toBe('Mistral will lead')
  expect(oppositeOf('Any company other than Mistral will lead')).toBe('Mistral will lead')
  expect(wordingsOf('Anyone but Mistral will lead')).toEqual([])
  expect(oppositeOf('OpenAI fails to release it')).toBe('OpenAI will release it')
  expect(wordingsOf('OpenAI will fail to release it')).toEqual(['OpenAI will not release it'])
  expect(oppositeOf('Harris loses the lead of the polls')).toBe('Harris will lead the polls')
  expect(oppositeOf('At most two cuts will happen')).toBeNull()
  expect(oppositeOf("OpenAI won't IPO, and will not merge")).toBe('OpenAI will IPO, and will merge')
})

it('compares ranks and counts in words', () => {
  const label = '2026 will be the hottest year on record'
  expect(asksOtherRank(label, 'Will 2026 be the third-hottest year on record?')).toBe(true)
  expect(asksOtherRank(label, 'Will 2026 be the hottest year on record?')).toBe(false)
  expect(asksOtherRank('It is the third test', 'Will it be the third test?')).toBe(false)
  expect(asksOtherRank('It ends by May', 'Will it end by May 5th?')).toBe(false)
  expect(countsInWords('At most two rate cuts will happen')).toBe(true)
  expect(countsInWords('Two rate cuts will happen')).toBe(false)
})
