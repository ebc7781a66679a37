import type { Entrance } from './session.ts'

const MARK = 'cli='

/** The fragment's text, decoded once; a `+` stays a `+`. Null for what is no percent-encoding. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/**
 * Takes the secret of a waiting command line out of the address, which is clean when this returns.
 * What else stands in the fragment stays.
 */
export function takeCliToken({
  location,
  history,
}: Pick<Entrance, 'location' | 'history'>): string | null {
  const parts = location.hash.slice(1).split('&')
  const found = parts.find((part) => part.startsWith(MARK))
  if (found === undefined) return null
  const rest = parts.filter((part) => !part.startsWith(MARK)).join('&')
  const fragment = rest === '' ? '' : `#${rest}`
  history.replaceState(null, '', `${location.pathname}${location.search}${fragment}`)
  const token = decoded(found.slice(MARK.length))
  return token === '' ? null : token
}

/**
 * The first eight hex digits of the SHA-256 of a login's secret, as `ab12-cd34`: the command line
 * prints the same, so that a reader sees whom they let in.
 * @throws where the browser has no cryptography, since the page came over an open network
 */
export async function checkCodeOf(token: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))
  const hex = [...new Uint8Array(digest).slice(0, 4)]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
  return `${hex.slice(0, 4)}-${hex.slice(4)}`
}
