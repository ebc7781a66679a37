/** Whether a value read from a cursor has the expected type. */
export type Part = (value: unknown) => boolean

/** Largest time of a `Date`, milliseconds. */
const LATEST = 8_640_000_000_000_000

export const isNullOr =
  (part: Part): Part =>
  (value) =>
    value === null || part(value)
export const isText: Part = (value) => typeof value === 'string'
export const isFlag: Part = (value) => typeof value === 'boolean'
export const isNumber: Part = (value) => Number.isFinite(value)
export const isInstant: Part = (value) =>
  typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= LATEST
export const isOneOf =
  (choices: readonly string[]): Part =>
  (value) =>
    choices.some((choice) => choice === value)
export const isListOf =
  (part: Part): Part =>
  (value) =>
    Array.isArray(value) && value.every((item: unknown) => part(item))

/**
 * Checks everything a cursor carries. Cursors come back from clients, so every part is validated
 * before a service uses it.
 */
export const hasShape =
  <Query extends object>(parts: { readonly [Name in keyof Query]-?: Part }) =>
  (value: unknown): value is Query =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries<Part>(parts).every(
      ([name, part]) => Object.hasOwn(value, name) && part(Reflect.get(value, name)),
    )
