import { t } from 'elysia'
import type { Static, TSchema } from 'elysia'

/** A value that is null when unavailable. */
export const nullable = <T extends TSchema>(schema: T) => t.Union([schema, t.Null()])

/** One of a few words; a field of it that may be left out stays left out. */
export const stringEnum = <const T extends readonly [string, ...string[]]>(names: T) => {
  const schema = t.UnionEnum(names)
  // Elysia would fill an absent field with the first word.
  Reflect.deleteProperty(schema, 'default')
  return schema
}

/** Words with a description for the API's document. */
export const describedEnum = <const T extends readonly [string, ...string[]]>(
  names: T,
  description: string,
) => ({ ...stringEnum(names), description })

/** A whole number of a body; Elysia's integer takes texts of digits for one too. */
export const integer = (options: {
  readonly minimum: number
  readonly maximum: number
  readonly description?: string
}) => t.Number({ ...options, multipleOf: 1 })

/** A body that is text or a stream of this media type; its handler returns a `Response`. */
export const text = (mediaType: string, description?: string) =>
  t.String({
    contentMediaType: mediaType,
    ...(description !== undefined && { description }),
  }) as unknown as ReturnType<typeof t.Unsafe<Response>>
/** A JSON body, or text of this media type on request. */
export const orText = <T extends TSchema>(schema: T, mediaType: string) =>
  t.Union([schema, text(mediaType)])

/** ISO 8601 UTC with milliseconds. */
export const Iso = t.String({ format: 'date-time' })
export type Iso = Static<typeof Iso>
/** Cents 0..100, null when unknown. */
export const Cents = nullable(t.Number({ description: 'cents, 0 to 100' }))
export type Cents = Static<typeof Cents>
export const Num = nullable(t.Number())
export type Num = Static<typeof Num>

/** Which part of a list a page is. */
export const PageInfo = t.Object({
  limit: t.Integer(),
  nextCursor: nullable(t.String()),
  hasMore: t.Boolean(),
})

export const Action = t.Object({
  description: t.String(),
  method: stringEnum(['GET', 'POST', 'PATCH', 'DELETE']),
  url: t.String({ description: 'absolute' }),
  body: t.Optional(t.Record(t.String(), t.Unknown())),
})
export type Action = Static<typeof Action>

export const ErrorBody = t.Object({ error: t.String(), code: t.String() })
export const RateLimitBody = t.Object({
  ok: t.Literal(false),
  error: t.Object({ code: t.Literal('RATE_LIMITED'), status: t.Literal(429), message: t.String() }),
})

const FAILURES = {
  400: t.Object(ErrorBody.properties, { description: 'a parameter or the body is invalid' }),
  401: t.Object(ErrorBody.properties, { description: 'credentials are missing or invalid' }),
  403: t.Object(ErrorBody.properties, { description: 'the host or origin is not allowed' }),
  404: t.Object(
    { ...ErrorBody.properties, suggestion: t.Optional(Action) },
    { description: 'no such resource; some messages suggest another request' },
  ),
  409: t.Object(ErrorBody.properties, { description: 'conflict with the state of the resource' }),
  410: t.Object(ErrorBody.properties, { description: 'this form of the address is retired' }),
  429: t.Object(RateLimitBody.properties, { description: 'too many requests' }),
  500: t.Object(ErrorBody.properties, { description: 'internal error, without detail' }),
  502: t.Object(ErrorBody.properties, { description: 'a venue failed and nothing is stored' }),
  503: t.Object(ErrorBody.properties, {
    description: 'the first data is not loaded yet, or a store is unavailable',
  }),
} as const
type Failure = keyof typeof FAILURES

/** A conflict with the state of a resource, with optional details of that state. */
export const conflictWith = (more: Readonly<Record<string, TSchema>>) => ({
  409: t.Object(
    { ...ErrorBody.properties, ...more },
    { description: 'conflict with the state of the resource' },
  ),
})

/** The bodies of the failures that a route can have, by status. */
export const failures = <const S extends readonly Failure[]>(...statuses: S) =>
  Object.fromEntries(statuses.map((status) => [status, FAILURES[status]])) as Pick<
    typeof FAILURES,
    S[number]
  >

/** A response as a route declares it: a standard schema that accepts every value. */
export interface ResponseSchema<T> {
  readonly schema: TSchema
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'augury'
    readonly validate: (body: unknown) => { readonly value: T }
    readonly types?: { readonly input: T; readonly output: T }
  }
}

type BodyOf<S> = S extends TSchema ? Static<S> : never

let check: ((schema: TSchema, body: unknown) => void) | null = null
/** Installs a check of every body that a handler returns, for tests. */
export function checkResponses(installed: (schema: TSchema, body: unknown) => void): void {
  check = installed
}

/**
 * Declares the responses of a route by status. They type the handler and appear in the OpenAPI
 * document. Bodies are not validated when they are sent: Elysia's check of a TypeBox schema takes
 * seven times as long as sending 500 candles. Tests validate real responses instead.
 */
export const responses = <B extends Readonly<Record<number, TSchema>>>(byStatus: B) =>
  Object.fromEntries(
    Object.entries(byStatus).map(([status, schema]) => [
      status,
      {
        schema,
        '~standard': {
          version: 1,
          vendor: 'augury',
          validate(value: unknown) {
            check?.(schema, value)
            return { value }
          },
        },
      },
    ]),
  ) as unknown as { readonly [S in keyof B]: ResponseSchema<BodyOf<B[S]>> }

/** The responses of a route that answers with a body or with one of these failures. */
export const answers = <T extends TSchema, const S extends readonly Failure[]>(
  body: T,
  ...statuses: S
) => responses({ 200: body, ...failures(...statuses) })
