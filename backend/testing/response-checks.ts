import { afterEach, expect } from 'vitest'
import { checkResponses } from '../contract/schemas.ts'
import { jsonBodyOf } from '../http/routes/openapi-schemas.ts'
import { misfitOf } from './json-schema.ts'

/** Setup of route tests: each JSON body that a handler returns must match its declared schema. */
const misfits: string[] = []
checkResponses((schema, body) => {
  const misfit = misfitOf(jsonBodyOf({ ...schema }), JSON.parse(JSON.stringify(body)))
  if (misfit !== null) misfits.push(misfit)
})
afterEach(() => expect(misfits.splice(0)).toEqual([]))
