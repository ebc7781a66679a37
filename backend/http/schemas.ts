import { t } from 'elysia'
import type { TSchema } from 'elysia'

/** A value that is null when unavailable. */
export const nullable = <T extends TSchema>(schema: T) => t.Union([schema, t.Null()])

/** One of a few words; a field of it that may be left out stays left out. */
export const words = <const T extends readonly [string, ...string[]]>(names: T) => {
  const schema = t.UnionEnum(names)
  // Elysia would fill an absent field with the first word.
  Reflect.deleteProperty(schema, 'default')
  return schema
}

/** A whole number of a body; Elysia's integer takes texts of digits for one too. */
export const wholeNumber = (options: {
  readonly minimum: number
  readonly maximum: number
  readonly description?: string
}) => t.Number({ ...options, multipleOf: 1 })

/** ISO 8601 UTC with milliseconds. */
export const Iso = t.String({ format: 'date-time' })
/** Cents 0..100, null when unknown. */
export const Cents = nullable(t.Number({ description: 'cents, 0 to 100' }))
export const Num = nullable(t.Number())

export const Action = t.Object({
  description: t.String(),
  method: words(['GET', 'POST', 'PATCH', 'DELETE']),
  url: t.String({ description: 'absolute' }),
  body: t.Optional(t.Record(t.String(), t.Unknown())),
})

const ErrorBody = t.Object({ error: t.String(), code: t.String() })
const RateLimitBody = t.Object({
  ok: t.Literal(false),
  error: t.Object({ code: t.Literal('RATE_LIMITED'), status: t.Literal(429), message: t.String() }),
})

const FAILURES = {
  400: t.Object(ErrorBody.properties, { description: 'a parameter or the body is malformed' }),
  401: t.Object(ErrorBody.properties, { description: 'credentials are missing or invalid' }),
  403: t.Object(ErrorBody.properties, { description: 'the host or origin is not allowed' }),
  404: t.Object(
    { ...ErrorBody.properties, suggestion: t.Optional(Action) },
    { description: 'there is no such thing; some say what to ask instead' },
  ),
  409: t.Object(ErrorBody.properties, { description: 'the state of the thing refuses this' }),
  410: t.Object(ErrorBody.properties, { description: 'this form of the address is retired' }),
  429: t.Object(RateLimitBody.properties, { description: 'too many requests' }),
  500: t.Object(ErrorBody.properties, { description: 'a bug, without detail' }),
  502: t.Object(ErrorBody.properties, { description: 'a venue failed and nothing is stored' }),
  503: t.Object(ErrorBody.properties, {
    description: 'the first load is unfinished or a store is down',
  }),
} as const
type Failure = keyof typeof FAILURES

/** A refusal for the state of a thing that tells more of it where it can. */
export const conflictWith = (more: Readonly<Record<string, TSchema>>) => ({
  409: t.Object(
    { ...ErrorBody.properties, ...more },
    { description: 'the state of the thing refuses this' },
  ),
})

/** The bodies of the failures that a route can have, by status. */
export const failures = <const S extends readonly Failure[]>(...statuses: S) =>
  Object.fromEntries(statuses.map((status) => [status, FAILURES[status]])) as Pick<
    typeof FAILURES,
    S[number]
  >

/** The bodies of a route by status: its own, and those of the failures it can have. */
export const answers = <T extends TSchema, const S extends readonly Failure[]>(
  body: T,
  ...statuses: S
) => ({ 200: body, ...failures(...statuses) })
