import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import type { Millis } from '../../domain/units.ts'
import { payloadsOf, POLLED } from '../../testing/venue-payloads.ts'
import type { VenueEvent } from '../connector.ts'
import { parseCandlesticks, parseOrderbook, parseTradesPage } from './parse-tape.ts'
import { parseEventsPage, parseMarketsPage } from './parse.ts'

const DAY = 86_400_000 as Millis
const fixture = payloadsOf('venue-a')

describe('venue_a parsers on hostile input', () => {
  it('never throw and keep every price on the scale', () => {
    const seeds = ['events', 'markets-settled', 'trades', 'orderbook', 'candlesticks'].map(fixture)
    const mutated = fc.tuple(
      fc.constantFrom(...seeds),
      fc.array(fc.tuple(fc.nat(), fc.jsonValue()), { maxLength: 12 }),
    )
    fc.assert(
      fc.property(mutated, ([seed, changes]) => {
        const body = mutate(seed, changes)
        for (const parsed of [
          parseMarketsPage(body, POLLED),
          parseEventsPage(body, POLLED),
          parseTradesPage(body, POLLED),
          parseOrderbook(body, POLLED, 'A'),
          parseCandlesticks(body, POLLED, DAY, 'A'),
        ]) {
          for (const event of parsed.events) expectSane(event)
        }
      }),
      { numRuns: 300 },
    )
  })
})

/** Replaces the n-th values met on a walk through the payload. */
function mutate(seed: unknown, changes: readonly (readonly [number, unknown])[]): unknown {
  const text = JSON.stringify(seed)
  const count = text.split(/[:,]/).length
  const chosen = new Map(changes.map(([at, value]) => [at % count, value]))
  let position = 0
  const walk = (value: unknown): unknown => {
    position += 1
    if (chosen.has(position)) return chosen.get(position)
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]))
  }
  return walk(seed)
}

function expectSane(event: VenueEvent): void {
  expect(event.receivedAt).toBeGreaterThanOrEqual(event.at)
  const prices =
    event.type === 'trade_printed'
      ? [event.price]
      : event.type === 'quote_changed'
        ? [event.bid, event.ask]
        : event.type === 'book_changed'
          ? [...event.bids, ...event.asks].map(({ price }) => price)
          : []
  for (const price of prices) {
    if (price === null) continue
    expect(Number.isInteger(price) && price >= 0 && price <= 10_000).toBe(true)
  }
}
