import { METRIC_VERSION } from './metric-version.ts'
import { GAUGE_PARAMS } from './world/gauges.ts'
import { GEO_BASKET_PARAMS } from './world/geo-basket.ts'
import { GEO_RISK_PARAMS } from './world/geo-risk.ts'
import { INDEX_PARAMS } from './world/index-reading.ts'
import { REGIME_SENTENCE_PARAMS, REGIME_SUMMARY_PARAMS } from './world/regime-sentence.ts'
import { UNIVERSE_PARAMS } from './world/universe.ts'
import { EDGE_PARAMS } from './edges/edge-params.ts'
import { HIGHLIGHT_PARAMS } from './highlights.ts'
import { LINK_PARAMS } from './links/link-params.ts'
import { ODDS_PARAMS } from './odds.ts'
import { PAIRING_PARAMS, PAIRING_PRESETS } from './pairing/params.ts'
import { CURVE_PARAMS } from './yield-curve.ts'

export { METRIC_VERSION }

/** Every constant of the computed quantities in one table; it changes together with the version. */
export const METHODOLOGY = {
  universe: UNIVERSE_PARAMS,
  gauges: GAUGE_PARAMS,
  geoBasket: GEO_BASKET_PARAMS,
  geoRisk: GEO_RISK_PARAMS,
  index: INDEX_PARAMS,
  regimeSentence: REGIME_SENTENCE_PARAMS,
  regimeSummary: REGIME_SUMMARY_PARAMS,
  links: LINK_PARAMS,
  pairing: PAIRING_PARAMS,
  pairingPresets: PAIRING_PRESETS,
  edges: EDGE_PARAMS,
  yieldCurves: CURVE_PARAMS,
  odds: ODDS_PARAMS,
  highlights: HIGHLIGHT_PARAMS,
} as const
