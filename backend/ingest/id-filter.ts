/**
 * Bits of the filter, a power of two: with a million ids the false positive rate is below one in a
 * thousand.
 */
const BITS = 2 ** 25
const PROBES = 4

/**
 * A Bloom filter of ids: no false negatives and few false positives. It takes 4 MB whatever it
 * holds; further millions of ids only raise the false positive rate.
 */
export class IdFilter {
  readonly #bits = new Uint32Array(BITS / 32)

  add(id: string): void {
    const { first, step } = probesOf(id)
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = (first + probe * step) & (BITS - 1)
      this.#bits[bit >>> 5] = (this.#bits[bit >>> 5] ?? 0) | (1 << (bit & 31))
    }
  }

  /** False only for an id that was never added. */
  mayHold(id: string): boolean {
    const { first, step } = probesOf(id)
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = (first + probe * step) & (BITS - 1)
      if (((this.#bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return false
    }
    return true
  }
}

/** Two hashes of an id (FNV-1a; the second uses other constants and a further mixing step). */
function probesOf(id: string): { readonly first: number; readonly step: number } {
  let first = 0x811c9dc5
  let second = 0x9747b28c
  for (let index = 0; index < id.length; index++) {
    const unit = id.charCodeAt(index)
    first = Math.imul(first ^ unit, 0x01000193)
    second = Math.imul(second ^ unit, 0x5bd1e995)
  }
  first = Math.imul(first ^ (first >>> 15), 0x85ebca6b)
  second = Math.imul(second ^ (second >>> 13), 0xc2b2ae35)
  return { first: (first ^ (first >>> 13)) >>> 0, step: (second ^ (second >>> 16)) | 1 }
}
