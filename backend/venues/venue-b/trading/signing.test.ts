import { describe, expect, it } from 'vitest'
import type { Millis, PriceE4, SizeE6 } from '../../../domain/units.ts'
import { addressOfKey, bytesOfHex, recoverAddress } from '../../../lib/eip712/typed-data.ts'
import { apiHeaders, requestSignature, walletHeaders, walletSignature } from './api-signature.ts'
import { orderAmounts } from './order-amounts.ts'
import { EXCHANGE, orderHash, signOrder, type SignedFields } from './order-signature.ts'

/** The key of local development chains, which the venue's own test vectors use. */
const KEY = bytesOfHex('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const AMOY = 80_002
const ON_AMOY = { ...EXCHANGE, chainId: AMOY }
const WALLET = '0x1111111111111111111111111111111111111111'
const ORDER: SignedFields = {
  salt: 479_249_096_354n,
  maker: WALLET,
  signer: WALLET,
  tokenId: 1_234n,
  makerAmount: 100_000_000n,
  takerAmount: 50_000_000n,
  side: 0,
  signatureType: 3,
  timestamp: 1_710_000_000_000n,
}

describe('signatures of venue_b', () => {
  it('signs orders of a deposit wallet like the vector of the venue’s client', () => {
    expect(signOrder(ORDER, ON_AMOY, KEY)).toBe(
      '0xa3a093c83b6c20c83355c16ce94c92e6e9fcbdeb840618cc74f6c57a42ad145b' +
        '2b98db73d2c73cbf1f2b6af288566ae81960ddbc3a13921027358a8bff3be6ff1c' +
        'a440cbd865bc0c6243d7a8df9a8bf48a8827b0a4abbb61c30e96d305423af148' +
        'd23d42d3ad94e65d78258cecaf8dcbaddac0f73dc085040f2c12bb595dd83804' +
        '4f726465722875696e743235362073616c742c61646472657373206d616b65722c' +
        '61646472657373207369676e65722c75696e7432353620746f6b656e49642c75' +
        '696e74323536206d616b6572416d6f756e742c75696e743235362074616b6572' +
        '416d6f756e742c75696e743820736964652c75696e7438207369676e61747572' +
        '65547970652c75696e743235362074696d657374616d702c6279746573333220' +
        '6d657461646174612c62797465733332206275696c6465722900ba',
    )
  })

  it('hashes orders like the vector, and signs that hash for other wallets', () => {
    expect(orderHash(ORDER, ON_AMOY)).toBe(
      '0x2afca94626db91b2d556c351584a4cd93e13da32e377dc48c7983e43afa5ab47',
    )
    for (const signatureType of [0, 1, 2] as const) {
      const order = { ...ORDER, signer: addressOfKey(KEY), signatureType }
      const digest = bytesOfHex(orderHash(order, EXCHANGE))
      const signer = recoverAddress(digest, bytesOfHex(signOrder(order, EXCHANGE, KEY)))
      expect(signer).toBe(addressOfKey(KEY).toLowerCase())
    }
  })

  it('signs the attestation of a wallet like the vector', () => {
    const signature = walletSignature(KEY, { chainId: AMOY, timestamp: '10000000', nonce: 23 })
    expect(signature).toBe(
      '0xf62319a987514da40e57e2f4d7529f7bac38f0355bd88bb5adbb3768d80de6c1' +
        '682518e0af677d5260366425f4361e7b70c25ae232aff0ab2331e2b164a1aedc1b',
    )
    const headers = walletHeaders(KEY, AMOY, 10_000_000_999 as Millis)
    expect(headers).toEqual({
      POLY_ADDRESS: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      POLY_SIGNATURE: walletSignature(KEY, { chainId: AMOY, timestamp: '10000000', nonce: 0 }),
      POLY_TIMESTAMP: '10000000',
      POLY_NONCE: '0',
    })
  })

  it('signs requests like the vector, with the URL alphabet in secret and signature', () => {
    const secret = Buffer.from('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=')
    const signature = 'ZwAdJKvoYRlEKDkNMwd5BuwNNtg93kNaR_oU2HrfVvc='
    expect(requestSignature(secret, '1000000test-sign/orders{"hash": "0x123"}')).toBe(signature)
    const url = requestSignature(Buffer.from('-_-_'), 'm')
    expect(url).toBe(requestSignature(Buffer.from('+/+/'), 'm'))
    const api = { key: 'k', secret, passphrase: Buffer.from('p') }
    const request = { method: 'test-sign', path: '/orders', body: '{"hash": "0x123"}' }
    expect(apiHeaders('0xA', api, request, 1_000_000_000 as Millis)).toEqual({
      POLY_ADDRESS: '0xA',
      POLY_API_KEY: 'k',
      POLY_PASSPHRASE: 'p',
      POLY_TIMESTAMP: '1000000',
      POLY_SIGNATURE: signature,
    })
    expect(secret.toString()).toBe('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=')
  })
})

describe('amounts of an order', () => {
  const amounts = (
    action: 'buy' | 'sell',
    shares: number,
    price: number,
    isImmediate = false,
    step = 0.01,
  ) =>
    orderAmounts({
      action,
      size: Math.round(shares * 1e6) as SizeE6,
      limit: Math.round(price * 1e4) as PriceE4,
      isImmediate,
      step: Math.round(step * 1e4) as PriceE4,
    })

  it.each([
    [16.9, 0.3, 5_070_000n, 16_900_000n],
    [33.3, 0.3, 9_990_000n, 33_300_000n],
    [66.6, 0.15, 9_990_000n, 66_600_000n],
  ])('are those of the vectors for %d shares at %d', (shares, price, dollars, units) => {
    expect(amounts('buy', shares, price)).toEqual({ makerAmount: dollars, takerAmount: units })
    expect(amounts('sell', shares, price)).toEqual({ makerAmount: units, takerAmount: dollars })
  })

  it('cut shares to two decimals', () => {
    expect(amounts('sell', 10.129, 0.5)).toEqual({
      makerAmount: 10_120_000n,
      takerAmount: 5_060_000n,
    })
  })

  it('spend whole cents in an immediate purchase, within the limit and the size', () => {
    expect(amounts('buy', 1, 0.555, true, 0.001)).toEqual({
      makerAmount: 550_000n,
      takerAmount: 990_990n,
    })
    expect(amounts('buy', 10, 0.5, true)).toEqual({
      makerAmount: 5_000_000n,
      takerAmount: 10_000_000n,
    })
  })
})
