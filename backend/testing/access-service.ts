import { hash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Elysia, type AnyElysia } from 'elysia'
import { createAccess, type Access } from '../features/access/access.ts'
import { accessRoutes } from '../features/access/access.routes.ts'
import type { ProviderSettings } from '../features/access/sessions/identity-provider.ts'
import type { KeyHash } from '../features/access/keys/key-hash.ts'
import { createUsageRecorder } from '../features/usage/usage-recorder.ts'
import { usageRoutes } from '../features/usage/usage.routes.ts'
import { createUsageService } from '../features/usage/usage.service.ts'
import { createUsageStore } from '../features/usage/usage.store.ts'
import { adapter } from '../http/adapter.ts'
import { createHttpApp } from '../http/app.ts'
import { callerOf } from '../http/auth/auth.ts'
import { createRateLimiter } from '../http/limits/rate-limit.ts'
import { bind, type BoundAddress } from '../http/server.ts'
import { routePolicies } from '../http/routes/route-policies.ts'
import type { Logger } from '../lib/logger.ts'
import { silentLogger } from '../lib/logger.ts'
import { openState, type State } from '../state/open.ts'
import { FakeClock } from './fake-clock.ts'

export const LAUNCH_SECRET = 'launch-secret_of-these-tests'

export interface Requested {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Record<string, unknown>
  readonly text: string
}

export interface Asking {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly body?: unknown
}

export interface AccessService {
  readonly url: string
  readonly port: number
  readonly clock: FakeClock
  readonly state: State
  readonly access: Access
  readonly dataDir: string
  ask(path: string, asking?: Asking): Promise<Requested>
  /** A session of the local owner: the value of its `Cookie` header. */
  signIn(): Promise<string>
  /** A data key of the local owner, or a service key. */
  makeKey(
    name?: string,
    routes?: '/api/keys' | '/api/data-keys',
  ): Promise<{ id: string; key: string }>
  /** Stops this process's part and starts another on the same data folder and port. */
  restart(): Promise<AccessService>
  close(): Promise<void>
}

/** Dependencies of additional routes. */
export interface AroundRoutes {
  readonly state: State
  readonly access: Access
  readonly url: string
}

/** A fast substitute for Argon2id that counts concurrent hashes. */
export function countedHash(): KeyHash & { verified: number; inFlight: number; max: number } {
  const counted = {
    verified: 0,
    inFlight: 0,
    max: 0,
    hash: (key: string) => Promise.resolve(hash('sha256', key)),
    async matches(hashed: string, key: string): Promise<boolean> {
      counted.verified += 1
      counted.inFlight += 1
      counted.max = Math.max(counted.max, counted.inFlight)
      await new Promise((resolve) => setImmediate(resolve))
      counted.inFlight -= 1
      return hashed === hash('sha256', key)
    },
  }
  return counted
}

/** Routes that return the requester, one for each auth policy. */
const policyRoutes = () => {
  const who = ({ request }: { request: Request }) => ({ caller: callerOf(request)?.id ?? null })
  return new Elysia({ adapter })
    .use(routePolicies)
    .get('/policy/none', who, { auth: 'none' })
    .get('/policy/optional', who, { auth: 'optional' })
    .get('/policy/anyone', who, { auth: 'anyone' })
    .get('/policy/required', who, { auth: 'required' })
    .get('/policy/session', who, { auth: 'session' })
    .get('/policy/cookie', who, { auth: 'cookie' })
    .get('/policy/data', who, { auth: 'data', rate: 'data-240' })
    .get('/policy/owner', who, { auth: 'owner' })
    .get('/policy/admin', who, { auth: 'admin' })
    .get('/policy/admin-cookie', who, { auth: 'admin-cookie' })
    .get('/policy/operator', who, { auth: 'operator' })
    .get('/kept', who, { auth: 'optional', cache: 60 })
    .post('/written', who, { auth: 'required' })
}

/** Keys and sessions behind real HTTP on loopback, with the test's own clock. */
export async function accessService(
  options: {
    keyHash?: KeyHash
    clock?: FakeClock
    logger?: Logger
    dataDir?: string
    signup?: 'open' | 'closed'
    provider?: ProviderSettings
    port?: number
    fairUse?: number
    /** Additional routes. */
    routes?: AnyElysia | ((around: AroundRoutes) => AnyElysia | Promise<AnyElysia>)
    /** Stops what the additional routes started, before the stores close. */
    onStop?: () => Promise<void>
  } = {},
): Promise<AccessService> {
  const clock = options.clock ?? new FakeClock()
  const logger = options.logger ?? silentLogger
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'augury-access-'))
  const state = await openState(join(dataDir, 'state.sqlite'))
  const bound: BoundAddress = await bind({ host: '127.0.0.1', port: options.port ?? 0 })
  const access = createAccess({
    state,
    dataDir,
    baseUrl: bound.url,
    appUrl: bound.url,
    clock,
    logger,
    keyHash: options.keyHash ?? countedHash(),
    signup: options.signup ?? 'open',
    provider: options.provider ?? null,
  })
  const moreRoutes = (around: AroundRoutes) =>
    typeof options.routes === 'function'
      ? options.routes(around)
      : (options.routes ?? new Elysia({ adapter }))
  const limiter = createRateLimiter(() => clock.monotonic())
  const store = createUsageStore(state)
  const usage = createUsageRecorder({ store, clock, logger })
  const app = createHttpApp({ logger })
    .use(accessRoutes(access))
    .use(usageRoutes(createUsageService({ store, recorder: usage, limiter, clock })))
    .use(policyRoutes())
    .use(await moreRoutes({ state, access, url: bound.url }))
  bound.serve(app, {
    clock,
    logger,
    limiter,
    onAnswer: usage.record,
    fairUse: options.fairUse ?? null,
    authenticate: access.authenticate(LAUNCH_SECRET),
  })

  const ask = (path: string, { method = 'GET', headers = {}, body }: Asking = {}) =>
    new Promise<Requested>((resolve, reject) => {
      const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
      // Node sets no Content-Length for the body of a DELETE.
      const typed =
        text === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
      const all = { ...typed, ...headers }
      const sent = httpRequest(
        bound.url + path,
        { method, headers: all, agent: false },
        (answer) => {
          let got = ''
          answer.on('data', (chunk: Buffer) => (got += chunk.toString()))
          answer.on('end', () => {
            const { statusCode: status = 0, headers: sentBack } = answer
            const parsed = got === '' ? {} : (JSON.parse(got) as Record<string, unknown>)
            resolve({ status, headers: sentBack, body: parsed, text: got })
          })
        },
      )
      sent.on('error', reject)
      sent.end(text)
    })
  const stop = async (): Promise<void> => {
    await bound.close(0)
    await options.onStop?.()
    await usage.close()
    await access.close()
    await state.destroy()
  }
  const asOwner = { authorization: `Launch ${LAUNCH_SECRET}` }

  return {
    url: bound.url,
    port: bound.port,
    clock,
    state,
    access,
    dataDir,
    ask,
    async signIn() {
      const { body } = await ask('/api/auth/local', { method: 'POST', headers: asOwner })
      const answer = await ask('/api/auth/exchange', {
        method: 'POST',
        body: { ticket: body['ticket'] },
      })
      return (answer.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? ''
    },
    async makeKey(name, routes = '/api/data-keys') {
      const { body } = await ask(routes, {
        method: 'POST',
        headers: asOwner,
        body: name === undefined ? {} : { name },
      })
      return { id: String(body['id']), key: String(body['key']) }
    },
    async restart() {
      await stop()
      return accessService({ ...options, clock, dataDir, port: bound.port })
    },
    async close() {
      await stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
