import { ANSWER_QUANTITIES } from './answer-quantities.ts'
import { CHANGE_QUANTITIES } from './change-quantities.ts'
import type { SecondComputation } from './computed-twice.ts'
import { DIRECTION_QUANTITIES } from './direction-quantities.ts'
import { LEDGER_QUANTITIES } from './ledger-quantities.ts'
import { LINK_QUANTITIES } from './link-quantities.ts'
import { LIST_QUANTITIES } from './list-quantities.ts'
import { MARKET_QUANTITIES } from './market-quantities.ts'
import { EDGE_QUANTITIES } from './edge-quantities.ts'
import { FILL_QUANTITIES } from './fill-quantities.ts'
import { GAUGE_QUANTITIES } from './gauge-quantities.ts'
import { IDEA_QUANTITIES } from './idea-quantities.ts'
import { PERSPECTIVE_QUANTITIES } from './perspective-quantities.ts'
import { REGION_QUANTITIES } from './region-quantities.ts'
import { SALIENCE_QUANTITIES } from './salience-quantities.ts'
import { SCORE_QUANTITIES } from './score-quantities.ts'
import { SELECTION_QUANTITIES } from './selection-quantities.ts'
import { SERIES_QUANTITIES } from './series-quantities.ts'
import { THESIS_QUANTITIES } from './thesis-quantities.ts'

/** Every quantity of the methodology with its second computation. */
export const SECOND_COMPUTATIONS: readonly SecondComputation[] = [
  ...MARKET_QUANTITIES,
  ...GAUGE_QUANTITIES,
  ...SALIENCE_QUANTITIES,
  ...REGION_QUANTITIES,
  ...CHANGE_QUANTITIES,
  ...LINK_QUANTITIES,
  ...FILL_QUANTITIES,
  ...EDGE_QUANTITIES,
  ...IDEA_QUANTITIES,
  ...LIST_QUANTITIES,
  ...SCORE_QUANTITIES,
  ...SELECTION_QUANTITIES,
  ...SERIES_QUANTITIES,
  ...ANSWER_QUANTITIES,
  ...PERSPECTIVE_QUANTITIES,
  ...DIRECTION_QUANTITIES,
  ...LEDGER_QUANTITIES,
  ...THESIS_QUANTITIES,
]
