const peers = new WeakMap<Request, string>()

/** Notes where a request comes from; done by the front of the server before the route runs. */
export const attachPeer = (request: Request, peer: string): void => {
  peers.set(request, peer)
}

/** What the sender's address is counted by; one name for all of those that no front saw. */
export const peerOf = (request: Request): string => peers.get(request) ?? 'unknown'
