const peers = new WeakMap<Request, string>()

/**
 * Attaches the client address to a request; the front of the server does so before the route runs.
 */
export const attachPeer = (request: Request, peer: string): void => {
  peers.set(request, peer)
}

/** The rate-limit key of the client address; `unknown` for requests that did not pass the front. */
export const peerOf = (request: Request): string => peers.get(request) ?? 'unknown'
