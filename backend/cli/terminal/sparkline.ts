const BARS = Array.from('▁▂▃▄▅▆▇█')
const UNKNOWN = ' '
const MIDDLE = 3

/**
 * Bars from the lowest to the highest number; equal numbers are drawn at middle height, unknown
 * ones as spaces. With more than `max` numbers each bar shows the last known number of its share.
 */
export function sparkline(values: readonly (number | null)[], max = 60): string {
  const sampledValues = values.length <= max ? values : lastOfShares(values, max)
  const present = sampledValues.filter((value) => value !== null)
  const min = Math.min(...present)
  const span = Math.max(...present) - min
  return sampledValues
    .map((value) => {
      if (value === null) return UNKNOWN
      const step = span === 0 ? MIDDLE : Math.round(((value - min) / span) * (BARS.length - 1))
      return BARS[step] ?? UNKNOWN
    })
    .join('')
}

const lastOfShares = (values: readonly (number | null)[], count: number): (number | null)[] =>
  Array.from({ length: count }, (_, index) => {
    const start = Math.floor((index * values.length) / count)
    const end = Math.floor(((index + 1) * values.length) / count)
    return values.slice(start, end).findLast((value) => value !== null) ?? null
  })
