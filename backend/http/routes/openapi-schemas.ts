import type { TSchema } from 'elysia'

export type Json = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const mapValues = (record: Json, map: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))

/**
 * A schema as published, with each nested schema replaced by `publish`. Elysia accepts integers as
 * text and gives enums a default; both are removed because they do not describe what is sent.
 */
function publishedSchema(schema: Json, publish: (nestedSchema: Json) => Json): Json {
  const branches: readonly unknown[] = Array.isArray(schema['anyOf']) ? schema['anyOf'] : []
  const integer = branches.find((branch) => isRecord(branch) && branch['type'] === 'integer')
  const isCoerced = branches.some((branch) => isRecord(branch) && branch['format'] === 'integer')
  if (isCoerced && isRecord(integer)) return publishedSchema(integer, publish)
  const publishNested = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(publishNested)
    return isRecord(value) ? publish(value) : value
  }
  const { default: _default, ...rest } = schema
  return Object.fromEntries(
    Object.entries(rest).map(([keyword, value]) => [
      keyword,
      // The keys of these are names of fields, not keywords.
      (keyword === 'properties' || keyword === 'patternProperties') && isRecord(value)
        ? mapValues(value, publishNested)
        : publishNested(value),
    ]),
  )
}

const isText = (schema: Json): boolean => typeof schema['contentMediaType'] === 'string'
const alternativesOf = (schema: Json): readonly Json[] =>
  Array.isArray(schema['anyOf']) ? (schema['anyOf'] as Json[]) : [schema]

/** The JSON alternative of a declared response, null if it is only text; and the media types. */
export function formsOf(schema: Json): { json: Json | null; texts: readonly string[] } {
  const texts = alternativesOf(schema).filter(isText)
  const json =
    texts.length === 0 ? schema : alternativesOf(schema).find((alternative) => !isText(alternative))
  return { json: json ?? null, texts: texts.map((text) => String(text['contentMediaType'])) }
}

/** A schema as published, complete in itself. */
export const wholeSchema = (schema: Json): Json => publishedSchema(schema, wholeSchema)

/** The JSON body of a declared response, complete in itself; null if it is only text. */
export function jsonBodyOf(schema: Json): Json | null {
  const { json } = formsOf(schema)
  return json === null ? null : wholeSchema(json)
}

/** Publishes schemas; a named one becomes a reference and is collected among the components. */
export interface SchemaPublisher {
  readonly publish: (schema: Json) => Json
  /** Schemas referred to so far, by name, in alphabetical order. */
  readonly components: () => Json
}

/**
 * @param names names of schemas. A copy, such as TypeBox makes of an optional field, has the name
 *   of its original, unless two names have the same content.
 */
export function createSchemaPublisher(names: ReadonlyMap<TSchema, string>): SchemaPublisher {
  const nameByContent = new Map<string, string | null>()
  for (const [schema, name] of names) {
    const content = contentOf(schema)
    nameByContent.set(content, nameByContent.has(content) ? null : name)
  }
  const schemas = new Map<string, Json>()

  const publish = (schema: Json): Json => {
    const name = names.get(schema as TSchema) ?? nameByContent.get(contentOf(schema)) ?? null
    if (name === null) return publishedSchema(schema, publish)
    if (!schemas.has(name)) {
      schemas.set(name, {})
      schemas.set(name, publishedSchema(schema, publish))
    }
    const { description } = schema
    const isOwn = description === undefined || description === schemas.get(name)?.['description']
    return { $ref: `#/components/schemas/${name}`, ...(isOwn ? {} : { description }) }
  }
  return {
    publish,
    components: () =>
      Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : Number(a > b)))),
  }
}

const contents = new WeakMap<Json, string>()
/** The accepted values of a schema, as text: two schemas with the same text are interchangeable. */
function contentOf(schema: Json): string {
  const existing = contents.get(schema)
  if (existing !== undefined) return existing
  const { description: _description, ...content } = wholeSchema(schema)
  const text = JSON.stringify(content)
  contents.set(schema, text)
  return text
}
