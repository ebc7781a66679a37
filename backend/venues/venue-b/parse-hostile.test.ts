import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import type { Millis } from '../../domain/units.ts'
import { payloadsOf, POLLED } from '../../testing/venue-payloads.ts'
import { parseClobBooks, parseDataTradesPage, parsePricesHistory } from './parse-tape.ts'
import { parseGammaEventsPage, parseGammaMarketsPage } from './parse.ts'
import { parseClobWinner, parseResolutions } from './resolution.ts'

const CONDITION = `0x${'ab'.repeat(32)}`
const HOUR = 3_600_000 as Millis
const fixture = payloadsOf('venue-b')

describe('venue_b parsers on hostile input', () => {
  it('never throw', () => {
    const seeds = ['events', 'market-closed', 'trades-v1', 'book'].map(fixture)
    const mutated = fc.tuple(
      fc.constantFrom(...seeds),
      fc.array(fc.tuple(fc.nat({ max: 400 }), fc.jsonValue()), { maxLength: 12 }),
    )
    fc.assert(
      fc.property(mutated, ([seed, changes]) => {
        const chosen = new Map(changes)
        let position = 0
        const walk = (value: unknown): unknown => {
          position += 1
          if (chosen.has(position)) return chosen.get(position)
          if (Array.isArray(value)) return value.map(walk)
          if (typeof value !== 'object' || value === null) return value
          return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]))
        }
        const body = walk(seed)
        for (const parsed of [
          parseGammaEventsPage(body, POLLED),
          parseGammaMarketsPage(body, POLLED),
          parseDataTradesPage(body, POLLED),
          parseClobBooks(body, POLLED),
          parsePricesHistory(body, POLLED, CONDITION, HOUR),
        ]) {
          for (const event of parsed.events)
            expect(event.receivedAt).toBeGreaterThanOrEqual(event.at)
        }
        parseResolutions(body)
        parseClobWinner(body)
      }),
      { numRuns: 300 },
    )
  })
})
