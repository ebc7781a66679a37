import { WRONG_VALUES } from './fault.ts'
import type { Fault, WrongValue } from './fault.ts'

/** A corrupted body: its new text, and how many rows of it can no longer be parsed. */
export interface CorruptedBody {
  readonly body: string
  readonly rows: number
  /** Values of the rows' name fields, which are never changed. */
  readonly markets: readonly string[]
}

type Row = Record<string, unknown>
const NAME_FIELDS = ['ticker', 'market_ticker', 'conditionId', 'condition_id', 'market', 'id']
/** JSON writers do not emit these, so they replace a placeholder text. */
const RAW = '@raw:'

/** Truncated inside its last value, with a correct length header: invalid JSON. */
export const truncateJson = (body: string): CorruptedBody => ({
  body: `${body.slice(0, Math.max(1, Math.floor(body.length * 0.7)))},,]`,
  rows: 0,
  markets: [],
})

/** With a byte order mark in front. */
export const withMark = (body: string): CorruptedBody => ({
  body: `\uFEFF${body}`,
  rows: 0,
  markets: [],
})

/** Every first field of a row twice: the wrong value, then the true one, which wins. */
export function withDuplicateKeys(body: string): CorruptedBody {
  const { root, rows } = parseRows(body)
  for (const row of rows) {
    const [first] = Object.keys(row)
    if (first === undefined) continue
    const rest = { ...row }
    for (const key of Object.keys(row)) Reflect.deleteProperty(row, key)
    row[`${RAW}${first}`] = 'twice'
    Object.assign(row, rest)
  }
  return { body: JSON.stringify(root).replaceAll(`"${RAW}`, '"'), rows: 0, markets: [] }
}

/**
 * With a field of the first `width` rows replaced. The field and its replacement rotate with each
 * strike unless the fault names them; rows keep their names, so that affected ones can be
 * identified.
 */
export function withWrongTypes(body: string, fault: Fault, strike: number): CorruptedBody {
  const { root, rows } = parseRows(body)
  const hitRows = rows.slice(0, fault.width)
  for (const [index, row] of hitRows.entries()) {
    const turn = strike + index
    const fields = Object.keys(row).filter((key) => !NAME_FIELDS.includes(key))
    const field = fault.field ?? fields[turn % Math.max(1, fields.length)]
    if (field === undefined) continue
    const becomes =
      fault.becomes ??
      WRONG_VALUES[Math.floor(turn / Math.max(1, fields.length)) % WRONG_VALUES.length]
    replace(row, field, becomes ?? 'null')
  }
  return {
    body: unquoteRaw(JSON.stringify(root)),
    rows: hitRows.length,
    markets: hitRows.flatMap(namesOf),
  }
}

function replace(row: Row, field: string, becomes: WrongValue): void {
  if (becomes === 'missing') Reflect.deleteProperty(row, field)
  else row[field] = REPLACEMENTS[becomes]
}

const REPLACEMENTS: Readonly<Record<Exclude<WrongValue, 'missing'>, unknown>> = {
  null: null,
  object: { nested: { nested: {} } },
  array: [[], [1, 'two', null]],
  string: 'not what you think',
  huge: `${RAW}123456789012345678901234567890`,
  'nan-text': 'NaN',
  '1e400': `${RAW}1e400`,
}

/** A response and its rows: the first list of objects in it, otherwise its first object. */
function parseRows(body: string): { root: unknown; rows: readonly Row[] } {
  const root: unknown = JSON.parse(body)
  const list = listIn(root, 0)
  if (list !== null || !isRow(root)) return { root, rows: list ?? [] }
  return { root, rows: Object.values(root).filter(isRow).slice(0, 1) }
}

function listIn(value: unknown, depth: number): readonly Row[] | null {
  if (depth > 3 || typeof value !== 'object' || value === null) return null
  if (Array.isArray(value)) {
    const objects = value.filter(isRow)
    return objects.length > 0 ? objects : null
  }
  const inner: unknown[] = Object.values(value)
  const nearFirst = [...inner.filter(Array.isArray), ...inner.filter(isRow)]
  for (const item of nearFirst) {
    const list = listIn(item, depth + 1)
    if (list !== null) return list
  }
  return null
}

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const namesOf = (row: Row): string[] => {
  const name = NAME_FIELDS.map((field) => row[field]).find((value) => typeof value === 'string')
  return typeof name === 'string' ? [name] : []
}

const unquoteRaw = (text: string): string => text.replace(/"@raw:([^"]*)"/g, '$1')
