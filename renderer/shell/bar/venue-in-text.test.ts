import { expect, it } from 'vitest'
import { venueInText } from './venue-in-text.ts'

it.each([
  ['bitcoin Polymarket', 'bitcoin', 'venue_b'],
  ['kalshi fed cut', 'fed cut', 'venue_a'],
  ['fed cut', 'fed cut', null],
  ['kalshi', 'kalshi', null],
])('“%s” is “%s” at %s', (text, searchText, venue) => {
  expect(venueInText(text)).toEqual({ text: searchText, venue })
})
