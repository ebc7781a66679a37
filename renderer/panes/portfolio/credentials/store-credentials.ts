import type { CredentialsStored } from '../../../../backend/contract/orders/credentials.ts'
import type { CredentialValues } from '../../../../backend/domain/credentials/credential-fields.ts'
import {
  sealEnvelope,
  type EnvelopeCrypto,
} from '../../../../backend/domain/credentials/envelope.ts'
import type { Venue } from '../../../../backend/domain/venue.ts'
import type { Answer, ApiClient } from '../../../api/client.ts'

/** Why this page cannot encrypt; null where it can. */
export const encryptionProblem = (crypto: Partial<Crypto> | undefined): string | null =>
  crypto?.subtle === undefined
    ? 'This page cannot encrypt: open it over https, or on the machine of the service.'
    : null

/** Encrypts credentials with a key for one upload, and stores the envelope. */
export async function storeCredentials(
  { send, crypto }: { readonly send: ApiClient['send']; readonly crypto: EnvelopeCrypto },
  venue: Venue,
  values: CredentialValues,
): Promise<Answer<CredentialsStored>> {
  const keyAnswer = await send('POST', '/api/portfolio/secrets/key', { venue })
  if (!keyAnswer.ok) return keyAnswer
  const envelope = await sealEnvelope(crypto, keyAnswer.body, values)
  const { uploadId } = keyAnswer.body
  return send('POST', '/api/portfolio/secrets', { venue, uploadId, envelope })
}
