import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../lib/clock.ts'
import type { Sender } from '../auth/auth.ts'
import { clientAddress } from './client-address.ts'
import type { Refusal } from '../errors.ts'
import { createCredentialAttemptLimiter } from './credential-attempt-limiter.ts'
import type { CountRequest } from './rate-count.ts'
import { addressKey } from './rate-limit.ts'
import type { RateLimiter } from './rate-limit.ts'

/** Limits how many credentials can be tried per address, over requests and sockets together. */
export interface CredentialAttempts {
  /** The sender of a request; slow checks of senders at the same address wait for each other. */
  senderOf(request: IncomingMessage): Sender
  /**
   * Counts a failed credential; returns the refusal once the address has failed too often, else
   * null.
   */
  countFailure(request: IncomingMessage, path: string): Refusal | null
}

/** @param count counts a failure in the general rate-limit class of its address */
export function createCredentialAttempts(deps: {
  readonly limiter: RateLimiter
  readonly trustedProxy: string | null
  readonly wallClock: Clock
  readonly count: CountRequest
}): CredentialAttempts {
  const attemptLimiter = createCredentialAttemptLimiter(deps.limiter, deps.wallClock)
  return {
    senderOf: (request) => ({
      connection: request.socket,
      runSlowCheck: (check) => {
        const address = addressKey(clientAddress(request, deps.trustedProxy))
        return attemptLimiter.run(address, check)
      },
    }),
    countFailure: (request, path) =>
      deps.count({ rateClass: 'general', request, caller: null, subject: null, path }, []),
  }
}
