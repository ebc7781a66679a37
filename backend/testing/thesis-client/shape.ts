/**
 * The fields that a client reads of an answer, by hand from the contract and independent of our
 * schemas. `number?` may be null; a field with a name that ends in `?` may be absent.
 */
export type Shape =
  | 'string'
  | 'number'
  | 'boolean'
  | 'object'
  | 'iso'
  | 'string?'
  | 'number?'
  | 'iso?'
  | { readonly oneOf: readonly (string | null)[] }
  | { readonly list: Shape }
  | { readonly orNull: Shape }
  | { readonly values: Shape }
  | { readonly fields: Readonly<Record<string, Shape>> }

export const list = (of: Shape): Shape => ({ list: of })
export const orNull = (of: Shape): Shape => ({ orNull: of })
export const oneOf = (...words: (string | null)[]): Shape => ({ oneOf: words })
export const values = (of: Shape): Shape => ({ values: of })
export const fields = (of: Readonly<Record<string, Shape>>): Shape => ({ fields: of })

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const BASIC: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  iso: (value) => typeof value === 'string' && ISO.test(value),
}

/** Where a value misses a field or has another type, as `path: what was expected`. */
export function missesOf(value: unknown, shape: Shape, path = '$'): string[] {
  const miss = (expected: string): string[] => [
    `${path}: expected ${expected}, got ${value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 60)}`,
  ]
  if (typeof shape === 'string') {
    const name = shape.replace('?', '')
    if (value === null && shape.endsWith('?')) return []
    return BASIC[name]?.(value) === true ? [] : miss(shape)
  }
  if ('oneOf' in shape) {
    const isKnown = shape.oneOf.some((word) => word === value)
    return isKnown ? [] : miss(shape.oneOf.join('|'))
  }
  if ('orNull' in shape) return value === null ? [] : missesOf(value, shape.orNull, path)
  if ('list' in shape) {
    if (!Array.isArray(value)) return miss('a list')
    return value.flatMap((one, index) => missesOf(one, shape.list, `${path}[${index}]`))
  }
  if (typeof value !== 'object' || value === null) return miss('an object')
  if ('values' in shape) {
    return Object.entries(value).flatMap(([name, one]) =>
      missesOf(one, shape.values, `${path}.${name}`),
    )
  }
  return Object.entries(shape.fields).flatMap(([name, of]) => {
    const key = name.replace('?', '')
    const one: unknown = Reflect.get(value, key)
    return one === undefined && name.endsWith('?') ? [] : missesOf(one, of, `${path}.${key}`)
  })
}
