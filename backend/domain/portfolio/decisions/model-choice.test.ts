import { describe, expect, it } from 'vitest'
import type { TickDecision } from '../tick.ts'
import { basisOf, hold, planOrder, type Subject } from './decision-parts.ts'
import { candidatesOf, choiceIn, withChoice } from './model-choice.ts'

const subject = (ticker: string): Subject => ({
  venue: 'venue_a',
  ticker,
  title: ticker,
  direction: 'yes',
  confidence: 0.6,
  basis: basisOf({}),
})
const order = (ticker: string, change: object = {}): TickDecision =>
  planOrder(subject(ticker), {
    quantity: 10,
    price: 40,
    bound: null,
    reason: 'cheap',
    exitReason: null,
    ...change,
  })
const numbered = (decisions: readonly TickDecision[]): TickDecision[] =>
  decisions.map((decision, index) => ({ ...decision, n: index + 1 }))
const DECISIONS = numbered([
  order('OUT', { exitReason: 'stop_loss' }),
  order('A'),
  order('B'),
  order('C'),
  order('P1', { pairId: 'p' }),
  order('P2', { pairId: 'p' }),
  hold(subject('H'), 'waits'),
])
const CANDIDATES = candidatesOf(DECISIONS)
const take = (n: number, rank: number, change: object = {}) => ({
  n,
  take: true,
  rank,
  reason: 'good odds',
  ...change,
})
const chosen = (...decisions: readonly object[]) => {
  const choice = choiceIn(JSON.stringify({ decisions, note: 'next' }), CANDIDATES)
  if (choice === null) throw new Error('no choice')
  const result = withChoice(DECISIONS, choice)
  return { choice, order: result.map(({ marketId, kind }) => `${kind} ${marketId}`), result }
}

describe('a choice of a model [portfolio.model.choice]', () => {
  it('ranks entries behind exits, and keeps what the rules decided of them', () => {
    const { order: places, result } = chosen(take(4, 1), take(2, 3), take(3, 2), take(6, 1))
    expect(places).toEqual([
      'exit OUT',
      'entry C',
      'entry P1',
      'entry P2',
      'entry B',
      'entry A',
      'hold H',
    ])
    expect(result.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6, 7])
    const { n: _n, reason, ...kept } = result[1] as TickDecision
    const { n: _m, reason: _reason, ...before } = DECISIONS[3] as TickDecision
    expect(kept).toEqual(before)
    expect(reason).toBe('cheap; model: good odds')
  })

  it('holds what it declines, and both legs of a pair', () => {
    const { order: places, result } = chosen(
      take(2, 1, { take: false, reason: 'no news' }),
      take(5, 1),
      take(6, 2, { take: false }),
    )
    expect(places).toEqual([
      'exit OUT',
      'entry B',
      'entry C',
      'hold H',
      'hold A',
      'hold P1',
      'hold P2',
    ])
    expect(result[4]).toMatchObject({
      reason: 'declined; model: no news; the rules propose: cheap',
      outcome: 'none',
      quantity: null,
    })
  })

  it.each([
    [take(1, 1), 'unknown candidate'],
    [take(7, 1), 'unknown candidate'],
    [take(99, 1), 'unknown candidate'],
    [take(2, 0), 'rank is not a whole number from 1'],
    [take(2, 1.5), 'rank is not a whole number from 1'],
    [take(2, 1, { rank: '1' }), 'rank is not a whole number from 1'],
    [take(2, 1, { take: 'yes' }), 'take is not true or false'],
    [take(2, 1, { reason: ' ' }), 'no reason'],
    ['2', 'unknown candidate'],
  ])('leaves %j to the rules', (judgement, why) => {
    const { choice, result } = chosen(judgement as object)
    expect(choice.corrections).toEqual([`judgement 1 was left out: ${why}`])
    expect(result).toEqual(DECISIONS)
  })

  it('counts a candidate once', () => {
    const { choice } = chosen(take(2, 1), take(2, 2, { take: false }))
    expect(choice.choices.get(2)?.take).toBe(true)
    expect(choice.corrections).toEqual(['judgement 2 was left out: judged twice'])
  })

  it.each(['', 'no', '[]', '{"decisions": {}}', '{"decisions": "x"'])(
    'is refused unless it has the form: %j',
    (text) => {
      expect(choiceIn(text, CANDIDATES)).toBeNull()
    },
  )
})
