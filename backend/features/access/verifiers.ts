import { ANONYMOUS, type Caller, type Proof, type Verifiers } from '../../http/auth.ts'
import type { IdentityProvider } from './identity-provider.ts'
import type { KeyCheck } from './key-check.ts'
import { issuerIn } from './provider-token.ts'
import type { SessionCookie } from './session-cookie.ts'
import type { Sessions } from './sessions.service.ts'

/** More of one name are sent by nobody who means well. */
const MOST_TOKENS = 4

/** What knows every credential but the launch secret. */
export function createVerifiers(deps: {
  readonly serviceKeys: KeyCheck
  readonly dataKeys: KeyCheck
  readonly provider: IdentityProvider | null
  readonly cookie: SessionCookie
  /** Runs when sessions are open, at once when they are. */
  readonly withSessions: <T>(use: (sessions: Sessions) => T | Promise<T>) => T | Promise<T>
}): Omit<Verifiers, 'launch'> {
  const { serviceKeys, dataKeys, provider, cookie, withSessions } = deps
  const ours = (token: string): Caller | null | Promise<Caller | null> =>
    withSessions(async (sessions) => (await sessions.find(token))?.proof.caller ?? null)
  return {
    serviceKey: (key, sender) => serviceKeys.callerOf(key, sender),
    dataKey: (key, sender) => dataKeys.callerOf(key, sender),
    sessionToken(token) {
      // What a token says of its issuer is not believed: it only chooses who checks it.
      const isProviders = provider !== null && issuerIn(token) === provider.issuer
      return isProviders ? provider.callerOf(token) : ours(token)
    },
    cookie(header) {
      const [token, ...others] = cookie.read(header)
      if (token === undefined) return ANONYMOUS
      if (others.length === 0) return withSessions((sessions) => sessions.proveByCookie(token))
      return withSessions((sessions) => amongSeveral([token, ...others], sessions))
    },
  }
}

/**
 * Any page of this host can set a cookie of our name for a path of ours, which browsers then send
 * first: dead ones are passed over, and where two are live nobody is signed in by either.
 */
async function amongSeveral(tokens: readonly string[], sessions: Sessions): Promise<Proof> {
  const proofs = await Promise.all(
    tokens.slice(0, MOST_TOKENS).map(async (token) => sessions.proveByCookie(token)),
  )
  const live = proofs.filter(({ caller }) => caller !== null)
  const [first = ANONYMOUS] = live
  return live.every(({ caller }) => caller?.id === first.caller?.id) ? first : ANONYMOUS
}
