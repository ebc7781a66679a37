import { describe, expect, it } from 'vitest'
import { TreeEditRefused } from '../../domain/theses/tree-edit.ts'
import type { Millis } from '../../domain/units.ts'
import { BodyFields } from '../../http/request/body-fields.ts'
import {
  inheritedTickers,
  metadataIn,
  orInvalid,
  overridesIn,
  signalIn,
  treeEditIn,
  webhookUrlIn,
} from './thesis-body.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z') as Millis

/** What is read, or the message of the refusal. */
function result(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    return error instanceof Error ? error.message : error
  }
}
const many = (count: number): string[] => Array.from({ length: count }, (_, n) => `M${n}`)

describe('the fields of a thesis', () => {
  it.each([
    [undefined, undefined],
    [{ a: 1 }, { a: 1 }],
    [[], 'metadata must be an object'],
    [null, 'metadata must be an object'],
    [{ a: 'x'.repeat(10_232) }, { a: 'x'.repeat(10_232) }],
    [{ a: 'x'.repeat(10_233) }, 'metadata must have at most 10 KB as JSON'],
  ])('have metadata: %#', (metadata, expected) => {
    expect(result(() => metadataIn(new BodyFields({ metadata })))).toEqual(expected)
  })

  const refusal = 'inheritEdgeMarketIds must be a list of at most 100 market ids'
  it.each([
    [undefined, []],
    [null, []],
    [['A'], ['A']],
    [many(100), many(100)],
    [many(101), refusal],
    [[7], refusal],
    ['A', refusal],
  ])('name markets to take over: %#', (inheritEdgeMarketIds, expected) => {
    expect(result(() => inheritedTickers(new BodyFields({ inheritEdgeMarketIds })))).toEqual(
      expected,
    )
  })

  it.each([
    [undefined, undefined],
    ['', null],
    [null, null],
    ['https://a.example', 'https://a.example'],
  ])('have the address %j as %j', (webhookUrl, expected) => {
    expect(webhookUrlIn(new BodyFields({ webhookUrl }))).toBe(expected)
  })
})

describe('an edit of a tree', () => {
  it('has updates, additions and removals, as far as they were sent', () => {
    const killCondition = { op: 'prob_below', text: 'falls', value: 0.2 }
    expect(
      treeEditIn({
        updates: [
          { nodeId: 'n1', probability: 0, importance: 1 },
          { nodeId: 'n2', outcome: null, locked: false, tickers: ['A'] },
          { nodeId: 'n3', label: 'x', outcome: 'no', killCondition },
          { nodeId: 'n4', killCondition: null },
        ],
        add: [
          { label: 'new', probability: 1 },
          { parentId: 'n1', label: 'child', probability: 0.5, importance: 0, tickers: [] },
        ],
        remove: ['n9'],
        ifVersion: 3,
      }),
    ).toEqual({
      updates: [
        { nodeId: 'n1', probability: 0, importance: 1 },
        { nodeId: 'n2', outcome: null, locked: false, tickers: ['A'] },
        {
          nodeId: 'n3',
          label: 'x',
          outcome: 'no',
          killCondition: { ...killCondition, ticker: null },
        },
        { nodeId: 'n4', killCondition: null },
      ],
      add: [
        { parentId: null, label: 'new', probability: 1 },
        { parentId: 'n1', label: 'child', probability: 0.5, importance: 0, tickers: [] },
      ],
      remove: ['n9'],
      ifVersion: 3,
    })
    expect(treeEditIn({ nodeId: 'n1', probability: 0.5 })).toEqual({
      updates: [{ nodeId: 'n1', probability: 0.5 }],
      add: [],
      remove: [],
      ifVersion: null,
    })
  })

  const kill = (condition: object) => ({ nodeId: 'n', killCondition: condition })
  it.each([
    [{}, 'updates, add and remove must contain 1 to 100 changes together'],
    [{ remove: many(101) }, 'updates, add and remove must contain 1 to 100 changes together'],
    [{ remove: [7] }, 'remove must be a list of node ids'],
    [{ remove: 'n1' }, 'remove must be a list'],
    [{ updates: [{ probability: 1 }] }, 'nodeId is required'],
    [{ nodeId: 'n1' }, 'nodeId n1 has no change'],
    [{ nodeId: 'n1', probability: 1.1 }, 'probability must be a number from 0 to 1'],
    [{ nodeId: 'n1', importance: -0.1 }, 'importance must be a number from 0 to 1'],
    [{ nodeId: 'n1', outcome: 'maybe' }, 'outcome must be yes or no'],
    [{ nodeId: 'n1', tickers: many(11) }, 'tickers must be a list of at most 10 tickers'],
    [{ nodeId: 'n1', tickers: [''] }, 'tickers must be a list of at most 10 tickers'],
    [{ nodeId: 'n1', tickers: ['x'.repeat(201)] }, 'tickers must be a list of at most 10 tickers'],
    [{ nodeId: 'n1', tickers: [7] }, 'tickers must be a list of at most 10 tickers'],
    [{ nodeId: 'n1', tickers: 'A' }, 'tickers must be a list'],
    [{ add: [{ probability: 1 }] }, 'label is required for a new node'],
    [{ add: [{ label: 'x' }] }, 'probability is required for a new node'],
    [{ add: [{ label: 'x', probability: null }] }, 'probability is required for a new node'],
    [
      { nodeId: 'n1', locked: true, ifVersion: 0 },
      'ifVersion must be an integer from 1 to 9007199254740991',
    ],
    [kill({ text: 'x' }), 'killCondition must have op and text'],
    [kill({ op: 'text' }), 'killCondition must have op and text'],
    [kill({ op: 'prob_below', text: 'x' }), 'killCondition needs a value for prob_below'],
    [kill({ op: 'prob_below', text: 'x', value: 2 }), 'value must be a number from 0 to 1'],
    [kill({ op: 'price_above', text: 'x', value: 101 }), 'value must be a number from 0 to 100'],
  ])('is refused: %#', (body, message) => {
    expect(result(() => treeEditIn(body))).toBe(message)
  })

  it.each([
    [{ remove: many(100) }, 100],
    [{ nodeId: 'n', locked: true, remove: many(99) }, 99],
  ])('has at most a hundred changes: %#', (body, removed) => {
    expect(treeEditIn(body).remove).toHaveLength(removed)
  })

  it('may watch a price in cents, or only state a text', () => {
    const conditionOf = (condition: object) => treeEditIn(kill(condition)).updates[0]?.killCondition
    const price = { op: 'price_above', text: 'x', value: 100, ticker: 'A' }
    expect(conditionOf(price)).toEqual(price)
    expect(conditionOf({ op: 'text', text: 'x' })).toEqual({
      op: 'text',
      text: 'x',
      value: null,
      ticker: null,
    })
  })

  it('that does not fit its tree is a fault of the request', () => {
    expect(orInvalid(() => 1)).toBe(1)
    const refused = () => {
      throw new TreeEditRefused('no such node')
    }
    expect(() => orInvalid(refused)).toThrow(expect.objectContaining({ name: 'InvalidInput' }))
    const fault = new Error('a fault')
    expect(() =>
      orInvalid(() => {
        throw fault
      }),
    ).toThrow(fault)
  })
})

describe('the probabilities of a what-if', () => {
  const pairs = (count: number) => Object.fromEntries(many(count).map((name) => [name, 0.5]))

  it.each([
    [
      { n1: 0, n2: 1 },
      { n1: 0, n2: 1 },
    ],
    [[{ nodeId: 'n1', probability: 0.5 }], { n1: 0.5 }],
    [[{ nodeId: 'n1', newProb: 0.5 }], { n1: 0.5 }],
    [pairs(50), pairs(50)],
    [pairs(51), 'overrides must name 1 to 50 nodes'],
    [{}, 'overrides must name 1 to 50 nodes'],
    [undefined, 'overrides must name 1 to 50 nodes'],
    [{ n1: 1.01 }, 'overrides: probability of n1 must be a number from 0 to 1'],
    [{ n1: -0.01 }, 'overrides: probability of n1 must be a number from 0 to 1'],
    [{ n1: '1' }, 'overrides: probability of n1 must be a number from 0 to 1'],
    [[{ probability: 1 }], 'overrides must name a nodeId each'],
    [
      [
        { nodeId: 'n1', probability: 1 },
        { nodeId: 'n1', probability: 0 },
      ],
      'overrides name n1 twice',
    ],
  ])('%#', (overrides, expected) => {
    const read = result(() => overridesIn({ overrides }))
    expect(read instanceof Map ? Object.fromEntries(read) : read).toEqual(expected)
  })
})

describe('a signal', () => {
  const read = (body: object) => result(() => signalIn(body, 'th_1', NOW))

  it('has its own time, or the present', () => {
    const signal = { type: 'news_2', content: ' text ' }
    expect(read(signal)).toMatchObject({
      thesisId: 'th_1',
      type: 'news_2',
      source: 'api',
      content: 'text',
      url: null,
      nodeId: null,
      at: NOW,
      createdAt: NOW,
    })
    const occurredAt = '2026-11-20T13:00:00Z'
    const more = { source: 'feed', url: 'https://a.example/1', nodeId: 'n1' }
    expect(read({ ...signal, ...more, occurredAt })).toMatchObject({
      ...more,
      at: Date.parse(occurredAt),
      createdAt: NOW,
    })
    expect(read({ ...signal, occurredAt: '2026-11-20T14:00:00Z' })).toMatchObject({ at: NOW })
  })

  const type = 'type must be lower case letters, digits and _, beginning with a letter'
  it.each([
    [{ content: 'x' }, 'type and content are required'],
    [{ type: 'news', content: '  ' }, 'type and content are required'],
    [{ type: null, content: 'x' }, 'type and content are required'],
    [{ type: 'News', content: 'x' }, type],
    [{ type: '1news', content: 'x' }, type],
    [{ type: 'news', content: 7 }, 'content must be a string of 1 to 10000 characters'],
    [{ type: 'news', content: 'x', url: 'ftp://a' }, 'url must be an http or https URL'],
    [{ type: 'news', content: 'x', url: 'see https://a' }, 'url must be an http or https URL'],
    [
      { type: 'news', content: 'x', occurredAt: '2026-11-20T14:00:00.001Z' },
      'occurredAt must not be in the future',
    ],
  ])('is refused: %j', (body, message) => {
    expect(read(body)).toBe(message)
  })
})
