const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const VALUES: ReadonlyMap<string, number> = new Map(
  Array.from(ALPHABET, (character, value): [string, number] => [character, value]),
)

/** Bytes as base64url without padding (RFC 4648, section 5). */
export function toBase64Url(bytes: Uint8Array): string {
  let text = ''
  for (let index = 0; index < bytes.length; index += 3) {
    const [first = 0, second = 0, third = 0] = bytes.subarray(index, index + 3)
    const group = (first << 16) | (second << 8) | third
    const length = Math.min(3, bytes.length - index) + 1
    for (let at = 0; at < length; at++) {
      text += ALPHABET.charAt((group >> (18 - 6 * at)) & 63)
    }
  }
  return text
}

/** The bytes of a text that `toBase64Url` could have returned; null for any other text. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  if (text.length % 4 === 1) return null
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  let [bits, width, byteCount] = [0, 0, 0]
  for (const character of text) {
    const value = VALUES.get(character)
    if (value === undefined) return null
    bits = ((bits << 6) | value) & 0xffff
    width += 6
    if (width < 8) continue
    width -= 8
    bytes[byteCount++] = (bits >> width) & 255
  }
  const isCanonical = (bits & ((1 << width) - 1)) === 0
  return isCanonical ? bytes : null
}
