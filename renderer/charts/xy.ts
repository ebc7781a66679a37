/** Scatter plots of one quantity against another; time has its own charts. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** The position of a value on an axis, px. */
export const linearScale =
  (values: Span, px: Span) =>
  (value: number): number =>
    values.to === values.from
      ? (px.from + px.to) / 2
      : px.from + ((value - values.from) / (values.to - values.from)) * (px.to - px.from)

/** About `count` round values inside a span, ascending. */
export function ticksIn({ from, to }: Span, count: number): readonly number[] {
  const roughStep = (to - from) / Math.max(1, count)
  if (!(roughStep > 0)) return [from]
  const power = 10 ** Math.floor(Math.log10(roughStep))
  const step =
    [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= roughStep) ?? roughStep
  const first = Math.ceil(from / step - 1e-9)
  const last = Math.floor(to / step + 1e-9)
  return Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  )
}

/** The range of the values plus a tenth on either side, clamped to the limits. */
export function paddedRange(values: readonly number[], limits: Span): Span {
  const [min, max] = [Math.min(...values), Math.max(...values)]
  const padding = Math.max((max - min) * 0.1, 1)
  return {
    from: Math.max(limits.from, min - padding),
    to: Math.min(limits.to, max + padding),
  }
}
