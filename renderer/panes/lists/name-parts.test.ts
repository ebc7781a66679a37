import { expect, it } from 'vitest'
import { nameParts, outcomeIn } from './name-parts.ts'

it.each([
  ['Brent on Friday: Above $80', 'Above $80', 'Brent on Friday', 'Above $80'],
  ['Who wins the nomination?', 'Josh Shapiro', 'Who wins the nomination?', 'Josh Shapiro'],
  ['Will Josh Shapiro win?', 'Josh Shapiro', 'Will Josh Shapiro win?', null],
  ['Iran deal?', null, 'Iran deal?', null],
  ['Arsenal', 'Arsenal', 'Arsenal', null],
  ['Arsenal', '  ', 'Arsenal', null],
  ['Will the decision be: Hike 0bps?', 'Hike 0bps', 'Will the decision be', 'Hike 0bps'],
  ['Will they meet? - Will they meet', 'Will they meet?', 'Will they meet?', null],
  [
    'Will US and Iran hold talks? - Will US and Iran hold direct talks?',
    'Will US and Iran hold direct talks?',
    'Will US and Iran hold direct talks?',
    null,
  ],
  ['Core CPI in 2026? - Above 3.1%', 'Above 3.1%', 'Core CPI in 2026?', 'Above 3.1%'],
])('splits “%s” by “%s”', (title, subtitle, event, outcome) => {
  expect(nameParts(title, subtitle)).toEqual({ event, outcome })
})

it('names a bare outcome by its event', () => {
  expect(nameParts('Arsenal', 'Arsenal', 'Who wins the league?')).toEqual({
    event: 'Who wins the league?',
    outcome: 'Arsenal',
  })
  expect(nameParts('Which film: Dune? (January)', 'Dune', 'Which film wins? (January)')).toEqual({
    event: 'Which film wins? (January)',
    outcome: 'Dune',
  })
  const leaves = 'Will a member of the cabinet leave?'
  expect(nameParts(leaves, leaves, 'Will a member of the cabinet leave this year?')).toEqual({
    event: leaves,
    outcome: null,
  })
  expect(nameParts('Iran deal?', null, 'Iran')).toEqual({ event: 'Iran deal?', outcome: null })
})

it.each([
  [
    'Which film is the favourite for Best Picture: Dune: Part Three? (January 2027)',
    'Which film is the favourite for Best Picture? (January 2027)',
    'Dune: Part Three',
  ],
  [
    'Who leads the standings in December: Ravens?',
    'Who leads the standings in December?',
    'Ravens',
  ],
  ['Will the Fed cut rates?', 'Fed', null],
])('names the outcome of “%s” by what its event lacks', (title, event, outcome) => {
  expect(nameParts(title, null, event).outcome).toBe(outcome)
  if (outcome !== null) expect(nameParts(title, null, event).event).toBe(event)
})

it.each([
  ['Fed decision in January 2027? - Hike 25bps', 'Fed decision in January 2027?', 'Hike 25bps'],
  [
    'Who leads the Pro Football standings: Bengals? (January 2027)',
    'Who leads the Pro Football standings? (January 2027)',
    'Bengals',
  ],
  ['Formula 1: will Verstappen win?', 'Formula 1: will Verstappen win?', null],
])('finds the outcome of “%s” without its event', (title, event, outcome) => {
  expect(nameParts(title, null)).toEqual({ event, outcome })
})

it.each([
  // The common part ends within a word, at either end of the outcome.
  ['Who leads the league: Benfica?', 'Who leads the league: Bayern?', 'Benfica'],
  [
    'Who wins the election in Ohio for governor?',
    'Who wins the election in Idaho for governor?',
    'Ohio',
  ],
  // Too little in common, no letters in what differs, or the same.
  ['Who leads: Benfica?', 'Who leads: Bayern?', null],
  ['Will inflation exceed 3% in January?', 'Will inflation exceed 4% in January?', null],
  ['Who leads the league this year?', 'Who leads the league this year?', null],
])('“%s” differs from its event by whole words', (title, event, outcome) => {
  expect(nameParts(title, null, event)).toEqual(
    outcome === null ? nameParts(title, null) : { event, outcome },
  )
})

it('keeps its title where the outcome is no part of it, whatever its event is', () => {
  const title = 'Who wins the nomination?'
  expect(nameParts(title, 'Josh Shapiro', 'An election')).toEqual({
    event: title,
    outcome: 'Josh Shapiro',
  })
})

it('keeps the level or the date at the end of a title', () => {
  expect(nameParts('Will Crude oil (CL) be above $66.00 at the end of June 30?', null)).toEqual({
    event: 'Will Crude oil (CL) be above $66.00 at the end',
    outcome: 'of June 30?',
  })
  expect(nameParts('Will Trump and Putin speak by December 10?', null).outcome).toBe(
    'by December 10?',
  )
  const dated = 'Will Trump and Putin speak about Ukraine by December 10, 2026?'
  const event = 'Will Trump and Putin speak about Ukraine by December 10?'
  expect(nameParts(dated, null, event).outcome).toBe('by December 10, 2026?')
  expect(nameParts('Rain by May 1?', null).outcome).toBeNull()
})

it.each([
  ['Fed funds rate after March? - Above 3% - 4%', '4%'],
  ['Who wins Best Picture? - Dune', 'Dune'],
  ['Iran deal?', null],
  ['A week-end deal', null],
  ['- Dune', null],
  ['Who wins? - ', null],
])('finds the outcome at the end of “%s”', (title, outcome) => {
  expect(outcomeIn(title)).toBe(outcome)
})
