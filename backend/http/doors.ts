import type { IncomingMessage } from 'node:http'
import { Forbidden } from '../lib/errors.ts'
import { clientAddress } from './client-address.ts'
import { hostRefused, originRefused, refusalOf } from './errors.ts'
import type { Refusal } from './errors.ts'
import type { FromWord } from './words.ts'

/** Names and origins under which the service may be reached. */
export interface AllowList {
  readonly hosts: ReadonlySet<string>
  readonly origins: ReadonlySet<string>
}

/**
 * The allow-list of a service: its loopback names on `port`, its bound address, and the hosts and
 * origins of its configured addresses.
 */
export function allowListOf(
  bound: { host: string; port: number },
  addresses: readonly string[],
): AllowList {
  const { port } = bound
  const own = bound.host.includes(':') ? `[${bound.host}]` : bound.host
  const names = ['127.0.0.1', 'localhost', '[::1]', own].map((name) => `${name}:${port}`)
  const urls = addresses.map((address) => new URL(address))
  return {
    hosts: new Set([...names, ...urls.map((url) => url.host)]),
    origins: new Set([
      ...names.map((name) => `http://${name}`),
      ...urls.map((url) => `${url.protocol.replace(/^ws/, 'http')}//${url.host}`),
    ]),
  }
}

/** How often a header was sent, whatever became of the copies. */
export function countOf(rawHeaders: readonly string[], name: string): number {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const sent = rawHeaders[i]
    if (sent !== undefined && sent.length === name.length && sent.toLowerCase() === name) count += 1
  }
  return count
}

/**
 * Refuses a request that is addressed to a foreign name or comes from a foreign page: what a
 * rebound DNS name or another site in the user's browser would send. Holds for upgrades too.
 */
export function refusalAtDoor(request: IncomingMessage, allowed: AllowList): Refusal | null {
  const { host, origin } = request.headers
  const isNamed = host !== undefined && allowed.hosts.has(host.toLowerCase())
  if (!isNamed || countOf(request.rawHeaders, 'host') !== 1) return hostRefused()
  // A target such as «GET http://other/ HTTP/1.1» names a host of its own.
  if (request.url === undefined || !request.url.startsWith('/')) return hostRefused()
  if (origin !== undefined && !allowed.origins.has(origin.toLowerCase())) return originRefused()
  return request.headers['sec-fetch-site'] === 'cross-site' ? originRefused() : null
}

/** Methods that a page of ours may use at an address; the data service is for reading alone. */
export const preflightMethods = ({ url = '' }: IncomingMessage): string =>
  /^\/v1(?:[/?]|$)/.test(url) ? 'GET, OPTIONS' : 'GET, POST, PUT, PATCH, DELETE, OPTIONS'

/** What only browsers send; `Sec-Fetch-Mode` is not among it, since Node's own fetch sends that too. */
const FETCH_METADATA = ['sec-fetch-site', 'sec-fetch-dest', 'sec-fetch-user']

const isLoopback = (address: string | undefined): boolean =>
  address === '::1' || /^(?:::ffff:)?127\./i.test(address ?? '')

/** Refuses a call that comes from where the route's `from` word takes none. */
export function refusalFrom(
  request: IncomingMessage,
  word: FromWord | null,
  trustedProxy: string | null,
): Refusal | null {
  if (word === null) return null
  const { headers, socket } = request
  const isBrowser = FETCH_METADATA.some((name) => headers[name] !== undefined)
  if (word === 'own-page') {
    return isBrowser && headers.origin === undefined ? originRefused() : null
  }
  if (isBrowser || headers.origin !== undefined) return originRefused()
  const isHere =
    isLoopback(socket.remoteAddress) && isLoopback(clientAddress(request, trustedProxy))
  return isHere ? null : refusalOf(new Forbidden('Only programs of this machine may ask'))
}

/** Refuses a write by cookie that does not say that a page of ours makes it; another Origin than ours never gets here. */
export const refusalOfCookieWrite = ({ method, headers }: IncomingMessage): Refusal | null =>
  method === 'GET' || method === 'HEAD' || headers.origin !== undefined ? null : originRefused()
