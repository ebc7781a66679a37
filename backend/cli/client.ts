import type { PathsOf, ResponseBody, RouteName } from '../contract/routes.ts'
import type { Clock } from '../lib/clock.ts'
import { CliFailure, EXIT, exitOfStatus } from './failure.ts'
import type { RoutePath, JsonText, ReadBody } from './route.ts'
import { clean } from './terminal/output.ts'

export type Query = Readonly<Record<string, string | number | boolean | null>>

/** How to reach a service. */
export interface ClientOptions {
  readonly apiUrl: string
  /** Value of the Authorization header. */
  readonly authorization: string | null
  /** Additional headers of every request. */
  readonly headers?: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Whether the client may wait once for a rate limit to reset. */
  readonly waitsForRateLimit: boolean
  /** Called before the client waits for a rate limit. */
  readonly reportProgress?: (line: string) => void
}

/**
 * Returns bodies as text, so that `--json` can print them unchanged; JSON unless markdown was
 * requested.
 */
export interface Client {
  /**
   * Retried twice after a lost connection, 502 and 503; `format: 'markdown'` in the query requests
   * markdown.
   */
  get<R extends PathsOf<'GET'>>(path: R | RoutePath<R>, query?: Query): Promise<ReadBody<R>>
  /** Sent once. */
  send<M extends 'POST' | 'PUT' | 'PATCH' | 'DELETE', R extends PathsOf<M>>(
    method: M,
    path: R | RoutePath<R>,
    body?: object,
  ): Promise<JsonText<ResponseBody<Extract<RouteName, `${M} ${R}`>>>>
  /** Sent once; returns the response with its headers. */
  sendForHeaders(method: 'POST', path: PathsOf<'POST'>, body?: object): Promise<TextResponse>
}

/** A response that was read to its end. */
interface TextResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

const MAX_RETRIES = 2
const MAX_WAIT_S = 60
const RETRY_DELAY_MS = 250
const TOO_MANY = 429

/** Creates an HTTP client. Its methods throw a CliFailure with the exit code of the failure. */
export function createClient(options: ClientOptions): Client {
  const { apiUrl, authorization, timeoutMs, clock, signal } = options
  const request = async (method: string, url: URL, body?: object): Promise<TextResponse> => {
    const limit = AbortSignal.timeout(timeoutMs)
    try {
      const response = await fetch(url, {
        method,
        headers: {
          accept: 'application/json',
          ...options.headers,
          ...(authorization !== null && { authorization }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        // A key is meant for one origin: redirects to another one are not followed.
        redirect: 'manual',
        signal: AbortSignal.any([signal, limit]),
      })
      const { status, headers } = response
      return { status, headers, body: await response.text() }
    } catch (cause) {
      if (signal.aborted) throw interruption()
      if (limit.aborted) {
        const message = `No answer from ${apiUrl} within ${timeoutMs / 1000} s`
        throw new CliFailure(EXIT.unreachable, 'TIMEOUT', message, { cause })
      }
      throw noService(apiUrl, cause)
    }
  }
  const urlOf = (path: string, query: Query = {}): URL => {
    const url = new URL(apiUrl + path)
    for (const [name, value] of Object.entries(query)) {
      if (value !== null) url.searchParams.set(name, String(value))
    }
    return url
  }
  const getWithRetry = async (url: URL): Promise<TextResponse> => {
    let hasWaited = false
    for (let repeats = 0; ;) {
      const answer = await request('GET', url).catch((error: unknown) => {
        const isLost = error instanceof CliFailure && error.code === 'UNREACHABLE'
        if (!isLost || repeats >= MAX_RETRIES) throw error
        return null
      })
      if (answer?.status === TOO_MANY) {
        const retryAfter = Number(answer.headers.get('retry-after') ?? Number.NaN)
        if (
          !options.waitsForRateLimit ||
          hasWaited ||
          !(retryAfter >= 0 && retryAfter <= MAX_WAIT_S)
        )
          return answer
        hasWaited = true
        options.reportProgress?.(`The rate limit resets in ${retryAfter} s; waiting.`)
        await clock.sleep(retryAfter * 1000, signal)
        continue
      }
      const isDown = answer === null || [502, 503].includes(answer.status)
      if (answer !== null && (!isDown || repeats >= MAX_RETRIES)) return answer
      repeats += 1
      await clock.sleep(RETRY_DELAY_MS * repeats, signal)
    }
  }
  const checkedResponse = (answer: TextResponse, sentQuery: Query = {}): TextResponse => {
    const { status, body } = answer
    if (status < 200 || status >= 300) throw failureOf(answer, authorization)
    const isText = sentQuery['format'] === 'markdown' || sentQuery['format'] === 'html'
    if (!isText && !isJson(body)) throw notJson(apiUrl, status)
    return answer
  }
  const sendForHeaders = async (
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<TextResponse> => checkedResponse(await request(method, urlOf(path), body))
  return {
    get: async <R extends PathsOf<'GET'>>(path: string, query?: Query) =>
      checkedResponse(await getWithRetry(urlOf(path, query)), query).body as ReadBody<R>,
    send: async <T>(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object) =>
      (await sendForHeaders(method, path, body)).body as JsonText<T>,
    sendForHeaders,
  }
}

export const interruption = (): CliFailure =>
  new CliFailure(EXIT.interrupted, 'INTERRUPTED', 'interrupted')

export const noService = (url: string, cause?: unknown): CliFailure =>
  new CliFailure(
    EXIT.unreachable,
    'UNREACHABLE',
    `No service at ${url}. Start it with: augury serve`,
    { cause },
  )

/** Happens when a proxy's page, or another program at the port, answers. */
const notJson = (url: string, status: number): CliFailure =>
  new CliFailure(EXIT.failed, 'NOT_JSON', 'The service did not answer with JSON', {
    status,
    advice: `Check that ${url} is the address of the service.`,
  })

function isJson(body: string): boolean {
  try {
    JSON.parse(body)
    return true
  } catch {
    return false
  }
}

function failureOf(
  { status, headers, body }: TextResponse,
  authorization: string | null,
): CliFailure {
  const { code, message, details, hint } = refusalOf(body, status)
  const retryAfter = headers.get('retry-after')
  return new CliFailure(exitOfStatus(status), code, message, {
    status,
    details,
    ...(hint !== null && { advice: hint }),
    ...(status === 503 && retryAfter !== null && { advice: `Try again in ${retryAfter} s` }),
    ...(status === 401 && authorization === null && { advice: 'Sign in with: augury login' }),
    ...(status === 401 &&
      authorization?.startsWith('Bearer ') === true && {
        advice: 'The key was not accepted. Create another with: augury login',
      }),
  })
}

/** Both error formats of the interface: `{ error, code }` and `{ ok: false, error: { … } }`. */
function refusalOf(
  body: string,
  status: number,
): { code: string; message: string; details: object | null; hint: string | null } {
  const fallback = {
    code: `HTTP_${status}`,
    message: `The service answered ${status}`,
    details: null,
    hint: null,
  }
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return fallback
  }
  if (typeof value !== 'object' || value === null) return fallback
  const outer = value as Record<string, unknown>
  const inner =
    typeof outer['error'] === 'object' && outer['error'] !== null
      ? (outer['error'] as Record<string, unknown>)
      : { message: outer['error'], ...outer }
  const { code, message, details, hint } = inner
  return {
    code: typeof code === 'string' ? code : fallback.code,
    message: typeof message === 'string' ? clean(message) : fallback.message,
    details: typeof details === 'object' ? details : null,
    hint: typeof hint === 'string' ? clean(hint) : null,
  }
}
