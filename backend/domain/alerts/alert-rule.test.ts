import { describe, expect, it } from 'vitest'
import { SECOND, type Cents, type Millis } from '../units.ts'
import { ruleAt } from '../../testing/alert-rules.ts'
import { evaluatePriceRule, priceRuleLabel, type AlertRule } from './alert-rule.ts'

const T0 = Date.parse('2026-11-20T12:00:00Z') as Millis
const after = (seconds: number) => (T0 + seconds * SECOND) as Millis
const RULE = ruleAt(T0)
/** Evaluates prices, one each so many seconds; returns the seconds at which the rule fired. */
function fired(rule: AlertRule, prices: readonly (number | null)[], every = 100) {
  let current = rule
  const at: number[] = []
  for (const [index, price] of prices.entries()) {
    const now = after(index * every)
    const { rule: next, fires } = evaluatePriceRule(
      current,
      { price: price as Cents | null, quotedAt: now },
      now,
    )
    current = next
    if (fires) at.push(index * every)
  }
  return { at, rule: current }
}

describe('evaluatePriceRule', () => {
  it('fires when the price reaches the threshold, and again only after it was below', () => {
    expect(fired(RULE, [69.9, 70, 75, 69, 71]).at).toEqual([100, 400])
  })

  it('fires at once when the condition holds at first', () => {
    expect(fired(RULE, [80, 80]).at).toEqual([0])
  })

  it('compares the other way for price_below', () => {
    expect(fired({ ...RULE, condition: 'price_below' }, [71, 70, 65, 71, 70]).at).toEqual([
      100, 400,
    ])
  })

  it('keeps its state while the price is unknown or its quote is a minute old', () => {
    const { at, rule } = fired(RULE, [80, null, null, 80])
    expect(at).toEqual([0])
    expect(rule.conditionTrue).toBe(true)
    const old = { price: 60 as Cents, quotedAt: T0 }
    expect(evaluatePriceRule(rule, old, after(60)).rule).toEqual(rule)
    expect(evaluatePriceRule(rule, old, after(59)).rule.conditionTrue).toBe(false)
  })

  it('counts a firing within the window of the last and sends nothing', () => {
    const { at, rule } = fired(RULE, [70, 60, 70, 60, 70], 25)
    expect(at).toEqual([0, 100])
    expect(rule).toMatchObject({ fireCount: 2, suppressedCount: 1, lastFiredAt: after(100) })
  })

  it('leaves a paused rule alone', () => {
    const paused = { ...RULE, state: 'paused' as const }
    expect(fired(paused, [80])).toEqual({ at: [], rule: paused })
  })
})

it('names a rule by its condition', () => {
  expect(priceRuleLabel('price_above', 70)).toBe('≥ 70¢')
  expect(priceRuleLabel('price_below', 0.5)).toBe('≤ 0.5¢')
})
