import { expect, it } from 'vitest'
import { evaluationUnderTest } from '../../testing/theses.ts'
import {
  confidencePlan,
  evaluationsOf,
  historySentence,
  joinedEvaluations,
} from './thesis-history.ts'

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

it('days are left out of the evaluations', () => {
  const one = evaluation('a', 20)
  expect(evaluationsOf({ data: [one, { day: '2026-11-19' }] } as never)).toEqual([one])
  expect(evaluationsOf(null)).toEqual([])
})

it.each([
  [[], 'No evaluations yet'],
  [[0.5], 'One evaluation; confidence from 50% to 50%'],
  [[0.6, 0.5], '2 evaluations; confidence from 50% to 60%'],
])('%j in a sentence: %s', (confidences, text) => {
  const rows = confidences.map((newConfidence) => evaluationUnderTest({ newConfidence }))
  expect(historySentence(rows)).toBe(text)
})

const AT = Date.parse('2026-11-20T10:00:00.000Z') / 1_000
const HOUR = 3_600
const candle = (t: number, c: number) => ({ t, c }) as never
const rated = (hours: number, newConfidence: number | null) =>
  evaluationUnderTest({
    evaluatedAt: new Date((AT - hours * HOUR) * 1_000).toISOString(),
    newConfidence,
  })

it('the chart holds each confidence until the next one, from a day before the first', () => {
  const plan = confidencePlan([rated(1, 0.6), rated(3, null), rated(5, 0.5)], [], 'Cut?', AT)
  expect(plan.window).toEqual([AT - 29 * HOUR, AT])
  expect(plan.times).toEqual([AT - 5 * HOUR, AT - 3 * HOUR, AT - HOUR, AT])
  expect(plan.lines).toEqual([{ name: 'Confidence', values: [50, null, 60, 60], isPrimary: true }])
  expect([plan.range, plan.valueText(50)]).toEqual([[0, 100], '50'])
})

it('the chart has the price of a market at the end of each hour, within its window', () => {
  const candles = [
    candle(AT - 31 * HOUR, 10),
    candle(AT - 30 * HOUR, 20),
    candle(AT - 3 * HOUR, 30),
    candle(AT - HOUR, 40),
    candle(AT, 50),
  ]
  const plan = confidencePlan([rated(5, 0.5)], candles, 'Cut?', AT)
  expect(plan.times).toEqual([AT - 29 * HOUR, AT - 5 * HOUR, AT - 2 * HOUR, AT])
  expect(plan.lines).toEqual([
    { name: 'Confidence', values: [null, 50, 50, 50], isPrimary: true },
    { name: 'Cut?', values: [20, 20, 30, 40] },
  ])
})

it('the chart without evaluations ends now', () => {
  expect(confidencePlan([], [], '', AT)).toMatchObject({
    window: [AT - 24 * HOUR, AT],
    times: [AT],
  })
})
