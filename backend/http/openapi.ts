import { describeRoute } from './route-table.ts'
import type { DeclaredRoute, Route } from './route-table.ts'
import { paramsOf } from './query.ts'

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
  'Cache-Control': { description: 'how long it may be kept', schema: { type: 'string' } },
  'X-SVC-Cache': {
    description: 'whether the server made the answer anew',
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

/** Bodies of a route by status. */
function bodiesOf(route: Route): Readonly<Record<string, Json>> {
  const declared = route.hooks['bodies'] ?? route.hooks['response']
  if (!isRecord(declared)) return {}
  const byStatus = Object.keys(declared).every((key) => /^\d{3}$/.test(key))
  return byStatus ? (declared as Readonly<Record<string, Json>>) : { '200': declared }
}

/**
 * A schema as it is sent: Elysia lets an integer arrive as text and gives enums a default, which
 * says nothing of an answer.
 */
function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain)
  if (!isRecord(schema)) return schema
  const branches: readonly unknown[] = Array.isArray(schema['anyOf']) ? schema['anyOf'] : []
  const integer = branches.find((branch) => isRecord(branch) && branch['type'] === 'integer')
  const coerced = branches.some((branch) => isRecord(branch) && branch['format'] === 'integer')
  if (coerced && integer !== undefined) return integer
  const entries = Object.entries(schema).filter(([name]) => name !== 'default')
  return Object.fromEntries(entries.map(([name, value]) => [name, plain(value)]))
}

const REASONS: Readonly<Record<string, string>> = {
  '200': 'the answer',
  '304': 'what the reader has is still true',
}

function responsesOf(route: Route, detail: Json): Readonly<Record<string, Json>> {
  const counted = route.rate === 'off' ? {} : RATE_HEADERS
  const cached = route.method === 'GET' && route.cache !== 'no-store'
  const told = isRecord(detail['responses']) ? detail['responses'] : {}
  const responses: Record<string, Json> = {}
  for (const [status, schema] of Object.entries(bodiesOf(route))) {
    const description = typeof schema['description'] === 'string' ? schema['description'] : null
    responses[status] = {
      description: description ?? REASONS[status] ?? status,
      headers: {
        ...counted,
        ...(status === '200' && cached ? CACHE_HEADERS : {}),
        ...(status === '429' || status === '503' ? RETRY_AFTER : {}),
      },
      content: {
        'application/json': { schema: plain(schema) },
        ...(status === '200' && saysMarkdown(route) ? MARKDOWN : {}),
      },
    }
  }
  if (cached) responses['304'] = { description: REASONS['304'] ?? '', headers: counted }
  for (const [status, response] of Object.entries(told)) {
    if (isRecord(response)) {
      const stated = plain(response)
      responses[status] = { ...responses[status], ...(isRecord(stated) ? stated : {}) }
    }
  }
  return responses
}

const MARKDOWN = { 'text/markdown': { schema: { type: 'string' } } }

/** Whether a route's `format` offers markdown: then its answer has that form too. */
function saysMarkdown(route: Route): boolean {
  const forms = (paramsOf(route.hooks['query']) ?? {})['format']?.schema['enum']
  return Array.isArray(forms) && forms.includes('markdown')
}

function parametersOf(route: Route): Parameter[] {
  const path = isRecord(route.hooks['params']) ? route.hooks['params']['properties'] : null
  const inPath = Object.entries(isRecord(path) ? path : {}).map(([name, schema]) => ({
    name,
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

/** Parameters that a route reads out of its address itself. */
const statedParameters = (detail: Json): readonly Parameter[] =>
  Array.isArray(detail['parameters']) ? (detail['parameters'] as Parameter[]) : []

/** `/market/:ticker` as `/market/{ticker}`; the rest of a path is `{path}`. */
export const templateOf = (path: string): string =>
  path
    .replace(/\/$/, '')
    .replace(/:(\w+)\??/g, '{$1}')
    .replace('*', '{path}') || '/'

/**
 * The OpenAPI 3.1.0 document of the declared routes: parameters with defaults and bounds, every
 * status with its body, security and rate-limit headers. Routes whose detail says `hide` are left
 * out.
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
      responses: responsesOf(route, detail),
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
          description: 'Launch <secret> of the data folder',
        },
      },
    },
  }
}
