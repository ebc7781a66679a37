import type { CalibrationBucket } from '../../calibration/scores.ts'

const [WIDTH, HEIGHT] = [920, 220]
const EDGE = { left: 64, right: 12, top: 10, bottom: 24 }
const INNER = {
  width: WIDTH - EDGE.left - EDGE.right,
  height: HEIGHT - EDGE.top - EDGE.bottom,
}
const formatCoordinate = (value: number): string => value.toFixed(1)

const frame = (label: string, content: string, height = HEIGHT): string =>
  `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${label}">${content}</svg>`

/** Four round values that span the range. */
function ticksOf(low: number, high: number): number[] {
  const step = 10 ** Math.floor(Math.log10((high - low) / 4))
  const width = [1, 2, 5, 10]
    .map((times) => times * step)
    .find((candidate) => (high - low) / candidate <= 5)
  const by = width ?? step * 10
  const ticks: number[] = []
  for (let tick = Math.ceil(low / by) * by; tick <= high; tick += by) ticks.push(tick)
  return ticks
}

/** An SVG line chart over time with filled area. */
export function areaChart(chart: {
  readonly at: readonly number[]
  readonly values: readonly number[]
  readonly unit: '$' | '%'
  readonly label: string
}): string {
  const { at, values, unit, label } = chart
  const [first, last] = [at[0] ?? 0, at.at(-1) ?? 1]
  const spread = (range: readonly [number, number]): readonly [number, number] =>
    range[0] === range[1] ? [range[0] - 1, range[1] + 1] : range
  const [low, high] = spread([Math.min(...values), Math.max(...values)])
  const x = (time: number): number =>
    EDGE.left + (INNER.width * (time - first)) / Math.max(1, last - first)
  const y = (value: number): number => EDGE.top + INNER.height * (1 - (value - low) / (high - low))
  const line = values
    .map((value, i) => `${formatCoordinate(x(at[i] ?? 0))},${formatCoordinate(y(value))}`)
    .join(' ')
  const base = formatCoordinate(y(Math.max(low, Math.min(high, 0))))
  const format = (value: number): string =>
    unit === '$' ? `$${value.toLocaleString('en')}` : `${Number(value.toFixed(4))} %`
  const grid = ticksOf(low, high)
    .map(
      (tick) =>
        `<line x1="${EDGE.left}" x2="${WIDTH - EDGE.right}" y1="${formatCoordinate(y(tick))}" y2="${formatCoordinate(y(tick))}" stroke="#e5e9ed"/><text x="${EDGE.left - 6}" y="${formatCoordinate(y(tick) + 4)}" text-anchor="end">${format(tick)}</text>`,
    )
    .join('')
  const days = [0, 0.25, 0.5, 0.75, 1]
    .map((share) => {
      const time = first + (last - first) * share
      const anchor = share === 0 ? 'start' : share === 1 ? 'end' : 'middle'
      return `<text x="${formatCoordinate(x(time))}" y="${HEIGHT - 6}" text-anchor="${anchor}">${new Date(time).toISOString().slice(0, 10)}</text>`
    })
    .join('')
  return frame(
    label,
    `${grid}${days}<polygon points="${formatCoordinate(x(first))},${base} ${line} ${formatCoordinate(x(last))},${base}" fill="#2f6fb722"/><polyline points="${line}" fill="none" stroke="#2f6fb7" stroke-width="1.5"/>`,
  )
}

/**
 * Bars on both sides of zero, the twelve widest. @param rows with labels that are escaped for
 * markup
 */
export function barChart(
  rows: readonly { readonly label: string; readonly value: number }[],
): string {
  const page = rows.slice(0, 12)
  if (page.length === 0) return '<p>Nothing was traded.</p>'
  const max = Math.max(...page.map(({ value }) => Math.abs(value)), 1e-9)
  const middle = WIDTH * 0.6
  const half = WIDTH * 0.3
  const bars = page.map(({ label, value }, i) => {
    const width = (half * Math.abs(value)) / max
    const x = value < 0 ? middle - width : middle
    const y = 6 + i * 20
    return `<text x="0" y="${y + 12}">${label}</text><rect x="${formatCoordinate(x)}" y="${y}" width="${formatCoordinate(width)}" height="14" fill="${value < 0 ? '#b5483d' : '#2f8f5b'}"/><text x="${WIDTH}" y="${y + 12}" text-anchor="end">${value.toFixed(2)}</text>`
  })
  return frame('Profit in dollars by theme', bars.join(''), page.length * 20 + 12)
}

const SIDE = 260

/** Calibration: price paid against the share that resolved YES, with the confidence band. */
export function calibrationChart(buckets: readonly CalibrationBucket[]): string {
  const x = (value: number): number => EDGE.left + (SIDE * value) / 100
  const y = (value: number): number => EDGE.top + SIDE * (1 - value / 100)
  const marks = buckets.flatMap(({ n, predictedMean, realizedRate, wilson }) => {
    if (predictedMean === null || realizedRate === null) return []
    const at = formatCoordinate(x(predictedMean))
    const band =
      wilson === null
        ? ''
        : `<line x1="${at}" x2="${at}" y1="${formatCoordinate(y(wilson.low * 100))}" y2="${formatCoordinate(y(wilson.high * 100))}" stroke="#9fb3c8" stroke-width="3"/>`
    return `${band}<circle cx="${at}" cy="${formatCoordinate(y(realizedRate))}" r="${formatCoordinate(Math.min(9, 2 + Math.sqrt(n) / 2))}" fill="#2f6fb7"><title>${n} lots</title></circle>`
  })
  const axes = [0, 25, 50, 75, 100]
    .map(
      (tick) =>
        `<text x="${formatCoordinate(x(tick))}" y="${EDGE.top + SIDE + 16}" text-anchor="middle">${tick}</text><text x="${EDGE.left - 6}" y="${formatCoordinate(y(tick) + 4)}" text-anchor="end">${tick}</text>`,
    )
    .join('')
  const ideal = `<line x1="${x(0)}" y1="${y(0)}" x2="${x(100)}" y2="${y(100)}" stroke="#c4ccd4" stroke-dasharray="4"/>`
  return frame(
    'Entry price in cents against the share that resolved YES',
    `${axes}${ideal}${marks.join('')}`,
    SIDE + 40,
  )
}
