import type { PathsOf, ResponseBody, RouteName } from '../../backend/contract/routes.ts'
import type { Path, Target } from './path.ts'

/** Why a request failed, in words the user can act on. */
export interface ApiFailure {
  readonly kind: 'unreachable' | 'timeout' | 'refused' | 'limited' | 'malformed'
  /** HTTP status; null without a response. */
  readonly status: number | null
  /** The service's own code, such as `NOT_FOUND`. */
  readonly code: string | null
  readonly message: string
  /** Retry-After of the service, in milliseconds from now. */
  readonly retryAfter: number | null
  /** Further fields of the error by name: a reason, the invalid field, the unmet preconditions. */
  readonly details?: Readonly<Record<string, unknown>>
}

export type Answer<T> =
  { readonly ok: true; readonly body: T } | { readonly ok: false; readonly failure: ApiFailure }

export interface ApiClient {
  /** Reads one route of the service that served the page. Never throws; an abort returns null. */
  get<T>(path: Path<T>, signal?: AbortSignal): Promise<Answer<T> | null>
  /**
   * Writes once, with or without a JSON body; never retries, never throws.
   * @param timeoutMs timeout in milliseconds for slow responses
   * @param repeatKey `Idempotency-Key`: a write that is sent again with it is made once
   */
  send<M extends Write, R extends PathsOf<M>>(
    method: M,
    path: R | Target<R>,
    body?: object,
    timeoutMs?: number,
    repeatKey?: string,
  ): Promise<Answer<ResponseBody<`${M} ${R}` & RouteName>>>
}

export type Write = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

const TIMEOUT = 10_000

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads `{ error, code }` and the nested form used by the rate limit. */
function failureOf(status: number, body: unknown, retryAfter: number | null): ApiFailure {
  const record = isRecord(body) ? body : {}
  const error = isRecord(record['error']) ? record['error'] : record
  const code = typeof error['code'] === 'string' ? error['code'] : null
  const message = error === record ? record['error'] : error['message']
  return {
    kind: status === 429 ? 'limited' : 'refused',
    status,
    code,
    message:
      typeof message === 'string' && message !== '' ? message : `The service answered ${status}`,
    retryAfter,
    ...(Object.keys(record).some((name) => name !== 'error' && name !== 'code') && {
      details: record,
    }),
  }
}

function retryAfterOf(response: Response): number | null {
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null
}

const noAnswer = (kind: 'unreachable' | 'timeout'): ApiFailure => ({
  kind,
  status: null,
  code: null,
  message:
    kind === 'timeout' ? 'The service did not answer in time' : 'The service is not reachable',
  retryAfter: null,
})

/** The body of a response, whatever its status. */
async function answerOf<T>(response: Response): Promise<Answer<T>> {
  const body = parsedJson(await response.text())
  if (!response.ok) {
    return { ok: false, failure: failureOf(response.status, body, retryAfterOf(response)) }
  }
  if (!isRecord(body)) return { ok: false, failure: malformedFailure(response.status) }
  return { ok: true, body: body as T }
}

/** A client of the service. The browser sends its cached ETag and the session's cookie. */
export function createClient(fetchFn: typeof fetch, timeout = TIMEOUT): ApiClient {
  return {
    async get<T>(path: Path<T>, signal?: AbortSignal): Promise<Answer<T> | null> {
      const limit = AbortSignal.timeout(timeout)
      try {
        const response = await fetchFn(path, {
          headers: { accept: 'application/json' },
          // Always revalidates with the service, which answers 304 when nothing changed: the
          // browser's cached response could be minutes older than its age header claims.
          cache: 'no-cache',
          signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
        })
        return await answerOf<T>(response)
      } catch {
        if (signal?.aborted === true) return null
        return { ok: false, failure: noAnswer(limit.aborted ? 'timeout' : 'unreachable') }
      }
    },
    async send<M extends Write, R extends PathsOf<M>>(
      method: M,
      path: R | Target<R>,
      body?: object,
      timeoutMs = timeout,
      repeatKey?: string,
    ): Promise<Answer<ResponseBody<`${M} ${R}` & RouteName>>> {
      const limit = AbortSignal.timeout(timeoutMs)
      try {
        const response = await fetchFn(path, {
          method,
          headers: {
            accept: 'application/json',
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...(repeatKey !== undefined && { 'idempotency-key': repeatKey }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
          cache: 'no-store',
          signal: limit,
        })
        return await answerOf(response)
      } catch {
        return { ok: false, failure: noAnswer(limit.aborted ? 'timeout' : 'unreachable') }
      }
    },
  }
}

const malformedFailure = (status: number): ApiFailure => ({
  kind: 'malformed',
  status,
  code: null,
  message: 'The response was not a JSON object',
  retryAfter: null,
})

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}
