import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createByteCache } from './cache/byte-cache.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import type { AnswerListener } from './answered-request.ts'
import type { Authenticate } from './auth/auth.ts'
import { authenticateByLaunchSecret } from './auth/launch-secret.ts'
import { allowListOf } from './auth/origin-guard.ts'
import type { AllowList } from './auth/origin-guard.ts'
import { NotReady } from '../lib/errors.ts'
import { ListenFailed } from '../lib/process/start-problems.ts'
import { refusalAnswer } from './answers.ts'
import { createCredentialAttempts } from './limits/credential-attempts.ts'
import type { CredentialAttempts } from './limits/credential-attempts.ts'
import { refusalOf } from './errors.ts'
import { createFront } from './front.ts'
import { createRateCount } from './limits/rate-count.ts'
import { createRateLimiter } from './limits/rate-limit.ts'
import type { RateLimiter } from './limits/rate-limit.ts'
import { createRouteTable } from './routes/route-table.ts'
import type { DeclaredRoute } from './routes/route-table.ts'
import { createStaticPage } from './static-page.ts'

export const API_VERSION = '1.0.0'

/** The part of an Elysia app that the server uses. */
export interface ServedApp {
  readonly routes: readonly DeclaredRoute[]
  readonly handle: (request: Request) => Response | Promise<Response>
}

export interface ServeOptions {
  /** Data time, live or replayed. */
  readonly clock: Clock
  /** Wall time for rate windows; defaults to `clock`. */
  readonly wallClock?: Clock
  readonly logger: Logger
  /** Further addresses under which the service may be reached, such as its configured base URL. */
  readonly addresses?: readonly string[]
  readonly launchSecret?: string | null
  /** Authenticates callers; by default only `launchSecret` is valid. */
  readonly authenticate?: Authenticate
  /**
   * Requests per minute of the general class; `off` disables the limit; the default is the
   * contract's table.
   */
  readonly fairUse?: number | 'off' | null
  /** Address of the proxy whose `X-Forwarded-For` is trusted; none by default. */
  readonly trustedProxy?: string | null
  /** Limiter shared with other readers; by default the server has its own. */
  readonly limiter?: RateLimiter
  /** Called after every response to an identified caller. */
  readonly onAnswer?: AnswerListener
  /** Folder of the built page. */
  readonly pageFolder?: string | null
}

/** A bound port. Until `serve` is called every request gets 503 NOT_READY. */
export interface BoundAddress {
  readonly host: string
  readonly port: number
  /** `http://host:port` of the bound address. */
  readonly url: string
  /** For upgrade events; call `refusalOfHostOrOrigin(request, allowed)` before accepting one. */
  readonly server: Server
  readonly allowed: () => AllowList
  /** Limits on credential attempts; null until `serve` is called. */
  readonly attempts: () => CredentialAttempts | null
  serve(app: ServedApp, options: ServeOptions): RunningServer
  /**
   * Registers a listener that ends its long-lived connections when the server closes; they are cut
   * after `grace` ms.
   */
  onClose(listener: (grace: number) => void): void
  /** Stops accepting, waits up to `grace` ms for running responses, then closes the connections. */
  close(grace?: number): Promise<void>
}

export interface RunningServer {
  /** Drops all cached bytes after an import has changed history. */
  invalidateAnswers(): void
}

/**
 * Binds host and port (0: any free port) and resolves when the port is bound.
 * @throws ListenFailed if the port cannot be bound
 */
export async function bind(address: { host: string; port: number }): Promise<BoundAddress> {
  const { host } = address
  let listener: RequestListener = notReady
  let allowList: AllowList | null = null
  let attempts: CredentialAttempts | null = null
  const server: Server = createServer(
    {
      requestTimeout: 30_000,
      headersTimeout: 10_000,
      keepAliveTimeout: 65_000,
      // The secret of a login has up to 4,096 characters of any kind and is sent percent-encoded in
      // the address.
      maxHeaderSize: 65_536,
      // Node enforces both timeouts only when it checks connections; its default interval is thirty
      // seconds.
      connectionsCheckingInterval: 1_000,
      noDelay: true,
      // HTTP/2 upgrade offers are answered as plain requests; before `serve` nothing is upgraded.
      shouldUpgradeCallback: ({ headers }) =>
        headers.upgrade?.toLowerCase() === 'websocket' && server.listenerCount('upgrade') > 0,
    },
    (request, response) => listener(request, response),
  )
  server.on('checkContinue', (request, response) => listener(request, response))
  server.timeout = 0
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new ListenFailed(host, address.port, error.code ?? 'UNKNOWN', error)),
    )
    server.listen(address.port, host, resolve)
  })
  server.removeAllListeners('error')
  const { port } = server.address() as AddressInfo
  const closers: ((grace: number) => void)[] = []
  return {
    host,
    port,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    server,
    allowed: () => allowList ?? allowListOf({ host, port }, []),
    attempts: () => attempts,
    serve(app, options) {
      const { clock, logger } = options
      const wallClock = options.wallClock ?? clock
      const time = { monotonic: () => wallClock.monotonic(), now: () => clock.now() }
      const cache = createByteCache(time)
      allowList = allowListOf({ host, port }, options.addresses ?? [])
      const limiter = options.limiter ?? createRateLimiter(time.monotonic)
      const trustedProxy = options.trustedProxy ?? null
      const fairUse = options.fairUse ?? null
      const count = createRateCount({ limiter, fairUse, trustedProxy, wallClock })
      attempts = createCredentialAttempts({ limiter, trustedProxy, wallClock, count })
      listener = createFront({
        handle: (request) => app.handle(request),
        table: createRouteTable(app.routes),
        allowed: allowList,
        authenticate:
          options.authenticate ?? authenticateByLaunchSecret(options.launchSecret ?? null),
        attempts,
        count,
        trustedProxy,
        cache,
        wallClock,
        logger,
        page: typeof options.pageFolder === 'string' ? createStaticPage(options.pageFolder) : null,
        apiVersion: API_VERSION,
        onAnswer: options.onAnswer ?? null,
      })
      return { invalidateAnswers: () => cache.clear() }
    },
    onClose: (closer) => void closers.push(closer),
    close: (grace = 2_000) => {
      for (const closer of closers) closer(grace)
      return close(server, grace)
    },
  }
}

/** Binds and serves in one step, for callers that do not need the address beforehand. */
export async function listen(
  app: ServedApp,
  options: ServeOptions & { readonly host: string; readonly port: number },
): Promise<BoundAddress & RunningServer> {
  const bound = await bind(options)
  return { ...bound, ...bound.serve(app, options) }
}

const notReady: RequestListener = (_request, response) => {
  const answer = refusalAnswer(
    refusalOf(new NotReady('The service is starting')) ?? { status: 503, body: {}, headers: {} },
  )
  response.writeHead(answer.status, [...answer.headers])
  response.end(answer.plain)
}

function close(server: Server, grace: number): Promise<void> {
  return new Promise((resolve) => {
    const graceTimer = setTimeout(() => server.closeAllConnections(), grace)
    server.close(() => {
      clearTimeout(graceTimer)
      resolve()
    })
    server.closeIdleConnections()
  })
}
