/**
 * Hashes a text to 53 bits (cyrb53, public domain); fast and well distributed, not cryptographic.
 */
function mix53(text: string, seed: number): number {
  let high = 0xdeadbeef ^ seed
  let low = 0x41c6ce57 ^ seed
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    high = Math.imul(high ^ unit, 2_654_435_761)
    low = Math.imul(low ^ unit, 1_597_334_677)
  }
  high =
    Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  low =
    Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  return 4_294_967_296 * (0x1fffff & low) + (high >>> 0)
}

/**
 * Deterministic id of a text: 26 hexadecimal digits, enough to keep millions of ids distinct. Not
 * for secrets.
 */
export const hashText = (text: string): string =>
  [0, 1].map((seed) => mix53(text, seed).toString(16).padStart(13, '0').slice(-13)).join('')
