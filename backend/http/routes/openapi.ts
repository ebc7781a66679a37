import recorded from '../../contract/examples.json' with { type: 'json' }
import { paramsOf } from '../../contract/query-schema.ts'
import { failures } from '../../contract/schemas.ts'
import { createSchemaPublisher, formsOf, isRecord } from './openapi-schemas.ts'
import type { Json, SchemaPublisher } from './openapi-schemas.ts'
import { webhooksOf } from './openapi-webhooks.ts'
import { SCHEMA_NAMES } from './schema-names.ts'
import { describeRoute } from './route-table.ts'
import type { DeclaredRoute, Route } from './route-table.ts'

/** An OpenAPI 3.1.0 document. */
export interface OpenApiDocument extends Json {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Json
    readonly responses: Readonly<Record<string, Json>>
    readonly headers: Json
    readonly securitySchemes: Json
  }
  /** Requests that the service sends to endpoints of its users, by event. */
  readonly webhooks: Json
}
export interface Operation extends Json {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly responses: Readonly<Record<string, Json>>
  readonly security: readonly Json[]
}
export interface Parameter extends Json {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly description?: string
  readonly schema: Json
  readonly example?: unknown
}

/** A request of an operation and its answer. Bodies that are not JSON are absent. */
export interface Example {
  readonly parameters?: Readonly<Record<string, string>>
  readonly request?: unknown
  readonly response?: unknown
}
/** By operation, as recorded from a demo by `scripts/openapi-examples.ts`. */
export const EXAMPLES: Readonly<Record<string, Example>> = recorded

const integer = (description: string) => ({ description, schema: { type: 'integer' } })
const text = (description: string) => ({ description, schema: { type: 'string' } })
const HEADERS = {
  'X-RateLimit-Limit': integer('requests allowed in the window'),
  'X-RateLimit-Remaining': integer('requests left in the window'),
  'X-RateLimit-Reset': integer('end of the window, Unix seconds'),
  'Retry-After': integer('seconds to wait'),
  ETag: text('weak tag of the content'),
  'Cache-Control': text('how long the response may be cached'),
  'X-SVC-Cache': {
    description: 'whether the response came from the cache',
    schema: { type: 'string', enum: ['hit', 'miss', 'stale'] },
  },
}
const headers = (...names: (keyof typeof HEADERS)[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
const RATE_HEADERS = headers('X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset')
const CACHE_HEADERS = headers('ETag', 'Cache-Control', 'X-SVC-Cache')
const RETRY_AFTER = headers('Retry-After')

const SECURITY_SCHEMES = {
  serviceKey: { type: 'http', scheme: 'bearer', description: 'svc_live_… key' },
  dataKey: { type: 'http', scheme: 'bearer', description: 'svct_live_… key' },
  session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  launchSecret: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: '"Launch <secret>" with the secret of the data folder',
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

/** Names of the failures that most routes share. */
const SHARED_RESPONSES = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Gone',
  429: 'TooManyRequests',
  500: 'InternalError',
  502: 'BadGateway',
  503: 'Unavailable',
} as const

/** The declared responses of a route: schemas by status. */
const declaredResponses = (route: Route): Readonly<Record<string, { readonly schema: Json }>> =>
  (route.hooks['response'] ?? {}) as Record<string, { readonly schema: Json }>

/** The parts of operations that refer to schemas. */
function createOperationParts({ publish }: SchemaPublisher) {
  const responseOf = (schema: Json, status: string, extra: Json, example?: unknown): Json => {
    const { json, texts } = formsOf(schema)
    const byType: Record<string, Json> = {}
    if (json !== null) {
      const { description: _statedAbove, ...body } = publish(json)
      byType['application/json'] = { schema: body, ...(example !== undefined && { example }) }
    }
    for (const type of texts) byType[type] = { schema: { type: 'string' } }
    const { description } = schema
    return {
      description: typeof description === 'string' ? description : 'success',
      headers: { ...extra, ...(status === '429' || status === '503' ? RETRY_AFTER : {}) },
      content: byType,
    }
  }
  const sharedResponses: Record<string, Json> = {
    NotModified: { description: 'not modified', headers: RATE_HEADERS },
  }
  const common = failures(400, 401, 403, 404, 409, 410, 429, 500, 502, 503)
  for (const [status, schema] of Object.entries(common)) {
    const name = SHARED_RESPONSES[Number(status) as keyof typeof common]
    sharedResponses[name] = responseOf(schema, status, RATE_HEADERS)
  }
  const contents = new Map(
    Object.entries(sharedResponses).map(([name, response]) => [JSON.stringify(response), name]),
  )
  const orReference = (response: Json): Json => {
    const name = contents.get(JSON.stringify(response))
    return name === undefined ? response : { $ref: `#/components/responses/${name}` }
  }

  function responsesOf(route: Route, example: unknown): Readonly<Record<string, Json>> {
    const rateHeaders = route.rate === 'off' ? {} : RATE_HEADERS
    const isCached = route.method === 'GET' && route.cache !== 'no-store'
    const responses: Record<string, Json> = {}
    for (const [status, { schema }] of Object.entries(declaredResponses(route))) {
      const isSuccess = status.startsWith('2')
      const extra =
        status === '200' && isCached ? { ...rateHeaders, ...CACHE_HEADERS } : rateHeaders
      responses[status] = orReference(
        responseOf(schema, status, extra, isSuccess ? example : undefined),
      )
    }
    if (isCached) {
      responses['304'] = orReference({ description: 'not modified', headers: rateHeaders })
    }
    return responses
  }

  /** The JSON body of a write. Writes that read no field accept an empty object. */
  function requestBodyOf({ method, hooks }: Route, example: unknown): Json {
    const body = isRecord(hooks['body']) ? hooks['body']['schema'] : null
    const isRead = isRecord(body)
    if (method === 'GET' || (method === 'DELETE' && !isRead)) return {}
    const schema = isRead ? publish(body) : { type: 'object' }
    const isRequired = isRead && Array.isArray(body['required'])
    const content = {
      'application/json': { schema, ...(example !== undefined && { example }) },
    }
    return { requestBody: { required: isRequired, content } }
  }
  return { responsesOf, requestBodyOf, shared: sharedResponses }
}

function parametersOf(
  route: Route,
  detail: Json,
  exampleParams: Example['parameters'] = {},
): Parameter[] {
  const path = isRecord(route.hooks['params']) ? route.hooks['params']['properties'] : null
  const pathParameters = Object.entries(isRecord(path) ? path : {}).map(([name, paramSchema]) => {
    const { description, ...schema } = isRecord(paramSchema) ? paramSchema : {}
    return {
      name,
      in: 'path' as const,
      required: true,
      ...(typeof description === 'string' && { description }),
      schema,
    }
  })
  const declaredQuery = Object.entries(paramsOf(route.hooks['query']) ?? {})
  const queryParameters = declaredQuery.map(([name, param]) => {
    const { description, ...schema } = param.schema
    return { name, in: 'query' as const, required: param.required === true, description, schema }
  })
  return [...pathParameters, ...queryParameters, ...statedParameters(detail)].map((parameter) => {
    const example = exampleParams[parameter.name]
    return { ...parameter, ...(example !== undefined && { example }) }
  })
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
 * every status with its body, security and rate-limit headers, and a recorded example of each
 * operation. Routes whose detail has `hide` and routes that only refuse are left out.
 *
 * Elysia's own plugin is not used: it takes the names of schemas from a registry of Elysia, where
 * ours are exports of `contract/`, knows one media type for each response and no shared responses,
 * and would take rate-limit headers and security from every route instead of from its policies.
 */
export function openApiOf(routes: readonly DeclaredRoute[], baseUrl: string): OpenApiDocument {
  const publisher = createSchemaPublisher(SCHEMA_NAMES)
  const { responsesOf, requestBodyOf, shared } = createOperationParts(publisher)
  const paths: Record<string, Record<string, Operation>> = {}
  for (const route of routes.map(describeRoute)) {
    const detail = isRecord(route.hooks['detail']) ? route.hooks['detail'] : {}
    if (detail['hide'] === true || route.method === 'WS') continue
    const path = templateOf(route.path)
    const operationId = textOf(detail['operationId'])
    const example = EXAMPLES[operationId] ?? {}
    if (!Object.keys(declaredResponses(route)).some((status) => status.startsWith('2'))) continue
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = {
      operationId,
      summary: textOf(detail['summary']),
      tags: Array.isArray(detail['tags']) ? (detail['tags'] as string[]) : [],
      parameters: parametersOf(route, detail, example.parameters),
      ...requestBodyOf(route, example.request),
      responses: responsesOf(route, example.response),
      security: SECURITY[route.auth],
      ...(Array.isArray(detail['servers']) ? { servers: detail['servers'] as Json[] } : {}),
    }
  }
  const webhooks = webhooksOf(publisher)
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
    webhooks,
    components: {
      schemas: publisher.components(),
      responses: shared,
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
