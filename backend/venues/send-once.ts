import type { Clock } from '../lib/clock.ts'
import type { Fetch } from './http-client.ts'
import { BadBody, readJson } from './http-body.ts'

/** A request that changes something at a venue. */
export interface Write {
  readonly method: 'POST' | 'DELETE'
  readonly url: string
  /** The exact text; empty for none. */
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** The end of a write: the venue answered it, did not read it, or may have acted upon it. */
export type WriteResult =
  | { readonly kind: 'answered'; readonly status: number; readonly body: unknown }
  | { readonly kind: 'not_sent'; readonly reason: string }
  | { readonly kind: 'lost'; readonly reason: string }

const TIMEOUT = 10_000
const MAX_BODY = 1_000_000
/** Failures before a connection existed. */
const NEVER_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])
/** The request was refused unread: the engine restarts, or too many requests came. */
const UNREAD_STATUSES = new Set([425, 429])
/** Statuses after which the venue may still have acted. */
const isUncertain = (status: number): boolean => status === 408 || status >= 500

/**
 * Sends a write exactly once, whatever its result: no retry, no redirect. A result that is not the
 * venue's own JSON answer counts as lost.
 */
export async function sendOnce(
  write: Write,
  deps: { readonly fetch: Fetch; readonly clock: Clock; readonly timeoutMs?: number },
  signal: AbortSignal,
): Promise<WriteResult> {
  const { fetch, clock, timeoutMs = TIMEOUT } = deps
  if (signal.aborted) return { kind: 'not_sent', reason: 'the tick ended' }
  const timeout = new AbortController()
  const completion = new AbortController()
  void clock.sleep(timeoutMs, completion.signal).then(
    () => timeout.abort(new Error(`no answer within ${timeoutMs} ms`)),
    () => undefined,
  )
  try {
    const response = await fetch(write.url, {
      method: write.method,
      signal: AbortSignal.any([signal, timeout.signal]),
      redirect: 'error',
      headers: {
        accept: 'application/json',
        'user-agent': 'Augury/0.1',
        ...(write.body === '' ? {} : { 'content-type': 'application/json' }),
        ...write.headers,
      },
      ...(write.body === '' ? {} : { body: write.body }),
    })
    const { status } = response
    if (UNREAD_STATUSES.has(status)) {
      await response.body?.cancel()
      return { kind: 'not_sent', reason: `the venue answered ${status}` }
    }
    const body = await readJson(response, MAX_BODY)
    if (isUncertain(status)) return { kind: 'lost', reason: `the venue answered ${status}` }
    return { kind: 'answered', status, body }
  } catch (error) {
    const reason = reasonOf(timeout.signal.aborted ? timeout.signal.reason : error)
    const isUnsent = !(error instanceof BadBody) && NEVER_CONNECTED.has(codeOf(error))
    return { kind: isUnsent ? 'not_sent' : 'lost', reason }
  } finally {
    completion.abort()
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : 'the request failed'

/** The system's code of a failed fetch, which is on its cause. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : null
  const code = cause instanceof Error && 'code' in cause ? cause.code : null
  return typeof code === 'string' ? code : ''
}
