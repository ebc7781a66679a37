import type { Query } from '../client.ts'
import { misuse } from '../failure.ts'
import type { FlagKind, Flags } from '../flags.ts'

/** A flag of a read and the parameters of the route that it stands for. */
export interface ReadFlag {
  readonly kind: FlagKind
  /** Stands for the value on the usage line; null where it takes none. */
  readonly value: string | null
  readonly about: string
  readonly params: readonly string[]
  /** The only values that it has. */
  readonly choices?: readonly string[]
  /** Parameters for the value that was given under `name`. */
  readonly query: (flags: Flags, name: string) => Query
}

const valued =
  (kind: FlagKind) =>
  (param: string, value: string, about: string): ReadFlag => ({
    ...{ kind, value, about, params: [param] },
    query: (flags, name) => ({ [param]: flags.word(name) }),
  })

/** A value that is passed on as it is. */
export const word = valued('word')
export const number = valued('number')
export const signed = valued('signed')

/** More than these are told by the help alone, not by the usage line. */
const MOST_SHOWN = 4

/** One of these words. */
export const oneOf = (param: string, choices: readonly string[], about: string): ReadFlag => ({
  ...word(param, choices.length > MOST_SHOWN ? 'WORD' : choices.join('|'), about),
  choices,
})

/** Alone: the parameter is `is`. */
export const given = (param: string, is: boolean, about: string): ReadFlag => ({
  ...{ kind: 'switch', value: null, about, params: [param] },
  query: (flags, name) => ({ [param]: flags.on(name) ? is : null }),
})

const RANGE = /^(-?\d+(?:\.\d+)?)?\.\.(-?\d+(?:\.\d+)?)?$/

/** `A..B`, either of which may be left out: both ends are parameters. */
export const range = (least: string, most: string, about: string): ReadFlag => ({
  ...{ kind: 'word', value: 'A..B', about, params: [least, most] },
  query(flags, name) {
    const text = flags.word(name)
    if (text === null) return {}
    const [, from = null, to = null] = RANGE.exec(text) ?? []
    if (from === null && to === null) {
      throw misuse(`--${name} must be A..B, A.. or ..B in numbers, was "${text}"`)
    }
    return { [least]: from, [most]: to }
  },
})
