import { generateKeyPairSync, webcrypto } from 'node:crypto'
import type { CredentialKey } from '../contract/orders/credentials.ts'
import { sealEnvelope, type EnvelopeUpload } from '../domain/credentials/envelope.ts'

/** Encrypts credentials as the page and the command line do. */
export const sealed = (
  upload: EnvelopeUpload,
  credentials: Readonly<Record<string, string | number>>,
): Promise<string> => sealEnvelope(webcrypto, upload, credentials)

/** A body that stores credentials with an issued key. */
export const envelopeBody = async (
  issued: CredentialKey,
  credentials: Readonly<Record<string, string | number>>,
) => ({
  venue: issued.venue,
  uploadId: issued.uploadId,
  envelope: await sealed(issued, credentials),
})

/** A private key of its own in PEM. */
export const newPem = (): string =>
  String(
    generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
      type: 'pkcs8',
      format: 'pem',
    }),
  )
