import { expect, it } from 'vitest'
import { evaluationUnderTest } from '../../testing/theses.ts'
import { joinedEvaluations } from './thesis-history.ts'

const evaluation = (id: string, day: number) =>
  evaluationUnderTest({ id, evaluatedAt: `2026-11-${day}T10:00:00.000Z` })

it('evaluations of two days are followed by the earlier ones, each once', () => {
  const recent = [evaluation('e', 20), evaluation('d', 19)]
  const earlier = [evaluation('d', 19), evaluation('c', 12), evaluation('b', 11)]
  const ids = joinedEvaluations(recent, earlier).map(({ id }) => id)
  expect(ids).toEqual(['e', 'd', 'c', 'b'])
})

it('an earlier answer that is older than the recent one has nothing in between', () => {
  const earlier = [evaluation('d', 20), evaluation('c', 12)]
  expect(joinedEvaluations([], earlier)).toEqual(earlier)
})
