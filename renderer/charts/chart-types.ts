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
