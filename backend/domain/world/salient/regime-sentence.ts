import type { ParamsOf } from '../../params.ts'
import type { Gauges } from '../gauges/index-reading.ts'
import { markMove24h, type WorldMarket } from '../world-market.ts'

export const REGIME_SENTENCE_PARAMS = {
  stressedGeoRisk: 60,
  highDisagreement: 70,
  highActivity: 80,
  skewedBreadth: 0.3,
  lowActivity: 10,
  lowDisagreement: 20,
} as const

type Rule = readonly [sentence: string, holds: (gauges: Gauges, params: Params) => boolean]
type Params = ParamsOf<typeof REGIME_SENTENCE_PARAMS>

/** A comparison with an unknown gauge is false. */
const atLeast = (gauge: number | null, bound: number): boolean => gauge !== null && gauge >= bound
const atMost = (gauge: number | null, bound: number): boolean => gauge !== null && gauge <= bound

const STEADY_TEXT = 'Steady — no dominant macro signal'
const RULES: readonly Rule[] = [
  [
    'Geopolitical stress — risk contracts repricing toward worse outcomes',
    ({ geoRisk }, params) => atLeast(geoRisk, params.stressedGeoRisk),
  ],
  [
    'Turbulent — prices and flow both far above normal',
    ({ disagreement, activity }, params) =>
      atLeast(disagreement, params.highDisagreement) && atLeast(activity, params.highActivity),
  ],
  [
    'Broad up-skew — markets resolving toward higher probability',
    ({ breadth }, params) => atLeast(breadth, params.skewedBreadth),
  ],
  [
    'Broad down-skew — markets resolving toward lower probability',
    ({ breadth }, params) => atMost(breadth, -params.skewedBreadth),
  ],
  [
    'High disagreement — prices moving without a common direction',
    ({ disagreement }, params) => atLeast(disagreement, params.highDisagreement),
  ],
  [
    'Busy — unusually many repricings',
    ({ activity }, params) => atLeast(activity, params.highActivity),
  ],
  [
    'Quiet — little repricing',
    ({ disagreement, activity }, params) =>
      atMost(activity, params.lowActivity) && atMost(disagreement, params.lowDisagreement),
  ],
]

/** The gauges in one sentence: the first rule whose condition holds. Methodology B6. */
export const regimeSentence = (gauges: Gauges, params: Params = REGIME_SENTENCE_PARAMS): string =>
  RULES.find(([, isSatisfied]) => isSatisfied(gauges, params))?.[0] ?? STEADY_TEXT

export const REGIME_SUMMARY_PARAMS = {
  stressedMove: 10,
  stressedResidual: 3,
  activeMove: 3,
  activeVr: 1.5,
} as const

export type VolatilityState = 'calm' | 'active' | 'stressed'

/** Whether a market is calm, active or stressed; unknown values count as calm. */
export function volatilityState(
  market: WorldMarket,
  params: ParamsOf<typeof REGIME_SUMMARY_PARAMS> = REGIME_SUMMARY_PARAMS,
): VolatilityState {
  const move = Math.abs(markMove24h(market) ?? 0)
  if (
    move >= params.stressedMove ||
    atLeast(market.residualVr, params.stressedResidual) ||
    market.trendLabel === 'panic'
  ) {
    return 'stressed'
  }
  return move >= params.activeMove || atLeast(market.vr, params.activeVr) ? 'active' : 'calm'
}

/** Markets by volatility state, each once. Methodology B7. */
export function regimeSummary(
  markets: readonly WorldMarket[],
): Readonly<Record<VolatilityState, number>> {
  const counts = { calm: 0, active: 0, stressed: 0 }
  for (const market of markets) counts[volatilityState(market)] += 1
  return counts
}
