import { VENUE_NAMES, venueOf, type Venue } from '../../../backend/domain/venue.ts'

const NAMES: ReadonlySet<string> = new Set(VENUE_NAMES.map((name) => name.toLowerCase()))

/** A text without the name of a venue in it: `bitcoin` and a name are bitcoin markets there. */
export function venueInText(text: string): {
  readonly words: string
  readonly venue: Venue | null
} {
  const all = text.trim().split(/\s+/)
  const named = all.find((word) => NAMES.has(word.toLowerCase()))
  const words = all.filter((word) => word !== named).join(' ')
  return named === undefined || words === ''
    ? { words: text, venue: null }
    : { words, venue: venueOf(named) }
}
