import type { Query } from '../client.ts'
import { usageError } from '../failure.ts'
import type { FlagKind, Flags } from '../flags.ts'
import { VENUE_VALUES, venueIn } from '../venue-flag.ts'

/** A flag of a read and the route parameter it maps to. */
export interface ReadFlag {
  readonly kind: FlagKind
  /** Placeholder of the value on the usage line; null for a flag without a value. */
  readonly value: string | null
  readonly about: string
  readonly params: readonly string[]
  /** The only accepted values. */
  readonly choices?: readonly string[]
  /** Parameters for the value given under `name`. */
  readonly query: (flags: Flags, name: string) => Query
}

const valueFlag =
  (kind: FlagKind) =>
  (param: string, value: string, about: string): ReadFlag => ({
    kind,
    value,
    about,
    params: [param],
    query: (flags, name) => ({ [param]: flags.text(name) }),
  })

/** A value that is passed on unchanged. */
export const textFlag = valueFlag('text')
export const number = valueFlag('number')
export const signedFlag = valueFlag('signed')

/** Longer lists of choices appear in the help only, not on the usage line. */
const MAX_SHOWN = 4

/** One of the accepted words. */
export const choiceFlag = (param: string, choices: readonly string[], about: string): ReadFlag => ({
  ...textFlag(param, choices.length > MAX_SHOWN ? 'WORD' : choices.join('|'), about),
  choices,
})

/** A venue by id, name or letter. */
export const venue = (param: string, about: string): ReadFlag => ({
  ...choiceFlag(param, VENUE_VALUES, about),
  query: (flags, name) => ({ [param]: venueIn(flags, name) }),
})

/** A switch that sets the parameter to `is`. */
export const toggle = (param: string, is: boolean, about: string): ReadFlag => ({
  kind: 'switch',
  value: null,
  about,
  params: [param],
  query: (flags, name) => ({ [param]: flags.has(name) ? is : null }),
})

const RANGE = /^(-?\d+(?:\.\d+)?)?\.\.(-?\d+(?:\.\d+)?)?$/

/** `A..B`, where either end may be omitted; each end is a parameter. */
export const range = (min: string, max: string, about: string): ReadFlag => ({
  kind: 'text',
  value: 'A..B',
  about,
  params: [min, max],
  query(flags, name) {
    const text = flags.text(name)
    if (text === null) return {}
    const [, from = null, to = null] = RANGE.exec(text) ?? []
    if (from === null && to === null) {
      throw usageError(`--${name} must be A..B, A.. or ..B in numbers, was "${text}"`)
    }
    return { [min]: from, [max]: to }
  },
})
