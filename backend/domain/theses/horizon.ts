import { DAY } from '../units.ts'

/** The first and last day of a period, UTC midnights. */
interface Period {
  readonly first: number
  readonly last: number
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const YEAR = '(20\\d{2})'

const monthOf = (name: string): number => MONTHS.indexOf(name.slice(0, 3).toLowerCase())

function day(year: string, month: number, date: string): Period | null {
  const at = Date.UTC(Number(year), month, Number(date))
  // A date that does not exist, like February 30, rolls over into another month.
  return new Date(at).getUTCMonth() === month ? { first: at, last: at } : null
}
const months = (year: string, first: number, count: number): Period => ({
  first: Date.UTC(Number(year), first, 1),
  last: Date.UTC(Number(year), first + count, 0),
})

/** Ways to write a date or a period, the longest first. */
const WRITTEN: readonly {
  readonly pattern: RegExp
  readonly read: (parts: readonly string[]) => Period | null
}[] = [
  {
    pattern: /\b(20\d{2})-(\d{2})-(\d{2})\b/g,
    read: ([year = '', month = '', date = '']) => day(year, Number(month) - 1, date),
  },
  {
    pattern: new RegExp(
      `\\b(\\d{1,2})(?:st|nd|rd|th)?\\s+(?:of\\s+)?${MONTH}\\.?,?\\s+${YEAR}\\b`,
      'gi',
    ),
    read: ([date = '', month = '', year = '']) => day(year, monthOf(month), date),
  },
  {
    pattern: new RegExp(`\\b${MONTH}\\.?\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+${YEAR}\\b`, 'gi'),
    read: ([month = '', date = '', year = '']) => day(year, monthOf(month), date),
  },
  {
    pattern: new RegExp(`\\bq([1-4])\\s*(?:of\\s+)?${YEAR}\\b`, 'gi'),
    read: ([quarter = '', year = '']) => months(year, (Number(quarter) - 1) * 3, 3),
  },
  {
    pattern: new RegExp(`\\b${MONTH}\\.?,?\\s+(?:of\\s+)?${YEAR}\\b`, 'gi'),
    read: ([month = '', year = '']) => months(year, monthOf(month), 1),
  },
  { pattern: new RegExp(`\\b${YEAR}\\b`, 'g'), read: ([year = '']) => months(year, 0, 12) },
]

/**
 * The last date or end of a period that a claim names, as YYYY-MM-DD; null for none. "Before May
 * 2027" ends with April.
 */
export function horizonOf(claim: string): string | null {
  let rest = claim
  let latest: number | null = null
  for (const { pattern, read } of WRITTEN) {
    for (const dateMatch of rest.matchAll(pattern)) {
      const period = read(dateMatch.slice(1))
      if (period === null) continue
      const isBefore = /\bbefore\s+$/i.test(claim.slice(0, dateMatch.index))
      const end = isBefore ? period.first - DAY : period.last
      latest = Math.max(latest ?? end, end)
      // The text keeps its length, so that later matches have their places in the claim.
      const endIndex = dateMatch.index + dateMatch[0].length
      rest = rest.slice(0, dateMatch.index) + ' '.repeat(dateMatch[0].length) + rest.slice(endIndex)
    }
  }
  return latest === null ? null : new Date(latest).toISOString().slice(0, 10)
}
