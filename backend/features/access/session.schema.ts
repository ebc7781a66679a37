import { t, type Static } from 'elysia'
import { Iso, nullable, words } from '../../http/schemas.ts'

const Tier = words(['free', 'hobby', 'pro', 'institutional'])

export const UserBody = t.Object({
  id: t.String(),
  email: nullable(t.String()),
  name: t.String(),
  tier: Tier,
  isOwner: t.Boolean(),
  isAdmin: t.Boolean(),
  provider: words(['local', 'password', 'external']),
  hasPassword: t.Boolean(),
  createdAt: Iso,
})
export type UserBody = Static<typeof UserBody>

export const Ticket = t.Object({
  ticket: t.String({ description: 'good once, for 60 seconds' }),
  url: t.String({ description: 'opens the terminal signed in' }),
  expiresAt: Iso,
})
export type Ticket = Static<typeof Ticket>

export const SignedIn = t.Object({
  user: UserBody,
  session: t.Object({ id: t.String(), expiresAt: Iso }),
})
export type SignedIn = Static<typeof SignedIn>

export const Me = t.Object({
  user: UserBody,
  auth: t.Object({
    kind: words(['session', 'key']),
    sessionId: nullable(t.String()),
    keyId: nullable(t.String()),
    expiresAt: nullable(Iso),
  }),
  tier: t.Object({
    tier: Tier,
    panelCap: t.Integer(),
    screenPanelCap: t.Integer(),
    minRefreshSeconds: t.Integer(),
    manualRefreshCooldownSeconds: t.Integer(),
    requestsPerMinute: t.Integer(),
  }),
})
export type Me = Static<typeof Me>

export const SignedOut = t.Object({ ok: t.Literal(true), ended: t.Integer() })
export type SignedOut = Static<typeof SignedOut>
