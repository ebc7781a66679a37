import { describe, expect, it } from 'vitest'
import {
  addressOfKey,
  bytesOfHex,
  checksumAddress,
  domainSeparator,
  hexOf,
  keccak,
  keccakText,
  recoverAddress,
  signDigest,
  structHash,
  typedDataDigest,
  typeText,
  type StructType,
} from './typed-data.ts'

/** The example of EIP-712 itself: `Mail` from Cow to Bob, signed by the key keccak256("cow"). */
const PERSON: StructType = {
  name: 'Person',
  fields: [
    ['string', 'name'],
    ['address', 'wallet'],
  ],
}
const COW = keccakText('cow')
const separator = domainSeparator({
  name: 'Ether Mail',
  version: '1',
  chainId: 1,
  verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
})

function mailHash(): Uint8Array {
  const from = structHash(PERSON, {
    name: 'Cow',
    wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826',
  })
  const to = structHash(PERSON, {
    name: 'Bob',
    wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB',
  })
  const type = keccakText(`Mail(Person from,Person to,string contents)${typeText(PERSON)}`)
  return keccak(type, from, to, keccakText('Hello, Bob!'))
}

describe('EIP-712', () => {
  it('hashes the domain, the struct and the digest of the standard’s example', () => {
    expect(hexOf(separator)).toBe(
      '0xf2cee375fa42b42143804025fc449deafd50cc031ca257e0b194a650a912090f',
    )
    expect(hexOf(mailHash())).toBe(
      '0xc52c0ee5d84264471806290a3f2c4cecfc5490626bf912d01f240d7a274b371e',
    )
    expect(hexOf(typedDataDigest(separator, mailHash()))).toBe(
      '0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2',
    )
  })

  it('signs the standard’s example as published, and recovers its signer', () => {
    const digest = typedDataDigest(separator, mailHash())
    const signature = signDigest(digest, COW)
    expect(hexOf(signature)).toBe(
      '0x4355c47d63924e8a72e509b65029052eb6c299d53a04e167c5775fd466751c9d' +
        '07299936d304c153f6443dfa05f40ff007d72911b6f72307f996231605b91562' +
        '1c',
    )
    expect(addressOfKey(COW)).toBe('0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826')
    expect(recoverAddress(digest, signature)).toBe(addressOfKey(COW).toLowerCase())
  })

  it('recovers another address from a changed digest, and none from a damaged signature', () => {
    const digest = typedDataDigest(separator, mailHash())
    const signature = signDigest(digest, COW)
    const other = recoverAddress(keccakText('other'), signature)
    expect(other).not.toBe(addressOfKey(COW).toLowerCase())
    expect(recoverAddress(digest, signature.subarray(0, 64))).toBeNull()
    expect(recoverAddress(digest, new Uint8Array(65))).toBeNull()
  })

  it('writes the checksums of the examples of EIP-55', () => {
    const examples = [
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
      '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    ]
    for (const address of examples) expect(checksumAddress(address.toLowerCase())).toBe(address)
  })

  it('refuses text that is not hex and numbers that need more than a word', () => {
    expect(() => bytesOfHex('0x123')).toThrow('pairs of hex')
    const number: StructType = { name: 'N', fields: [['uint256', 'n']] }
    expect(() => structHash(number, { n: 1n << 256n })).toThrow('out of range')
    expect(() => structHash(number, {})).toThrow('needs n')
    expect(() => structHash(number, { n: -1n })).toThrow('out of range')
  })
})
