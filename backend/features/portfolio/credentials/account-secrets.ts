import { hkdfSync, randomBytes } from 'node:crypto'
import type { Venue } from '../../../domain/market.ts'
import { KEY_BYTES, uploadKeyInfo } from '../../../domain/credentials/envelope.ts'
import type { Millis } from '../../../domain/units.ts'
import { openSealedBytes, sealBytes } from '../../../lib/sealed-text.ts'
import type { CredentialsStore } from './credentials.store.ts'

const PURPOSE = 'augury account secret'
const SECRET_BYTES = 32

/** Keys of envelopes, derived from the secret of an account. */
export interface AccountSecrets {
  /**
   * The key of an upload, in a buffer that the caller fills with zeros; the account gets a secret
   * when it has none.
   */
  newKey(userId: string, venue: Venue, salt: Uint8Array, now: Millis): Promise<Buffer>
  /**
   * The key of a stored envelope, in a buffer that the caller fills with zeros.
   * @throws Error if the account has no secret, or the installation has another key
   */
  keyOf(userId: string, venue: Venue, salt: Uint8Array): Promise<Buffer>
}

export function createAccountSecrets(
  store: Pick<CredentialsStore, 'accountSecret' | 'addAccountSecret'>,
  installationKey: () => string,
): AccountSecrets {
  const deriveKey = (
    wrappedSecret: string,
    userId: string,
    venue: Venue,
    salt: Uint8Array,
  ): Buffer => {
    const secret = openSealedBytes(wrappedSecret, installationKey(), PURPOSE)
    try {
      return Buffer.from(hkdfSync('sha256', secret, salt, uploadKeyInfo(userId, venue), KEY_BYTES))
    } finally {
      secret.fill(0)
    }
  }
  return {
    async newKey(userId, venue, salt, now) {
      let wrappedSecret = await store.accountSecret(userId)
      if (wrappedSecret === null) {
        const secret = randomBytes(SECRET_BYTES)
        wrappedSecret = sealBytes(secret, installationKey(), PURPOSE)
        secret.fill(0)
        wrappedSecret = await store.addAccountSecret(userId, wrappedSecret, now)
      }
      return deriveKey(wrappedSecret, userId, venue, salt)
    },
    async keyOf(userId, venue, salt) {
      const wrappedSecret = await store.accountSecret(userId)
      if (wrappedSecret === null) throw new Error('the account has no secret')
      return deriveKey(wrappedSecret, userId, venue, salt)
    },
  }
}
