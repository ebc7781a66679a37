import { VENUE_NAMES, venueOf, type Venue } from '../../../backend/domain/venue.ts'

const NAMES: ReadonlySet<string> = new Set(VENUE_NAMES.map((name) => name.toLowerCase()))

/** A text without the name of a venue in it: `bitcoin` and a name are bitcoin markets there. */
export function venueInText(text: string): {
  readonly text: string
  readonly venue: Venue | null
} {
  const all = text.trim().split(/\s+/)
  const venueWord = all.find((word) => NAMES.has(word.toLowerCase()))
  const words = all.filter((word) => word !== venueWord).join(' ')
  return venueWord === undefined || words === ''
    ? { text, venue: null }
    : { text: words, venue: venueOf(venueWord) }
}
