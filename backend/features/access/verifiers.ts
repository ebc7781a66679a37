import { ANONYMOUS, type Caller, type Verifiers } from '../../http/auth.ts'
import type { IdentityProvider } from './identity-provider.ts'
import type { KeyCheck } from './key-check.ts'
import { issuerIn } from './provider-token.ts'
import type { SessionCookie } from './session-cookie.ts'
import type { Sessions } from './sessions.service.ts'

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
    serviceKey: (key, connection) => serviceKeys.callerOf(key, connection),
    dataKey: (key, connection) => dataKeys.callerOf(key, connection),
    sessionToken(token) {
      // What a token says of its issuer is not believed: it only chooses who checks it.
      const isProviders = provider !== null && issuerIn(token) === provider.issuer
      return isProviders ? provider.callerOf(token) : ours(token)
    },
    cookie(header) {
      const token = cookie.read(header)
      return token === null ? ANONYMOUS : withSessions((sessions) => sessions.proveByCookie(token))
    },
  }
}
