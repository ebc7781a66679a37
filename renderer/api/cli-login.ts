import type { TicketEnvironment } from './session.ts'

const MARK = 'cli='

/**
 * The fragment's text, decoded once; a `+` stays a `+`. Null when it is not valid percent-encoding.
 */
function decodeFragment(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/**
 * Removes the secret of a waiting command-line login from the address before it returns. Other
 * parts of the fragment stay.
 */
export function consumeCliToken({
  location,
  history,
}: Pick<TicketEnvironment, 'location' | 'history'>): string | null {
  const parts = location.hash.slice(1).split('&')
  const markedPart = parts.find((part) => part.startsWith(MARK))
  if (markedPart === undefined) return null
  const otherParts = parts.filter((part) => !part.startsWith(MARK)).join('&')
  const fragment = otherParts === '' ? '' : `#${otherParts}`
  history.replaceState(null, '', `${location.pathname}${location.search}${fragment}`)
  const token = decodeFragment(markedPart.slice(MARK.length))
  return token === '' ? null : token
}

/**
 * The first eight hex digits of the SHA-256 of a login's secret, as `ab12-cd34`. The command line
 * prints the same code, so that the user can compare the two.
 * @throws when the browser has no cryptography because the page was loaded over an insecure
 *   connection
 */
export async function checkCodeOf(token: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))
  const hex = [...new Uint8Array(digest).slice(0, 4)]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
  return `${hex.slice(0, 4)}-${hex.slice(4)}`
}
