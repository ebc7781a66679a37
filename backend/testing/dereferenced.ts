import { dereference } from '@readme/openapi-parser'
import type { OpenApiDocument } from '../http/routes/openapi.ts'

/** The document with each reference replaced by a copy of what it refers to. */
export const dereferenced = async (document: OpenApiDocument): Promise<OpenApiDocument> =>
  await dereference(structuredClone(document) as never)
