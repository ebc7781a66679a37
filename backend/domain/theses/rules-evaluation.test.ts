import { describe, expect, it } from 'vitest'
import { treeNode } from '../../testing/tree-node.ts'
import { HOUR, type Millis } from '../units.ts'
import { edgesByRules, partsOf, thesisPriceOf, treeByRules } from './formation.ts'
import { evaluateByRules, type Signal } from './rules-evaluation.ts'

const NOW = 1_800_000_000_000 as Millis
const node = treeNode('n1', { label: 'Congress passes the shutdown bill', probability: 0.6 })
const signal = (id: string, fields: Partial<Signal> = {}): Signal => ({
  id,
  type: 'news',
  source: 'wire',
  content: 'Congress passes the shutdown bill',
  url: null,
  nodeId: null,
  at: NOW,
  ...fields,
})
const after = (signals: Signal[], fields = {}) =>
  evaluateByRules([{ ...node, ...fields }], signals, [], NOW).nodes[0]?.probability

describe('an evaluation by rules', () => {
  it('follows the worked examples of the methodology', () => {
    expect(after([signal('a'), signal('b')])).toBe(0.6694)
    expect(after([signal('a', { at: (NOW - 12 * HOUR) as Millis })])).toBe(0.6396)
    const moves = [{ title: 'Does it?', nodeId: 'n1', link: 0.5, from: 60, to: 70 }]
    expect(evaluateByRules([node], [], moves, NOW).nodes[0]?.probability).toBe(0.6262)
  })

  it('gives a judged signal the weight of its class (methodology H4)', () => {
    // logit(.6) + .4
    const judged = [{ nodeId: 'n1', signalId: 'a', shift: 0.4 }]
    expect(evaluateByRules([node], [signal('a')], [], NOW, judged).nodes[0]?.probability).toBe(
      0.6911,
    )
  })

  it('weighs a repeated story less, also after an evaluation that consumed the first', () => {
    const first = signal('a', { at: (NOW - HOUR) as Millis })
    const afterConsumed = (consumed: Signal) =>
      evaluateByRules([node], [signal('b')], [], NOW, null, [consumed]).nodes[0]?.probability
    expect(afterConsumed(first)).toBe(0.6237)
    expect(afterConsumed({ ...first, at: (NOW - 25 * HOUR) as Millis })).toBe(after([signal('b')]))
    const other = { source: 'press', content: 'The bakery wins a prize' }
    expect(afterConsumed({ ...first, ...other })).toBe(after([signal('b')]))
  })

  it('leaves locked nodes and nodes with an outcome where they are', () => {
    expect(after([signal('a')], { locked: true })).toBe(0.6)
    expect(after([signal('a')], { outcome: 'yes' })).toBe(0.6)
  })

  it('ignores signals about something else and bounds all evidence together', () => {
    expect(after([signal('a', { content: 'The bakery wins a prize' })])).toBe(0.6)
    expect(
      after([signal('a', { content: 'The bakery wins a prize', nodeId: 'n1' })]),
    ).toBeGreaterThan(0.6)
    const moves = [{ title: 'Does it?', nodeId: 'n1', link: 1, from: 5, to: 95 }]
    const [moved] = evaluateByRules([node], [], moves, NOW).nodes
    expect(moved?.probability).toBe(0.803)
  })

  it('takes a text in the direction of the condition', () => {
    const falls = { label: 'Inflation falls below 3%' }
    const text = { content: 'Inflation falls to its lowest since 2020' }
    expect(after([signal('a', text)], falls)).toBeGreaterThan(0.6)
  })

  it('gives unknown types and sources the weights of others, whatever their names', () => {
    const unknown = after([signal('a', { type: 'other', source: 'somebody' })])
    expect(after([signal('a', { type: 'constructor', source: 'toString' })])).toBe(unknown)
    expect(unknown).toBeGreaterThan(0.6)
  })

  it('names the evidence of each change', () => {
    const { changes, previousConfidence, newConfidence } = evaluateByRules(
      [node],
      [signal('sig_1')],
      [],
      NOW,
    )
    expect(changes).toEqual([
      {
        nodeId: 'n1',
        label: node.label,
        previousProbability: 0.6,
        newProbability: 0.6469,
        reason: 'news signal sig_1',
      },
    ])
    expect([previousConfidence, newConfidence]).toEqual([0.6, 0.6469])
  })
})

describe('formation by rules', () => {
  it.each([
    [
      'The Fed will cut rates in December 2026 unless inflation rises above 4% or unemployment falls',
      [
        'The Fed will cut rates in December 2026',
        'Inflation does not rise above 4%',
        'Unemployment does not fall',
      ],
    ],
    [
      'Unless Congress passes a budget, the government will shut down because talks are stuck',
      ['The government will shut down', 'Talks are stuck', 'Congress does not pass a budget'],
    ],
    ['Oil will rise unless OPEC will act', ['Oil will rise', 'OPEC will not act']],
    [
      'Oil will rise unless OPEC does not act, if demand holds',
      ['Oil will rise', 'Demand holds', 'OPEC does act'],
    ],
    // What is not one clause that can be denied stays a part of the claim.
    ...[
      'inflation rises and unemployment falls',
      'OPEC cuts and stocks will rise',
      'Iran closes Hormuz or Israel strikes',
      'the Fed, which has raised rates, cuts',
      "Congress can't agree",
      'the Fed never cuts rates',
      'nobody is elected',
    ].map((what): [string, string[]] => [
      `Oil will rise unless ${what}`,
      [`Oil will rise unless ${what}`],
    ]),
    // What follows is no statement of its own.
    ['Spain will win unless a miracle', ['Spain will win unless a miracle']],
  ])('states what must not happen for "unless": %s', (claim, parts) => {
    expect(partsOf(claim)).toEqual(parts)
  })

  it('splits a claim into at most five conditions', () => {
    expect(
      partsOf('Oil will exceed $100 if Iran closes Hormuz, and OPEC will cut; stocks will fall.'),
    ).toEqual(['Oil will exceed $100', 'Iran closes Hormuz', 'OPEC will cut', 'Stocks will fall'])
    expect(partsOf('a; b; c; d; e; f')).toHaveLength(5)
    expect(partsOf('a; b;c')).toEqual(['A', 'B', 'C'])
    expect(partsOf('iPhone sales will rise and the eBay share will fall')).toEqual([
      'iPhone sales will rise',
      'The eBay share will fall',
    ])
    expect(partsOf('If A happens by May 5, 2027, B will fall')).toEqual([
      'B will fall',
      'A happens by May 5, 2027',
    ])
    expect(partsOf('The Fed will hold rates in May but cut rates in June')).toEqual([
      'The Fed will hold rates in May',
      'The Fed will cut rates in June',
    ])
    expect(partsOf('Will oil fall because demand will fall by 5%?').at(-1)).toBe(
      'Demand will fall by 5%',
    )
    expect(partsOf('Oil will fall while bonds rise')).toEqual(['Oil will fall while bonds rise'])
    expect(partsOf('Spain and France will agree and oil falls')).toEqual([
      'Spain and France will agree',
      'Oil falls',
    ])
  })

  it('anchors conditions on the odds of the markets that ask them, else on one half', () => {
    const market = {
      ticker: 'KX',
      title: 'Does it?',
      match: 0.8,
      orientation: -1 as const,
      price: 30,
    }
    const parts = [
      { label: 'first', markets: [market] },
      { label: 'second', markets: [{ ...market, match: 0.39 }] },
    ]
    const tree = treeByRules('first and second', parts, NOW)
    expect(tree.nodes.map(({ probability, importance }) => [probability, importance])).toEqual([
      [0.7, 0.6667],
      [0.5, 0.3333],
    ])
    expect(edgesByRules(tree, parts)).toEqual([
      {
        ticker: 'KX',
        match: 0.8,
        orientation: -1,
        relatedNodeId: 'n1',
        thesisPrice: 27.8672,
      },
    ])
  })

  it('prices a market as in the worked example of the methodology', () => {
    expect(thesisPriceOf(40, 0.7, { match: 0.8, orientation: 1 })).toBe(43.2)
    expect(thesisPriceOf(99, 1, { match: 1, orientation: 1 })).toBe(99)
  })
})
