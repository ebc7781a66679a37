import { describeRoute } from './route-table.ts'
import type { DeclaredRoute, Route } from './route-table.ts'
import { paramsOf } from '../../contract/query-schema.ts'

type Json = Readonly<Record<string, unknown>>
/** An OpenAPI 3.1.0 document. */
export interface OpenApiDocument extends Json {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}
export interface Operation extends Json {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly responses: Readonly<Record<string, Json>>
}
export interface Parameter extends Json {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly description?: string
  readonly schema: Json
}

const integer = (description: string) => ({ description, schema: { type: 'integer' } })
const RATE_HEADERS = {
  'X-RateLimit-Limit': integer('requests allowed in the window'),
  'X-RateLimit-Remaining': integer('requests left in the window'),
  'X-RateLimit-Reset': integer('end of the window, Unix seconds'),
}
const RETRY_AFTER = { 'Retry-After': integer('seconds to wait') }
const CACHE_HEADERS = {
  ETag: { description: 'weak tag of the content', schema: { type: 'string' } },
  'Cache-Control': {
    description: 'how long the response may be cached',
    schema: { type: 'string' },
  },
  'X-SVC-Cache': {
    description: 'whether the response came from the cache',
    schema: { type: 'string', enum: ['hit', 'miss', 'stale'] },
  },
}

const SECURITY = {
  none: [],
  optional: [{}, { serviceKey: [] }, { session: [] }],
  anyone: [{}, { serviceKey: [] }, { session: [] }],
  required: [{ serviceKey: [] }, { session: [] }, { launchSecret: [] }],
  session: [{ session: [] }],
  cookie: [{ session: [] }],
  data: [{ dataKey: [] }, { session: [] }],
  owner: [{ launchSecret: [] }],
  admin: [{ session: [] }],
  'admin-cookie': [{ session: [] }],
  operator: [{ serviceKey: [] }, { session: [] }, { launchSecret: [] }],
} as const

const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null

const mapValues = (record: Json, map: (value: unknown, name: string) => unknown): Json =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]))

/** Response schemas of a route by status. */
function bodiesOf(route: Route): [status: string, schema: Json][] {
  const declared = (route.hooks['response'] ?? {}) as Record<string, { readonly schema: Json }>
  return Object.entries(declared).map(([status, { schema }]) => [status, schema])
}

const alternativesOf = (schema: Json): readonly Json[] =>
  Array.isArray(schema['anyOf']) ? (schema['anyOf'] as Json[]) : [schema]
const isText = (schema: Json): boolean => typeof schema['contentMediaType'] === 'string'

/** The JSON body of a declared response, as published; null if it is only text. */
export function jsonBodyOf(schema: Json): Json | null {
  const alternatives = alternativesOf(schema)
  const json = alternatives.some(isText) ? alternatives.find((one) => !isText(one)) : schema
  return json === undefined ? null : (publishedSchema(json) as Json)
}

/** The content of a response by media type. */
function contentOf(schema: Json): Json {
  const json = jsonBodyOf(schema)
  const texts = alternativesOf(schema).filter(isText)
  return {
    ...(json !== null && { 'application/json': { schema: json } }),
    ...Object.fromEntries(
      texts.map((text) => [String(text['contentMediaType']), { schema: { type: 'string' } }]),
    ),
  }
}

/**
 * A schema as published. Elysia accepts integers as text and gives enums a default; both are
 * removed because they do not describe responses.
 */
function publishedSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(publishedSchema)
  if (!isRecord(schema)) return schema
  const branches: readonly unknown[] = Array.isArray(schema['anyOf']) ? schema['anyOf'] : []
  const integer = branches.find((branch) => isRecord(branch) && branch['type'] === 'integer')
  const coerced = branches.some((branch) => isRecord(branch) && branch['format'] === 'integer')
  if (coerced && integer !== undefined) return integer
  const { default: _default, ...kept } = schema
  return mapValues(kept, (value, name) =>
    name === 'properties' && isRecord(value)
      ? mapValues(value, (property) => publishedSchema(property))
      : publishedSchema(value),
  )
}

const REASONS: Readonly<Record<string, string>> = {
  '200': 'success',
  '304': 'not modified',
}

function responsesOf(route: Route): Readonly<Record<string, Json>> {
  const counted = route.rate === 'off' ? {} : RATE_HEADERS
  const cached = route.method === 'GET' && route.cache !== 'no-store'
  const responses: Record<string, Json> = {}
  for (const [status, schema] of bodiesOf(route)) {
    const description = typeof schema['description'] === 'string' ? schema['description'] : null
    responses[status] = {
      description: description ?? REASONS[status] ?? status,
      headers: {
        ...counted,
        ...(status === '200' && cached ? CACHE_HEADERS : {}),
        ...(status === '429' || status === '503' ? RETRY_AFTER : {}),
      },
      content: contentOf(schema),
    }
  }
  if (cached) responses['304'] = { description: REASONS['304'] ?? '', headers: counted }
  return responses
}

function parametersOf(route: Route): Parameter[] {
  const path = isRecord(route.hooks['params']) ? route.hooks['params']['properties'] : null
  const inPath = Object.entries(isRecord(path) ? path : {}).map(([name, schema]) => ({
    name: name === '*' ? 'path' : name,
    in: 'path' as const,
    required: true,
    schema: isRecord(schema) ? schema : {},
  }))
  const declared = Object.entries(paramsOf(route.hooks['query']) ?? {})
  const inQuery = declared.map(([name, param]) => {
    const { description, ...schema } = param.schema
    return {
      name,
      in: 'query' as const,
      required: param.required === true,
      ...(description === undefined ? {} : { description }),
      schema,
    }
  })
  return [...inPath, ...inQuery]
}

/** The JSON body of a write. A body that the service reads field by field has no schema. */
function requestBodyOf({ method, hooks }: Route): Json {
  const { body } = hooks
  if (method === 'GET' || !isRecord(body)) return {}
  const schema = isRecord(body['schema']) ? publishedSchema(body['schema']) : { type: 'object' }
  return { requestBody: { content: { 'application/json': { schema } } } }
}

/** Parameters that a route reads from its address itself. */
const statedParameters = (detail: Json): readonly Parameter[] =>
  Array.isArray(detail['parameters']) ? (detail['parameters'] as Parameter[]) : []

/** Converts `/market/:ticker` to `/market/{ticker}`; a wildcard becomes `{path}`. */
export const templateOf = (path: string): string =>
  path
    .replace(/\/$/, '')
    .replace(/:(\w+)\??/g, '{$1}')
    .replace('*', '{path}') || '/'

/**
 * Builds the OpenAPI 3.1.0 document of the declared routes: parameters with defaults and bounds,
 * every status with its body, security and rate-limit headers. Routes whose detail has `hide` are
 * left out.
 */
export function openApiOf(routes: readonly DeclaredRoute[], baseUrl: string): OpenApiDocument {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const route of routes.map(describeRoute)) {
    const detail = isRecord(route.hooks['detail']) ? route.hooks['detail'] : {}
    if (detail['hide'] === true || route.method === 'WS') continue
    const path = templateOf(route.path)
    const method = route.method.toLowerCase()
    const text = (name: string): string => (typeof detail[name] === 'string' ? detail[name] : '')
    paths[path] ??= {}
    paths[path][method] = {
      operationId: text('operationId'),
      summary: text('summary'),
      tags: Array.isArray(detail['tags']) ? (detail['tags'] as string[]) : [],
      parameters: [...parametersOf(route), ...statedParameters(detail)],
      ...requestBodyOf(route),
      responses: responsesOf(route),
      security: SECURITY[route.auth],
      ...(Array.isArray(detail['servers']) ? { servers: detail['servers'] as Json[] } : {}),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Augury',
      version: '1.0.0',
      description:
        'Prediction markets of two venues, now and at any past instant. Prices are cents from 0 to 100; times are ISO 8601 UTC; null means known to be unavailable.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    paths,
    components: {
      securitySchemes: {
        serviceKey: { type: 'http', scheme: 'bearer', description: 'svc_live_… key' },
        dataKey: { type: 'http', scheme: 'bearer', description: 'svct_live_… key' },
        session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        launchSecret: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: '"Launch <secret>" with the secret of the data folder',
        },
      },
    },
  }
}
