import type { Timeframe } from '../../../backend/domain/prices/candle.ts'
import { BAR_SECONDS } from '../../charts/series.ts'

const SECONDS: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400 }
const USUAL_BARS = 160

/** The number of bars that a span such as `7d` covers; the default view without one. */
export function barsIn(range: string | undefined, timeframe: Timeframe): number {
  const [, count = '', unit = ''] = /^(\d+)([mhd])$/.exec(range ?? '') ?? []
  const seconds = Number(count) * (SECONDS[unit] ?? 0)
  return seconds > 0 ? Math.max(8, Math.ceil(seconds / BAR_SECONDS[timeframe])) : USUAL_BARS
}
