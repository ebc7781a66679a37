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
  providers: t.Array(t.Object({ name: t.String(), configured: t.Boolean() }), {
    description: 'access to outside providers',
  }),
  folder: t.Object(
    { path: t.String(), bytes: t.Integer({ description: 'all files in it together' }) },
    { description: 'the data folder' },
  ),
})
export type Doctor = Static<typeof Doctor>
