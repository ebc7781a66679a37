import { VENUE_NAMES, venueOf, type Venue } from '../domain/venue.ts'
import { usageError } from './failure.ts'
import type { Flags } from './flags.ts'

/** Values that help and completion offer for a venue. */
export const VENUE_VALUES: readonly string[] = VENUE_NAMES.map((name) => name.toLowerCase())

/**
 * The venue that a flag names by id, name or letter; null without the flag. @throws CliFailure
 * (usage)
 */
export function venueIn(flags: Flags, name: string): Venue | null {
  const venueText = flags.text(name)
  if (venueText === null) return null
  const venue = venueOf(venueText)
  if (venue === null) {
    throw usageError(`--${name} must be ${VENUE_VALUES.join(' or ')}, was "${venueText}"`)
  }
  return venue
}
