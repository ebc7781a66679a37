import type { Transaction } from 'kysely'
import type { Venue } from '../../../domain/market.ts'
import { DAY, type Millis } from '../../../domain/units.ts'
import type { State } from '../../../state/open.ts'
import type { StateSchema } from '../../../state/schema.ts'

/** A key that was issued for one upload. */
export interface CredentialUpload {
  readonly id: string
  readonly userId: string
  readonly venue: Venue
  readonly salt: string
  readonly expiresAt: Millis
  readonly usedAt: Millis | null
}

/** The stored envelope of a user's credentials at a venue. */
export interface StoredEnvelope {
  readonly uploadId: string
  readonly envelope: string
}

export interface NewEnvelope extends StoredEnvelope {
  readonly userId: string
  readonly venue: Venue
  readonly label: string | null
  readonly updatedAt: Millis
}

/** How long an upload is remembered after its end, so that its second use is recognized. */
const UPLOAD_RETENTION = DAY

export function createCredentialsStore(state: State) {
  return {
    /** The encrypted secret of an account; null before its first upload. */
    async accountSecret(userId: string): Promise<string | null> {
      const row = await state
        .selectFrom('account_secret')
        .select('wrapped')
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return row?.wrapped ?? null
    },
    /** Stores the first secret of an account, and returns the one that is stored. */
    async addAccountSecret(userId: string, wrappedSecret: string, at: Millis): Promise<string> {
      await state
        .insertInto('account_secret')
        .values({ user_id: userId, wrapped: wrappedSecret, created_at: at })
        .onConflict((conflict) => conflict.column('user_id').doNothing())
        .execute()
      const { wrapped: storedSecret } = await state
        .selectFrom('account_secret')
        .select('wrapped')
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      return storedSecret
    },
    /** Adds an upload and forgets those that ended long ago. */
    addUpload: (upload: CredentialUpload, at: Millis): Promise<void> =>
      state.transaction().execute(async (transaction) => {
        await transaction
          .deleteFrom('credential_upload')
          .where('expires_at', '<', at - UPLOAD_RETENTION)
          .execute()
        await transaction
          .insertInto('credential_upload')
          .values({
            id: upload.id,
            user_id: upload.userId,
            venue: upload.venue,
            salt: upload.salt,
            expires_at: upload.expiresAt,
            used_at: upload.usedAt,
          })
          .execute()
      }),
    async upload(userId: string, id: string): Promise<CredentialUpload | null> {
      const row = await state
        .selectFrom('credential_upload')
        .selectAll()
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirst()
      if (row === undefined) return null
      return {
        id: row.id,
        userId: row.user_id,
        venue: row.venue as Venue,
        salt: row.salt,
        expiresAt: row.expires_at as Millis,
        usedAt: row.used_at as Millis | null,
      }
    },
    /** Stores an envelope in place of an earlier one, and uses its upload up. */
    put: (envelope: NewEnvelope): Promise<void> =>
      state.transaction().execute(async (transaction) => {
        const { userId, venue, uploadId, updatedAt } = envelope
        await transaction
          .updateTable('credential_upload')
          .set({ used_at: updatedAt })
          .where('id', '=', uploadId)
          .execute()
        const row = {
          user_id: userId,
          venue,
          upload_id: uploadId,
          envelope: envelope.envelope,
          label: envelope.label,
          updated_at: updatedAt,
        }
        await transaction
          .insertInto('venue_credential')
          .values(row)
          .onConflict((conflict) => conflict.columns(['user_id', 'venue']).doUpdateSet(row))
          .execute()
      }),
    /** When the envelope of each venue was stored. */
    async updatedAt(userId: string): Promise<ReadonlyMap<Venue, Millis>> {
      const rows = await state
        .selectFrom('venue_credential')
        .select(['venue', 'updated_at'])
        .where('user_id', '=', userId)
        .execute()
      return new Map(rows.map((row) => [row.venue as Venue, row.updated_at as Millis]))
    },
    async envelope(userId: string, venue: Venue): Promise<StoredEnvelope | null> {
      const row = await state
        .selectFrom('venue_credential')
        .select(['upload_id', 'envelope'])
        .where('user_id', '=', userId)
        .where('venue', '=', venue)
        .executeTakeFirst()
      return row === undefined ? null : { uploadId: row.upload_id, envelope: row.envelope }
    },
  }
}
export type CredentialsStore = ReturnType<typeof createCredentialsStore>

/** Removes the envelopes of venues. */
export async function removeEnvelopes(
  transaction: Transaction<StateSchema>,
  userId: string,
  venues: readonly Venue[],
): Promise<void> {
  await transaction
    .deleteFrom('venue_credential')
    .where('user_id', '=', userId)
    .where('venue', 'in', venues)
    .execute()
}

/**
 * Removes the secret of an account, so that copies of its envelopes cannot be opened any more, and
 * ends its open uploads, whose keys were derived from it.
 */
export async function removeAccountSecret(
  transaction: Transaction<StateSchema>,
  userId: string,
  at: Millis,
): Promise<void> {
  await transaction.deleteFrom('account_secret').where('user_id', '=', userId).execute()
  await transaction
    .updateTable('credential_upload')
    .set({ expires_at: at })
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .execute()
}
