import { describe, expect, it } from 'vitest'
import { treeNode } from '../../testing/tree-node.ts'
import { killChecks } from './kill-conditions.ts'

const node = treeNode('n1', { probability: 0.6, tickers: ['KX'] })
const PRICES = new Map([['KX', 40]])
const kill = (op: 'text' | 'prob_below' | 'price_above', value: number | null = null) => ({
  ...node,
  killCondition: { text: 'wrong', op, value, ticker: null },
})

describe('kill conditions', () => {
  it.each([
    ['prob_below', 0.7, null, true],
    ['prob_below', 0.6, null, false],
    ['prob_above', 0.5, null, true],
    ['price_below', 30, 'KX', false],
    ['price_above', 30, 'KX', true],
    ['price_above', 40, null, false],
    ['price_above', 30, 'KXUNKNOWN', false],
    ['text', null, null, false],
  ] as const)('are met strictly beyond their value: %s %s', (op, value, ticker, isMet) => {
    const killCondition = { text: 'wrong', op, value, ticker }
    const [check] = killChecks([{ ...node, killCondition }], PRICES, null)
    expect(check).toMatchObject({ nodeId: 'n1', text: 'wrong', triggered: isMet })
    expect(killChecks([{ ...node, killCondition, killHandled: true }], PRICES, null)).toEqual([])
  })

  it('state what decided them', () => {
    const evidence = (one: Parameters<typeof killChecks>[0][number]) =>
      killChecks([one], PRICES, null)[0]?.evidence
    expect(evidence(kill('prob_below', 0.7))).toBe('its probability, 0.6, is below 0.7')
    expect(evidence(kill('price_above', 50))).toBe('the price of its market, 40¢, is not above 50¢')
    expect(evidence({ ...kill('price_above', 50), tickers: ['KXUNKNOWN'] })).toBeNull()
  })

  it('in words are met by a signal that a model cites, and stay open without a model', () => {
    expect(killChecks([kill('text')], PRICES, null)[0]).toMatchObject({
      triggered: false,
      evidence: null,
    })
    expect(killChecks([kill('text')], PRICES, [])[0]).toMatchObject({ triggered: false })
    const met = [{ nodeId: 'n1', text: 'wrong', signalId: 'sig_1' }]
    expect(killChecks([kill('text')], PRICES, met)[0]).toMatchObject({
      triggered: true,
      evidence: 'signal sig_1 meets it',
    })
    // Its owner changed the condition while the model read it.
    const other = met.map((one) => ({ ...one, text: 'another' }))
    expect(killChecks([kill('text')], PRICES, other)[0]?.triggered).toBe(false)
    // A model decides conditions in words only.
    expect(killChecks([kill('prob_below', 0.5)], PRICES, met)[0]?.triggered).toBe(false)
  })
})
