type Json = Readonly<Record<string, unknown>>

/** Words of a schema that say nothing of which values fit. */
const REMARKS = new Set(['description', 'title', 'examples', 'default', 'additionalProperties'])
const FORMATS: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-\d{2}-\d{2}$/,
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
}
const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: isRecord,
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Where a value does not fit a JSON Schema, as one line, or null where it fits. Knows the words
 * that our own documents use; objects may hold nothing that the schema does not name.
 * @throws for a word it does not know, so that nothing passes unchecked
 */
export function misfitOf(schema: unknown, value: unknown, at = '$'): string | null {
  if (!isRecord(schema)) throw new Error(`${at}: the schema is no object`)
  for (const [word, rule] of Object.entries(schema)) {
    const found = misfitOfWord(word, rule, schema, value, at)
    if (found !== null) return found
  }
  return null
}

function misfitOfWord(
  word: string,
  rule: unknown,
  schema: Json,
  value: unknown,
  at: string,
): string | null {
  const told = (fits: boolean): string | null =>
    fits ? null : `${at}: ${JSON.stringify(value).slice(0, 80)} against ${word} ${String(rule)}`
  switch (word) {
    case 'type': {
      const check = TYPES[String(rule)]
      if (check === undefined) throw new Error(`${at}: unknown type ${String(rule)}`)
      return told(check(value))
    }
    case 'const':
      return told(value === rule)
    case 'enum':
      return told(Array.isArray(rule) && rule.includes(value))
    case 'format': {
      const pattern = FORMATS[String(rule)]
      if (pattern === undefined) throw new Error(`${at}: unknown format ${String(rule)}`)
      return told(typeof value !== 'string' || pattern.test(value))
    }
    case 'pattern':
      return told(typeof value !== 'string' || new RegExp(String(rule), 'u').test(value))
    case 'maxLength':
      return told(typeof value !== 'string' || value.length <= Number(rule))
    case 'minLength':
      return told(typeof value !== 'string' || value.length >= Number(rule))
    case 'anyOf': {
      const branches: readonly unknown[] = Array.isArray(rule) ? rule : []
      const misfits = branches.map((branch) => misfitOf(branch, value, at))
      return misfits.includes(null) ? null : misfits.join(' | ')
    }
    case 'minimum':
      return told(typeof value !== 'number' || value >= Number(rule))
    case 'maximum':
      return told(typeof value !== 'number' || value <= Number(rule))
    case 'minItems':
      return told(!Array.isArray(value) || value.length >= Number(rule))
    case 'maxItems':
      return told(!Array.isArray(value) || value.length <= Number(rule))
    case 'items':
      if (!Array.isArray(value)) return null
      return firstOf(value.map((item, index) => misfitOf(rule, item, `${at}[${index}]`)))
    case 'required': {
      const names: readonly unknown[] = Array.isArray(rule) ? rule : []
      return told(!isRecord(value) || names.every((name) => Object.hasOwn(value, String(name))))
    }
    case 'properties':
      return misfitOfFields(rule, schema, value, at)
    case 'patternProperties':
      if (!isRecord(value) || !isRecord(rule)) return null
      return firstOf(
        Object.values(value).map((part) => misfitOf(Object.values(rule)[0], part, `${at}.*`)),
      )
    default:
      if (REMARKS.has(word)) return null
      throw new Error(`${at}: unknown word ${word}`)
  }
}

function misfitOfFields(fields: unknown, schema: Json, value: unknown, at: string): string | null {
  if (!isRecord(value) || !isRecord(fields)) return null
  const open = schema['additionalProperties'] === true
  return firstOf(
    Object.entries(value).map(([name, part]) => {
      if (Object.hasOwn(fields, name)) return misfitOf(fields[name], part, `${at}.${name}`)
      return open ? null : `${at}: ${name} is not described`
    }),
  )
}

const firstOf = (misfits: readonly (string | null)[]): string | null =>
  misfits.find((misfit) => misfit !== null) ?? null
