import { describe, expect, it } from 'vitest'
import {
  byVenue,
  descriptorOf,
  VENUE_TABLE,
  venueLetter,
  venueName,
  venueOf,
  VENUES,
} from './venue.ts'
import type { Venue } from './venue.ts'

describe('venueOf', () => {
  it.each([
    ['venue_a', 'venue_a'],
    ['VENUE_B', 'venue_b'],
    ['Kalshi', 'venue_a'],
    ['polymarket', 'venue_b'],
    [' POLYMARKET ', 'venue_b'],
    ['k', 'venue_a'],
    ['P', 'venue_b'],
    ['a', null],
    ['venue_c', null],
    ['', null],
    ['constructor', null],
  ])('reads %j as %s', (text, venue) => {
    expect(venueOf(text)).toBe(venue)
  })
})

describe('names and letters', () => {
  it('match the exchanges', () => {
    expect(VENUES.map(venueName)).toEqual(['Kalshi', 'Polymarket'])
    expect(VENUES.map(venueLetter)).toEqual(['K', 'P'])
  })

  it('do not mistake an unknown venue for a known one', () => {
    expect(venueName('venue_x')).toBe('venue_x')
    expect(venueLetter('venue_x')).toBe('?')
    expect(() => descriptorOf('venue_x' as Venue)).toThrow('unknown venue venue_x')
  })
})

it('names each venue uniquely, so that every name leads back to its row', () => {
  for (const { id, name, letter } of VENUE_TABLE) {
    for (const text of [id, name, letter]) expect(venueOf(text)).toBe(id)
  }
})

it('creates a value for each venue', () => {
  expect(byVenue(venueName)).toEqual({ venue_a: 'Kalshi', venue_b: 'Polymarket' })
})
