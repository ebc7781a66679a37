import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'

/** The parts of a request that identify its client address. */
export interface AddressedRequest {
  readonly headers: IncomingHttpHeaders
  readonly socket: { readonly remoteAddress?: string | undefined }
}

/**
 * The client address used for rate limits: the socket's peer, unless that is the trusted proxy;
 * then the rightmost entry of `X-Forwarded-For` that is not the proxy itself. Entries further left
 * are set by clients and cannot be trusted. If the entry is not an IP address, the peer is used.
 */
export function clientAddress(
  { headers, socket }: AddressedRequest,
  trustedProxy: string | null,
): string | undefined {
  const peer = socket.remoteAddress
  const isTrusted = (address: string | undefined): boolean =>
    address !== undefined &&
    trustedProxy !== null &&
    normalizedAddress(address) === normalizedAddress(trustedProxy)
  if (!isTrusted(peer)) return peer
  const forwardedFor = headers['x-forwarded-for']
  const entries = (Array.isArray(forwardedFor) ? forwardedFor.join(',') : (forwardedFor ?? ''))
    .split(',')
    .map(hostOf)
  const client = entries.findLast((entry) => !isTrusted(entry))
  return client === undefined || isIP(client) === 0 ? peer : client
}

/** Canonical spelling of an address; IPv4-mapped addresses become IPv4. */
const normalizedAddress = (address: string): string =>
  address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '')

/** Removes the port of `1.2.3.4:80` and `[::1]:80`. */
function hostOf(entry: string): string {
  const text = entry.trim()
  return /^\[([^\]]+)\]/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
}
