import { sha256 } from '../../sha256.ts'
import type { SalientType } from './salient.ts'

const ID_LENGTH = 6

/**
 * Id of an item: `s-` and the last six base-36 digits of the first eight bytes of SHA-256 of type
 * and subject. It contains no number or time, so it is stable as long as the situation lasts.
 * Methodology C4: `divergence|KXA|KXB` is `s-0lb6y3`.
 * @param subject ticker, or trigger and laggard, or gauge and region path
 */
export function salientId(type: SalientType, ...subject: readonly string[]): string {
  const [high = 0, low = 0] = sha256([type, ...subject].join('|'))
  const digits = ((BigInt(high) << 32n) | BigInt(low)).toString(36)
  return `s-${digits.padStart(ID_LENGTH, '0').slice(-ID_LENGTH)}`
}
