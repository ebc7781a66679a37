import { isRecord } from '../../http/routes/openapi-schemas.ts'

const TYPES: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
  object: 'Record<string, unknown>',
}
const IDENTIFIER = /^[\p{L}_$][\p{L}\d_$]*$/u

const nameIn = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1)

/** A JSON schema as a TypeScript type, indented by depth. A named schema is its name. */
export function typeText(schema: unknown, depth = 0): string {
  if (!isRecord(schema)) return 'unknown'
  const {
    $ref: reference,
    type,
    properties,
    patternProperties,
    items,
    anyOf,
    enum: enumValues,
  } = schema
  if (typeof reference === 'string') return nameIn(reference)
  if ('const' in schema) return JSON.stringify(schema['const'])
  if (Array.isArray(enumValues)) return enumValues.map((value) => JSON.stringify(value)).join(' | ')
  if (Array.isArray(anyOf)) return anyOf.map((branch) => typeText(branch, depth)).join(' | ')
  if (type === 'array') {
    const item = typeText(items, depth)
    return item.includes(' | ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`
  }
  if (isRecord(patternProperties)) {
    return `Record<string, ${typeText(Object.values(patternProperties)[0], depth)}>`
  }
  if (!isRecord(properties)) return TYPES[String(type)] ?? 'unknown'
  const requiredNames: readonly unknown[] = Array.isArray(schema['required'])
    ? schema['required']
    : []
  const indent = '  '.repeat(depth + 1)
  const lines = Object.entries(properties).map(([name, property]) => {
    const key = IDENTIFIER.test(name) ? name : JSON.stringify(name)
    const mark = requiredNames.includes(name) ? '' : '?'
    return `${indent}${key}${mark}: ${typeText(property, depth + 1)}`
  })
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${'  '.repeat(depth)}}`
}

/** Names of the schemas that a schema refers to, each once. */
export function namesIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return [...new Set(schema.flatMap(namesIn))]
  if (!isRecord(schema)) return []
  const { $ref: reference, ...parts } = schema
  if (typeof reference === 'string') return [nameIn(reference)]
  return namesIn(Object.values(parts))
}
