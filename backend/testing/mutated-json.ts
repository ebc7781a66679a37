import fc from '../../scripts/properties.ts'

/** Replacements for a value that a venue or a man in the middle may send. */
const HOSTILE: readonly unknown[] = [
  null,
  true,
  false,
  '',
  ' ',
  'NaN',
  'Infinity',
  '1e400',
  '-1',
  '-0',
  '0',
  '1',
  '99999999999',
  '12345678901234567890',
  '0.1.2',
  '0x10',
  '\u0000',
  '\uFEFF',
  '[',
  '["a","b"]',
  '[[[[1]]]]',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'yes',
  'BUY',
  'closed',
  'settled',
  '9999-99-99T99:99:99Z',
  '0001-01-01T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  '1e9',
  0,
  -1,
  1,
  0.5,
  1e-7,
  1e21,
  1e308,
  2 ** 53,
  -(2 ** 63),
  4e12,
  25,
  10,
  [],
  {},
  [null],
  [[]],
  { price: {} },
  { __proto__: null },
  'x'.repeat(3_000),
]

/** Keys with a meaning in JavaScript and none for a venue. */
const HOSTILE_KEYS: readonly string[] = ['__proto__', 'constructor', 'prototype', 'toString', '']

type Change = readonly [place: number, how: 'replace' | 'drop' | 'double' | 'add', value: unknown]

const change: fc.Arbitrary<Change> = fc.tuple(
  fc.nat(),
  fc.constantFrom('replace', 'replace', 'replace', 'drop', 'double', 'add'),
  fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...HOSTILE) }, fc.jsonValue()),
)

/**
 * Payloads derived from recorded ones by up to twelve mutations each: values replaced by hostile
 * ones, fields dropped, rows duplicated, keys added that name prototypes. They are as `JSON.parse`
 * returns them.
 */
export const mutatedJson = (seeds: readonly unknown[]): fc.Arbitrary<unknown> =>
  fc
    .tuple(fc.constantFrom(...seeds), fc.array(change, { minLength: 1, maxLength: 12 }))
    .map(([seed, changes]) => mutated(seed, changes))

function mutated(seed: unknown, changes: readonly Change[]): unknown {
  const size = countOf(seed)
  const chosen = new Map(changes.map(([place, how, value]) => [place % size, { how, value }]))
  let place = -1
  const walk = (value: unknown): unknown => {
    place += 1
    const chance = chosen.get(place)
    if (chance?.how === 'replace') return chance.value
    if (Array.isArray(value)) {
      const items: readonly unknown[] = value
      const rows = items.map(walk)
      if (chance?.how === 'drop') return rows.slice(1)
      return chance?.how === 'double' ? [...rows, ...rows] : rows
    }
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([key, inner]): [string, unknown] => [
      key,
      walk(inner),
    ])
    if (chance?.how === 'drop') entries.splice(place % entries.length, 1)
    if (chance?.how === 'add') {
      for (const key of HOSTILE_KEYS) entries.push([key, chance.value])
    }
    // Own properties whatever their names, as JSON.parse creates them.
    return JSON.parse(`{${entries.map(textOfEntry).join(',')}}`)
  }
  return walk(seed)
}

const textOfEntry = ([key, value]: [string, unknown]): string =>
  `${JSON.stringify(key)}:${JSON.stringify(value)}`

const countOf = (value: unknown): number =>
  typeof value !== 'object' || value === null
    ? 1
    : Object.values(value).reduce<number>((sum, inner) => sum + countOf(inner), 1)
