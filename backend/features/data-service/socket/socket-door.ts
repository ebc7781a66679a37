import type { IncomingMessage } from 'node:http'
import type { Caller } from '../../../http/auth.ts'
import type { DataAccess } from '../../../http/data-access.ts'
import type { SocketDoor } from '../../../http/upgrade.ts'
import { NotReady, RateLimited } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/logger.ts'
import type { Hub } from './hub.ts'
import { LIMITS, MOST_UNKNOWN } from './limits.ts'

/** Wait that a caller with too many connections is told, seconds (close code 4429). */
const WAIT_SECONDS = 60

/** The handshakes of `/ws`: who may come in, by header or cookie, or is asked in the first frame. */
export function socketDoor(deps: {
  hub: Hub
  access: DataAccess
  log: Logger
}): SocketDoor<Caller | null> {
  const { hub, access, log } = deps
  return {
    path: '/ws',
    maxPayload: LIMITS.frameBytes,
    async admit(request: IncomingMessage) {
      if (!hub.isReady) throw new NotReady('The service is starting')
      const caller = await access.callerOf({
        authorization: request.headersDistinct.authorization ?? [],
        cookie: request.headers.cookie,
      })
      const fits = caller === null ? hub.unknown < MOST_UNKNOWN : hub.admit(caller)
      if (!fits) throw new RateLimited(WAIT_SECONDS)
      return caller
    },
    connect: (sockets, caller) => void hub.connect(sockets, caller),
    dismiss(caller) {
      if (caller !== null) hub.dismiss(caller)
    },
    onError: (error) => log.error({ err: error }, 'a handshake could not be answered'),
    close: () => hub.close(),
  }
}
