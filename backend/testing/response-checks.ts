import { afterEach, expect } from 'vitest'
import { checkResponses } from '../contract/schemas.ts'
import { jsonBodyOf } from '../http/routes/openapi-schemas.ts'
import { violationOf } from './json-schema.ts'

/** Setup of route tests: each JSON body that a handler returns must match its declared schema. */
const violations: string[] = []
checkResponses((schema, body) => {
  const violation = violationOf(jsonBodyOf({ ...schema }), JSON.parse(JSON.stringify(body)))
  if (violation !== null) violations.push(violation)
})
afterEach(() => expect(violations.splice(0)).toEqual([]))
