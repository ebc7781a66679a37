type Json = Readonly<Record<string, unknown>>

/** A violation as one line, for a value at this place. */
type Violation = (at: string) => string
/** The first violation of a value, if any. */
type Check = (value: unknown) => Violation | null

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

/** The check of each schema: most are used for many values. */
const checks = new WeakMap<Json, Check>()

/**
 * The first violation of a JSON Schema, as one line; null for a valid value. Supports the keywords
 * that our documents use; objects may have no undeclared properties.
 * @throws for an unsupported keyword, so that nothing passes unchecked
 */
export function violationOf(schema: unknown, value: unknown): string | null {
  return checkOf(schema)(value)?.('$') ?? null
}

function checkOf(schema: unknown): Check {
  if (!isRecord(schema)) throw new Error('the schema is no object')
  const existing = checks.get(schema)
  if (existing !== undefined) return existing
  const ofKeywords = Object.entries(schema).flatMap(([word, rule]) =>
    REMARKS.has(word) ? [] : [checkOfKeyword(word, rule, schema)],
  )
  const check: Check = (value) => firstOf(ofKeywords, (ofKeyword) => ofKeyword(value))
  checks.set(schema, check)
  return check
}

function checkOfKeyword(word: string, rule: unknown, schema: Json): Check {
  const must =
    (isRight: (value: unknown) => boolean): Check =>
    (value) =>
      isRight(value)
        ? null
        : (at) => `${at}: ${JSON.stringify(value).slice(0, 80)} against ${word} ${String(rule)}`
  const limit = Number(rule)
  switch (word) {
    case 'type':
      return must(known('type', TYPES, rule))
    case 'const':
      return must((value) => value === rule)
    case 'enum':
      return must((value) => Array.isArray(rule) && rule.includes(value))
    case 'format': {
      const pattern = known('format', FORMATS, rule)
      return must((value) => typeof value !== 'string' || pattern.test(value))
    }
    case 'pattern': {
      const pattern = new RegExp(String(rule), 'u')
      return must((value) => typeof value !== 'string' || pattern.test(value))
    }
    case 'maxLength':
      return must((value) => typeof value !== 'string' || value.length <= limit)
    case 'minLength':
      return must((value) => typeof value !== 'string' || value.length >= limit)
    case 'anyOf':
      return anyOf(Array.isArray(rule) ? rule : [])
    case 'minimum':
      return must((value) => typeof value !== 'number' || value >= limit)
    case 'maximum':
      return must((value) => typeof value !== 'number' || value <= limit)
    case 'multipleOf':
      return must((value) => typeof value !== 'number' || value % limit === 0)
    case 'uniqueItems':
      return must((value) => !Array.isArray(value) || new Set(value).size === value.length)
    case 'minProperties':
      return must((value) => !isRecord(value) || Object.keys(value).length >= limit)
    case 'maxProperties':
      return must((value) => !isRecord(value) || Object.keys(value).length <= limit)
    case 'minItems':
      return must((value) => !Array.isArray(value) || value.length >= limit)
    case 'maxItems':
      return must((value) => !Array.isArray(value) || value.length <= limit)
    case 'items':
      return (value) =>
        Array.isArray(value)
          ? firstOf(value, (item, index) => below(index, checkOf(rule)(item)))
          : null
    case 'required': {
      const names = (Array.isArray(rule) ? rule : []).map(String)
      return must((value) => !isRecord(value) || names.every((name) => Object.hasOwn(value, name)))
    }
    case 'properties':
      return fields(rule, schema['additionalProperties'] === true)
    case 'patternProperties':
      return (value) =>
        isRecord(value) && isRecord(rule)
          ? firstOf(Object.values(value), (part) =>
              below('*', checkOf(Object.values(rule)[0])(part)),
            )
          : null
    default:
      throw new Error(`unknown word ${word}`)
  }
}

function anyOf(branches: readonly unknown[]): Check {
  return (value) => {
    const violations: Violation[] = []
    for (const branch of branches) {
      const violation = checkOf(branch)(value)
      if (violation === null) return null
      violations.push(violation)
    }
    return (at) => violations.map((violation) => violation(at)).join(' | ')
  }
}

function fields(declared: unknown, isOpen: boolean): Check {
  return (value) => {
    if (!isRecord(value) || !isRecord(declared)) return null
    return firstOf(Object.keys(value), (name) => {
      if (Object.hasOwn(declared, name)) {
        return below(name, checkOf(declared[name])(value[name]))
      }
      return isOpen ? null : (at) => `${at}: ${name} is not described`
    })
  }
}

function known<T>(what: string, all: Readonly<Record<string, T>>, name: unknown): T {
  const found = all[String(name)]
  if (found === undefined) throw new Error(`unknown ${what} ${String(name)}`)
  return found
}

/** The violation of a part, named by its field or its index. */
function below(part: string | number, violation: Violation | null): Violation | null {
  if (violation === null) return null
  return (at) => violation(typeof part === 'number' ? `${at}[${part}]` : `${at}.${part}`)
}

function firstOf<T>(
  items: readonly T[],
  check: (item: T, index: number) => Violation | null,
): Violation | null {
  for (const [index, item] of items.entries()) {
    const violation = check(item, index)
    if (violation !== null) return violation
  }
  return null
}
