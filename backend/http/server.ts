import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createByteCache } from './byte-cache.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import type { NoteAnswer } from './answered-request.ts'
import type { Authenticate } from './auth.ts'
import { authenticateByLaunchSecret } from './launch-secret.ts'
import { allowListOf } from './doors.ts'
import type { AllowList } from './doors.ts'
import { NotReady } from '../lib/errors.ts'
import { ListenFailed } from '../lib/start-problems.ts'
import { refusalAnswer } from './answers.ts'
import { refusalOf } from './errors.ts'
import { createFront } from './front.ts'
import { createRateLimiter } from './rate-limit.ts'
import type { RateLimiter } from './rate-limit.ts'
import { createRouteTable } from './route-table.ts'
import type { DeclaredRoute } from './route-table.ts'
import { createStaticPage } from './static-page.ts'

export const API_VERSION = '1.0.0'

/** The part of an Elysia app that the server needs. */
export interface ServedApp {
  readonly routes: readonly DeclaredRoute[]
  readonly handle: (request: Request) => Response | Promise<Response>
}

export interface ServeOptions {
  /** Time of the data, real or replayed. */
  readonly clock: Clock
  /** Real time for rate windows; absent: `clock`. */
  readonly wallClock?: Clock
  readonly logger: Logger
  /** Further addresses under which the service may be reached, such as its configured base URL. */
  readonly addresses?: readonly string[]
  readonly launchSecret?: string | null
  /** Who knows the credentials; absent: `launchSecret` is the only one there is. */
  readonly authenticate?: Authenticate
  /** Requests a minute of the general class; `off` counts none; absent keeps the contract's table. */
  readonly fairUse?: number | 'off' | null
  /** Address of the peer whose `X-Forwarded-For` is believed; absent: nobody's. */
  readonly trustedProxy?: string | null
  /** Windows that somebody else reads too; absent: its own. */
  readonly limiter?: RateLimiter
  /** Hears of every answered request of somebody known. */
  readonly noteAnswer?: NoteAnswer
  /** Folder of the built page. */
  readonly pageFolder?: string | null
}

/** A bound port. Until `serve` is called every request is answered 503 NOT_READY. */
export interface Bound {
  readonly host: string
  readonly port: number
  /** `http://host:port` of the bound address. */
  readonly url: string
  /** For upgrade events; check `refusalAtDoor(request, allowed)` before accepting one. */
  readonly server: Server
  readonly allowed: () => AllowList
  serve(app: ServedApp, options: ServeOptions): Serving
  /** Has `listener` end what it keeps open when the server closes; cut after `grace` ms. */
  onClose(listener: (grace: number) => void): void
  /** Stops accepting, lets running answers finish for at most `grace` ms, then cuts connections. */
  close(grace?: number): Promise<void>
}

export interface Serving {
  /** Forgets all ready bytes, after history changed under them (an import). */
  forgetAnswers(): void
}

/**
 * Binds host and port (0: any free one) and resolves once the port is really held.
 * @throws ListenFailed when it cannot be had
 */
export async function bind(address: { host: string; port: number }): Promise<Bound> {
  const { host } = address
  let listener: RequestListener = notReady
  let allowed: AllowList | null = null
  const server: Server = createServer(
    {
      requestTimeout: 30_000,
      headersTimeout: 10_000,
      keepAliveTimeout: 65_000,
      // The secret of a login, 4,096 characters of any kind, stands percent-encoded in an address.
      maxHeaderSize: 65_536,
      // The two limits hold only when somebody looks; Node looks every thirty seconds unless told.
      connectionsCheckingInterval: 1_000,
      noDelay: true,
      // Offers of HTTP/2 are answered as plain requests; before `serve` nothing is upgraded.
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
    allowed: () => allowed ?? allowListOf({ host, port }, []),
    serve(app, options) {
      const { clock, logger } = options
      const wallClock = options.wallClock ?? clock
      const time = { monotonic: () => wallClock.monotonic(), now: () => clock.now() }
      const cache = createByteCache(time)
      allowed = allowListOf({ host, port }, options.addresses ?? [])
      listener = createFront({
        handle: (request) => app.handle(request),
        table: createRouteTable(app.routes),
        allowed,
        authenticate:
          options.authenticate ?? authenticateByLaunchSecret(options.launchSecret ?? null),
        limiter: options.limiter ?? createRateLimiter(time.monotonic),
        fairUse: options.fairUse ?? null,
        trustedProxy: options.trustedProxy ?? null,
        cache,
        wallClock,
        logger,
        page: typeof options.pageFolder === 'string' ? createStaticPage(options.pageFolder) : null,
        apiVersion: API_VERSION,
        noteAnswer: options.noteAnswer ?? null,
      })
      return { forgetAnswers: () => cache.clear() }
    },
    onClose: (closer) => void closers.push(closer),
    close: (grace = 2_000) => {
      for (const closer of closers) closer(grace)
      return close(server, grace)
    },
  }
}

/** Binds and serves in one step, for those who need no address before they compose. */
export async function listen(
  app: ServedApp,
  options: ServeOptions & { readonly host: string; readonly port: number },
): Promise<Bound & Serving> {
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
    const cut = setTimeout(() => server.closeAllConnections(), grace)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
    server.closeIdleConnections()
  })
}
