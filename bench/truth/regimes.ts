import { regimeLabel, REGIME_PARAMS, type RegimeSide } from '../../backend/domain/regime/label.ts'
import { ADVERSE_SELECTION_PARAMS } from '../../backend/domain/regime/adverse-selection.ts'
import type { MarketQuantities } from '../../backend/computed/snapshot/context-snapshot.ts'
import type { Flow } from '../../backend/simulator/catalogue/character.ts'
import type { SampleMoment } from './sample-world.ts'
import type { Score } from './score.ts'

const LABEL_OF: Readonly<Record<Flow, RegimeSide>> = {
  maker: 'maker',
  taker: 'taker',
  mixed: 'neutral',
}

/** Whether so many prints can move the label from its prior to either end, if all say the same. */
function canLeavePrior({ nTrades, prior }: MarketQuantities['adverse']): boolean {
  const { priorWeight } = ADVERSE_SELECTION_PARAMS
  const scoreOf = (alpha: number): number =>
    (nTrades * alpha + priorWeight * prior) / (nTrades + priorWeight)
  return scoreOf(0) <= REGIME_PARAMS.makerCut && scoreOf(1) >= REGIME_PARAMS.takerCut
}

/**
 * Labels of markets with enough measured prints to leave their prior, against who trades them.
 */
export function scoreRegimes({ worldSnapshot, marketOf }: SampleMoment): Score {
  const labelled = [...worldSnapshot.snapshot.markets].flatMap(([ticker, { adverse, regime }]) => {
    if (regime === null || !canLeavePrior(adverse)) return []
    return [
      { label: regimeLabel(regime.score, null), expected: LABEL_OF[marketOf(ticker).event.flow] },
    ]
  })
  const right = labelled.filter(({ label, expected }) => label === expected).length
  return { right, found: labelled.length, recalled: right, expected: labelled.length }
}
