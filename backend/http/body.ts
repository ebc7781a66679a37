import { getSchemaValidator } from 'elysia'
import type { Static, TSchema } from 'elysia'
import { InvalidInput } from '../lib/errors.ts'
import { complaintOf } from './errors.ts'

/** A body declaration: a standard schema for the route. */
export interface BodySchema<T> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'augury'
    readonly validate: (sent: unknown) => { readonly value: T }
    readonly types?: { readonly input: T; readonly output: T }
  }
}

/**
 * Declares the body of a route. What does not fit is refused by the first thing that is wrong; fields
 * that it does not name are passed over.
 * Elysia's own check would write the whole value into its message first, which fails for values that
 * are nested deeply or have a `toString` of their own.
 */
export function jsonBody<T extends TSchema>(schema: T): BodySchema<Static<T>> {
  const check = getSchemaValidator(schema, { additionalProperties: true })
  const validate = (sent: unknown) => {
    if (check.Check(sent)) return { value: sent as Static<T> }
    throw new InvalidInput(complaintOf(check.Errors(sent).First(), 'body'))
  }
  return { '~standard': { version: 1, vendor: 'augury', validate } }
}
