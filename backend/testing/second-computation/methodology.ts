import { ADVERSE_SELECTION_PARAMS } from '../../domain/regime/adverse-selection.ts'
import { ANSWER_PARAMS } from '../../domain/answers/answer-params.ts'
import { CALIBRATION_SAMPLE_PARAMS } from '../../domain/calibration/sample.ts'
import { CALIBRATION_SCORE_PARAMS } from '../../domain/calibration/scores.ts'
import { TRIGGER_PARAMS } from '../../domain/changes/change-triggers.ts'
import { BOOTSTRAP_PARAMS } from '../../domain/statistics/cluster-bootstrap.ts'
import { DAILY_TREND_PARAMS } from '../../domain/trend/daily-trend.ts'
import { DATA_AGE_PARAMS } from '../../domain/data-age.ts'
import { ECON_SURPRISE_PARAMS } from '../../domain/econ-surprise.ts'
import { EVENT_TYPE_PARAMS } from '../../domain/topics/event-type.ts'
import { VOLATILITY_PARAMS } from '../../domain/prices/mark-volatility.ts'
import { MARKET_DIFF_PARAMS } from '../../domain/changes/market-diff.ts'
import { PRICE_LEVELS_PARAMS } from '../../domain/prices/price-levels.ts'
import { REGIME_PARAMS } from '../../domain/regime/label.ts'
import { REGIME_SCAN_PARAMS } from '../../domain/regime/scan.ts'
import { TECHNICAL_ROW_PARAMS } from '../../domain/trend/technical-row.ts'
import { THEME_LIQUIDITY_PARAMS } from '../../domain/liquidity/theme-liquidity.ts'
import { TREND_PARAMS } from '../../domain/trend/trend-label.ts'
import { VOLUME_RATIO_PARAMS } from '../../domain/liquidity/volume-ratio.ts'
import { CONSENSUS_BREAK_PARAMS } from '../../domain/world/salient/consensus-break.ts'
import { CONSENSUS_PARAMS } from '../../domain/world/salient/consensus.ts'
import { DELTA_ALERT_PARAMS } from '../../domain/world/delta/delta-alerts.ts'
import { DELTA_MARKDOWN_PARAMS } from '../../domain/world/markdown/delta-markdown.ts'
import { DELTA_PARAMS } from '../../domain/world/delta/delta.ts'
import { DISPERSION_PARAMS } from '../../domain/world/gauges/dispersion.ts'
import { MOVER_FLOOR_PARAMS } from '../../domain/world/mover-floor.ts'
import { DIVERGENCE_PARAMS } from '../../domain/world/salient/divergence.ts'
import { EXPLAIN_PARAMS } from '../../domain/world/explain/explain-facts.ts'
import { GAUGE_PARAMS } from '../../domain/world/gauges/gauges.ts'
import { GEO_BASKET_PARAMS } from '../../domain/world/gauges/geo-basket.ts'
import { GEO_RISK_PARAMS } from '../../domain/world/gauges/geo-risk.ts'
import { INDEX_PARAMS } from '../../domain/world/gauges/index-reading.ts'
import { MARKET_CANDIDATE_PARAMS } from '../../domain/world/salient/market-candidates.ts'
import {
  REGIME_SENTENCE_PARAMS,
  REGIME_SUMMARY_PARAMS,
} from '../../domain/world/salient/regime-sentence.ts'
import { REGIME_SHIFT_PARAMS } from '../../domain/world/salient/regime-shift.ts'
import { REGION_TREE_PARAMS } from '../../domain/world/regions/region-tree.ts'
import { SALIENCE_PARAMS } from '../../domain/world/salient/salient.ts'
import { SELECTION_PARAMS } from '../../domain/world/salient/selection.ts'
import { MARKDOWN_PARAMS } from '../../domain/world/markdown/token-budget.ts'
import { UNIVERSE_PARAMS } from '../../domain/world/universe.ts'
import { WORLD_LIST_PARAMS } from '../../domain/world/world-lists.ts'
import { EDGE_PARAMS } from '../../domain/edges/edge-params.ts'
import { HIGHLIGHT_PARAMS } from '../../domain/changes/highlights.ts'
import { LINK_PARAMS } from '../../domain/links/link-params.ts'
import { ODDS_PARAMS } from '../../domain/odds/odds.ts'
import { PAIRING_PARAMS, PAIRING_PRESETS } from '../../domain/pairing/params.ts'
import { CURVE_PARAMS } from '../../domain/prices/yield-curve.ts'

/** All constants of the computed quantities; a change requires a new version. */
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
  moverFloor: MOVER_FLOOR_PARAMS,
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
