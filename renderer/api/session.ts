/** The parts of the page that handle a ticket. */
export interface TicketEnvironment {
  readonly location: { readonly hash: string; readonly pathname: string; readonly search: string }
  readonly history: Pick<History, 'replaceState'>
  readonly fetchFn: typeof fetch
}

const EXCHANGE = '/api/auth/exchange'
const TIMEOUT = 3_000

/**
 * Exchanges the one-time ticket of the address for a session, which the browser keeps as a cookie.
 * The ticket is removed from the address at once; other parts of the fragment stay. With a rejected
 * ticket the page works as without one: public reads only.
 * @returns whether a session started
 */
export async function signInByTicket({
  location,
  history,
  fetchFn,
}: TicketEnvironment): Promise<boolean> {
  const fragment = new URLSearchParams(location.hash.slice(1))
  const ticket = fragment.get('ticket')
  if (ticket === null) return false
  fragment.delete('ticket')
  const otherParameters = fragment.size === 0 ? '' : `#${fragment.toString()}`
  history.replaceState(null, '', `${location.pathname}${location.search}${otherParameters}`)
  try {
    const answer = await fetchFn(EXCHANGE, {
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
