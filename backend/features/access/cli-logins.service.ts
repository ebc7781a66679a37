import { MINUTE, type Millis } from '../../domain/units.ts'
import { isoOf, sleepUnless, type Clock } from '../../lib/clock.ts'
import { Conflict, Gone, InvalidInput, RateLimited } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import type {
  CliLoginStarted,
  CliLoginCompleted,
  CliLoginExpired,
  CliLoginStatus,
} from '../../contract/accounts.ts'
import type { CliLoginsStore } from './cli-logins.store.ts'
import { digestOfToken, isSessionToken } from './cli-token.ts'
import { openSealed, sealText } from '../../lib/sealed-text.ts'
import type { KeysService } from './keys/keys.service.ts'

const LIFETIME = (5 * MINUTE) as Millis
const MAX_OPEN = 100
const RETRY_AFTER_S = 60
const PURPOSE = 'augury cli login: key that waits'
const KEY_NAME = 'CLI (browser login)'

/**
 * Login flow of the command line: it begins a login, its user completes it in the terminal, and it
 * polls for its key.
 */
export interface CliLogins {
  /**
   * @throws InvalidInput, Conflict for a token used before, RateLimited when too many logins are
   * open
   */
  begin(body: unknown): Promise<CliLoginStarted>
  /**
   * Returns the key to exactly one poll, even if several arrive at the same time. @throws
   * InvalidInput
   */
  poll(token: string | null): Promise<CliLoginStatus | CliLoginExpired>
  /**
   * Creates the key of a login for this user.
   * @throws InvalidInput, Gone EXPIRED, Conflict KEY_LIMIT, NotReady when too many keys are being
   * hashed
   */
  complete(userId: string, body: unknown): Promise<CliLoginCompleted>
  /** Ends expired logins now and every minute until the signal aborts. */
  run(signal: AbortSignal): Promise<void>
}

export function createCliLogins(deps: {
  readonly store: CliLoginsStore
  readonly keys: KeysService
  readonly clock: Clock
  readonly logger: Logger
}): CliLogins {
  const { store, keys, clock, logger } = deps
  const endExpired = async (): Promise<void> => keys.dropRevoked(await store.expire(clock.now()))
  return {
    async begin(body) {
      const token = sessionTokenOf(body)
      if (!isSessionToken(token)) throw new InvalidInput('Invalid session token')
      await endExpired()
      const expiresAt = (clock.now() + LIFETIME) as Millis
      const tokenHash = digestOfToken(token)
      const outcome = await store.begin({ tokenHash, expiresAt, max: MAX_OPEN })
      if (outcome === 'seen') throw new Conflict('Session already exists')
      if (outcome === 'full') throw new RateLimited(RETRY_AFTER_S)
      return { ok: true, expiresAt: isoOf(expiresAt) }
    },
    async poll(token) {
      if (token === null) throw new InvalidInput('token required')
      await endExpired()
      const tokenHash = digestOfToken(token)
      const state = await store.stateOf(tokenHash, clock.now())
      if (state === 'pending') return { status: 'pending' }
      const sealedKey = state === 'ready' ? await store.consume(tokenHash, clock.now()) : null
      if (sealedKey === null) return { status: 'expired' }
      return { status: 'ready', apiKey: openSealed(sealedKey, token, PURPOSE) }
    },
    async complete(userId, body) {
      const token = sessionTokenOf(body)
      if (typeof token !== 'string' || token === '') {
        throw new InvalidInput('sessionToken required')
      }
      await endExpired()
      const tokenHash = digestOfToken(token)
      // Checked before the key is created, because hashing one for an ended login would be wasted.
      if ((await store.stateOf(tokenHash, clock.now())) !== 'pending') {
        throw new Gone('Session expired or already used', 'EXPIRED')
      }
      const newKey = await keys.make(userId, KEY_NAME)
      await store.complete(tokenHash, newKey, sealText(newKey.secret, token, PURPOSE), clock.now())
      return { ok: true }
    },
    async run(signal) {
      do {
        await endExpired().catch((error: unknown) => {
          logger.warn({ err: error }, 'expired command-line logins could not be ended')
        })
      } while (await sleepUnless(signal, clock, MINUTE))
    },
  }
}

/** @throws InvalidInput for a body that is no JSON object */
function sessionTokenOf(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new InvalidInput('Invalid JSON')
  }
  return Object.hasOwn(body, 'sessionToken')
    ? (body as { readonly sessionToken: unknown }).sessionToken
    : undefined
}
