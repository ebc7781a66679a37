import { AuthInvalid, InvalidInput, NotFound } from '../../../lib/errors.ts'
import { fieldOf } from '../../../lib/field-of.ts'
import { bodyOf, sessionResponse } from '../account-bodies.ts'
import type { ProviderBody, SignedInAs } from '../../../contract/accounts.ts'
import type { IdentityProvider } from './identity-provider.ts'
import type { SessionCookie, WithCookie } from './session-cookie.ts'
import type { Sessions } from './sessions.service.ts'

/** Sign-in with an account of the identity provider, if one is configured. */
export interface ExternalSignIn {
  provider(): ProviderBody
  /**
   * Creates a session for a token of the provider. @throws NotFound, InvalidInput, AuthInvalid,
   * NotReady
   */
  signIn(body: unknown, userAgent: string | null): Promise<WithCookie<SignedInAs>>
}

export function createExternalSignIn(deps: {
  readonly provider: IdentityProvider | null
  readonly sessions: () => Promise<Sessions>
  readonly cookie: SessionCookie
}): ExternalSignIn {
  const { provider, sessions, cookie } = deps
  return {
    provider: () => ({
      enabled: provider !== null,
      issuer: provider?.issuer ?? null,
      audience: provider?.audience ?? null,
    }),
    async signIn(body, userAgent) {
      if (provider === null) throw new NotFound('No identity provider is configured')
      const token = fieldOf(body, 'token')
      if (typeof token !== 'string' || token === '') throw new InvalidInput('token required')
      const externalUser = await provider.userOf(token)
      if (externalUser === null) throw new AuthInvalid()
      const { user } = externalUser
      const newSession = await (await sessions()).begin(user.id, 'external', userAgent)
      if (newSession === null) throw new AuthInvalid()
      return {
        body: { user: bodyOf(user), session: sessionResponse(newSession) },
        setCookie: cookie.set(newSession.token),
      }
    },
  }
}
