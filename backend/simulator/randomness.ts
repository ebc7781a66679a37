/**
 * Randomness without state: every draw is a function of its key, so that any moment of any market
 * can be computed independently with the same result.
 */
export type Key = number

/** A new 32-bit key from a key and a number (murmur3's finaliser). */
export function mix(key: Key, part: number): Key {
  let h = (key ^ Math.imul(part | 0, 0x9e3779b1)) | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** A key from a key and a word (FNV-1a, then mixed). */
export function keyOf(key: Key, label: string): Key {
  let h = 0x811c9dc5
  for (let i = 0; i < label.length; i++) h = Math.imul(h ^ label.charCodeAt(i), 0x01000193)
  return mix(key, h)
}

/** Uniform in (0, 1). */
export const unit = (key: Key, part: number): number => (mix(key, part) + 0.5) / 4_294_967_296

/** Standard normal. */
export const normal = (key: Key, part: number): number => {
  const radius = Math.sqrt(-2 * Math.log(unit(key, part)))
  return radius * Math.cos(2 * Math.PI * unit(key ^ 0x5bd1e995, part))
}

/** Poisson count of the given mean; by inversion when small, by the normal limit when large. */
export function poisson(mean: number, key: Key, part: number): number {
  if (mean <= 0) return 0
  if (mean > 40) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(key, part)))
  const u = unit(key, part)
  let term = Math.exp(-mean)
  let sum = term
  let count = 0
  while (u > sum && count < 200) {
    count += 1
    term *= mean / count
    sum += term
  }
  return count
}

/** One element by key. */
export function pick<T>(items: readonly T[], key: Key, part: number): T {
  const item = items[mix(key, part) % items.length]
  if (item === undefined) throw new RangeError('nothing to pick from')
  return item
}

/** `length` lower-case hexadecimal digits. */
export function hexOf(key: Key, length: number): string {
  let text = ''
  for (let i = 0; text.length < length; i++) text += hexEight(mix(key, i))
  return text.slice(0, length)
}

/** Text in the form of a random (version 4) UUID. */
export function uuidOf(a: Key, b: number): string {
  const first = hexEight(mix(a, b))
  const second = hexEight(mix(a ^ 0x2545f491, b))
  const third = hexEight(mix(a ^ 0x6c62272e, b))
  const fourth = hexEight(mix(a ^ 0x1b873593, b))
  return `${first}-${second.slice(0, 4)}-4${second.slice(5)}-a${third.slice(1, 4)}-${third.slice(4)}${fourth}`
}

const FOUR_DIGITS = Array.from({ length: 65_536 }, (_, value) =>
  value.toString(16).padStart(4, '0'),
)
const hexEight = (value: number): string =>
  (FOUR_DIGITS[value >>> 16] ?? '') + (FOUR_DIGITS[value & 0xffff] ?? '')

/** A decimal text of 77 digits, as venue_b's token ids are. */
export function tokenOf(key: Key): string {
  let text = String(1 + (mix(key, 99) % 9))
  for (let i = 0; text.length < 77; i++)
    text += String(mix(key, i) % 1_000_000_000).padStart(9, '0')
  return text.slice(0, 77)
}
