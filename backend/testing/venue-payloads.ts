import { readFileSync } from 'node:fs'
import type { Millis } from '../domain/units.ts'
import type { VenueEvent } from '../venues/connector.ts'
import type { ParseContext, ParsedEvents } from '../venues/parsed.ts'

/** Time at which payloads are read. */
export const NOW = Date.parse('2026-08-01T00:00:00Z') as Millis
export const POLLED: ParseContext = { origin: 'polled', receivedAt: NOW }
export const IMPORTED: ParseContext = { origin: 'imported', receivedAt: NOW }

/** Reads stored payloads of a venue by their names. */
export const payloadsOf =
  (venue: 'venue-a' | 'venue-b') =>
  (name: string): unknown =>
    JSON.parse(
      readFileSync(new URL(`../venues/${venue}/fixtures/${name}.json`, import.meta.url), 'utf8'),
    )

/** Events of one type, in the order in which they were read. */
export const ofType = <T extends VenueEvent['type']>(parsed: ParsedEvents, type: T) =>
  parsed.events.filter((event): event is Extract<VenueEvent, { type: T }> => event.type === type)

/** Facts of the markets of a payload. */
export const factsOf = (parsed: ParsedEvents) =>
  ofType(parsed, 'market_described').map(({ facts }) => facts)
