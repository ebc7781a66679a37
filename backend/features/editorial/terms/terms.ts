import { ACTIVITY_TERMS, ADVERSE_SELECTION_TERMS, TREND_TERMS } from './activity-terms.ts'
import { LIQUIDITY_TERMS, PRICE_TERMS, YIELD_TERMS } from './price-terms.ts'
import { ANSWER_TERMS, EDGE_TERMS, LINK_TERMS, LIST_TERMS } from './relation-terms.ts'
import type { Term } from './term.ts'
import { INDEX_TERMS, WORLD_TERMS } from './world-terms.ts'

/** Every term in the order of its page. */
export const TERMS: readonly Term[] = [
  ...PRICE_TERMS,
  ...YIELD_TERMS,
  ...LIQUIDITY_TERMS,
  ...ACTIVITY_TERMS,
  ...ADVERSE_SELECTION_TERMS,
  ...TREND_TERMS,
  ...INDEX_TERMS,
  ...WORLD_TERMS,
  ...LINK_TERMS,
  ...EDGE_TERMS,
  ...LIST_TERMS,
  ...ANSWER_TERMS,
]
