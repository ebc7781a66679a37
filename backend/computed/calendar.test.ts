import { expect, it } from 'vitest'
import { HOUR, type Millis } from '../domain/units.ts'
import { marketView, NOON } from '../testing/builders.ts'
import { calendarOf } from './calendar.ts'

const closing = (ticker: string, venue: 'venue_a' | 'venue_b', hours: number, usd: number) =>
  marketView({
    volume24hUsd: usd,
    facts: {
      ticker,
      venue,
      eventId: `${venue}-event`,
      eventTitle: `Decision on ${venue}`,
      closeTime: (NOON + hours * HOUR) as Millis,
    },
  })
const twins = (confidence: number) => [{ a: 'KXA', b: '0xb', confidence }]
const listed = (hoursThere: number, confidence: number) =>
  calendarOf(
    [closing('KXA', 'venue_a', 30, 10), closing('0xb', 'venue_b', hoursThere, 90)],
    NOON,
    null,
    twins(confidence),
  ).map(({ tickers, source }) => [source, ...tickers])

it('lists an event of both venues once, with the more traded market first', () => {
  expect(listed(31, 0.99)).toEqual([['venue_b', '0xb', 'KXA']])
})

it('lists them apart when they are decided on other days or ask something else', () => {
  expect(listed(30 + 24, 0.99)).toEqual([
    ['venue_a', 'KXA'],
    ['venue_b', '0xb'],
  ])
  expect(listed(31, 0.74)).toHaveLength(2)
})

it('lists an unpaired event of both venues once when its titles name the same at one instant', () => {
  const titled = (ticker: string, venue: 'venue_a' | 'venue_b', eventTitle: string, hours = 30) => {
    const view = closing(ticker, venue, hours, 10)
    return { ...view, facts: { ...view.facts, eventId: ticker, eventTitle } }
  }
  const count = (...views: Parameters<typeof calendarOf>[0]): number =>
    calendarOf(views, NOON).length
  const game = titled('KXGAME', 'venue_a', 'Nuggets at Lakers Winner?')
  expect(count(game, titled('0xgame', 'venue_b', 'Nuggets vs. Lakers'))).toBe(1)
  expect(count(game, titled('0xgame', 'venue_b', 'Nuggets vs. Lakers', 31))).toBe(2)
  expect(count(game, titled('0xgame', 'venue_b', 'Nuggets vs. Suns'))).toBe(2)
  expect(count(game, titled('KXOTHER', 'venue_a', 'Nuggets vs. Lakers'))).toBe(2)
  const election = 'Ukraine hold a presidential election'
  const until = titled('0xua', 'venue_b', `Will ${election} by Nov 27, 2026?`)
  expect(count(titled('KXUA', 'venue_a', `When will ${election}?`), until)).toBe(1)
})
