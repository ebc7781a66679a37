import type { IncomingMessage } from 'node:http'
import type { Caller } from '../../../http/auth/auth.ts'
import type { DataAccess } from '../../../http/auth/data-access.ts'
import type { SocketEndpoint } from '../../../http/upgrade.ts'
import { NotReady, RateLimited } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/logger.ts'
import type { Hub } from './hub.ts'
import { LIMITS, MAX_UNKNOWN } from './limits.ts'

/** Retry delay reported to a caller with too many connections, seconds (close code 4429). */
const WAIT_SECONDS = 60

/**
 * The endpoint of `/ws`: authenticates handshakes by header or cookie; other clients authenticate
 * in their first frame.
 */
export function createSocketEndpoint(deps: {
  hub: Hub
  access: DataAccess
  log: Logger
}): SocketEndpoint<Caller | null> {
  const { hub, access, log } = deps
  return {
    path: '/ws',
    maxPayload: LIMITS.frameBytes,
    async admit(request: IncomingMessage, sender) {
      if (!hub.isReady) throw new NotReady('The service is starting')
      const caller = await access.callerOf({
        authorization: request.headersDistinct.authorization ?? [],
        cookie: request.headers.cookie,
        ...(sender !== undefined && { sender }),
      })
      const fits = caller === null ? hub.unknown < MAX_UNKNOWN : hub.admit(caller)
      if (!fits) throw new RateLimited(WAIT_SECONDS)
      return caller
    },
    connect: (sockets, caller) => void hub.connect(sockets, caller),
    dismiss(caller) {
      if (caller !== null) hub.dismiss(caller)
    },
    onError: (error) => log.error({ err: error }, 'a handshake could not be processed'),
    close: () => hub.close(),
  }
}
