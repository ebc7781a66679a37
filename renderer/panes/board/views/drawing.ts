import { decimate } from '../../../charts/decimate.ts'
import { linearScale, type Span } from '../../../charts/xy.ts'
import type { Bar } from './panel-view.ts'

/** The viewBox; it is stretched to the available size. */
export const BOX = { width: 300, height: 100 } as const

/** The range of values with a margin above and below, so that no line touches an edge. */
export function rangeOf(values: readonly number[]): Span {
  const [min, max] = [Math.min(...values), Math.max(...values)]
  const margin = (max - min) * 0.08 || Math.max(Math.abs(max) * 0.05, 0.5)
  return { from: min - margin, to: max + margin }
}

/** A line over the box, and the same as a filled area. */
export function linePaths(values: readonly number[]): { line: string; area: string } {
  const points = decimate(values, BOX.width)
  if (points.length === 0) return { line: '', area: '' }
  const y = linearScale(rangeOf(points), { from: BOX.height, to: 0 })
  const x = linearScale({ from: 0, to: Math.max(1, points.length - 1) }, { from: 0, to: BOX.width })
  const steps = points.map((value, index) => `${x(index).toFixed(1)} ${y(value).toFixed(1)}`)
  // A single known value is a horizontal line.
  const path = steps.length === 1 ? `M0 ${y(points[0] ?? 0)}H${BOX.width}` : `M${steps.join('L')}`
  return { line: path, area: `${path}V${BOX.height}H0Z` }
}

export interface DrawnBar extends Bar {
  /** Percent of the width, from the left. */
  readonly from: number
  readonly width: number
}

/** Bars on one scale that includes zero; with values of both signs zero lies inside. */
export function drawnBars(bars: readonly Bar[]): {
  readonly bars: readonly DrawnBar[]
  /** Percent from the left. */
  readonly zero: number
} {
  const knownValues = bars.flatMap(({ value }) => (value === null ? [] : [value]))
  const scale = { from: Math.min(0, ...knownValues), to: Math.max(0, ...knownValues) }
  const isFlat = scale.from === scale.to
  const positionOf = isFlat ? () => 0 : linearScale(scale, { from: 0, to: 100 })
  const zero = positionOf(0)
  return {
    zero,
    bars: bars.map((bar) => {
      const end = bar.value === null ? zero : positionOf(bar.value)
      return { ...bar, from: Math.min(zero, end), width: Math.abs(end - zero) }
    }),
  }
}

/** Position of a value on its scale, percent; null while it is unknown. */
export function gaugePosition(value: number | null, { from, to }: Span): number | null {
  if (value === null) return null
  return Math.max(0, Math.min(100, linearScale({ from, to }, { from: 0, to: 100 })(value)))
}
