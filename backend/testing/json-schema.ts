type Json = Readonly<Record<string, unknown>>

/** Keywords of a schema without effect on validation. */
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
 * The first violation of a JSON Schema, as one line; null for a valid value. Supports the keywords
 * that our documents use; objects may have no undeclared properties.
 * @throws for an unsupported keyword, so that nothing passes unchecked
 */
export function violationOf(schema: unknown, value: unknown, at = '$'): string | null {
  if (!isRecord(schema)) throw new Error(`${at}: the schema is no object`)
  for (const [word, rule] of Object.entries(schema)) {
    const found = violationOfKeyword(word, rule, schema, value, at)
    if (found !== null) return found
  }
  return null
}

function violationOfKeyword(
  word: string,
  rule: unknown,
  schema: Json,
  value: unknown,
  at: string,
): string | null {
  const violation = (fits: boolean): string | null =>
    fits ? null : `${at}: ${JSON.stringify(value).slice(0, 80)} against ${word} ${String(rule)}`
  switch (word) {
    case 'type': {
      const check = TYPES[String(rule)]
      if (check === undefined) throw new Error(`${at}: unknown type ${String(rule)}`)
      return violation(check(value))
    }
    case 'const':
      return violation(value === rule)
    case 'enum':
      return violation(Array.isArray(rule) && rule.includes(value))
    case 'format': {
      const pattern = FORMATS[String(rule)]
      if (pattern === undefined) throw new Error(`${at}: unknown format ${String(rule)}`)
      return violation(typeof value !== 'string' || pattern.test(value))
    }
    case 'pattern':
      return violation(typeof value !== 'string' || new RegExp(String(rule), 'u').test(value))
    case 'maxLength':
      return violation(typeof value !== 'string' || value.length <= Number(rule))
    case 'minLength':
      return violation(typeof value !== 'string' || value.length >= Number(rule))
    case 'anyOf': {
      const branches: readonly unknown[] = Array.isArray(rule) ? rule : []
      const violations = branches.map((branch) => violationOf(branch, value, at))
      return violations.includes(null) ? null : violations.join(' | ')
    }
    case 'minimum':
      return violation(typeof value !== 'number' || value >= Number(rule))
    case 'maximum':
      return violation(typeof value !== 'number' || value <= Number(rule))
    case 'multipleOf':
      return violation(typeof value !== 'number' || value % Number(rule) === 0)
    case 'uniqueItems':
      return violation(!Array.isArray(value) || new Set(value).size === value.length)
    case 'minProperties':
      return violation(!isRecord(value) || Object.keys(value).length >= Number(rule))
    case 'maxProperties':
      return violation(!isRecord(value) || Object.keys(value).length <= Number(rule))
    case 'minItems':
      return violation(!Array.isArray(value) || value.length >= Number(rule))
    case 'maxItems':
      return violation(!Array.isArray(value) || value.length <= Number(rule))
    case 'items':
      if (!Array.isArray(value)) return null
      return firstOf(value.map((item, index) => violationOf(rule, item, `${at}[${index}]`)))
    case 'required': {
      const names: readonly unknown[] = Array.isArray(rule) ? rule : []
      return violation(
        !isRecord(value) || names.every((name) => Object.hasOwn(value, String(name))),
      )
    }
    case 'properties':
      return violationOfFields(rule, schema, value, at)
    case 'patternProperties':
      if (!isRecord(value) || !isRecord(rule)) return null
      return firstOf(
        Object.values(value).map((part) => violationOf(Object.values(rule)[0], part, `${at}.*`)),
      )
    default:
      if (REMARKS.has(word)) return null
      throw new Error(`${at}: unknown word ${word}`)
  }
}

function violationOfFields(
  fields: unknown,
  schema: Json,
  value: unknown,
  at: string,
): string | null {
  if (!isRecord(value) || !isRecord(fields)) return null
  const open = schema['additionalProperties'] === true
  return firstOf(
    Object.entries(value).map(([name, part]) => {
      if (Object.hasOwn(fields, name)) return violationOf(fields[name], part, `${at}.${name}`)
      return open ? null : `${at}: ${name} is not described`
    }),
  )
}

const firstOf = (violations: readonly (string | null)[]): string | null =>
  violations.find((violation) => violation !== null) ?? null
