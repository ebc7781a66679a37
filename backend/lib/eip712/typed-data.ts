import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'

/** The value of a field: text, an address or bytes32 as 0x hex, or an unsigned integer. */
export type FieldValue = string | bigint
/** A struct type of EIP-712 whose fields are `string`, `address`, `uintN` or `bytes32`. */
export interface StructType {
  readonly name: string
  readonly fields: readonly (readonly [type: string, name: string])[]
}
export interface SigningDomain {
  readonly name: string
  readonly version: string
  readonly chainId: number
  /** Null for a domain without a contract. */
  readonly verifyingContract: string | null
}

const WORD = 32
const bytesOfText = (text: string): Uint8Array => new TextEncoder().encode(text)

export const keccak = (...parts: readonly Uint8Array[]): Uint8Array =>
  keccak_256(Buffer.concat(parts))
export const keccakText = (text: string): Uint8Array => keccak(bytesOfText(text))
export const hexOf = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`

/** Bytes of 0x hex. @throws Error when it is not hex */
export function bytesOfHex(hex: string): Uint8Array {
  if (!/^0x(?:[0-9a-f]{2})*$/i.test(hex)) throw new Error('not 0x and pairs of hex digits')
  return Buffer.from(hex.slice(2), 'hex')
}

/** The declaration of a type, as `Order(uint256 salt,address maker)`. */
export const typeText = ({ name, fields }: StructType): string =>
  `${name}(${fields.map(([type, field]) => `${type} ${field}`).join(',')})`

/** hashStruct of EIP-712. */
export function structHash(type: StructType, values: Readonly<Record<string, FieldValue>>) {
  const encodedFields = type.fields.map(([kind, name]) => {
    const value = values[name]
    if (value === undefined) throw new Error(`${type.name} needs ${name}`)
    return encodeWord(kind, value)
  })
  return keccak(keccakText(typeText(type)), ...encodedFields)
}

/** A value as one word of 32 bytes. */
export function encodeWord(kind: string, value: FieldValue): Uint8Array {
  if (kind === 'string') return keccakText(String(value))
  const digits = typeof value === 'bigint' ? value.toString(16) : value.replace(/^0x/i, '')
  if (!/^[0-9a-f]{1,64}$/i.test(digits)) throw new Error(`${kind} is out of range`)
  return Buffer.from(digits.padStart(WORD * 2, '0'), 'hex')
}

export function domainSeparator(domain: SigningDomain): Uint8Array {
  const { name, version, chainId, verifyingContract } = domain
  const fields: (readonly [string, string])[] = [
    ['string', 'name'],
    ['string', 'version'],
    ['uint256', 'chainId'],
  ]
  const values: Record<string, FieldValue> = { name, version, chainId: BigInt(chainId) }
  if (verifyingContract !== null) {
    fields.push(['address', 'verifyingContract'])
    values['verifyingContract'] = verifyingContract
  }
  return structHash({ name: 'EIP712Domain', fields }, values)
}

/** The digest that is signed: domain separator and struct hash. */
export const typedDataDigest = (separator: Uint8Array, hash: Uint8Array): Uint8Array =>
  keccak(Uint8Array.of(0x19, 0x01), separator, hash)

/** Signs a digest: 65 bytes, r, s and v (27 or 28); deterministic (RFC 6979) with low s. */
export function signDigest(digest: Uint8Array, privateKey: Uint8Array): Uint8Array {
  const [recovery = 0, ...rest] = secp256k1.sign(digest, privateKey, {
    prehash: false,
    format: 'recovered',
  })
  return Uint8Array.of(...rest, 27 + recovery)
}

/** The address that signed a digest; null for a signature that is malformed. */
export function recoverAddress(digest: Uint8Array, signature: Uint8Array): string | null {
  const v = signature[64]
  if (signature.length !== 65 || (v !== 27 && v !== 28)) return null
  try {
    const recoverableSignature = Uint8Array.of(v - 27, ...signature.subarray(0, 64))
    const compressedKey = secp256k1.recoverPublicKey(recoverableSignature, digest, {
      prehash: false,
    })
    return addressOfPoint(secp256k1.Point.fromBytes(compressedKey).toBytes(false))
  } catch {
    return null
  }
}

/** The address of a private key, with the mixed-case checksum of EIP-55. */
export const addressOfKey = (privateKey: Uint8Array): string =>
  checksumAddress(addressOfPoint(secp256k1.getPublicKey(privateKey, false)))

/** The address of an uncompressed public key, in lower case. */
const addressOfPoint = (publicKey: Uint8Array): string =>
  hexOf(keccak(publicKey.subarray(1)).subarray(12))

/** An address with the mixed-case checksum of EIP-55. */
export function checksumAddress(address: string): string {
  const digits = address.slice(2).toLowerCase()
  const hash = hexOf(keccakText(digits)).slice(2)
  const checksummedAddress = digits.replaceAll(/[a-f]/g, (digit, k: number) =>
    Number.parseInt(hash[k] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `0x${checksummedAddress}`
}
