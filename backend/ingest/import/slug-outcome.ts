/** A day in a slug, in either order of its parts. */
const DAY = /(?:\d{4}-\d\d-\d\d|\d\d-\d\d-\d{4})/
const NUMBER = String.raw`(\d+(?:pt\d+)?)`
const RANGE = new RegExp(`^gte${NUMBER}lte?${NUMBER}([a-z]*)$`)
const BOUND = new RegExp(`^(gte|gt|lte|lt|pos-|neg-)?${NUMBER}([a-z]*)$`)
const UNITS: Readonly<Record<string, string>> = {
  f: '°F',
  c: '°C',
  k: 'k',
  m: 'm',
  b: 'b',
  pct: '%',
}
const CODES: Readonly<Record<string, string>> = {
  dem: 'Democratic',
  rep: 'Republican',
  gop: 'Republican',
  ind: 'Independent',
  nochng: 'No change',
}

/** A slug as a title: "will-iran-close-hormuz" is "Will Iran Close Hormuz". */
export const titleOfSlug = (slug: string): string =>
  slug
    .split(/[-_]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')

/** The longest start of two slugs that ends with a whole part. */
function sharedStart(a: string, b: string): string {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return a.slice(0, a.lastIndexOf('-', length - 1) + 1)
}

const decimal = (digits = ''): string => digits.replace('pt', '.')
const unitOf = (letters = ''): string => (letters === '' ? '' : (UNITS[letters] ?? ` ${letters}`))

/** "gte76lt77f" as "76 to 77°F", "neg-1pt5" as "-1.5"; null for a code that is no bound. */
function boundText(code: string): string | null {
  const range = RANGE.exec(code)
  if (range !== null) return `${decimal(range[1])} to ${decimal(range[2])}${unitOf(range[3])}`
  const bound = BOUND.exec(code)
  if (bound === null) return null
  const value = `${decimal(bound[2])}${unitOf(bound[3])}`
  switch (bound[1]) {
    case 'gte':
      return `${value} or more`
    case 'gt':
      return `more than ${value}`
    case 'lte':
      return `${value} or less`
    case 'lt':
      return `less than ${value}`
    case 'neg-':
      return `-${value}`
    case 'pos-':
      return `+${value}`
    default:
      return value
  }
}

/** The parts of a code in words; a bound is its last one or two parts. */
function spacedCode(code: string): string {
  const parts = code.split('-').filter((part) => part !== '')
  for (const length of [2, 1]) {
    const boundLabel = boundText(parts.slice(-length).join('-'))
    if (boundLabel === null || parts.length < length) continue
    return [...parts.slice(0, -length).map(titleOfSlug), boundLabel].join(' ')
  }
  return parts.map((part) => CODES[part] ?? titleOfSlug(part)).join(' ')
}

/** A slug's day and the code after it; null when the slug names no day. */
function dayAfterOutcome(slug: string): { readonly day: string; readonly end: number } | null {
  const dateMatch = DAY.exec(slug)
  return dateMatch === null
    ? null
    : { day: dateMatch[0], end: dateMatch.index + dateMatch[0].length }
}

/**
 * The outcome that a slug adds to the slugs of the same question, in words where its code is
 * known; null when the question has one market.
 * @param first the first slug of the question in the order of text
 * @param last the last one
 */
export function outcomeInSlug(slug: string, first: string, last: string): string | null {
  if (first === last) return null
  const start = sharedStart(first, last)
  const datePart = dayAfterOutcome(slug)
  if (datePart === null || start.length >= datePart.end)
    return spacedCode(slug.slice(start.length)) || null
  // The question was asked on several days; the code is left out when all of them have it.
  const code = slug.slice(datePart.end)
  const isShared = [first, last].every((other) => other.slice(dayAfterOutcome(other)?.end) === code)
  return [datePart.day, ...(isShared ? [] : [spacedCode(code)])]
    .filter((part) => part !== '')
    .join(' ')
}
