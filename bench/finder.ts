// Questions as people type them over a recorded catalogue: how often the event that was meant comes first.
import { finderBoard, finderQuestions, scoreFinder } from '../backend/testing/finder-questions.ts'
import type { BenchRow } from './bench-row.ts'

const GOALS = { recallAt1: '≥ 0.85', recallAt5: '≥ 0.95', falseAnswers: '≤ 0.05' } as const
const NAMES = {
  recallAt1: 'recall@1',
  recallAt5: 'recall@5',
  falseAnswers: 'false answers',
} as const

const SPLITS = [
  { split: 'dev', name: 'dev half' },
  { split: 'held-out', name: 'held-out half' },
  { split: null, name: 'all questions' },
] as const

export function benchFinder(): Promise<BenchRow[]> {
  const board = finderBoard()
  const rows = SPLITS.flatMap(({ split, name: part }) => {
    const questions = finderQuestions().filter(
      (question) => split === null || question.split === split,
    )
    const score = scoreFinder(board, questions)
    // The held-out half stays unread.
    for (const { question, found } of split === 'dev' ? score.misses : []) {
      process.stderr.write(`${split}: ${question} → ${found.slice(0, 2).join(', ') || 'none'}\n`)
    }
    return (['recallAt1', 'recallAt5', 'falseAnswers'] as const).map((name) => ({
      name: `finder, ${part}, ${NAMES[name]} by event`,
      ours: score[name],
      baseline: null,
      unit: 'share',
      ratio: null,
      goal: GOALS[name],
      note: `${score.answerable} answerable, ${score.unanswerable} unanswerable questions`,
    }))
  })
  return Promise.resolve(rows)
}
