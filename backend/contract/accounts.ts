import { t } from 'elysia'
import type { Static } from 'elysia'
import { clamp } from './params.ts'
import type { Param } from './params.ts'
import { query } from './query-schema.ts'
import { Iso, nullable, Num, PageInfo, stringEnum } from './schemas.ts'
import { InvalidInput } from '../lib/errors.ts'

const Tier = stringEnum(['free', 'hobby', 'pro', 'institutional'])

export const UserBody = t.Object({
  id: t.String(),
  email: nullable(t.String()),
  name: t.String(),
  tier: Tier,
  isOwner: t.Boolean(),
  isAdmin: t.Boolean(),
  provider: stringEnum(['local', 'password', 'external']),
  hasPassword: t.Boolean(),
  createdAt: Iso,
})
export type UserBody = Static<typeof UserBody>

const Email = t.String({ description: 'address, in any case' })
/** Lengths of a password in characters, once it is normalized. */
export const MIN_PASSWORD_LENGTH = 10
export const MAX_PASSWORD_LENGTH = 256
const Password = t.String({ minLength: MIN_PASSWORD_LENGTH, maxLength: MAX_PASSWORD_LENGTH })

export const SignUpBody = t.Object({
  email: Email,
  password: Password,
  name: t.Optional(nullable(t.String({ description: 'taken from the address when absent' }))),
})
export const SignInBody = t.Object({ email: Email, password: t.String() })
export const ExternalSignInBody = t.Object({
  token: t.String({ description: 'of the configured identity provider' }),
})
export const TicketBody = t.Object({ ticket: t.String({ description: 'from the opened address' }) })
export const SignOutBody = t.Object({
  all: t.Optional(t.Boolean({ description: 'ends all sessions of the user' })),
})
export const AccountChange = t.Object({
  name: t.Optional(t.String()),
  email: t.Optional(Email),
  password: t.Optional(Password),
  currentPassword: t.Optional(t.String({ description: 'required for a new email or password' })),
})
export const AccountRemoval = t.Object({ confirm: t.Literal('delete my account') })
export const UserChange = t.Object({ tier: t.Optional(Tier), isAdmin: t.Optional(t.Boolean()) })
export const CliLoginBody = t.Object({
  sessionToken: t.String({ description: 'random text of 32 to 4096 characters' }),
})
export const NewKeyBody = t.Object({
  name: t.Optional(nullable(t.String({ description: 'at most 100 characters' }))),
})

export const Ticket = t.Object({
  ticket: t.String({ description: 'valid once, for 60 seconds' }),
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
    kind: stringEnum(['session', 'key']),
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

export const KeyRow = t.Object({
  id: t.String(),
  name: t.String(),
  keyPrefix: t.String({ description: 'first 12 characters of the key' }),
  lastUsedAt: nullable(Iso),
  revokedAt: nullable(Iso),
  createdAt: Iso,
})
export type KeyRow = Static<typeof KeyRow>

export const KeyList = t.Object({ keys: t.Array(KeyRow) })
export type KeyList = Static<typeof KeyList>

export const NewKey = t.Object({
  id: t.String(),
  key: t.String({ description: 'returned only in this response' }),
  keyPrefix: t.String(),
  name: t.String(),
  message: t.String(),
})
export type NewKey = Static<typeof NewKey>

export const KeyId = t.Object({ id: t.String({ description: 'key, from the list of keys' }) })
export const KeyRevoked = t.Object({ success: t.Literal(true) })

export const OpenedSession = t.Object({
  id: t.String(),
  expiresAt: Iso,
  accessToken: t.String({ description: 'valid as Bearer token while the session lives' }),
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
  method: stringEnum(['local', 'password', 'external']),
  userAgent: nullable(t.String()),
  current: t.Boolean(),
})
export type SessionRow = Static<typeof SessionRow>

export const SessionList = t.Object({ sessions: t.Array(SessionRow) })
export type SessionList = Static<typeof SessionList>

export const SessionId = t.Object({
  id: t.String({ description: 'session, from the list of sessions' }),
})
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
  pageInfo: PageInfo,
})
export type UserPage = Static<typeof UserPage>

export const UserId = t.Object({ id: t.String({ description: 'user, from the list of users' }) })

export const CliLoginStarted = t.Object({ ok: t.Literal(true), expiresAt: Iso })
export type CliLoginStarted = Static<typeof CliLoginStarted>

export const CliLoginStatus = t.Union([
  t.Object({ status: t.Literal('pending') }),
  t.Object({
    status: t.Literal('ready'),
    apiKey: t.String({ description: 'returned only in this response' }),
  }),
])
export type CliLoginStatus = Static<typeof CliLoginStatus>

export const CliLoginExpired = t.Object(
  { status: t.Literal('expired') },
  { description: 'five minutes have passed, the key was delivered, or there is no such login' },
)
export type CliLoginExpired = Static<typeof CliLoginExpired>

export const CliLoginCompleted = t.Object({ ok: t.Literal(true) })
export type CliLoginCompleted = Static<typeof CliLoginCompleted>

const MAX_DAYS = 365

/** Days up to now, as `30d`; today counts as one. */
const days = (fallback: number): Param<number> => ({
  schema: {
    type: 'string',
    default: `${fallback}d`,
    description: `<n>d, days up to today. Clamped to 1..${MAX_DAYS}.`,
  },
  read(text, name) {
    if (text === undefined) return fallback
    const count = /^(\d{1,9})d$/i.exec(text.trim())?.[1]
    if (count === undefined) throw new InvalidInput(`${name} must be days, such as 30d`)
    return clamp(Number(count), 1, MAX_DAYS)
  },
})

export const UsageQuery = query({ period: days(30) })

const count = (description?: string) => t.Integer(description === undefined ? {} : { description })

export const Usage = t.Object({
  period: t.String(),
  from: Iso,
  to: Iso,
  totals: t.Object({
    requests: count(),
    errors: count('status 500 and above'),
    rateLimited: count('status 429'),
    llmCalls: count(),
    inputTokens: count('if the model provider reports it'),
    outputTokens: count('if the model provider reports it'),
    costUsd: t.Number({ description: 'if the model provider publishes prices' }),
  }),
  byDay: t.Array(
    t.Object({
      date: t.String({ description: 'YYYY-MM-DD, UTC' }),
      requests: count(),
      errors: count(),
      costUsd: t.Number(),
    }),
    { description: 'every day of the period, ascending' },
  ),
  byRoute: t.Array(
    t.Object({
      route: t.String({ description: 'method and pattern, such as GET /api/keys' }),
      requests: count(),
      p50Ms: Num,
      p95Ms: Num,
    }),
    { description: 'most requests first; quantiles are within 5 %' },
  ),
  byKey: t.Array(
    t.Object({
      keyId: nullable(t.String({ description: 'null for sessions' })),
      name: t.String(),
      requests: count(),
    }),
    { description: 'most requests first, including revoked keys' },
  ),
  limits: t.Array(
    t.Object({
      class: t.String(),
      limit: count(),
      used: count(),
      resetAt: Iso,
    }),
    { description: 'windows of the last minute; for a class with several, the fullest' },
  ),
})
export type Usage = Static<typeof Usage>

export const PageSettingsBody = t.Object({
  settings: t.Record(t.String(), t.Unknown(), {
    description:
      'look of the terminal such as theme, text size and row height; at most 4,000 characters of JSON',
  }),
})
/** The user's settings of the terminal. The page interprets them; the service only stores them. */
export const PageSettings = t.Object({
  settings: t.Union([PageSettingsBody.properties.settings, t.Null()], {
    description: 'null before the first were stored',
  }),
  updatedAt: t.Union([Iso, t.Null()]),
})
export type PageSettings = Static<typeof PageSettings>
