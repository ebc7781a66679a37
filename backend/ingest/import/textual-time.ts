import type { Millis } from '../../domain/units.ts'
import { epochOf, timeOf } from '../../venues/fields.ts'

/** Counts from this on are milliseconds: as seconds they would be the year 5138. */
const MIN_MILLISECONDS = 1e11
const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*'
const CLOCK = String.raw`(?:,?\s+\d{1,2}:\d\d(?::\d\d)?(?:\s*[ap]m)?)?`
const ZONE = String.raw`(?:\s*(?:gmt|utc|z|[+-]\d\d:?\d\d))`
/** "Fri, 10 Jul 2026 20:25:46 GMT", "Jul 10, 2026 8:25 PM"; days by number alone are ambiguous. */
const MONTH_NAME_DATE = new RegExp(
  String.raw`^(?:[a-z]{3,9},?\s+)?(?:\d{1,2}\s+${MONTH}\s+\d{4}|${MONTH}\s+\d{1,2},?\s+\d{4})${CLOCK}(${ZONE})?$`,
  'i',
)
const NAMED_ZONE = /\s+(?:utc|gmt)$/i

/**
 * An instant written as text: ISO 8601, a count of seconds or milliseconds since the epoch, or a
 * date with the month as a word. A time without a zone is UTC. Null for any other text.
 */
export function textualTime(text: string): Millis | null {
  const trimmedText = text.trim()
  const iso = timeOf(trimmedText) ?? timeOf(trimmedText.replace(NAMED_ZONE, 'Z'))
  if (iso !== null) return iso
  if (/^\d+(?:\.\d+)?$/.test(trimmedText)) {
    return epochOf(trimmedText, Number(trimmedText) < MIN_MILLISECONDS ? 'seconds' : 'milliseconds')
  }
  const monthNameMatch = MONTH_NAME_DATE.exec(trimmedText)
  if (monthNameMatch === null) return null
  const at = Date.parse(monthNameMatch[1] === undefined ? `${trimmedText} UTC` : trimmedText)
  return Number.isFinite(at) && at > 0 ? (at as Millis) : null
}

const FORMATS = [
  '%d %b %Y %H:%M:%S',
  '%a, %d %b %Y %H:%M:%S GMT',
  '%b %d, %Y %H:%M:%S',
  '%b %d, %Y %H:%M',
  '%b %d, %Y %I:%M %p',
  '%d %b %Y',
  '%b %d, %Y',
]

/** The same as SQL over a column of any type: Unix milliseconds; null when it is no time. */
export function instantSql(column: string): string {
  const text = `trim(${column}::varchar)`
  const count = `try_cast(${text} as double)`
  const formats = FORMATS.map((format) => `'${format}'`).join(', ')
  // Text with an offset is an instant; a timestamp or text without one counts as UTC.
  return `coalesce(
    case when isfinite(try_cast(${column} as timestamptz)) then epoch_ms(try_cast(${column} as timestamptz)) end,
    case when ${count} between 1e8 and ${MIN_MILLISECONDS} then (${count} * 1000)::bigint
         when ${count} between ${MIN_MILLISECONDS} and 1e13 then ${count}::bigint end,
    epoch_ms(try_strptime(${text}, [${formats}])))`
}
