import { ADVERSE_SELECTION_PARAMS } from './adverse-selection.ts'
import { ANSWER_PARAMS } from './answers/answer-params.ts'
import { CALIBRATION_SAMPLE_PARAMS } from './calibration-sample.ts'
import { CALIBRATION_SCORE_PARAMS } from './calibration-scores.ts'
import { TRIGGER_PARAMS } from './change-triggers.ts'
import { BOOTSTRAP_PARAMS } from './cluster-bootstrap.ts'
import { DAILY_TREND_PARAMS } from './daily-trend.ts'
import { DATA_AGE_PARAMS } from './data-age.ts'
import { ECON_SURPRISE_PARAMS } from './econ-surprise.ts'
import { EVENT_TYPE_PARAMS } from './event-type.ts'
import { VOLATILITY_PARAMS } from './mark-volatility.ts'
import { MARKET_DIFF_PARAMS } from './market-diff.ts'
import { PRICE_LEVELS_PARAMS } from './price-levels.ts'
import { REGIME_PARAMS } from './regime-label.ts'
import { REGIME_SCAN_PARAMS } from './regime-scan.ts'
import { TECHNICAL_ROW_PARAMS } from './technical-row.ts'
import { THEME_LIQUIDITY_PARAMS } from './theme-liquidity.ts'
import { TREND_PARAMS } from './trend-label.ts'
import { VOLUME_RATIO_PARAMS } from './volume-ratio.ts'
import { METRIC_VERSION } from './metric-version.ts'
import { CONSENSUS_BREAK_PARAMS } from './world/consensus-break.ts'
import { CONSENSUS_PARAMS } from './world/consensus.ts'
import { DELTA_ALERT_PARAMS } from './world/delta-alerts.ts'
import { DELTA_MARKDOWN_PARAMS } from './world/delta-markdown.ts'
import { DELTA_PARAMS } from './world/delta.ts'
import { DISPERSION_PARAMS } from './world/dispersion.ts'
import { DIVERGENCE_PARAMS } from './world/divergence.ts'
import { EXPLAIN_PARAMS } from './world/explain-facts.ts'
import { GAUGE_PARAMS } from './world/gauges.ts'
import { GEO_BASKET_PARAMS } from './world/geo-basket.ts'
import { GEO_RISK_PARAMS } from './world/geo-risk.ts'
import { INDEX_PARAMS } from './world/index-reading.ts'
import { MARKET_CANDIDATE_PARAMS } from './world/market-candidates.ts'
import { REGIME_SENTENCE_PARAMS, REGIME_SUMMARY_PARAMS } from './world/regime-sentence.ts'
import { REGIME_SHIFT_PARAMS } from './world/regime-shift.ts'
import { REGION_TREE_PARAMS } from './world/region-tree.ts'
import { SALIENCE_PARAMS } from './world/salient.ts'
import { SELECTION_PARAMS } from './world/selection.ts'
import { MARKDOWN_PARAMS } from './world/token-budget.ts'
import { UNIVERSE_PARAMS } from './world/universe.ts'
import { WORLD_LIST_PARAMS } from './world/world-lists.ts'
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
  regimeShift: REGIME_SHIFT_PARAMS,
  marketCandidates: MARKET_CANDIDATE_PARAMS,
  divergence: DIVERGENCE_PARAMS,
  consensus: CONSENSUS_PARAMS,
  consensusBreak: CONSENSUS_BREAK_PARAMS,
  salience: SALIENCE_PARAMS,
  selection: SELECTION_PARAMS,
  worldLists: WORLD_LIST_PARAMS,
  regionTree: REGION_TREE_PARAMS,
  markdown: MARKDOWN_PARAMS,
  delta: DELTA_PARAMS,
  deltaAlerts: DELTA_ALERT_PARAMS,
  deltaMarkdown: DELTA_MARKDOWN_PARAMS,
  dispersion: DISPERSION_PARAMS,
  explain: EXPLAIN_PARAMS,
  links: LINK_PARAMS,
  pairing: PAIRING_PARAMS,
  pairingPresets: PAIRING_PRESETS,
  edges: EDGE_PARAMS,
  yieldCurves: CURVE_PARAMS,
  odds: ODDS_PARAMS,
  highlights: HIGHLIGHT_PARAMS,
  volatility: VOLATILITY_PARAMS,
  volumeRatio: VOLUME_RATIO_PARAMS,
  eventType: EVENT_TYPE_PARAMS,
  adverseSelection: ADVERSE_SELECTION_PARAMS,
  regime: REGIME_PARAMS,
  regimeScan: REGIME_SCAN_PARAMS,
  trendLabel: TREND_PARAMS,
  technicals: TECHNICAL_ROW_PARAMS,
  priceLevels: PRICE_LEVELS_PARAMS,
  themeLiquidity: THEME_LIQUIDITY_PARAMS,
  marketDiff: MARKET_DIFF_PARAMS,
  changeTriggers: TRIGGER_PARAMS,
  dailyTrend: DAILY_TREND_PARAMS,
  dataAge: DATA_AGE_PARAMS,
  econSurprise: ECON_SURPRISE_PARAMS,
  calibrationSample: CALIBRATION_SAMPLE_PARAMS,
  calibrationScores: CALIBRATION_SCORE_PARAMS,
  bootstrap: BOOTSTRAP_PARAMS,
  answers: ANSWER_PARAMS,
} as const
