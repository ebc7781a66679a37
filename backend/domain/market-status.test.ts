import { describe, expect, it } from 'vitest'
import { isLive, statusAt } from './market-status.ts'
import type { MarketStatus, Venue } from './market.ts'
import type { Millis } from './units.ts'

const market = (
  venue: Venue,
  status: MarketStatus,
  openTime: number | null = 10,
  closeTime: number | null = 20,
) => ({
  venue,
  status,
  openTime: openTime as Millis | null,
  closeTime: closeTime as Millis | null,
})
const t = (at: number) => at as Millis

describe('status at an instant', () => {
  it.each([
    ['venue_a', 'upcoming', 9, 'upcoming'],
    ['venue_a', 'upcoming', 10, 'active'],
    ['venue_a', 'upcoming', 20, 'closed'],
    ['venue_a', 'active', 19, 'active'],
    ['venue_a', 'active', 20, 'closed'],
    ['venue_a', 'paused', 19, 'paused'],
    ['venue_a', 'paused', 20, 'closed'],
    ['venue_a', 'closed', 15, 'closed'],
    ['venue_a', 'resolving', 30, 'resolving'],
    ['venue_a', 'settled', 15, 'settled'],
    ['venue_b', 'upcoming', 15, 'upcoming'],
    ['venue_b', 'active', 30, 'active'],
    ['venue_b', 'paused', 30, 'paused'],
  ] as const)('%s %s at %s is %s', (venue, status, at, expected) => {
    expect(statusAt(market(venue, status), t(at))).toBe(expected)
  })

  it('stays as stated without a timetable', () => {
    expect(statusAt(market('venue_a', 'upcoming', null, null), t(50))).toBe('upcoming')
    expect(statusAt(market('venue_a', 'active', null, null), t(50))).toBe('active')
  })
})

it('is live while active and before the close', () => {
  expect(isLive(market('venue_a', 'active'), t(19))).toBe(true)
  expect(isLive(market('venue_a', 'active'), t(20))).toBe(false)
  expect(isLive(market('venue_b', 'active'), t(20))).toBe(false)
  expect(isLive(market('venue_b', 'active', 10, null), t(20))).toBe(true)
  expect(isLive(market('venue_a', 'paused'), t(15))).toBe(false)
})
