import { scaledInteger, type Millis } from '../domain/units.ts'

/** A JSON object whose fields are not validated yet. */
export type Wire = Readonly<Record<string, unknown>>

/** The value as an object, or null for anything else (arrays included). */
export const wireOf = (value: unknown): Wire | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Wire) : null

/** The value as an array; empty for anything else. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Trimmed text; null for empty text or another type. */
export function textOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const text = value.trim()
  return text === '' ? null : text
}

/** An identifier: text, or a safe integer that a venue sent as a number. */
export const idOf = (value: unknown): string | null =>
  typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : textOf(value)

export const flagOf = (value: unknown): boolean | null =>
  typeof value === 'boolean' ? value : null

/**
 * The first of these keys that has a value; venues and collectors spell the same field
 * differently.
 */
export function pick(wire: Wire, ...keys: readonly string[]): unknown {
  for (const key of keys) {
    const value = wire[key]
    if (value !== undefined && value !== null) return value
  }
  return null
}

/**
 * A decimal as an integer count of 10^-places, half away from zero; null when it is missing, not a
 * number or beyond the safe integers. Text is never converted to a float; a JSON number goes
 * through its shortest decimal text, which is what the venue wrote.
 */
export function scaledOf(value: unknown, places: number): number | null {
  if (typeof value === 'string') return scaledInteger(value, places)
  if (typeof value !== 'number' || !Number.isFinite(value)) return null
  const text = String(value)
  return scaledInteger(text.includes('e') ? value.toFixed(places + 1) : text, places)
}

/** An array that may have been sent as JSON inside a string; empty when it is neither. */
export function embeddedListOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'string') return listOf(value)
  try {
    return listOf(JSON.parse(value))
  } catch {
    return []
  }
}

const INSTANT =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i

/**
 * A time as text: RFC 3339, `2026-01-02 03:04:05+00`, or a bare date (midnight). Without a zone it
 * is UTC. Years before 1970 mean "not set" and return null.
 */
export function timeOf(value: unknown): Millis | null {
  const text = textOf(value)
  const match = text === null ? null : INSTANT.exec(text)
  if (match === null) return null
  const [, date = '', time = '00:00', zone = 'Z'] = match
  const at = Date.parse(`${date}T${time.length === 5 ? `${time}:00` : time}${fullZone(zone)}`)
  return Number.isFinite(at) && at > 0 ? (at as Millis) : null
}

/** `+00` and `+0000` as `+00:00`. */
const fullZone = (zone: string): string =>
  zone.toUpperCase() === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`

const LAST_INSTANT = 4_102_444_800_000 * 2

/** A time sent as a count (number or text) of seconds or milliseconds since the epoch. */
export function epochOf(value: unknown, unit: 'seconds' | 'milliseconds'): Millis | null {
  const scaledTime = scaledOf(value, unit === 'seconds' ? 3 : 0)
  return scaledTime !== null && scaledTime > 0 && scaledTime < LAST_INSTANT
    ? (scaledTime as Millis)
    : null
}
