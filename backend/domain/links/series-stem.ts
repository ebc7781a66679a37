import { foldText } from '../text/tokens.ts'

const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const YEAR = '(?:19|20)\\d\\d'
const DAY = '\\d{1,2}(?:st|nd|rd|th)?'
const LEAD = '(?:(?:by|before|on|in|until|through|during|for|as of)-(?:the-)?)?'

/** Patterns of a period at the end of a question's slug, longest first; each with its separator. */
const PERIODS: readonly RegExp[] = [
  `${LEAD}${MONTH}-${DAY}(?:-${YEAR})?-(?:to-)?(?:${MONTH}-)?${DAY}(?:-${YEAR})?`,
  `${LEAD}${MONTH}-${DAY}-${YEAR}`,
  `${LEAD}${YEAR}-\\d\\d-\\d\\d`,
  `${LEAD}q[1-4]-${YEAR}`,
  `(?:by|before)-(?:the-)?end-of-(?:the-year|${MONTH}(?:-${YEAR})?|${YEAR})`,
  `${LEAD}${MONTH}-${YEAR}`,
  `${LEAD}${MONTH}-${DAY}`,
  `(?:by|before|in)-${MONTH}`,
  `${LEAD}${YEAR}(?:-\\d\\d)?`,
  `${LEAD}(?:q[1-4])`,
].map((body) => new RegExp(`-${body}$`))

/**
 * A question's slug without its period: month-day-year, ISO date, quarter-year, year, before-month,
 * by-end-of-year, month-year, a range of days, before-year (methodology D1). Questions of one
 * series share it; empty when nothing is left.
 */
export function seriesStem(title: string): string {
  let slug = foldText(title)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  for (let previous = ''; previous !== slug;) {
    previous = slug
    for (const period of PERIODS) slug = slug.replace(period, '')
  }
  return slug
}
