import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { looksLikePrivateKey, readCredentials } from './credential-fields.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const ed25519 = generateKeyPairSync('ed25519').privateKey
const WALLET = {
  walletAddress: `0x${'a'.repeat(40)}`,
  privateKey: `0x${'1'.repeat(64)}`,
  signatureType: '2',
}

describe('credentials', () => {
  it.each([
    ['RSA, PKCS#8', rsa.export({ type: 'pkcs8', format: 'pem' })],
    ['RSA, PKCS#1', rsa.export({ type: 'pkcs1', format: 'pem' })],
    ['Ed25519', ed25519.export({ type: 'pkcs8', format: 'pem' })],
  ])('[portfolio.secrets.fields] of Kalshi are a key ID and a private key: %s', (_name, pem) => {
    const privateKeyPem = String(pem)
    expect(readCredentials('venue_a', { keyId: ' k-1 ', privateKeyPem })).toEqual({
      values: { keyId: 'k-1', privateKeyPem: privateKeyPem.trim() },
    })
    expect(looksLikePrivateKey(privateKeyPem)).toBe(true)
  })

  it('[portfolio.secrets.fields] of Polymarket leave optional fields out', () => {
    expect(readCredentials('venue_b', { ...WALLET, funder: '' })).toEqual({
      values: { ...WALLET, signatureType: 2 },
    })
    expect(looksLikePrivateKey(WALLET.privateKey)).toBe(true)
    expect(looksLikePrivateKey(WALLET.walletAddress)).toBe(false)
  })

  it.each([
    ['venue_a', {}, 'Key ID is required'],
    ['venue_a', { keyId: 'k' }, 'Private key (PEM) is required'],
    [
      'venue_a',
      { keyId: 'k', privateKeyPem: 'sesame' },
      'Private key (PEM) must be a private key in PEM without a passphrase',
    ],
    ['venue_b', { ...WALLET, walletAddress: '0x1' }, 'Wallet address must be 0x and 40 hex digits'],
    ['venue_b', { ...WALLET, signatureType: '9' }, 'Signature type must be 0, 1, 2 or 3'],
    ['venue_b', { ...WALLET, funder: 'me' }, 'Funder address must be 0x and 40 hex digits'],
  ] as const)(
    '[portfolio.secrets.fields] of %s are refused by the first problem',
    (venue, texts, problem) => {
      expect(readCredentials(venue, texts)).toMatchObject({ problem })
    },
  )
})
