import { generateKeyPairSync } from 'node:crypto'
import { addressOfKey, bytesOfHex } from '../lib/eip712/typed-data.ts'
import type { CredentialsByVenue } from '../venues/trading.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
/** The key of local development chains. */
const WALLET_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const WALLET = addressOfKey(bytesOfHex(WALLET_KEY))
const FUNDER = '0x1111111111111111111111111111111111111111'
const KEY_ID = 'a952bcbe-ec3b-4b5b-b8f9-11dae589608c'
const API = { key: 'api-key', secret: 'c2VjcmV0LXNlY3JldC1zZWNyZXQ=', passphrase: 'pass' }

/** Accounts of both venues in the simulator. */
export const simulatedAccounts = (cash: number) => ({
  venueA: [{ keyId: KEY_ID, publicKey, cash }],
  venueB: [
    {
      wallet: WALLET,
      funder: FUNDER,
      apiKey: API.key,
      apiSecret: API.secret,
      passphrase: API.passphrase,
      cash,
    },
  ],
})

/** The key that signs at venue_a, for a process that trades on its own. */
export const SIMULATED_PEM = privateKey

/** What opens them. */
export const simulatedCredentials = (pem = privateKey): CredentialsByVenue => ({
  venue_a: { keyId: KEY_ID, privateKeyPem: Buffer.from(pem) },
  venue_b: {
    walletAddress: WALLET,
    privateKey: Buffer.from(bytesOfHex(WALLET_KEY)),
    signatureType: 2,
    funder: FUNDER,
    apiKey: null,
    apiSecret: null,
    passphrase: null,
  },
})
