import { t, type Static } from 'elysia'
import { nullable, words } from '../../http/schemas.ts'

export const Doctor = t.Object({
  ok: t.Boolean(),
  checks: t.Array(
    t.Object({
      name: t.String(),
      state: words(['ok', 'warn', 'fail'] as const),
      detail: t.String(),
      fix: nullable(t.String({ description: 'what to do' })),
    }),
  ),
})
export type Doctor = Static<typeof Doctor>
