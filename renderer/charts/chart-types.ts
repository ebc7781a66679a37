/** How the price is drawn; candles have no line. */
export const CHART_TYPES = ['step', 'line', 'area', 'candles', 'mid-candles'] as const
export type ChartType = (typeof CHART_TYPES)[number]
export const TYPE_LABELS: Readonly<Record<ChartType, string>> = {
  step: 'Step',
  line: 'Line',
  area: 'Area',
  candles: 'Candles (trades)',
  'mid-candles': 'Candles (mid)',
}

/** How prices map to the height of a chart. */
export const SCALES = ['auto', 'fixed', 'log-odds'] as const
export type Scale = (typeof SCALES)[number]
export const SCALE_LABELS: Readonly<Record<Scale, string>> = {
  auto: 'Auto',
  fixed: '0–100¢',
  'log-odds': 'Log-odds',
}
