import type { OpenApiDocument } from '../http/routes/openapi.ts'
import { isRecord } from '../http/routes/openapi-schemas.ts'

/** The document with each reference replaced by what it refers to. */
export function dereferenced(document: OpenApiDocument): OpenApiDocument {
  const at = (reference: string): unknown =>
    reference
      .split('/')
      .slice(1)
      .reduce<unknown>((part, name) => (isRecord(part) ? part[name] : undefined), document)
  const resolved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolved)
    if (!isRecord(value)) return value
    const { $ref: reference, ...own } = value
    const parts = Object.fromEntries(
      Object.entries(own).map(([name, part]) => [name, resolved(part)]),
    )
    if (typeof reference !== 'string') return parts
    return { ...(resolved(at(reference)) as object), ...parts }
  }
  return resolved(document) as OpenApiDocument
}
