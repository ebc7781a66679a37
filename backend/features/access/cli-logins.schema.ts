import { t, type Static } from 'elysia'
import { Iso } from '../../http/schemas.ts'

export const CliLoginBegun = t.Object({ ok: t.Literal(true), expiresAt: Iso })
export type CliLoginBegun = Static<typeof CliLoginBegun>

export const CliLoginStanding = t.Union([
  t.Object({ status: t.Literal('pending') }),
  t.Object({
    status: t.Literal('ready'),
    apiKey: t.String({ description: 'in this answer and never again' }),
  }),
])
export type CliLoginStanding = Static<typeof CliLoginStanding>

export const CliLoginExpired = t.Object(
  { status: t.Literal('expired') },
  { description: 'five minutes have passed, the key was handed out, or there is no such login' },
)
export type CliLoginExpired = Static<typeof CliLoginExpired>

export const CliLoginCompleted = t.Object({ ok: t.Literal(true) })
export type CliLoginCompleted = Static<typeof CliLoginCompleted>
