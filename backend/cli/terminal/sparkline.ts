const BARS = Array.from('▁▂▃▄▅▆▇█')
const UNKNOWN = ' '
const MIDDLE = 3

/**
 * Bars from the lowest to the highest number; equal numbers are drawn at middle height, unknown
 * ones as spaces. With more than `most` numbers each bar shows the last known number of its share.
 */
export function sparkline(values: readonly (number | null)[], most = 60): string {
  const shown = values.length <= most ? values : lastOfShares(values, most)
  const known = shown.filter((value) => value !== null)
  const least = Math.min(...known)
  const span = Math.max(...known) - least
  return shown
    .map((value) => {
      if (value === null) return UNKNOWN
      const step = span === 0 ? MIDDLE : Math.round(((value - least) / span) * (BARS.length - 1))
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
