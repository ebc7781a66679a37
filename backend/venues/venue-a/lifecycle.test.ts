import { describe, expect, it } from 'vitest'
import type { MarketFacts } from '../../domain/market.ts'
import type { Millis, PriceE4 } from '../../domain/units.ts'
import { marketFacts } from '../../testing/market-facts.ts'
import { activityAt, described } from '../../testing/venue-events.ts'
import type { SizeE6 } from '../../domain/units.ts'
import { legacyScaleOf, priceAt, sizeAt } from './amounts.ts'
import { parseExchangeStatus, shardsOf } from './exchange-status.ts'
import { LagWatch } from './lag-watch.ts'
import { applyLifecycle } from './lifecycle.ts'
import { MarketFactsCache } from './market-memory.ts'
import { Subscriptions } from './subscriptions.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z') as Millis

describe('the facts of a market after a message of its life', () => {
  const facts: MarketFacts = marketFacts({ status: 'paused' })
  const yes = { result: 'yes', settlementPrice: 10_000 }

  it.each([
    [{ event_type: 'activated' }, { status: 'active' }],
    [{ event_type: 'deactivated' }, { status: 'paused' }],
    [{ event_type: 'deactivated', is_deactivated: true }, { status: 'paused' }],
    [{ event_type: 'deactivated', is_deactivated: false }, { status: 'active' }],
    [{ event_type: 'close_date_updated', close_ts: NOW / 1_000 }, { closeTime: NOW }],
    [{ event_type: 'close_date_updated' }, { closeTime: facts.closeTime }],
    [
      { event_type: 'determined', result: 'yes' },
      { status: 'resolving', ...yes },
    ],
    [{ event_type: 'determined' }, { status: 'resolving', result: null, settlementPrice: null }],
    [
      { event_type: 'settled', result: 'yes' },
      { status: 'settled', ...yes },
    ],
    [
      { event_type: 'settled', result: 'no' },
      { status: 'settled', result: 'no', settlementPrice: 0 },
    ],
    [
      { event_type: 'settled', result: 'scalar', settlement_value: '0.3000' },
      { status: 'settled', result: 'scalar', settlementPrice: 3_000 },
    ],
  ])('%j are changed by %j', (message, change) => {
    expect(applyLifecycle(facts, message)).toEqual({ ...facts, ...change })
  })

  it('keep the result of an earlier message', () => {
    const determined = {
      ...facts,
      result: 'scalar',
      settlementPrice: 3_000 as PriceE4,
    } as const
    expect(applyLifecycle(determined, { event_type: 'settled' })).toEqual({
      ...determined,
      status: 'settled',
    })
  })

  it.each([
    { event_type: 'created' },
    { event_type: 'metadata_updated' },
    { event_type: 'price_level_structure_updated' },
    {},
  ])('must be requested after %j', (message) => {
    expect(applyLifecycle(facts, message)).toBeNull()
  })
})

describe('prices under their old names', () => {
  it.each([
    [{ yes_bid: 40, yes_ask: 45 }, 'cents'],
    [{ yes_bid: 1, no_bid: 99 }, 'cents'],
    [{ yes_bid: 0.4, yes_ask: 0.45 }, 'dollars'],
    [{ yes_bid: 1, no_ask: 0 }, 'dollars'],
    [{ yes_bid: '40' }, 'dollars'],
    [{ last_price: 2 }, 'cents'],
    [{ volume: 40 }, 'dollars'],
  ])('%j are %s', (wire, scale) => {
    expect(legacyScaleOf(wire)).toBe(scale)
  })

  it.each([
    [{ yes_bid_dollars: '0.4100', yes_bid: 40 }, 'cents', 4_100],
    [{ yes_bid: 40 }, 'cents', 4_000],
    [{ yes_bid: 0.4 }, 'dollars', 4_000],
    [{ yes_bid: '0.4' }, 'cents', 4_000],
    [{}, 'cents', null],
  ] as const)('%j in %s is %j', (wire, scale, price) => {
    expect(priceAt(wire, 'yes_bid', scale)).toBe(price)
  })

  it.each([
    [{ count_fp: '1.50', count: 2 }, 1_500_000],
    [{ count: 2 }, 2_000_000],
    [{ count: 0 }, 0],
    [{ count: -1 }, null],
    [{}, null],
  ])('sizes: %j is %j', (wire, size) => {
    expect(sizeAt(wire, 'count')).toBe(size)
  })
})

describe('the status of the exchange', () => {
  const flags = (active: unknown, trading: unknown) => ({
    exchange_active: active,
    trading_active: trading,
  })

  it.each([
    [true, true, true],
    [true, false, false],
    [false, true, false],
    [false, undefined, false],
    [undefined, false, false],
    [true, undefined, null],
    [undefined, true, null],
    ['true', 'true', null],
  ])('active %j and trading %j: %j', (active, trading, expected) => {
    expect(parseExchangeStatus(flags(active, trading))?.isTrading ?? null).toBe(expected)
  })

  it('has the parts that rest', () => {
    const body = {
      ...flags(true, true),
      exchange_index_statuses: [
        { exchange_index: 0, ...flags(true, true) },
        { exchange_index: 1, ...flags(true, false) },
        { exchange_index: 2 },
        { ...flags(false, false) },
      ],
    }
    expect(parseExchangeStatus(body)?.pausedShards).toEqual(new Set([1]))
    expect(parseExchangeStatus(null)).toBeNull()
  })

  it('has the part of each market', () => {
    const market = (ticker: string | null, part: unknown) => ({ ticker, exchange_index: part })
    expect(
      shardsOf({
        markets: [market('kxa', 1), market('KXB', null), market(null, 1)],
        events: [{ markets: [market('KXC', 2)] }, {}],
      }),
    ).toEqual([
      ['KXA', 1],
      ['KXC', 2],
    ])
  })
})

describe('the memory of markets', () => {
  it('holds facts, volumes and parts until a market settles', () => {
    const memory = new MarketFactsCache()
    const volume = (ticker: string, volume24h: number | null) =>
      activityAt(NOW, { ticker, volume24h: volume24h as SizeE6 | null })
    memory.addShards([
      ['A', 1],
      ['B', 2],
    ])
    memory.addFrom([
      described(NOW, { ticker: 'A' }),
      volume('A', 5),
      volume('A', null),
      volume('UNKNOWN', 7),
    ])
    expect(memory.facts('A')?.ticker).toBe('A')
    expect([memory.volume24h('A'), memory.volume24h('UNKNOWN')]).toEqual([5, null])
    expect(memory.marketsOfShards(new Set([1, 2]))).toEqual(['A', 'B'])
    expect(memory.marketsOfShards(new Set([2]))).toEqual(['B'])
    memory.addFrom([described(NOW, { ticker: 'A', status: 'settled' })])
    expect([memory.facts('A'), memory.volume24h('A')]).toEqual([null, null])
    expect(memory.marketsOfShards(new Set([1]))).toEqual([])
  })
})

describe('the lag of messages', () => {
  it('grows when twenty in a row are over two seconds later than the fastest', () => {
    const watch = new LagWatch()
    expect(watch.isGrowing(-500)).toBe(false)
    for (let message = 0; message < 30; message += 1) expect(watch.isGrowing(1_500)).toBe(false)
    for (let message = 1; message < 20; message += 1) expect(watch.isGrowing(1_501)).toBe(false)
    expect(watch.isGrowing(1_500)).toBe(false)
    for (let message = 1; message < 20; message += 1) expect(watch.isGrowing(1_501)).toBe(false)
    expect(watch.isGrowing(1_501)).toBe(true)
  })
})

describe('subscriptions', () => {
  it('number their commands and messages, with gaps and repetitions', () => {
    const subscriptions = new Subscriptions()
    expect([subscriptions.nextCommand(), subscriptions.nextCommand()]).toEqual([1, 2])
    const sequence = (seq: number) => subscriptions.sequence(7, seq, (NOW + seq) as Millis)
    expect(subscriptions.arrivedAt(7)).toBeNull()
    expect([5, 6, 6, 5, 8, 7, 9].map(sequence)).toEqual([
      'next',
      'next',
      'repeated',
      'repeated',
      'gap',
      'repeated',
      'next',
    ])
    expect(subscriptions.arrivedAt(7)).toBe(NOW + 9)
  })

  it('are the sources of the markets of their command until they are retired', () => {
    const subscriptions = new Subscriptions()
    subscriptions.expect(1, ['A', 'B'])
    // A message may come before the acknowledgement.
    subscriptions.sequence(7, 1, NOW)
    expect(subscriptions.sourceOf('A')).toBeNull()
    subscriptions.setSource('B', 9)
    expect(subscriptions.acknowledge(1, 7)).toEqual(['A', 'B'])
    expect(subscriptions.acknowledge(2, 8)).toEqual([])
    expect(['A', 'B', 'C'].map((ticker) => subscriptions.sourceOf(ticker))).toEqual([7, 9, null])
    subscriptions.setSource('B', 7)
    subscriptions.removeSource('A')
    expect(subscriptions.sourceOf('A')).toBeNull()
    expect(subscriptions.isRetired(7)).toBe(false)
    expect(subscriptions.retire(7)).toEqual(['B'])
    expect(subscriptions.isRetired(7)).toBe(true)
    expect(subscriptions.retire(99)).toEqual([])
    expect(subscriptions.sourceOf('B')).toBeNull()
  })

  it('that were retired before their acknowledgement are no sources', () => {
    const subscriptions = new Subscriptions()
    subscriptions.expect(1, ['A'])
    subscriptions.retire(7)
    expect(subscriptions.acknowledge(1, 7)).toEqual([])
    expect(subscriptions.sourceOf('A')).toBeNull()
  })
})
