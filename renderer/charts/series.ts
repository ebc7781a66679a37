import type { Timeframe } from '../../backend/domain/prices/candle.ts'
import type { Candle } from '../../backend/contract/market-history.ts'
import { decimate } from './decimate.ts'

/** Seconds of a bar. */
export const BAR_SECONDS: Readonly<Record<Timeframe, number>> = {
  '1m': 60,
  '5m': 300,
  '15m': 900,
  '1h': 3600,
  '1d': 86_400,
}

/** A place on the time axis: a bar, or empty when nothing traded. */
export interface Slot {
  /** Unix seconds. */
  readonly time: number
  readonly candle: Candle | null
}

/**
 * Puts candles on an even time axis, so that every hour has the same width and gaps stay visible.
 * Keeps the newest `max` slots.
 * @param candles ascending by `t`
 */
export function slotsOf(candles: readonly Candle[], seconds: number, max: number): Slot[] {
  const last = candles.at(-1)
  const first = candles[0]
  if (first === undefined || last === undefined) return []
  const start = Math.max(first.t, last.t - (max - 1) * seconds)
  const slots: Slot[] = []
  let next: number | null = null
  for (const candle of candles) {
    if (candle.t < start) continue
    for (let time = next ?? candle.t; time < candle.t; time += seconds) {
      slots.push({ time, candle: null })
    }
    slots.push({ time: candle.t, candle })
    next = candle.t + seconds
  }
  return slots
}

/** The index of the slot at or before a time in Unix seconds; −1 before the first. */
export function indexAt(slots: readonly Slot[], time: number): number {
  let low = 0
  let high = slots.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((slots[middle]?.time ?? Infinity) <= time) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** An even time axis: start of its first slot and width of one, in seconds. */
export interface Axis {
  readonly start: number
  readonly seconds: number
}

/** The fractional position of a time in Unix seconds, between slots and beyond them. */
export const positionOnAxis = ({ start, seconds }: Axis, time: number): number =>
  (time - start) / seconds

/** A range of the time axis, both ends included, in Unix seconds of its slots. */
export interface Band {
  readonly from: number
  readonly to: number
}

/**
 * Where a feed was interrupted: runs of bars that cross a gap. Empty slots between two of them
 * belong to the gap, because no data arrived there.
 */
export function gapBands(slots: readonly Slot[]): readonly Band[] {
  const bands: { from: number; to: number }[] = []
  let open: { from: number; to: number } | null = null
  for (const { time, candle } of slots) {
    if (candle === null) continue
    if (candle.gap !== true) open = null
    else if (open === null) {
      open = { from: time, to: time }
      bands.push(open)
    } else open.to = time
  }
  return bands
}

/**
 * Merges an older and a newer run of candles; where both have a bar the newer run wins. At most
 * `max` of the newest stay.
 */
export function joinCandles(
  older: readonly Candle[],
  newer: readonly Candle[],
  max: number,
): readonly Candle[] {
  const from = newer[0]?.t ?? Infinity
  return [...older.filter(({ t }) => t < from), ...newer].slice(-max)
}

/**
 * How a drawn series becomes the next one: the tail to update, or null when all of it has to be
 * replaced (another market, an older page, a repaired bar far back).
 */
export function tailToUpdate<B extends Slot>(
  drawnBars: readonly B[],
  next: readonly B[],
): readonly B[] | null {
  const maxTail = 20
  const base = drawnBars.length - 1
  if (base < 0 || next.length < drawnBars.length || next.length - drawnBars.length > maxTail)
    return null
  for (let index = 0; index < base; index++) {
    if (!isSame(drawnBars[index], next[index])) return null
  }
  return drawnBars[base]?.time === next[base]?.time ? next.slice(base) : null
}

/** Whether two bars have equal fields, those of nested bars included. */
function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object') return false
  if (left === null || right === null) return false
  const [before, after] = [left as Record<string, unknown>, right as Record<string, unknown>]
  for (const name in before) if (!isSame(before[name], after[name])) return false
  for (const name in after) if (!(name in before) && after[name] !== undefined) return false
  return true
}

/** An SVG path of a line over `width` × `height`, scaled to its own range. */
export function sparkPath(values: readonly number[], width: number, height: number): string {
  const points = decimate(values, width)
  const low = Math.min(...points)
  const span = Math.max(...points) - low || 1
  const step = width / Math.max(1, points.length - 1)
  return points
    .map((value, index) => {
      const y = height - 2 - ((value - low) / span) * (height - 4)
      return `${index === 0 ? 'M' : 'L'}${(index * step).toFixed(1)} ${y.toFixed(1)}`
    })
    .join('')
}
