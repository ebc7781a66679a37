import type { Venue } from '../../domain/market.ts'
import type { RememberedCatalogue } from '../../venues/venue-a/catalogue.ts'
import type { ImportHost, Outcome } from './import-host.ts'
import type { OutcomeOf } from '../../venues/venue-b/parse-tape.ts'
import type { ParseContext, ParsedEvents } from '../../venues/parsed.ts'

/** One element of a recorded payload, ready for its venue's parser. */
export type RecordedRow = (
  context: ParseContext,
  catalogue: RememberedCatalogue,
  outcomeOf: OutcomeOf,
) => ParsedEvents

/** The event of a row that decides how the row is counted. */
export type CountedEvent =
  | 'market_described'
  | 'trade_printed'
  | 'book_changed'
  | 'candle_published'
  | 'quote_changed'
  | 'activity_reported'

/** A payload of a venue's API, element by element. */
export interface Recording {
  readonly layout: string
  readonly venue: Venue
  readonly rank: number
  readonly counted: CountedEvent
  readonly rows: readonly RecordedRow[]
  /** Assets of venue_b whose outcome must be known. */
  readonly assets?: readonly string[]
  /** How markets ended, instead of rows; null for an element that does not state it. */
  readonly outcomes?: readonly (Outcome | null)[]
}

/** Series or events without markets: they name markets of the same import. */
export interface Context {
  readonly layout: string
  readonly venue: Venue
  readonly rank: number
  /** Null for a response without data about markets. */
  readonly contextKind: 'event' | 'series' | null
  /** Id of each element, null where it has none. */
  readonly ids: readonly (string | null)[]
  /** Titles that the elements give to markets already in the history. */
  readonly titles: Parameters<ImportHost['nameMarkets']>[0]
  /** Adds the elements to the catalogue before anything is read. */
  readonly addTo: (catalogue: RememberedCatalogue) => void
}

/** Notes that a collector stored with a payload. */
export interface RecordingNotes {
  readonly recordedAt: number | null
  readonly ticker: string | null
  readonly periodMinutes: number | null
}

export const NO_NOTES: RecordingNotes = { recordedAt: null, ticker: null, periodMinutes: null }
