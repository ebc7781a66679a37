import type { MarketResult } from '../market.ts'

/** Value of a result for forecasts: 1, 0, or null (unknown, void, scalar or split). */
export function binaryOutcome(result: MarketResult | null): 0 | 1 | null {
  if (result === 'yes') return 1
  return result === 'no' ? 0 : null
}
