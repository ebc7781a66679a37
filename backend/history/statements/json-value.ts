import {
  DuckDBArrayValue,
  DuckDBDecimalValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBValue,
} from '@duckdb/node-api'
import type { Millis } from '../../domain/units.ts'
import { isoOf } from '../../lib/clock.ts'

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)

/** Instants as text in UTC; those outside the calendar of ISO 8601 as the engine writes them. */
function instant(micros: bigint, fallback: { toString(): string }): string {
  const at = Number(micros / 1_000n)
  return Math.abs(at) <= 8.64e15 ? isoOf(at as Millis) : fallback.toString()
}

/**
 * A value of the engine as JSON: whole numbers as numbers while those are exact, else as text; NaN and
 * infinity as null.
 */
export function jsonValue(value: DuckDBValue): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return finite(value)
  if (typeof value === 'bigint') {
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : value.toString()
  }
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue) {
    return instant(value.micros, value)
  }
  if (value instanceof DuckDBTimestampMillisecondsValue)
    return instant(value.millis * 1_000n, value)
  if (value instanceof DuckDBTimestampSecondsValue)
    return instant(value.seconds * 1_000_000n, value)
  if (value instanceof DuckDBTimestampNanosecondsValue) return instant(value.nanos / 1_000n, value)
  if (value instanceof DuckDBDecimalValue) return finite(value.toDouble())
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) {
    return value.items.map(jsonValue)
  }
  if (value instanceof DuckDBStructValue) {
    return Object.fromEntries(
      Object.entries(value.entries).map(([key, entryValue]) => [key, jsonValue(entryValue)]),
    )
  }
  if (value instanceof DuckDBMapValue) {
    return value.entries.map(({ key, value: entryValue }) => ({
      key: jsonValue(key),
      value: jsonValue(entryValue),
    }))
  }
  return String(value)
}
