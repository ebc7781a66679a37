import {
  bytesOfHex,
  domainSeparator,
  hexOf,
  keccak,
  keccakText,
  recoverAddress,
  structHash,
  typedDataDigest,
  encodeWord,
} from '../../lib/eip712/typed-data.ts'

/** An order as it is sent, with the types of its JSON. */
export interface SentOrder {
  readonly salt: number
  readonly maker: string
  readonly signer: string
  readonly tokenId: string
  readonly makerAmount: string
  readonly takerAmount: string
  readonly side: 'BUY' | 'SELL'
  readonly signatureType: number
  readonly timestamp: string
  readonly expiration: string
  readonly metadata: string
  readonly builder: string
  readonly signature: string
}

const CHAIN = 137
const CONTRACTS = {
  single: '0xE111180000d2663C0091e4f400237545B87B996B',
  exclusive: '0xe2222d279d744050d28e00520010520000310F59',
}
const FIELDS =
  'uint256 salt,address maker,address signer,uint256 tokenId,uint256 makerAmount,uint256 takerAmount,uint8 side,uint8 signatureType,uint256 timestamp,bytes32 metadata,bytes32 builder'
const ORDER = {
  name: 'Order',
  fields: FIELDS.split(',').map((field): [string, string] => {
    const [type = '', name = ''] = field.split(' ')
    return [type, name]
  }),
}
const NESTED_TYPE = `TypedDataSign(Order contents,string name,string version,uint256 chainId,address verifyingContract,bytes32 salt)Order(${FIELDS})`

/** Checks an order's signature as the contract does: its hash, and whether the owner signed it. */
export function checkOrder(
  order: SentOrder,
  owner: string,
  isExclusive: boolean,
): { readonly hash: string; readonly isSigned: boolean } {
  const separator = domainSeparator({
    name: 'Polymarket CTF Exchange',
    version: '2',
    chainId: CHAIN,
    verifyingContract: isExclusive ? CONTRACTS.exclusive : CONTRACTS.single,
  })
  const contents = structHash(ORDER, {
    salt: BigInt(order.salt),
    maker: order.maker,
    signer: order.signer,
    tokenId: BigInt(order.tokenId),
    makerAmount: BigInt(order.makerAmount),
    takerAmount: BigInt(order.takerAmount),
    side: order.side === 'BUY' ? 0n : 1n,
    signatureType: BigInt(order.signatureType),
    timestamp: BigInt(order.timestamp),
    metadata: order.metadata,
    builder: order.builder,
  })
  const digest = typedDataDigest(separator, contents)
  const signature = bytesOfHex(order.signature)
  const isContract = order.signatureType === 3
  const signedDigest = isContract ? nestedDigest(separator, contents, order.signer) : digest
  const signer = recoverAddress(signedDigest, signature.subarray(0, 65))
  const isOwn = isContract || order.signer.toLowerCase() === owner.toLowerCase()
  return { hash: hexOf(digest), isSigned: isOwn && signer === owner.toLowerCase() }
}

function nestedDigest(separator: Uint8Array, contents: Uint8Array, wallet: string): Uint8Array {
  const hash = keccak(
    keccakText(NESTED_TYPE),
    contents,
    keccakText('DepositWallet'),
    keccakText('1'),
    encodeWord('uint256', BigInt(CHAIN)),
    encodeWord('address', wallet),
    encodeWord('bytes32', '0x00'),
  )
  return typedDataDigest(separator, hash)
}

/** Whether a wallet signed the attestation by which it gets its API key. */
export function isAttested(headers: Readonly<Record<string, unknown>>): boolean {
  const address = String(headers['poly_address'])
  const hash = structHash(
    {
      name: 'ClobAuth',
      fields: [
        ['address', 'address'],
        ['string', 'timestamp'],
        ['uint256', 'nonce'],
        ['string', 'message'],
      ],
    },
    {
      address,
      timestamp: String(headers['poly_timestamp']),
      nonce: BigInt(String(headers['poly_nonce'])),
      message: 'This message attests that I control the given wallet',
    },
  )
  const separator = domainSeparator({
    name: 'ClobAuthDomain',
    version: '1',
    chainId: CHAIN,
    verifyingContract: null,
  })
  const signature = bytesOfHex(String(headers['poly_signature']))
  return recoverAddress(typedDataDigest(separator, hash), signature) === address.toLowerCase()
}
