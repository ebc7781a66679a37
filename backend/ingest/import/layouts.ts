import { temperatureCandles, temperatureEvents, temperatureMarkets } from './nyc-temperature.ts'
import { pmusLabels, pmusMarkets, pmusQuotes } from './pmus.ts'
import type { TableLayout } from './reading.ts'
import { NO_NOTES, type Context, type Recording, type RecordingNotes } from './recording.ts'
import { clientDump } from './venue-a-client-dumps.ts'
import { venueARecording } from './venue-a-recordings.ts'

const TABLES: readonly TableLayout[] = [
  ...[pmusQuotes, pmusMarkets, pmusLabels],
  ...[temperatureCandles, temperatureMarkets, temperatureEvents],
]

/** The layout that has all its columns among these, or null. */
export const tableLayoutOf = (columns: ReadonlySet<string>): TableLayout | null =>
  TABLES.find((layout) => layout.columns.every((column) => columns.has(column))) ?? null

/** What a JSON payload is by its content, or null. */
export const recordingOf = (
  body: unknown,
  notes: RecordingNotes = NO_NOTES,
): Recording | Context | null => clientDump(body) ?? venueARecording(body, notes)
