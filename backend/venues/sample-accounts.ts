import { generateKeyPair, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { addressOfKey } from '../lib/eip712/typed-data.ts'
import type { SimulatorAddresses } from './connectors.ts'
import type { CredentialsByVenue } from './trading.ts'

/** Makes keys of every venue with trading and opens an account of the simulator for each. */
export async function openSampleAccounts(
  userId: string,
  { venueA }: SimulatorAddresses,
): Promise<CredentialsByVenue> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const walletKey = randomBytes(32)
  const wallet = addressOfKey(walletKey)
  const keyId = `sample-${userId}`
  const register = async (path: string, body: object): Promise<void> => {
    const url = new URL(path, venueA.baseUrl).href
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
    await response.body?.cancel()
    if (!response.ok) throw new Error(`credentials for the sample were refused: ${response.status}`)
  }
  await register('/control/accounts', { keyId, publicKey, isNew: true })
  await register('/control/wallets', {
    wallet,
    funder: wallet,
    apiKey: `sample-${userId}`,
    apiSecret: randomBytes(24).toString('base64'),
    passphrase: randomBytes(12).toString('hex'),
  })
  return {
    venue_a: { keyId, privateKeyPem: Buffer.from(privateKey) },
    venue_b: {
      walletAddress: wallet,
      privateKey: walletKey,
      signatureType: 0,
      funder: null,
      apiKey: null,
      apiSecret: null,
      passphrase: null,
    },
  }
}
