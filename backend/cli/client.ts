import type { Clock } from '../lib/clock.ts'
import { CliFailure, EXIT, exitOfStatus } from './failure.ts'

export type Query = Readonly<Record<string, string | number | boolean | null>>

/** How to reach a service. */
export interface ClientOptions {
  readonly apiUrl: string
  /** Value of the Authorization header. */
  readonly authorization: string | null
  readonly timeoutMs: number
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Whether a limit may be waited out once. */
  readonly waits: boolean
}

/** Answers as text, so that `--json` can print them unchanged. */
export interface Client {
  /** Repeated twice on a lost connection, 502 and 503. */
  get(path: string, query?: Query): Promise<string>
  /** Sent once. */
  send(method: 'POST' | 'DELETE', path: string, body?: object): Promise<string>
}

const REPEATS = 2
const LONGEST_WAIT_S = 60
const PAUSE_MS = 250

/** @throws CliFailure with the exit code of whatever went wrong */
export function createClient(options: ClientOptions): Client {
  const { apiUrl, authorization, timeoutMs, clock, signal } = options
  const ask = async (method: string, url: URL, body?: object): Promise<Response> => {
    const limit = AbortSignal.timeout(timeoutMs)
    try {
      return await fetch(url, {
        method,
        headers: {
          accept: 'application/json',
          ...(authorization !== null && { authorization }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.any([signal, limit]),
      })
    } catch (cause) {
      if (signal.aborted) throw interrupted()
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
  const repeatable = async (url: URL): Promise<Response> => {
    let hasWaited = false
    for (let attempt = 0; ; attempt += 1) {
      const response = await ask('GET', url).catch((error: unknown) => {
        const isLost = error instanceof CliFailure && error.code === 'UNREACHABLE'
        if (!isLost || attempt >= REPEATS) throw error
        return null
      })
      if (response === null) {
        await clock.sleep(PAUSE_MS * (attempt + 1), signal)
        continue
      }
      if ([502, 503].includes(response.status) && attempt < REPEATS) {
        await response.body?.cancel()
        await clock.sleep(PAUSE_MS * (attempt + 1), signal)
        continue
      }
      const after = Number(response.headers.get('retry-after') ?? Number.NaN)
      if (response.status === 429 && options.waits && !hasWaited && after <= LONGEST_WAIT_S) {
        hasWaited = true
        await response.body?.cancel()
        await clock.sleep(after * 1000, signal)
        continue
      }
      return response
    }
  }
  return {
    get: async (path, query) => bodyOf(await repeatable(urlOf(path, query))),
    send: async (method, path, body) => bodyOf(await ask(method, urlOf(path), body)),
  }
}

export const interrupted = (): CliFailure =>
  new CliFailure(EXIT.interrupted, 'INTERRUPTED', 'interrupted')

export const noService = (url: string, cause?: unknown): CliFailure =>
  new CliFailure(
    EXIT.unreachable,
    'UNREACHABLE',
    `No service at ${url}. Start it with: augury serve`,
    { cause },
  )

async function bodyOf(response: Response): Promise<string> {
  const body = await response.text()
  if (response.ok) return body
  const { code, message, details } = refusalOf(body, response.status)
  throw new CliFailure(exitOfStatus(response.status), code, message, {
    status: response.status,
    details,
  })
}

/** Both forms of the interface's failures: `{ error, code }` and `{ ok: false, error: { … } }`. */
function refusalOf(
  body: string,
  status: number,
): { code: string; message: string; details: object | null } {
  const fallback = {
    code: `HTTP_${status}`,
    message: `The service answered ${status}`,
    details: null,
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
  const { code, message, details } = inner
  return {
    code: typeof code === 'string' ? code : fallback.code,
    message: typeof message === 'string' ? message : fallback.message,
    details: typeof details === 'object' ? details : null,
  }
}
