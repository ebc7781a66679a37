import type { Timeframe } from '../../../../backend/domain/prices/candle.ts'
import { BAR_SECONDS } from '../../../charts/series.ts'

const SECONDS: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400 }
const DEFAULT_BARS = 160
/** Longer than any market is listed. */
const ALL_HISTORY = '3650d'

/** The number of bars that a span such as `7d` covers; the default view without one. */
export function barsIn(range: string | undefined, timeframe: Timeframe): number {
  const [, count = '', unit = ''] = /^(\d+)([mhd])$/.exec(range ?? '') ?? []
  const seconds = Number(count) * (SECONDS[unit] ?? 0)
  return seconds > 0 ? Math.max(8, Math.ceil(seconds / BAR_SECONDS[timeframe])) : DEFAULT_BARS
}

/** Ranges of the chart's buttons, with the bars that fill a screen. */
export const RANGES = [
  { label: '1D', title: 'One day', range: '24h', timeframe: '5m' },
  { label: '1W', title: 'One week', range: '7d', timeframe: '1h' },
  { label: '1M', title: 'One month', range: '30d', timeframe: '1h' },
  { label: '3M', title: 'Three months', range: '90d', timeframe: '1d' },
  { label: 'All', title: 'Since listing', range: ALL_HISTORY, timeframe: '1d' },
] as const satisfies readonly {
  readonly label: string
  readonly title: string
  readonly range: string
  readonly timeframe: Timeframe
}[]
export type RangeChoice = (typeof RANGES)[number]
