import { basename } from 'node:path'
import { DAY, type Millis } from '../../domain/units.ts'
import { epochOf, textOf, timeOf, wireOf } from '../../venues/fields.ts'
import { NO_NOTES, type RecordingNotes } from './recording.ts'

/** Fields in which the venues state when something last changed. */
const INSTANTS = new Set([
  'last_updated_ts',
  'updated_time',
  'updatedAt',
  'updated_at',
  'created_time',
  'createdAt',
  'timestamp',
])

/**
 * When a payload was recorded: the collector's note, else the newest change it contains (a page of
 * open markets is never much older), else the end of the day or month in its file's name. Null
 * when none of them is present.
 */
export const recordedAt = (body: unknown, notes: RecordingNotes, path: string): Millis | null =>
  (notes.recordedAt as Millis | null) ?? newestInstant(body) ?? endOfRecordingName(path)

/** The payload without its wrapper, and the notes in the wrapper. */
export function unwrap(value: unknown): { body: unknown; notes: RecordingNotes } {
  const wrapper = wireOf(value)
  const metadata = wireOf(wrapper?.['_metadata'])
  if (wrapper === null || metadata === null || !('response' in wrapper)) {
    return { body: value, notes: NO_NOTES }
  }
  const minutes = metadata['period_interval']
  return {
    body: wrapper['response'],
    notes: {
      recordedAt: timeOf(metadata['recorded_at']),
      ticker: textOf(metadata['ticker']),
      periodMinutes: typeof minutes === 'number' && minutes > 0 ? minutes : null,
    },
  }
}

function newestInstant(body: unknown): Millis | null {
  let newest: Millis | null = null
  const pending: unknown[] = [body]
  while (pending.length > 0) {
    const value = pending.pop()
    if (typeof value !== 'object' || value === null) continue
    for (const [key, field] of Object.entries(value)) {
      if (typeof field === 'object') pending.push(field)
      else if (INSTANTS.has(key)) {
        const at = timeOf(field) ?? countedInstant(field)
        if (at !== null && (newest === null || at > newest)) newest = at
      }
    }
  }
  return newest
}

/** A count of seconds or of milliseconds, distinguished by the range of plausible market times. */
const countedInstant = (value: unknown): Millis | null => {
  const seconds = epochOf(value, 'seconds')
  return seconds !== null && seconds < 100 * 366 * DAY ? seconds : epochOf(value, 'milliseconds')
}

/** The last instant of the day or month in the name of a file, or null. */
export function endOfRecordingName(path: string): Millis | null {
  const match = /(20\d\d)-(\d\d)(?:-(\d\d))?/.exec(basename(path))
  if (match === null) return null
  const [, year, month, day] = match.map(Number)
  if (year === undefined || month === undefined || month < 1 || month > 12) return null
  const next =
    day === undefined || Number.isNaN(day)
      ? Date.UTC(year, month, 1)
      : Date.UTC(year, month - 1, day + 1)
  return (next - 1) as Millis
}
