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
