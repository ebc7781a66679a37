import { isIP } from 'node:net'

/**
 * Whether a browser takes two addresses for one site, so that a strict cookie of the one is sent
 * from pages of the other: the same scheme, and hosts under one registrable name. Without the public
 * list of suffixes a short second label under a country (`co.uk`) is taken for a suffix.
 */
export function isSameSite(one: URL, other: URL): boolean {
  const [first, second] = [one.hostname.toLowerCase(), other.hostname.toLowerCase()]
  if (one.protocol !== other.protocol) return false
  if (first === second) return true
  const name = registrable(first)
  return name !== null && name === registrable(second)
}

/** The name that somebody registered; null for addresses and names of one label. */
function registrable(host: string): string | null {
  if (isIP(host) !== 0 || host.startsWith('[')) return null
  const labels = host.split('.')
  const [second = '', top = ''] = labels.slice(-2)
  const length = top.length === 2 && second.length <= 3 ? 3 : 2
  return labels.length < length ? null : labels.slice(-length).join('.')
}
