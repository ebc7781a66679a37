/** Fractional bits of the cube roots of the first 64 primes (FIPS 180-4, section 4.2.2). */
const ROUND_CONSTANTS = fractionsOfRoots(64, Math.cbrt)
/** Fractional bits of the square roots of the first 8 primes (section 5.3.3). */
const START = fractionsOfRoots(8, Math.sqrt)

function fractionsOfRoots(count: number, root: (prime: number) => number): Uint32Array {
  const output = new Uint32Array(count)
  for (let candidate = 2, primeCount = 0; primeCount < count; candidate++) {
    let prime = true
    for (let divisor = 2; divisor * divisor <= candidate; divisor++) {
      if (candidate % divisor === 0) prime = false
    }
    if (!prime) continue
    const value = root(candidate)
    output[primeCount++] = Math.floor((value - Math.floor(value)) * 2 ** 32)
  }
  return output
}

const rotateRight = (bits: number, by: number): number => (bits >>> by) | (bits << (32 - by))

/** UTF-8 bytes of a text; a lone surrogate becomes U+FFFD. */
export function utf8(text: string): number[] {
  const bytes: number[] = []
  for (const character of text) {
    const read = character.codePointAt(0) ?? 0
    const code = read >= 0xd800 && read <= 0xdfff ? 0xfffd : read
    if (code < 0x80) bytes.push(code)
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63))
    else if (code < 0x10000) {
      bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63))
    } else {
      bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63))
      bytes.push(0x80 | ((code >> 6) & 63), 0x80 | (code & 63))
    }
  }
  return bytes
}

/** The message in whole blocks of 64 bytes: a one bit, zeros, its length in bits. */
function padMessage(message: readonly number[]): DataView {
  const bytes = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64)
  bytes.set(message)
  bytes[message.length] = 0x80
  const view = new DataView(bytes.buffer)
  view.setBigUint64(bytes.length - 8, BigInt(message.length) * 8n)
  return view
}

function mixBlock(state: Uint32Array, blocks: DataView, from: number): void {
  const schedule = new Uint32Array(64)
  const wordAt = (index: number) => schedule[index] ?? 0
  for (let i = 0; i < 16; i++) schedule[i] = blocks.getUint32(from + 4 * i)
  for (let i = 16; i < 64; i++) {
    const [earlyTerm, lateTerm] = [wordAt(i - 15), wordAt(i - 2)]
    const s0 = rotateRight(earlyTerm, 7) ^ rotateRight(earlyTerm, 18) ^ (earlyTerm >>> 3)
    const s1 = rotateRight(lateTerm, 17) ^ rotateRight(lateTerm, 19) ^ (lateTerm >>> 10)
    schedule[i] = wordAt(i - 16) + s0 + wordAt(i - 7) + s1
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let i = 0; i < 64; i++) {
    const s1 = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25)
    const first = (h + s1 + ((e & f) ^ (~e & g)) + (ROUND_CONSTANTS[i] ?? 0) + wordAt(i)) | 0
    const s0 = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22)
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0]
  }
  for (const [i, value] of [a, b, c, d, e, f, g, h].entries()) {
    state[i] = (state[i] ?? 0) + value
  }
}

/**
 * SHA-256 of a text's UTF-8 bytes as eight 32-bit words, most significant first (FIPS 180-4). For
 * ids that can be recomputed elsewhere; secrets are hashed by the platform's own code.
 */
export function sha256(text: string): Uint32Array {
  const blocks = padMessage(utf8(text))
  const state = START.slice()
  for (let from = 0; from < blocks.byteLength; from += 64) mixBlock(state, blocks, from)
  return state
}
