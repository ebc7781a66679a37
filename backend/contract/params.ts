import { canonicalTicker } from '../domain/market.ts'
import type { Ticker } from '../domain/market.ts'
import { DAY, HOUR, MINUTE } from '../domain/units.ts'
import type { Millis } from '../domain/units.ts'
import { venueOf, VENUES } from '../domain/venue.ts'
import type { Venue } from '../domain/venue.ts'
import { InvalidInput } from '../lib/errors.ts'

/** Schema and description of a parameter in the OpenAPI document. */
export interface ParamSchema {
  readonly type: 'string' | 'integer' | 'number' | 'boolean'
  readonly description: string
  readonly default?: string | number | boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly enum?: readonly string[]
  readonly format?: string
}

/** One query parameter: how its text is read, and how it is documented. */
export interface Param<T> {
  readonly schema: ParamSchema
  readonly required?: boolean
  /** @throws InvalidInput whose message starts with `name` */
  read(text: string | undefined, name: string): T
}

/** A number outside the bounds becomes the nearer bound. */
export const clamp = (value: number, low: number, high: number): number =>
  Math.min(Math.max(value, low), high)

/** An integer, clamped to its bounds; text that is no integer is refused. */
export const clampedInteger = (options: {
  default: number
  min: number
  max: number
  description: string
}): Param<number> => ({
  schema: {
    type: 'integer',
    default: options.default,
    description: `${options.description.replace(/\.$/, '')}. Clamped to ${options.min}..${options.max}.`,
  },
  read(text, name) {
    if (text === undefined) return options.default
    if (!/^[+-]?\d+$/.test(text.trim())) throw new InvalidInput(`${name} must be an integer`)
    return clamp(Number(text), options.min, options.max)
  },
})

/** The size of a page or list, from 1 to `max`. */
export const limit = (fallback: number, max: number): Param<number> =>
  clampedInteger({ default: fallback, min: 1, max, description: 'Largest number of rows.' })

/** A span of whole days, at most a year. */
export const days = (fallback: number): Param<number> =>
  clampedInteger({ default: fallback, min: 1, max: 365, description: 'Length of the window.' })

/** The media type of the answer, by name. */
export const format = <T extends string, F extends T | null>(
  names: readonly T[],
  fallback: F,
): Param<T | F> =>
  oneOf(names, fallback, { description: 'form of the answer; see the media types of 200' })

/** The direction of a sort. */
export const order = (): Param<'asc' | 'desc'> =>
  oneOf(['asc', 'desc'] as const, 'desc', { description: 'ascending or descending' })

export const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

/** A number within its bounds or null when not sent; anything else is refused. */
export const number = (options: {
  min?: number
  max?: number
  description: string
}): Param<number | null> => ({
  schema: {
    type: 'number',
    ...(options.min === undefined ? {} : { minimum: options.min }),
    ...(options.max === undefined ? {} : { maximum: options.max }),
    description: options.description,
  },
  read(text, name) {
    if (text === undefined) return null
    const value = DECIMAL.test(text.trim()) ? Number(text) : NaN
    if (!Number.isFinite(value)) throw new InvalidInput(`${name} must be a number`)
    const { min, max } = options
    if (min !== undefined && max !== undefined && (value < min || value > max)) {
      throw new InvalidInput(`${name} must be from ${min} to ${max}`)
    }
    if (min !== undefined && value < min) throw new InvalidInput(`${name} must be at least ${min}`)
    if (max !== undefined && value > max) throw new InvalidInput(`${name} must be at most ${max}`)
    return value
  },
})

/** An integer within its bounds, else refused; `fallback` when not sent. */
export const boundedInteger = <F extends number | null>(options: {
  default: F
  min: number
  max: number
  description: string
}): Param<number | F> => ({
  schema: {
    type: 'integer',
    minimum: options.min,
    maximum: options.max,
    description: options.description,
    ...(options.default === null ? {} : { default: options.default }),
  },
  read(text, name) {
    if (text === undefined) return options.default
    if (!/^[+-]?\d+$/.test(text.trim())) throw new InvalidInput(`${name} must be an integer`)
    const value = Number(text)
    if (value < options.min || value > options.max) {
      throw new InvalidInput(`${name} must be from ${options.min} to ${options.max}`)
    }
    return value
  },
})

/** `true|false|1|0` in any case; `fallback` when not sent. */
export const flag = (description: string, fallback = false): Param<boolean> => ({
  schema: { type: 'boolean', default: fallback, description },
  read(text, name) {
    if (text === undefined) return fallback
    const word = text.trim().toLowerCase()
    if (word === 'true' || word === '1') return true
    if (word === 'false' || word === '0') return false
    throw new InvalidInput(`${name} must be true or false`)
  },
})

/** Like `flag`, with null when not sent. */
export const optionalFlag = (description: string): Param<boolean | null> => {
  const requested = flag(description)
  return {
    schema: { type: 'boolean', description },
    read: (text, name) => (text === undefined ? null : requested.read(text, name)),
  }
}

export const alternatives = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`

/** One of the words, in any case; `fallback` when not sent. */
export const oneOf = <T extends string, F extends T | null>(
  words: readonly T[],
  fallback: F,
  options: {
    description: string
    aliases?: Readonly<Record<string, NoInfer<T>>>
    named?: string
  },
): Param<T | F> => ({
  schema: {
    type: 'string',
    enum: [...words, ...Object.keys(options.aliases ?? {})],
    ...(fallback === null ? {} : { default: fallback }),
    description: options.description,
  },
  read(text, name) {
    if (text === undefined) return fallback
    const sent = text.trim().toLowerCase()
    const { aliases = {} } = options
    const alias = Object.hasOwn(aliases, sent) ? aliases[sent] : undefined
    const found = words.find((word) => word.toLowerCase() === sent) ?? alias
    if (found === undefined) {
      throw new InvalidInput(`${options.named ?? name} must be ${alternatives(words)}`)
    }
    return found
  },
})

/** A venue by id, name or letter in any case; null when not sent. */
export const venue = (description?: string): Param<Venue | null> => ({
  schema: {
    type: 'string',
    enum: VENUES,
    description: `${description ?? 'one venue'}; accepts the name of the exchange as well`,
  },
  read(sent, name) {
    if (sent === undefined) return null
    const found = venueOf(sent)
    if (found === null) throw new InvalidInput(`${name} must be ${alternatives(VENUES)}`)
    return found
  },
})

/** Text with its outer blanks cut off; null when not sent or blank. */
export const text = (description: string): Param<string | null> => ({
  schema: { type: 'string', description },
  read: (sent) => {
    const trimmed = sent?.trim() ?? ''
    return trimmed === '' ? null : trimmed
  },
})

/** Required text of at least `min` characters; otherwise `complaint` is the error. */
export const requiredText = (
  complaint: string,
  min: number,
  description: string,
): Param<string> => ({
  schema: { type: 'string', description },
  required: true,
  read(sent) {
    const trimmed = sent?.trim() ?? ''
    if (trimmed.length < min) throw new InvalidInput(complaint)
    return trimmed
  },
})

export const partsOf = (sent: string): string[] => [
  ...new Set(
    sent
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
]

/** Comma list: blanks trimmed, empty parts dropped, duplicates removed; null when not sent. */
export const list = (
  options: { max?: number; description?: string } = {},
): Param<readonly string[] | null> => ({
  schema: { type: 'string', description: options.description ?? 'Comma-separated list' },
  read(sent, name) {
    if (sent === undefined) return null
    const parts = partsOf(sent)
    if (options.max !== undefined && parts.length > options.max) {
      throw new InvalidInput(`${name} must have at most ${options.max} entries`)
    }
    return parts
  },
})

/** Comma list of words of a set, in any case; null when it names none. */
export const listOf = <T extends string>(
  words: readonly T[],
  description?: string,
): Param<readonly T[] | null> => ({
  schema: {
    type: 'string',
    description: `${description ?? ''} Comma-separated: ${words.join(', ')}.`.trim(),
  },
  read(sent, name) {
    const named = partsOf(sent ?? '').map((part) => {
      const found = words.find((word) => word.toLowerCase() === part.toLowerCase())
      if (found === undefined) throw new InvalidInput(`${name} must be ${alternatives(words)}`)
      return found
    })
    return named.length === 0 ? null : named
  },
})

/** Comma list of at most 100 tickers in canonical spelling, request order; null when not sent. */
export const tickers = (): Param<readonly Ticker[] | null> => {
  const names = list({ max: 100, description: 'Comma-separated tickers, at most 100' })
  return {
    schema: names.schema,
    read: (sent, name) => {
      const parts = names.read(sent, name)
      return parts === null ? null : [...new Set(parts.map(canonicalTicker))]
    },
  }
}

/** The same, with at least one ticker. */
export const requiredTickers = (): Param<readonly Ticker[]> => {
  const names = tickers()
  return {
    schema: names.schema,
    required: true,
    read: (sent, name) => {
      const parts = names.read(sent, name)
      if (parts === null || parts.length === 0) throw new InvalidInput(`${name} required`)
      return parts
    },
  }
}

export const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i

/** Ends of the years that are written with four digits, 1 to 9999. */
export const FIRST_INSTANT = -62_135_596_800_000
export const LAST_INSTANT = 253_402_300_799_999 as Millis

/**
 * Milliseconds of an ISO 8601 instant; a date alone is its midnight UTC. Null when malformed, or in no
 * year of 1 to 9999.
 */
export function parseInstant(sent: string): Millis | null {
  const match = ISO.exec(sent.trim())
  if (match === null) return null
  const [, year = '', month = '', day = '', hour = '00', minute = '00', second = '00', zone] = match
  const calendar = Date.UTC(Number(year), Number(month) - 1, Number(day))
  // A day that does not exist rolls over into the next month instead of failing.
  if (new Date(calendar).getUTCDate() !== Number(day) || Number(month) > 12) return null
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  const fraction = /[.,](\d{1,9})/.exec(sent)?.[1]?.slice(0, 3) ?? '0'
  const offset = zone === undefined || zone.toUpperCase() === 'Z' ? 'Z' : zone
  const at = Date.parse(
    `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0')}${
      offset === 'Z' || offset.includes(':') ? offset : `${offset.slice(0, 3)}:${offset.slice(3)}`
    }`,
  )
  return at >= FIRST_INSTANT && at <= LAST_INSTANT ? (at as Millis) : null
}

/** An ISO instant, or null when not sent. */
export const instant = (description: string): Param<Millis | null> => ({
  schema: { type: 'string', format: 'date-time', description },
  read(sent, name) {
    if (sent === undefined) return null
    // A plus sign of a zone arrives as a blank when it was not percent-encoded.
    const at = parseInstant(sent.trim().replace(/ (\d{2}:?\d{2})$/, '+$1'))
    if (at === null) throw new InvalidInput(`${name} must be an ISO 8601 time`)
    return at
  },
})

/** The instant that the answer is given for; the service refuses one later than now. */
export const asOf = (): Param<Millis | null> =>
  instant('Use only data known at this instant (ISO 8601)')

export const UNITS = { m: MINUTE, h: HOUR, d: DAY } as const

/** A span back from now, or an instant. */
export type Since = { readonly span: Millis } | { readonly at: Millis }

/** Milliseconds of a duration text such as `90m`, `24h`, `7d`; null when malformed. */
export function parseDuration(sent: string): Millis | null {
  const match = /^(\d{1,6})([mhd])$/i.exec(sent.trim())
  if (match === null) return null
  const count = Number(match[1])
  if (count < 1 || count > 100_000) return null
  return (count * UNITS[(match[2] ?? 'm').toLowerCase() as keyof typeof UNITS]) as Millis
}

/** A duration back from now (`<n>m|h|d`) or an ISO instant. */
export const since = (fallback: string): Param<Since> => ({
  schema: {
    type: 'string',
    default: fallback,
    description: 'Duration back from now (<n>m, <n>h, <n>d) or ISO 8601 time',
  },
  read(sent, name) {
    const value = sent ?? fallback
    const span = parseDuration(value)
    if (span !== null) return { span }
    const at = parseInstant(value.trim().replace(/ (\d{2}:?\d{2})$/, '+$1'))
    if (at === null) throw new InvalidInput(`${name} must be a duration (<n>m|h|d) or an ISO time`)
    return { at }
  },
})

/** `nextActions=off` drops the next actions; any other value is ignored. */
export const nextActions = (): Param<boolean> => ({
  schema: { type: 'string', description: '"off" omits the next actions' },
  read: (sent) => sent?.trim().toLowerCase() !== 'off',
})
