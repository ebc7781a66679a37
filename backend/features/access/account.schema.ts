import { t, type Static } from 'elysia'
import { Iso, nullable, words } from '../../http/schemas.ts'
import { NewKey } from './keys.schema.ts'
import { UserBody } from './session.schema.ts'

export const OpenedSession = t.Object({
  id: t.String(),
  expiresAt: Iso,
  accessToken: t.String({ description: 'good as Bearer while the session lives' }),
})

export const SignedInAs = t.Object({ user: UserBody, session: OpenedSession })
export type SignedInAs = Static<typeof SignedInAs>

export const SignedUp = t.Object({ user: UserBody, session: OpenedSession, key: NewKey })
export type SignedUp = Static<typeof SignedUp>

export const OneUser = t.Object({ user: UserBody })
export type OneUser = Static<typeof OneUser>

export const AccountRemoved = t.Object({ ok: t.Literal(true) })
export type AccountRemoved = Static<typeof AccountRemoved>

export const SessionRow = t.Object({
  id: t.String(),
  createdAt: Iso,
  lastSeenAt: Iso,
  expiresAt: Iso,
  method: words(['local', 'password', 'external']),
  userAgent: nullable(t.String()),
  current: t.Boolean(),
})
export type SessionRow = Static<typeof SessionRow>

export const SessionList = t.Object({ sessions: t.Array(SessionRow) })
export type SessionList = Static<typeof SessionList>

export const SessionId = t.Object({ id: t.String() })
export const SessionEnded = t.Object({ success: t.Literal(true) })

export const ProviderBody = t.Object({
  enabled: t.Boolean(),
  issuer: nullable(t.String()),
  audience: nullable(t.String()),
})
export type ProviderBody = Static<typeof ProviderBody>

export const PublicKeys = t.Object({
  keys: t.Array(
    t.Object({
      kty: t.Literal('OKP'),
      crv: t.Literal('Ed25519'),
      x: t.String(),
      kid: t.String(),
      alg: t.Literal('EdDSA'),
      use: t.Literal('sig'),
    }),
  ),
})
export type PublicKeys = Static<typeof PublicKeys>

export const UserPage = t.Object({
  data: t.Array(UserBody),
  pageInfo: t.Object({
    limit: t.Integer(),
    nextCursor: nullable(t.String()),
    hasMore: t.Boolean(),
  }),
})
export type UserPage = Static<typeof UserPage>

export const UserId = t.Object({ id: t.String() })
