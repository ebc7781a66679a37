import { Elysia, ValidationError } from 'elysia'
import {
  AuthInvalid,
  AuthRequired,
  Conflict,
  Forbidden,
  Gone,
  InvalidInput,
  ModelFailed,
  NotFound,
  NotConfigured,
  NotReady,
  RateLimited,
  Refused,
  ServiceError,
  StoreFailed,
  TooCostly,
  UpstreamFailed,
} from '../lib/errors.ts'
import type { RefusalGround } from '../lib/errors.ts'
import type { Logger } from '../lib/logger.ts'
import { adapter } from './adapter.ts'

/** An error response of the API: status, body and headers. */
export interface Refusal {
  readonly status: number
  readonly body: object
  readonly headers: Readonly<Record<string, string>>
}

const refusal = (
  status: number,
  code: string,
  error: string,
  headers: Readonly<Record<string, string>> = {},
): Refusal => ({ status, body: { error, code }, headers })

/** Refusals that only the front of the server returns. */
export const hostRefused = (): Refusal => refusal(403, 'HOST_REFUSED', 'Host is not allowed')
export const originRefused = (): Refusal => refusal(403, 'ORIGIN_REFUSED', 'Origin is not allowed')
export const adminsOnly = (): Refusal =>
  refusal(403, 'AUTH_FORBIDDEN', 'Administrator access is required')
export const notFoundRefusal = (): Refusal => refusal(404, 'NOT_FOUND', 'Not found')
export const payloadTooLarge = (): Refusal =>
  refusal(413, 'PAYLOAD_TOO_LARGE', 'Payload too large', { connection: 'close' })
export const unsupportedMediaType = (): Refusal =>
  refusal(415, 'UNSUPPORTED_MEDIA_TYPE', 'Unsupported media type', { connection: 'close' })
export const methodNotAllowed = (allowedMethods: readonly string[]): Refusal =>
  refusal(405, 'METHOD_NOT_ALLOWED', 'Method not allowed', { allow: allowedMethods.join(', ') })
export const internalError = (): Refusal => refusal(500, 'INTERNAL_ERROR', 'Internal error')

const challenge = { 'www-authenticate': 'Bearer' }

const GROUND_STATUS: Readonly<Record<RefusalGround, number>> = {
  malformed: 400,
  'over-cap': 403,
  unknown: 404,
  'too-soon': 429,
  busy: 503,
  'too-slow': 503,
  failed: 500,
}

/**
 * A refusal with a `reason` field. A refusal for calling too soon repeats the reason in a header.
 */
const refusalWithReason = ({
  ground,
  reason,
  message,
  details,
  retryAfterSeconds,
}: Refused): Refusal => ({
  status: GROUND_STATUS[ground],
  body: { reason, error: message, ...details },
  headers: {
    ...(retryAfterSeconds !== null && { 'retry-after': String(retryAfterSeconds) }),
    ...(ground === 'too-soon' && { 'x-svc-block-reason': reason }),
  },
})

/** Maps a service error to its response; null for any other error, which is a bug. */
export function refusalOf(error: unknown): Refusal | null {
  if (!(error instanceof ServiceError)) return null
  if (error instanceof InvalidInput) {
    const { body, ...rest } = refusal(400, error.code, error.message)
    return { ...rest, body: { ...body, ...error.details } }
  }
  if (error instanceof NotFound) {
    const { body, ...rest } = refusal(404, 'NOT_FOUND', error.message)
    return { ...rest, body: { ...body, ...error.details } }
  }
  if (error instanceof Gone) return refusal(410, error.code, error.message)
  if (error instanceof AuthRequired) {
    return refusal(401, 'AUTH_REQUIRED', error.message, challenge)
  }
  if (error instanceof AuthInvalid) return refusal(401, 'AUTH_INVALID', error.message, challenge)
  if (error instanceof Forbidden) return refusal(403, error.code, error.message)
  if (error instanceof Conflict) {
    const { body, ...rest } = refusal(409, error.code, error.message)
    return { ...rest, body: { ...body, ...error.details } }
  }
  if (error instanceof UpstreamFailed) {
    return refusal(502, 'UPSTREAM_UNAVAILABLE', error.message)
  }
  if (error instanceof ModelFailed) return refusal(500, 'LLM_FAILURE', error.message)
  if (error instanceof NotReady) {
    return refusal(503, 'NOT_READY', error.message, { 'retry-after': '5' })
  }
  if (error instanceof NotConfigured) return refusal(503, 'NOT_CONFIGURED', error.message)
  if (error instanceof StoreFailed) return refusal(503, 'DATABASE_ERROR', error.message)
  if (error instanceof TooCostly) return refusal(503, error.code, error.message)
  if (error instanceof Refused) return refusalWithReason(error)
  if (error instanceof RateLimited) {
    return {
      status: 429,
      body: {
        ok: false,
        error: { code: 'RATE_LIMITED', status: 429, message: error.message },
      },
      headers: { 'retry-after': String(error.retryAfterSeconds) },
    }
  }
  return null
}

/**
 * The first schema error as "name must be …". `text` is the name used when the error concerns the
 * whole value.
 */
export function schemaErrorOf(
  first: { readonly path: string; readonly message: string } | undefined,
  text: string,
): string {
  const name = (first?.path ?? '').replace(/^\//, '').replaceAll('/', '.') || text
  const expectedMessage = first?.message ?? ''
  const kind = /^Expected (?:required property|undefined)/.test(expectedMessage)
    ? 'is required'
    : /^Expected /.test(expectedMessage)
      ? `must be ${expectedMessage.replace(/^Expected /, '')}`
      : 'is invalid'
  return `${name} ${kind}`
}

/**
 * Maps whatever a handler throws to an API body. Bugs are logged without showing their detail to
 * the client.
 */
export const failures = (logger: Logger) =>
  new Elysia({ name: 'failures', adapter }).onError(
    { as: 'global' },
    ({ code, error, set, request }) => {
      const refusal = refusalOf(error) ?? frameworkRefusal(code, error)
      const answer = refusal ?? internalError()
      if (refusal === null) {
        const { pathname: path } = new URL(request.url)
        logger.error({ err: error, method: request.method, path }, 'request failed')
      }
      set.status = answer.status
      Object.assign(set.headers, answer.headers)
      return answer.body
    },
  )

function frameworkRefusal(code: string | number, error: unknown): Refusal | null {
  if (code === 'NOT_FOUND') return notFoundRefusal()
  if (code === 'PARSE') return refusal(400, 'VALIDATION_ERROR', 'Invalid JSON')
  if (code === 'VALIDATION' && error instanceof ValidationError && error.type !== 'response') {
    const first = error.all[0]
    const withPath = first !== undefined && 'path' in first ? first : undefined
    return refusal(400, 'VALIDATION_ERROR', schemaErrorOf(withPath, error.type))
  }
  return null
}
