import { createConnection } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSigningKey } from '../../features/access/sessions/signing-key.ts'
import type { Route } from '../../http/routes/route-table.ts'
import type { AuthPolicy } from '../../http/routes/route-policies.ts'
import { silentLogger } from '../../lib/logger.ts'
import { forgedTokens } from '../../testing/forged-tokens.ts'
import {
  gather,
  nameOf,
  pathOf,
  startWholeService,
  type Answer,
  type SentHeaders,
  type WholeService,
} from '../../testing/whole-service.ts'

type Kind = 'service-key' | 'data-key' | 'token' | 'cookie' | 'launch'

interface Credential {
  readonly name: string
  readonly headers: SentHeaders
  /** Its actual kind; null for an invalid credential. */
  readonly kind: Kind | null
  readonly isAdmin: boolean
  /** A valid cookie of an administrator together with an invalid header. */
  readonly hasCookie?: true
}

/** The table of the contract, repeated so that a change of either fails. */
const LET_IN: Readonly<Record<AuthPolicy, readonly Kind[]>> = {
  none: [],
  optional: ['service-key', 'token', 'cookie'],
  anyone: ['service-key', 'token', 'cookie'],
  required: ['service-key', 'token', 'cookie', 'launch'],
  session: ['token', 'cookie'],
  cookie: ['cookie'],
  data: ['data-key', 'cookie'],
  owner: ['launch'],
  admin: ['token', 'cookie'],
  'admin-cookie': ['cookie'],
  operator: ['service-key', 'token', 'cookie', 'launch'],
}
const ADMINS_ONLY: readonly AuthPolicy[] = ['admin', 'admin-cookie', 'operator']
/** The header is ignored. */
const BY_COOKIE_ALONE: readonly AuthPolicy[] = ['cookie', 'admin-cookie']
const OPEN: readonly AuthPolicy[] = ['none', 'optional', 'anyone']

let service: WholeService
let credentials: Credential[]

beforeAll(async () => {
  service = await startWholeService()
  credentials = await credentialsOf(service)
})
afterAll(() => service.close())

async function credentialsOf({
  owner,
  ann,
  ben,
  secret,
  dataDir,
  ask,
  ownerSession,
}: WholeService): Promise<Credential[]> {
  const ended = await ownerSession()
  await ask('/api/auth/signout', {
    method: 'POST',
    headers: { authorization: `Bearer ${ended.token}` },
  })
  const revoked = async (path: string): Promise<string> => {
    const headers = { authorization: `Launch ${secret}` }
    const created = JSON.parse((await ask(path, { method: 'POST', headers, body: '{}' })).text) as {
      id: string
      key: string
    }
    await ask(`${path}/${created.id}`, { method: 'DELETE', headers })
    return created.key
  }
  const good = (name: string, kind: Kind, headers: SentHeaders, isAdmin: boolean): Credential => ({
    name,
    kind,
    headers,
    isAdmin,
  })
  const bad = (name: string, headers: SentHeaders): Credential => ({
    name,
    kind: null,
    headers,
    isAdmin: false,
  })
  const bearer = (text: string | readonly string[]): SentHeaders => ({
    authorization: typeof text === 'string' ? `Bearer ${text}` : text.map((one) => `Bearer ${one}`),
  })
  const spoiled = (what: string, key: string): Credential[] => {
    const last = key.endsWith('A') ? 'B' : 'A'
    return [
      bad(`${what} in capitals`, bearer(key.toUpperCase())),
      bad(`${what}, prefix in capitals`, bearer(key.replace(/^\w+_live/, (p) => p.toUpperCase()))),
      bad(`${what} with its last letter changed`, bearer(`${key.slice(0, -1)}${last}`)),
      bad(`${what} cut short`, bearer(key.slice(0, -1))),
      bad(`${what} after two blanks`, bearer(` ${key}`)),
      bad(`${what} after a tab`, { authorization: `Bearer\t${key}` }),
      bad(`${what} with a blank inside`, bearer(`${key.slice(0, 20)} ${key.slice(20)}`)),
      bad(`${what} without a scheme`, { authorization: key }),
      bad(`${what} as basic`, { authorization: `Basic ${key}` }),
      bad(`${what} twice`, bearer([key, key])),
      bad(`${what} in a list`, bearer(`${key}, Bearer ${key}`)),
      bad(`${what} as a cookie`, { cookie: `${nameIn(owner.cookie)}=${key}` }),
      bad(`${what} as launch secret`, { authorization: `Launch ${key}` }),
    ]
  }
  const forged = Object.entries(
    await forgedTokens(await openSigningKey(dataDir, silentLogger), owner.token, ann.id),
  )
  const [service, data] = [owner.serviceKey.key, owner.dataKey.key]
  return [
    bad('nothing', {}),
    good('key of the owner', 'service-key', bearer(service), true),
    good('data key of the owner', 'data-key', bearer(data), true),
    good('token of the owner', 'token', bearer(owner.token), true),
    good('cookie of the owner', 'cookie', { cookie: owner.cookie }, true),
    good('launch secret', 'launch', { authorization: `Launch ${secret}` }, true),
    good('key of a user', 'service-key', bearer(ann.serviceKey.key), false),
    good('data key of a user', 'data-key', bearer(ann.dataKey.key), false),
    good('token of a user', 'token', bearer(ann.token), false),
    good('cookie of a user', 'cookie', { cookie: ben.cookie }, false),
    bad('revoked key', bearer(await revoked('/api/keys'))),
    bad('revoked data key', bearer(await revoked('/api/data-keys'))),
    bad('key under the other prefix', bearer(service.replace('svc_', 'svct_'))),
    bad('data key under the other prefix', bearer(data.replace('svct_', 'svc_'))),
    ...spoiled('key', service),
    ...spoiled('data key', data),
    bad('ended token', bearer(ended.token)),
    bad('ended cookie', { cookie: ended.cookie }),
    bad('cookie of another port', { cookie: owner.cookie.replace(/_\d+=/, '_1=') }),
    bad('token twice', bearer([owner.token, owner.token])),
    {
      ...bad('bad header beside a good cookie', { ...bearer('x'), cookie: owner.cookie }),
      hasCookie: true,
      isAdmin: true,
    },
    bad('wrong launch secret', { authorization: 'Launch x' }),
    bad('launch secret as bearer', bearer(secret)),
    bad('empty header', { authorization: '' }),
    ...forged.map(([name, token]) => bad(`token: ${name}`, bearer(token))),
    ...forged.map(([name, token]) =>
      bad(`cookie: ${name}`, { cookie: `${nameIn(owner.cookie)}=${token}` }),
    ),
  ]
}

const nameIn = (cookie: string): string => cookie.slice(0, cookie.indexOf('='))

/** The effective kind of a credential on a route: the cookie if headers are ignored. */
const kindFor = ({ auth }: Route, { kind, hasCookie }: Omit<Credential, 'name'>): Kind | null =>
  hasCookie === true && BY_COOKIE_ALONE.includes(auth) ? 'cookie' : kind

/**
 * Result of a credential under a route's policy: admitted, refused with status and code, or
 * anonymous.
 */
function verdictOn(route: Route, credential: Credential): string {
  const { auth } = route
  const { headers, isAdmin } = credential
  const kind = kindFor(route, credential)
  if (auth === 'none') return 'as nobody'
  if (kind !== null && LET_IN[auth].includes(kind)) {
    return ADMINS_ONLY.includes(auth) && !isAdmin ? '403 AUTH_FORBIDDEN' : 'in'
  }
  if (auth === 'anyone') return 'as nobody'
  const isReported = headers['authorization'] !== undefined && !BY_COOKIE_ALONE.includes(auth)
  if (isReported) return '401 AUTH_INVALID'
  return auth === 'optional' ? 'as nobody' : '401 AUTH_REQUIRED'
}

let counted = 0

/** One request to a route; writes have an unreadable body, so that none takes effect. */
function requested(route: Route, credential: Credential): Promise<Answer> {
  const { headers } = credential
  // The smallest limit of a class is five; the general one is off.
  const isCounted = route.rate !== 'general' && route.rate !== 'off'
  if (isCounted && (counted += 1) % 5 === 0) service.nextMinute()
  const isWrite = route.method !== 'GET'
  const byPage = isWrite && kindFor(route, credential) === 'cookie' && route.from !== 'program'
  return service.ask(
    pathOf(route, (name) => (name === 'ticker' ? service.ticker : 'none')),
    {
      method: route.method,
      headers: { ...headers, ...(byPage && { origin: service.url }) },
      ...(isWrite && { body: '{' }),
    },
  )
}

describe('every route and every credential', () => {
  // [auth.surfaces.everywhere]
  it('admits exactly the callers that its auth policy names', async () => {
    const before = service.storedRows()
    let covered = 0
    const secrets = [service.owner.id, service.ann.id, 'ann@example.test', 'ben@example.test']
    const faults = await gather(service.routes, async (route) => {
      covered += 1
      const found: string[] = []
      const nobody = await requested(route, { name: '', headers: {}, kind: null, isAdmin: false })
      for (const credential of credentials) {
        const verdict = verdictOn(route, credential)
        const { status, code, text } = await requested(route, credential)
        const was = `${status} ${code ?? ''}`.trim()
        const isRight =
          verdict === 'in'
            ? status !== 401 &&
              code !== 'AUTH_FORBIDDEN' &&
              code !== 'ORIGIN_REFUSED' &&
              status < 500
            : verdict === 'as nobody'
              ? was === `${nobody.status} ${nobody.code ?? ''}`.trim()
              : was === verdict
        const leaked = verdict === 'in' ? [] : secrets.filter((secret) => text.includes(secret))
        if (!isRight || leaked.length > 0) {
          found.push(
            `${nameOf(route)}: ${credential.name}: ${was}, not ${verdict} ${leaked.join()}`,
          )
        }
      }
      return found
    })
    expect(faults).toEqual([])
    expect(covered).toBe(service.routes.length)
    expect(service.storedRows()).toBe(before)
  })

  it('is open without a credential only if its policy allows that', async () => {
    const faults = await gather(service.routes, async (route) => {
      const answer = await requested(route, { name: '', headers: {}, kind: null, isAdmin: false })
      const isOpen = answer.status !== 401
      return isOpen === OPEN.includes(route.auth) ? [] : [`${nameOf(route)}: ${answer.status}`]
    })
    expect(faults).toEqual([])
  })

  // [auth.surfaces.everywhere]
  it('is checked at the socket handshake too', async () => {
    const faults = await gather(credentials, async (credential) => {
      const { authorization, ...rest } = credential.headers
      const lines = [authorization ?? []].flat().map((value) => `Authorization: ${value}\r\n`)
      const cookie = typeof rest['cookie'] === 'string' ? `Cookie: ${rest['cookie']}\r\n` : ''
      const status = await handshake(`${lines.join('')}${cookie}`)
      const isKnown = credential.kind === 'data-key' || credential.kind === 'cookie'
      // A client without a header may still authenticate in the first frame.
      const expected = isKnown || authorization === undefined ? '101' : '401'
      return status === expected ? [] : [`/ws: ${credential.name}: ${status}, not ${expected}`]
    })
    expect(faults).toEqual([])
  })
})

/** Status of a handshake with these header lines. */
function handshake(lines: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(service.port, '127.0.0.1', () =>
      socket.write(
        `GET /ws HTTP/1.1\r\nHost: 127.0.0.1:${service.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n${lines}\r\n`,
      ),
    )
    socket.once('data', (chunk: Buffer) => {
      resolve(chunk.toString().slice(9, 12))
      socket.destroy()
    })
    socket.on('error', reject)
  })
}
