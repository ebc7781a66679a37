import { DAY, type Millis } from '../../units.ts'
import { metKills, type Evaluation } from '../thesis.ts'

/** Changes by a cheap model that a better one judges again. */
const SECOND_JUDGEMENT = { confidence: 0.03, probability: 0.15, every: DAY } as const

/**
 * Why a better model judges the signals of an evaluation again; null when the first judgement is
 * enough.
 * @param lastAt the last time that it did, or the creation of the thesis
 */
export function reasonToJudgeAgain(
  {
    previousConfidence,
    newConfidence,
    changes,
    kills,
  }: Pick<Evaluation, 'previousConfidence' | 'newConfidence' | 'changes' | 'kills'>,
  lastAt: Millis,
  now: Millis,
): string | null {
  if (metKills({ kills }).length > 0) return 'a kill condition would be met'
  const confidenceChange = Math.abs((newConfidence ?? 0) - (previousConfidence ?? 0))
  if (confidenceChange > SECOND_JUDGEMENT.confidence)
    return 'the confidence would move by more than 3 points'
  const isLarge = changes.some(
    ({ previousProbability, newProbability }) =>
      Math.abs(newProbability - previousProbability) > SECOND_JUDGEMENT.probability,
  )
  if (isLarge) return 'a condition would move by more than 15 points'
  return now - lastAt >= SECOND_JUDGEMENT.every ? 'it had not judged for a day' : null
}
