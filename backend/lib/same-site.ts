import { isIP } from 'node:net'

/**
 * Whether a browser treats two addresses as the same site, so that it sends a strict cookie of one
 * from pages of the other: the same scheme, and hosts under one registrable domain. Without the
 * public suffix list, a short second label under a country (`co.uk`) counts as a suffix.
 */
export function isSameSite(a: URL, b: URL): boolean {
  const [first, second] = [a.hostname.toLowerCase(), b.hostname.toLowerCase()]
  if (a.protocol !== b.protocol) return false
  if (first === second) return true
  const name = registrable(first)
  return name !== null && name === registrable(second)
}

/** The registrable domain; null for IP addresses and names of one label. */
function registrable(host: string): string | null {
  if (isIP(host) !== 0 || host.startsWith('[')) return null
  const labels = host.split('.')
  const [second = '', top = ''] = labels.slice(-2)
  const length = top.length === 2 && second.length <= 3 ? 3 : 2
  return labels.length < length ? null : labels.slice(-length).join('.')
}
