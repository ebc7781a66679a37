import {
  domainSeparator,
  hexOf,
  keccak,
  keccakText,
  signDigest,
  structHash,
  typedDataDigest,
  typeText,
  encodeWord,
  type StructType,
} from '../../../lib/eip712/typed-data.ts'
import type { VenueBSignatureType } from '../../trading.ts'

/** The signed fields of an order (V2). Amounts are in 1e-6 dollars and 1e-6 shares. */
export interface SignedFields {
  readonly salt: bigint
  /** The wallet that pays. */
  readonly maker: string
  readonly signer: string
  readonly tokenId: bigint
  readonly makerAmount: bigint
  readonly takerAmount: bigint
  /** 0 buys, 1 sells. */
  readonly side: 0 | 1
  readonly signatureType: VenueBSignatureType
  /** Milliseconds. */
  readonly timestamp: bigint
}

/** The contract that settles an order. */
export interface Exchange {
  readonly chainId: number
  readonly version: string
  readonly contract: string
}
export const POLYGON = 137
export const EXCHANGE: Exchange = {
  chainId: POLYGON,
  version: '2',
  contract: '0xE111180000d2663C0091e4f400237545B87B996B',
}
/** Markets of an exclusive event. */
export const EXCLUSIVE_EXCHANGE: Exchange = {
  ...EXCHANGE,
  contract: '0xe2222d279d744050d28e00520010520000310F59',
}

export const NO_BYTES = `0x${'0'.repeat(64)}`
const ORDER: StructType = {
  name: 'Order',
  fields: [
    ['uint256', 'salt'],
    ['address', 'maker'],
    ['address', 'signer'],
    ['uint256', 'tokenId'],
    ['uint256', 'makerAmount'],
    ['uint256', 'takerAmount'],
    ['uint8', 'side'],
    ['uint8', 'signatureType'],
    ['uint256', 'timestamp'],
    ['bytes32', 'metadata'],
    ['bytes32', 'builder'],
  ],
}
/** ERC-7739: an order inside the domain of the contract wallet that signs it. */
const NESTED_TYPE = `TypedDataSign(Order contents,string name,string version,uint256 chainId,address verifyingContract,bytes32 salt)${typeText(ORDER)}`
const CONTRACT_WALLET = 3

const separatorOf = ({ chainId, version, contract }: Exchange): Uint8Array =>
  domainSeparator({
    name: 'Polymarket CTF Exchange',
    version,
    chainId,
    verifyingContract: contract,
  })

const contentsHash = (fields: SignedFields): Uint8Array =>
  structHash(ORDER, {
    ...fields,
    side: BigInt(fields.side),
    signatureType: BigInt(fields.signatureType),
    metadata: NO_BYTES,
    builder: NO_BYTES,
  })

/** The id of an order at the venue, known before it is sent. */
export const orderHash = (fields: SignedFields, exchange: Exchange): string =>
  hexOf(typedDataDigest(separatorOf(exchange), contentsHash(fields)))

/** The signature of an order as the venue takes it, as 0x hex. */
export function signOrder(fields: SignedFields, exchange: Exchange, key: Uint8Array): string {
  const separator = separatorOf(exchange)
  const contents = contentsHash(fields)
  if (fields.signatureType !== CONTRACT_WALLET) {
    return hexOf(signDigest(typedDataDigest(separator, contents), key))
  }
  const nestedDigest = keccak(
    keccakText(NESTED_TYPE),
    contents,
    keccakText('DepositWallet'),
    keccakText('1'),
    encodeWord('uint256', BigInt(exchange.chainId)),
    encodeWord('address', fields.signer),
    encodeWord('bytes32', NO_BYTES),
  )
  const signature = signDigest(typedDataDigest(separator, nestedDigest), key)
  const type = Buffer.from(typeText(ORDER), 'utf8')
  const length = Buffer.alloc(2)
  length.writeUInt16BE(type.length)
  return hexOf(Buffer.concat([signature, separator, contents, type, length]))
}
