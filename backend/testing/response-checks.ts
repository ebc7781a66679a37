import type { TSchema } from 'elysia'
import { afterEach, expect } from 'vitest'
import { checkResponses } from '../contract/schemas.ts'
import { jsonBodyOf } from '../http/routes/openapi-schemas.ts'
import { violationOf } from './json-schema.ts'

/** Setup of route tests: each JSON body that a handler returns must match its declared schema. */
const violations: string[] = []
/** The published form of each schema: most are used for many bodies. */
const published = new WeakMap<TSchema, unknown>()
checkResponses((schema, body) => {
  const form = published.get(schema) ?? jsonBodyOf({ ...schema })
  published.set(schema, form)
  const violation = violationOf(form, JSON.parse(JSON.stringify(body)))
  if (violation !== null) violations.push(violation)
})
afterEach(() => expect(violations.splice(0)).toEqual([]))
