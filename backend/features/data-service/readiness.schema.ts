import { t } from 'elysia'
import type { Static } from 'elysia'
import { nullable, Num } from '../../http/schemas.ts'

export const Liveness = t.Object({ status: t.Literal('ok') })
export type Liveness = Static<typeof Liveness>

const Check = t.Object({
  ok: t.Boolean(),
  message: nullable(t.String()),
  ageSeconds: Num,
})
const Checks = t.Object({
  database: Check,
  history: Check,
  venue_a: Check,
  venue_b: Check,
  computed: Check,
})
export type Checks = Static<typeof Checks>

export const Ready = t.Object({ status: t.Literal('ready'), checks: Checks })
export const NotReadyYet = t.Object({
  status: t.Literal('not_ready'),
  error: t.String(),
  code: t.Literal('NOT_READY'),
  checks: Checks,
})
export type Readiness = Static<typeof Ready> | Static<typeof NotReadyYet>
