/** The parts of the page that a ticket passes through. */
export interface Entrance {
  readonly location: { readonly hash: string; readonly pathname: string; readonly search: string }
  readonly history: Pick<History, 'replaceState'>
  readonly fetching: typeof fetch
}

const EXCHANGE = '/api/auth/exchange'
const TIMEOUT = 3_000

/**
 * Exchanges the one-time ticket of the address for a session, which the browser keeps as a cookie.
 * The ticket leaves the address at once; what else stands in the fragment stays. A ticket that is
 * refused leaves the page as it is without one: open for public reads.
 * @returns whether a session began
 */
export async function enterByTicket({ location, history, fetching }: Entrance): Promise<boolean> {
  const fragment = new URLSearchParams(location.hash.slice(1))
  const ticket = fragment.get('ticket')
  if (ticket === null) return false
  fragment.delete('ticket')
  const rest = fragment.size === 0 ? '' : `#${fragment.toString()}`
  history.replaceState(null, '', `${location.pathname}${location.search}${rest}`)
  try {
    const answer = await fetching(EXCHANGE, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ticket }),
      signal: AbortSignal.timeout(TIMEOUT),
    })
    return answer.ok
  } catch {
    return false
  }
}
