import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { isIP } from 'node:net'
import type { AttemptResult } from '../../domain/webhooks/delivery.ts'
import { isSuccess } from '../../domain/webhooks/delivery.ts'
import { SECOND } from '../../domain/units.ts'
import type { Clock } from '../../lib/clock.ts'
import { retryAfter } from '../../lib/retry.ts'
import type { UrlPolicy } from './url-policy.ts'

const TIMEOUT = 10 * SECOND
/** Bytes of a response that are read; the rest is discarded. */
const MAX_BYTES = 64_000
const EXCERPT_BYTES = 1_000

export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends one request; it never rejects. */
export type SendWebhook = (
  webhookRequest: WebhookRequest,
  signal: AbortSignal,
) => Promise<AttemptResult>

/**
 * Sends webhooks over HTTPS. The host is resolved here and the socket connects to the address that
 * was checked, so that a name cannot change in between; the name stays that of TLS and of `Host`.
 * Redirects are not followed, proxies are not used, connections are not shared, and certificates
 * are always verified. An attempt takes ten seconds at most.
 * @param extraAuthorities certificates of further authorities, for tests
 */
export function createSendWebhook(deps: {
  readonly policy: UrlPolicy
  readonly clock: Clock
  readonly extraAuthorities?: string
}): SendWebhook {
  const { policy, clock, extraAuthorities } = deps
  return async ({ url, headers, body }, stop) => {
    const startedAt = clock.monotonic()
    const timeLimit = AbortSignal.timeout(TIMEOUT)
    const result = (rest: Partial<AttemptResult>): AttemptResult => ({
      status: null,
      error: null,
      responseExcerpt: null,
      retryAfterMs: null,
      ...rest,
      durationMs: Math.round(clock.monotonic() - startedAt),
    })
    const signal = AbortSignal.any([stop, timeLimit])
    try {
      const target = new URL(url)
      const address = await unlessAborted(policy.resolvePinned(target), signal)
      const options = { headers, body, signal, policy, ca: extraAuthorities }
      const response = await responseOf(target, address, options)
      const text = await startOf(response, signal)
      const status = response.statusCode ?? 0
      return result({
        status,
        error: isSuccess({ status }) ? null : `HTTP ${status}`,
        responseExcerpt: text.slice(0, EXCERPT_BYTES),
        retryAfterMs:
          status === 429 || status === 503
            ? retryAfter(response.headers['retry-after'] ?? null, clock.now())
            : null,
      })
    } catch (error) {
      if (timeLimit.aborted) return result({ error: `no response within ${TIMEOUT / SECOND} s` })
      return result({ error: error instanceof Error ? error.message : String(error) })
    }
  }
}

function responseOf(
  url: URL,
  address: string,
  options: {
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    readonly signal: AbortSignal
    readonly policy: UrlPolicy
    readonly ca: string | undefined
  },
): Promise<IncomingMessage> {
  const { headers, body, signal, policy, ca } = options
  return new Promise((resolve, reject) => {
    const family = isIP(address)
    const clientRequest = request(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      agent: false,
      signal,
      ...(ca !== undefined && { ca }),
      lookup: (_host, { all }, callback) =>
        all === true ? callback(null, [{ address, family }]) : callback(null, address, family),
    })
    clientRequest.once('socket', (socket) => {
      socket.once('connect', () => {
        try {
          policy.admit(socket.remoteAddress ?? '0.0.0.0')
        } catch (error) {
          socket.destroy(error as Error)
        }
      })
    })
    clientRequest.once('response', resolve).once('error', reject)
    clientRequest.end(body)
  })
}

/** The start of a response's text; the connection ends with it. */
async function startOf(response: IncomingMessage, signal: AbortSignal): Promise<string> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of response) {
    signal.throwIfAborted()
    parts.push(part as Buffer)
    length += (part as Buffer).length
    if (length >= MAX_BYTES) break
  }
  response.destroy()
  return Buffer.concat(parts).toString('utf8')
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    work.then(resolve, reject)
  })
}
