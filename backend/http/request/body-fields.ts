import type { Millis } from '../../domain/units.ts'
import { InvalidInput } from '../../lib/errors.ts'
import { fieldOf } from '../../lib/field-of.ts'
import { alternatives, parseDuration, parseInstant } from '../../contract/params.ts'

/** Control characters except newline and tab. */
const CONTROLS = /[\p{Cc}]/gu
const textOf = (text: string): string =>
  text.replace(CONTROLS, (control) => (control === '\n' || control === '\t' ? control : '')).trim()

/**
 * Reads the fields of a JSON body one by one; fields that are not read are ignored. A missing
 * field is undefined, a field sent as null is null.
 * Every reader throws InvalidInput whose message begins with the field name.
 */
export class BodyFields {
  readonly #body: unknown

  /** @throws InvalidInput if the body is not an object */
  constructor(body: unknown) {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new InvalidInput('body must be an object')
    }
    this.#body = body
  }

  /** Whether any of these fields was sent. */
  has(...names: readonly string[]): boolean {
    return names.some((name) => fieldOf(this.#body, name) !== undefined)
  }

  /** The value of the first of these fields that was sent. */
  raw(name: string, ...aliases: readonly string[]): unknown {
    for (const field of [name, ...aliases]) {
      const value = fieldOf(this.#body, field)
      if (value !== undefined) return value
    }
    return undefined
  }

  text(
    name: string,
    { min = 0, max }: { readonly min?: number; readonly max: number },
    ...aliases: readonly string[]
  ): string | null | undefined {
    const value = this.raw(name, ...aliases)
    if (value === undefined || value === null) return value
    const text = typeof value === 'string' ? textOf(value) : null
    const length = text === null ? -1 : Array.from(text).length
    if (text === null || length < min || length > max) {
      const bounds = min === 0 ? `at most ${max}` : `${min} to ${max}`
      throw new InvalidInput(`${name} must be a string of ${bounds} characters`)
    }
    return text
  }

  word<T extends string>(
    name: string,
    choices: readonly T[],
    ...aliases: readonly string[]
  ): T | undefined {
    const value = this.raw(name, ...aliases)
    if (value === undefined) return undefined
    const matchingChoice = choices.find((candidate) => candidate === value)
    if (matchingChoice === undefined)
      throw new InvalidInput(`${name} must be ${alternatives(choices)}`)
    return matchingChoice
  }

  flag(name: string): boolean | undefined {
    const value = this.raw(name)
    if (value === undefined) return undefined
    if (typeof value !== 'boolean') throw new InvalidInput(`${name} must be boolean`)
    return value
  }

  number(
    name: string,
    bounds: {
      readonly min: number
      readonly max: number
      readonly above?: true
      readonly isInteger?: true
    },
    ...aliases: readonly string[]
  ): number | null | undefined {
    const value = this.raw(name, ...aliases)
    if (value === undefined || value === null) return value
    const { min, max, above, isInteger } = bounds
    const isInRange =
      typeof value === 'number' &&
      (above === true ? value > min : value >= min) &&
      value <= max &&
      (isInteger !== true || Number.isInteger(value))
    if (isInRange) return value
    const range = above === true ? `above ${min} and at most ${max}` : `from ${min} to ${max}`
    throw new InvalidInput(
      `${name} must be ${isInteger === true ? 'an integer' : 'a number'} ${range}`,
    )
  }

  /** An ISO instant; with `now`, also a duration counted from `now`. */
  instant(name: string, now?: Millis): Millis | null | undefined {
    const value = this.raw(name)
    if (value === undefined || value === null) return value
    if (typeof value === 'string') {
      const span = now === undefined ? null : parseDuration(value)
      if (span !== null && now !== undefined) return (now + span) as Millis
      const at = parseInstant(value)
      if (at !== null) return at
    }
    const duration = now === undefined ? '' : ' or a duration (<n>m|h|d)'
    throw new InvalidInput(`${name} must be an ISO 8601 time${duration}`)
  }
}
