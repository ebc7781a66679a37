import { parseInstant } from '../../../contract/params.ts'
import { MINUTE, scaledInteger, SECOND, type Millis } from '../../../domain/units.ts'
import { InvalidInput } from '../../../lib/errors.ts'
import { fieldOf } from '../../../lib/field-of.ts'

const EARLIEST = Date.parse('2018-01-01T00:00:00Z')
const LATEST_AHEAD = 5 * MINUTE
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)$/
const HASH = /^0x[0-9a-f]{64}$/i

/** Reads the fields of an imported row; each refusal starts with the name of its field. */
export class ImportFields {
  readonly #row: object

  /** @throws InvalidInput if the row is not an object */
  constructor(row: unknown) {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) {
      throw new InvalidInput('row must be an object')
    }
    this.#row = row
  }

  /** The first of these fields that has a value. */
  raw(...names: readonly string[]): unknown {
    for (const name of names) {
      const value = fieldOf(this.#row, name)
      if (value !== undefined && value !== null && value !== '') return value
    }
    return undefined
  }

  text(max: number, ...names: readonly [string, ...string[]]): string | null {
    const value = this.raw(...names)
    if (value === undefined) return null
    const text = typeof value === 'string' ? value.trim() : ''
    if (text === '' || text.length > max || /\p{Cc}/u.test(text)) {
      throw new InvalidInput(`${names[0]} must be a string of 1 to ${max} characters`)
    }
    return text
  }

  requiredText(max: number, ...names: readonly [string, ...string[]]): string {
    return this.text(max, ...names) ?? missing(names[0])
  }

  choice<T extends string>(
    choices: readonly T[],
    ...names: readonly [string, ...string[]]
  ): T | null {
    const value = this.raw(...names)
    if (value === undefined) return null
    const cellText = typeof value === 'string' ? value.trim().toLowerCase() : ''
    const matchingChoice = choices.find((candidate) => candidate.toLowerCase() === cellText)
    if (matchingChoice === undefined)
      throw new InvalidInput(`${names[0]} must be ${choices.join(' or ')}`)
    return matchingChoice
  }

  requiredChoice<T extends string>(
    choices: readonly T[],
    ...names: readonly [string, ...string[]]
  ): T {
    return this.choice(choices, ...names) ?? missing(names[0])
  }

  /** A number or numeric text as an integer count of 10^-places; null when not sent. */
  scaled(places: number, ...names: readonly [string, ...string[]]): number | null {
    const value = this.raw(...names)
    if (value === undefined) return null
    const text =
      typeof value === 'number' ? decimalOf(value) : typeof value === 'string' ? value : ''
    const scaledNumber = DECIMAL.test(text.trim()) ? scaledInteger(text, places) : null
    if (scaledNumber === null) throw new InvalidInput(`${names[0]} must be a number`)
    return scaledNumber
  }

  flag(...names: readonly [string, ...string[]]): boolean | null {
    const value = this.raw(...names)
    if (value === undefined) return null
    if (value === true || value === 'true') return true
    if (value === false || value === 'false') return false
    throw new InvalidInput(`${names[0]} must be true or false`)
  }

  /** An ISO instant, or seconds or milliseconds since 1970. */
  time(now: Millis, ...names: readonly [string, ...string[]]): Millis {
    const value = this.raw(...names) ?? missing(names[0])
    const at = instantIn(value)
    if (at === null) throw new InvalidInput(`${names[0]} must be an ISO 8601 or unix time`)
    if (at < EARLIEST) throw new InvalidInput(`${names[0]} must not be before 2018-01-01`)
    if (at > now + LATEST_AHEAD) throw new InvalidInput(`${names[0]} must not be in the future`)
    return at
  }

  /** 0x and 64 hexadecimal digits, in lower case. */
  hash(...names: readonly [string, ...string[]]): string {
    const text = this.requiredText(66, ...names)
    if (!HASH.test(text)) throw new InvalidInput(`${names[0]} must be 0x and 64 hex digits`)
    return text.toLowerCase()
  }
}

/** @throws InvalidInput always */
export function missing(name: string): never {
  throw new InvalidInput(`${name} is required`)
}

/** @throws InvalidInput unless the value is above 0 */
export function positive(value: number | null, name: string): number {
  if (value === null) return missing(name)
  if (value <= 0) throw new InvalidInput(`${name} must be above 0`)
  return value
}
/** 0 when not sent. @throws InvalidInput for a value below 0 */
export function notNegative(value: number | null, name: string): number {
  if (value !== null && value < 0) throw new InvalidInput(`${name} must not be below 0`)
  return value ?? 0
}

/** A number without exponent. */
function decimalOf(value: number): string {
  const text = String(value)
  return text.includes('e') ? value.toFixed(12) : text
}

function instantIn(value: unknown): Millis | null {
  const isNumeric =
    typeof value === 'number' || (typeof value === 'string' && DECIMAL.test(value.trim()))
  if (isNumeric) {
    const number = Number(value)
    return Math.round(number >= 1e12 ? number : number * SECOND) as Millis
  }
  return typeof value === 'string' ? parseInstant(value) : null
}
