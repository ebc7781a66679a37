import { t } from 'elysia'
import type { Static } from 'elysia'
import { describedEnum, Iso } from '../schemas.ts'
import { VENUES } from '../../domain/venue.ts'

const venue = describedEnum(VENUES, 'venue that the credentials are for')

export const NewCredentialKey = t.Object({ venue })

/** The key of one upload; credentials are encrypted with it before they are sent. */
export const CredentialKey = t.Object({
  uploadId: t.String({ description: 'up_…, sent with the envelope; valid once' }),
  venue,
  alg: t.Literal('AES-256-GCM'),
  salt: t.String({ description: 'base64url of 16 bytes, bytes 1 to 16 of the envelope' }),
  key: t.String({ description: 'base64url of the 32 bytes of the key' }),
  aad: t.String({ description: 'additional authenticated data, as UTF-8' }),
  expiresAt: Iso,
})
export type CredentialKey = Static<typeof CredentialKey>

export const CredentialEnvelope = t.Object({
  venue,
  uploadId: t.String({ description: 'of the key that encrypted it' }),
  envelope: t.String({
    description:
      'base64url of version 1, salt, nonce (12 bytes), ciphertext and tag (16 bytes); at most 16 kB',
  }),
  label: t.Optional(t.String({ description: 'at most 64 characters' })),
})

export const CredentialsStored = t.Object({ ok: t.Literal(true), venue, updatedAt: Iso })
export type CredentialsStored = Static<typeof CredentialsStored>

export const CredentialsOfVenue = t.Object({ venue: t.Optional(venue) })
export const CredentialsRemoved = t.Object({ ok: t.Literal(true) })
export type CredentialsRemoved = Static<typeof CredentialsRemoved>
