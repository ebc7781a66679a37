import type { Regime } from '../../contract/market.ts'
import { measuredRegime } from '../../domain/regime/label.ts'
import { isFreshRegime } from '../../domain/regime/regime.ts'
import type { MarketRegime, RegimeSignals as Signals } from '../../domain/regime/regime.ts'
import type { TrendLabel } from '../../domain/trend/trend-label.ts'
import type { Millis } from '../../domain/units.ts'
import { roundOrNull } from './market-ref.ts'
import { isoOf } from '../../lib/clock.ts'

/** Presents regime signals. */
export const servedSignals = (signals: Signals): Regime['signals'] => ({
  ...signals,
  spreadCents: roundOrNull(signals.spreadCents),
  bidDepthUsd: roundOrNull(signals.bidDepthUsd),
  askDepthUsd: roundOrNull(signals.askDepthUsd),
  volume24h: roundOrNull(signals.volume24h, 6),
  sfEdgeCents: roundOrNull(signals.sfEdgeCents),
})

/**
 * Presents the regime of a market.
 * @param at instant of the answer; the regime's freshness is judged at it
 */
export const servedRegime = (
  regime: MarketRegime,
  trendLabel: TrendLabel | null,
  at: Millis,
  bookValid: boolean,
): Regime => {
  const { score, label } = measuredRegime(regime, regime.nTrades)
  return {
    score,
    asScore: score,
    label,
    signals: servedSignals(regime.signals),
    computedAt: isoOf(regime.computedAt),
    fresh: isFreshRegime(regime.computedAt, at, bookValid),
    trendLabel,
  }
}
