import { t, type Static } from 'elysia'
import { nullable, words } from '../../http/schemas.ts'

const Models = t.Object({
  cheap: t.String(),
  medium: t.Optional(t.String()),
  heavy: t.Optional(t.String()),
})

/** Access to a provider as administrators see it; its key is in no answer. */
export const Provider = t.Object({
  name: t.String(),
  configured: t.Boolean(),
  source: nullable(words(['environment', 'stored'] as const)),
  url: nullable(t.String()),
  hasKey: t.Boolean(),
  models: nullable(Models),
})
export type Provider = Static<typeof Provider>

export const ProviderName = t.Object({ name: t.String() })
