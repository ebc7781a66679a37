import { describe, expect, it } from 'vitest'
import { claimProblem, headingsOf, statementOf, titleOf } from './claim.ts'
import { horizonOf } from './horizon.ts'

const codeOf = (text: unknown) => {
  const fault = claimProblem(text)
  return fault === null ? 'claim' : `${fault.code} ${fault.reason}`
}

describe('what is a claim', () => {
  it.each([
    [undefined, 'VALIDATION_ERROR missing'],
    [42, 'VALIDATION_ERROR missing'],
    ['Fed cuts in June', 'THESIS_TOO_SHORT too_short'],
    ['   The   Fed  cuts   ', 'THESIS_TOO_SHORT too_short'],
    ['x'.repeat(4_001), 'VALIDATION_ERROR too_long'],
    ['KXFED-27JUN-T3.50 KXFED-27JUL', 'THESIS_NOT_A_CLAIM ticker'],
    ['$NVDA 150 2026-12-31 $TSLA above', 'THESIS_NOT_A_CLAIM ticker'],
    ['https://example.com/markets/fed-june will', 'THESIS_NOT_A_CLAIM ticker'],
    ['Buy the Fed market now please', 'THESIS_NOT_A_CLAIM action'],
    ['Buy the June rate cut contracts at 40', 'THESIS_NOT_A_CLAIM action'],
    ['I want to bet on the Fed cutting rates', 'THESIS_NOT_A_CLAIM action'],
    ["Let's watch what happens to the Fed in June", 'THESIS_NOT_A_CLAIM action'],
    ['We will hold the position until it is over', 'THESIS_NOT_A_CLAIM action'],
    ['Take profit on the election contracts by May', 'THESIS_NOT_A_CLAIM action'],
    ['Because the labour market is very weak', 'THESIS_NOT_A_CLAIM rationale'],
    ['Due to the weak state of the labour market', 'THESIS_NOT_A_CLAIM rationale'],
    ['What is the chance of a rate cut in June?', 'THESIS_NOT_A_CLAIM question'],
    ['Is the Fed going to cut the rates by June?', 'THESIS_NOT_A_CLAIM question'],
    ['The chair of the Fed is a good economist', 'THESIS_NOT_A_CLAIM unverifiable'],
    ['The best market on the venue is this one', 'THESIS_NOT_A_CLAIM unverifiable'],
    ['Inflation in the euro area and its causes', 'THESIS_NOT_A_CLAIM unverifiable'],
  ])('refuses %s', (text, code) => expect(codeOf(text)).toBe(code))

  it.each([
    'The Fed will cut rates before July 2027',
    'Will the Fed cut rates before July 2027?',
    'Bitcoin trades above $150,000 by the end of the year',
    'Short sellers will lose more than $5bn on it in 2027',
    'Because inflation falls, the Fed will cut in June',
    'Spain to win the World Cup, and France loses the final',
    'A ceasefire in Gaza holds until at least March 2027',
    'US unemployment is at least 5% in the May 2027 report',
    'As of March the deal is dead, so the bid will fail',
    'Track and field stars will boycott the 2028 games',
    '美联储将在2027年6月之前降息两次并且失业率上升到百分之五',
    'Die Zentralbank senkt die Zinsen noch vor dem Sommer 2027',
  ])('accepts %s', (text) => expect(codeOf(text)).toBe('claim'))
})

describe('a claim', () => {
  it.each([
    ['Will the Fed cut rates in June?', 'The Fed will cut rates in June'],
    ['Will they agree because demand will rise?', 'They will agree because demand will rise'],
    ['Will they dance because demand will rise?', 'Will they dance because demand will rise?'],
    ['The  Fed will cut.', 'The Fed will cut.'],
    [
      'Will the US blockade of Cuba end by March 31?',
      'The US blockade of Cuba will end by March 31',
    ],
    [
      'Will the tax return deadline be extended in 2027?',
      'The tax return deadline will be extended in 2027',
    ],
    [
      'Will Trump pardon anyone who would be charged?',
      'Will Trump pardon anyone who would be charged?',
    ],
    [
      'Will Trump and Putin speak about Ukraine by May?',
      'Trump and Putin will speak about Ukraine by May',
    ],
  ])('is stated: %s', (text, statement) => expect(statementOf(text)).toBe(statement))

  it('is the heading of its page when the title is its start', () => {
    const claim = 'Trump and Putin will speak by May because talks continue'
    const start = 'Trump and Putin will speak'
    expect(headingsOf(start, claim)).toEqual({ heading: claim, claim: null })
    expect(headingsOf('Talks', claim)).toEqual({ heading: 'Talks', claim })
    const long = `${claim} ${'and talks continue '.repeat(10)}`
    expect(headingsOf(start, long)).toEqual({ heading: start, claim: long })
  })

  it('has a title that ends with a word', () => {
    expect(titleOf('short  claim')).toBe('short claim')
    const title = titleOf('word '.repeat(40))
    expect(title).toBe('word '.repeat(16).trim())
    expect(titleOf(`${'word '.repeat(15)}end, because of much else`)).toBe(
      `${'word '.repeat(15)}end`,
    )
  })

  it.each([
    ['by 2027-03-05', '2027-03-05'],
    ['on March 5th, 2027', '2027-03-05'],
    ['on the 5 March 2027', '2027-03-05'],
    ['by June 2027', '2027-06-30'],
    ['before June 2027', '2027-05-31'],
    ['before 2028', '2027-12-31'],
    ['in Q2 2027', '2027-06-30'],
    ['between 2026 and March 2027', '2027-03-31'],
    ['on February 30, 2027', '2027-12-31'],
    ['by 2026-13-01', '2026-12-31'],
    ['by 2026-00-10', '2026-12-31'],
    ['one of these days', null],
  ])('ends where its last date is: %s', (text, horizon) => expect(horizonOf(text)).toBe(horizon))
})
