import { ANONYMOUS, type Caller, type AuthResult, type Verifiers } from '../../../http/auth/auth.ts'
import type { IdentityProvider } from '../sessions/identity-provider.ts'
import type { KeyCheck } from './key-check.ts'
import { issuerIn } from '../sessions/provider-token.ts'
import type { SessionCookie } from '../sessions/session-cookie.ts'
import type { Sessions } from '../sessions/sessions.service.ts'

/** More cookies of one name are sent only by attackers. */
const MAX_TOKENS = 4

/** Verifies every credential except the launch secret. */
export function createVerifiers(deps: {
  readonly serviceKeys: KeyCheck
  readonly dataKeys: KeyCheck
  readonly provider: IdentityProvider | null
  readonly cookie: SessionCookie
  /** Calls `use` when sessions are open, synchronously if they are. */
  readonly withSessions: <T>(use: (sessions: Sessions) => T | Promise<T>) => T | Promise<T>
}): Omit<Verifiers, 'launch'> {
  const { serviceKeys, dataKeys, provider, cookie, withSessions } = deps
  const callerOfToken = (token: string): Caller | null | Promise<Caller | null> =>
    withSessions(async (sessions) => (await sessions.find(token))?.proof.caller ?? null)
  return {
    serviceKey: (key, sender) => serviceKeys.callerOf(key, sender),
    dataKey: (key, sender) => dataKeys.callerOf(key, sender),
    sessionToken(token) {
      // The issuer in an unverified token only selects the verifier.
      const isProviders = provider !== null && issuerIn(token) === provider.issuer
      return isProviders ? provider.callerOf(token) : callerOfToken(token)
    },
    cookie(header) {
      const [token, ...others] = cookie.read(header)
      if (token === undefined) return ANONYMOUS
      if (others.length === 0) return withSessions((sessions) => sessions.proveByCookie(token))
      return withSessions((sessions) => onlyLiveSession([token, ...others], sessions))
    },
  }
}

/**
 * Any page of this host can set a cookie of our name for one of our paths, which browsers send
 * first. Ended sessions are ignored, and if two are live neither is accepted.
 */
async function onlyLiveSession(tokens: readonly string[], sessions: Sessions): Promise<AuthResult> {
  const proofs = await Promise.all(
    tokens.slice(0, MAX_TOKENS).map(async (token) => sessions.proveByCookie(token)),
  )
  const liveProofs = proofs.filter(({ caller }) => caller !== null)
  const [first = ANONYMOUS] = liveProofs
  return liveProofs.every(({ caller }) => caller?.id === first.caller?.id) ? first : ANONYMOUS
}
