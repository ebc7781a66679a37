import type { IncomingMessage } from 'node:http'
import { Forbidden } from '../../lib/errors.ts'
import { clientAddress } from '../limits/client-address.ts'
import { hostRefused, originRefused, refusalOf } from '../errors.ts'
import type { Refusal } from '../errors.ts'
import { isLoopback } from '../limits/rate-limit.ts'
import type { SourcePolicy } from '../routes/route-policies.ts'

/** Hosts and origins under which the service may be reached. */
export interface AllowList {
  readonly hosts: ReadonlySet<string>
  readonly origins: ReadonlySet<string>
}

/**
 * Builds the allow-list of a service: its loopback names on `port`, its bound address, and the
 * hosts and origins of its configured addresses.
 */
export function allowListOf(
  bound: { host: string; port: number },
  addresses: readonly string[],
): AllowList {
  const { port } = bound
  const boundHost = bound.host.includes(':') ? `[${bound.host}]` : bound.host
  const names = ['127.0.0.1', 'localhost', '[::1]', boundHost].map((name) => `${name}:${port}`)
  const urls = addresses.map((address) => new URL(address))
  return {
    hosts: new Set([...names, ...urls.map((url) => url.host)]),
    origins: new Set([
      ...names.map((name) => `http://${name}`),
      ...urls.map((url) => `${url.protocol.replace(/^ws/, 'http')}//${url.host}`),
    ]),
  }
}

/**
 * How often a header was sent. Node joins or drops repeated headers, so the raw list is counted.
 */
export function countOf(rawHeaders: readonly string[], name: string): number {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const headerValue = rawHeaders[i]
    if (
      headerValue !== undefined &&
      headerValue.length === name.length &&
      headerValue.toLowerCase() === name
    )
      count += 1
  }
  return count
}

/**
 * Refuses a request for a foreign host or from a foreign page: DNS rebinding, or another site in
 * the user's browser. Upgrades are checked too.
 */
export function refusalOfHostOrOrigin(
  request: IncomingMessage,
  allowList: AllowList,
): Refusal | null {
  const { host, origin } = request.headers
  const isNamed = host !== undefined && allowList.hosts.has(host.toLowerCase())
  if (!isNamed || countOf(request.rawHeaders, 'host') !== 1) return hostRefused()
  // A target in absolute form, such as "GET http://other/ HTTP/1.1", names its own host.
  if (request.url === undefined || !request.url.startsWith('/')) return hostRefused()
  if (origin !== undefined && !allowList.origins.has(origin.toLowerCase())) return originRefused()
  return request.headers['sec-fetch-site'] === 'cross-site' ? originRefused() : null
}

/** Methods that the page may use at an address; the data service is read-only. */
export const preflightMethods = ({ url = '' }: IncomingMessage): string =>
  /^\/v1(?:[/?]|$)/.test(url) ? 'GET, OPTIONS' : 'GET, POST, PUT, PATCH, DELETE, OPTIONS'

/** Headers sent only by browsers. `Sec-Fetch-Mode` is missing because Node's fetch sends it too. */
const FETCH_METADATA = ['sec-fetch-site', 'sec-fetch-dest', 'sec-fetch-user']

/** Refuses a call whose source the route's `from` policy does not allow. */
export function refusalOfSource(
  request: IncomingMessage,
  policy: SourcePolicy | null,
  trustedProxy: string | null,
): Refusal | null {
  if (policy === null) return null
  const { headers, socket } = request
  const isBrowser = FETCH_METADATA.some((name) => headers[name] !== undefined)
  if (policy === 'own-page') {
    return isBrowser && headers.origin === undefined ? originRefused() : null
  }
  if (isBrowser || headers.origin !== undefined) return originRefused()
  const isHere =
    isLoopback(socket.remoteAddress) && isLoopback(clientAddress(request, trustedProxy))
  return isHere
    ? null
    : refusalOf(new Forbidden('Only programs on this machine may call this route'))
}

/**
 * Refuses a write authenticated by cookie that has no `Origin`. A foreign Origin has been refused
 * before this check.
 */
export const refusalOfCookieWrite = ({ method, headers }: IncomingMessage): Refusal | null =>
  method === 'GET' || method === 'HEAD' || headers.origin !== undefined ? null : originRefused()
