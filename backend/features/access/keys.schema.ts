import { t, type Static } from 'elysia'
import { Iso, nullable } from '../../http/schemas.ts'

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

export const NewKey = t.Object({
  id: t.String(),
  key: t.String({ description: 'shown in this answer and never again' }),
  keyPrefix: t.String(),
  name: t.String(),
  message: t.String(),
})
export type NewKey = Static<typeof NewKey>

export const KeyId = t.Object({ id: t.String() })
export const KeyRevoked = t.Object({ success: t.Literal(true) })
