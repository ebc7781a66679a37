// Claims that people make over a recorded catalogue: how often the rules bind the markets that a person binds.
import { finderBoard } from '../backend/testing/finder-questions.ts'
import { recordedClaims, scoreFormation } from '../backend/testing/thesis-claims.ts'
import type { BenchRow } from './bench-row.ts'

const GOALS = { precision: '≥ 0.9', recall: '≥ 0.7' } as const
const SPLITS = [
  { split: 'dev', name: 'dev half' },
  { split: 'held-out', name: 'held-out half' },
  { split: null, name: 'all claims' },
] as const

export function formationRows(): BenchRow[] {
  const board = finderBoard()
  return SPLITS.flatMap(({ split, name: part }) => {
    const claims = recordedClaims().filter((claim) => split === null || claim.split === split)
    const score = scoreFormation(board, claims)
    return (['precision', 'recall'] as const).map((name) => ({
      name: `formation, ${part}, ${name} by market`,
      ours: score[name],
      baseline: null,
      unit: 'share',
      ratio: null,
      goal: GOALS[name],
      note: `${score.claims} claims`,
    }))
  })
}
