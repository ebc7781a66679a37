import { getSchemaValidator, t } from 'elysia'
import type { Static, TSchema } from 'elysia'
import { InvalidInput } from '../../lib/errors.ts'
import { schemaErrorOf } from '../errors.ts'

/** A body declaration: a standard schema for the route. */
export interface BodySchema<T> {
  /** As documented. */
  readonly schema: TSchema
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'augury'
    readonly validate: (value: unknown) => { readonly value: T }
    readonly types?: { readonly input: T; readonly output: T }
  }
}

/**
 * Declares a body whose fields the service reads itself, so that each refusal names its field and
 * bounds. The schema documents it.
 */
export const documentedBody = (schema: TSchema): BodySchema<unknown> => ({
  schema,
  '~standard': { version: 1, vendor: 'augury', validate: (value) => ({ value }) },
})

/**
 * Declares the body of a route. A body that does not match is refused with its first error; fields
 * the schema does not name are ignored.
 * Elysia's own check is not used: it first writes the whole value into its message, which fails
 * for deeply nested values and for values with a `toString` of their own.
 */
export function jsonBody<T extends TSchema>(schema: T): BodySchema<Static<T>> {
  const check = getSchemaValidator(schema, { additionalProperties: true })
  const validate = (value: unknown) => {
    if (check.Check(value)) return { value: value as Static<T> }
    throw new InvalidInput(schemaErrorOf(check.Errors(value).First(), 'body'))
  }
  return { schema, '~standard': { version: 1, vendor: 'augury', validate } }
}

/** A documented body that must be an object. */
export const objectBody = (schema: TSchema): BodySchema<Readonly<Record<string, unknown>>> => ({
  ...jsonBody(t.Record(t.String(), t.Unknown())),
  schema,
})
