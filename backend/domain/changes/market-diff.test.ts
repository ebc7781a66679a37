import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { changeOf, globalDiff, marketDiff } from './market-diff.ts'
import type { DiffReading, MarketSpan } from './market-diff.ts'
import type { Cents, Millis } from '../units.ts'

const reading = (price: number | null, more: Partial<DiffReading> = {}): DiffReading => ({
  price: price as Cents | null,
  iyYes: 100,
  iyNo: 50,
  cri: 1.5,
  ee: null,
  las: 0.05,
  rv: null,
  vr: 0.1,
  overround: 3,
  ...more,
})

describe('F5: diff of a market', () => {
  it('has the worked examples', () => {
    expect(marketDiff(reading(40), reading(46)).price).toEqual({ from: 40, to: 46, delta: 6 })
    expect(marketDiff(reading(40), reading(40.5)).price.delta).toBe(0.5)
  })
  it('has no difference when an end is unknown', () => {
    const diff = marketDiff(reading(40, { vr: null }), reading(null, { iyYes: 120, vr: 0.3 }))
    expect(diff.price).toEqual({ from: 40, to: null, delta: null })
    expect(diff.yield).toEqual({ from: 100, to: 120, delta: 20 })
    expect(diff.indicators.vr).toEqual({ from: null, to: 0.3, delta: null })
    expect(diff.indicators.ee.delta).toBeNull()
    expect(marketDiff(null, reading(40)).price).toEqual({ from: null, to: 40, delta: null })
    expect(marketDiff(null, null).indicators.cri).toEqual({ from: null, to: null, delta: null })
  })
  it('has no float noise', () => {
    expect(changeOf(0.1, 0.3, 4).delta).toBe(0.2)
  })
})

const span = (ticker: string, more: Partial<MarketSpan> = {}): MarketSpan => ({
  ticker,
  firstSeenAt: 0 as Millis,
  priceThen: 40 as Cents,
  priceNow: 40 as Cents,
  statusThen: 'active',
  statusNow: 'active',
  statusSince: 0 as Millis,
  result: null,
  labelThen: 'neutral',
  labelNow: 'neutral',
  labelSince: 0 as Millis,
  ...more,
})
const from = 100 as Millis
const diff = (...markets: MarketSpan[]) => globalDiff(markets, from)
const names = (markets: readonly MarketSpan[]) => markets.map(({ ticker }) => ticker).join('')

describe('F5: diff of all markets', () => {
  it('lists moves of a cent and more, largest first', () => {
    const to = (priceNow: number) => ({ priceNow: priceNow as Cents })
    const { moved } = diff(
      span('A', to(46)),
      span('B', to(40.5)),
      span('C', to(30)),
      span('E', to(41)),
      span('D', to(39)),
      span('F', { priceThen: null }),
    )
    expect(moved.map(({ market, delta }) => [market.ticker, delta])).toEqual([
      ['C', -10],
      ['A', 6],
      ['D', -1],
      ['E', 1],
    ])
  })
  it('lists new, settled, closed and relabelled markets separately', () => {
    const at = (statusSince: number) => ({ statusSince: statusSince as Millis })
    const all = diff(
      span('A', { firstSeenAt: 101 as Millis, statusThen: null, priceThen: null }),
      span('B', { firstSeenAt: 100 as Millis }),
      span('C', { statusNow: 'settled', result: 'yes', priceNow: 100 as Cents, ...at(110) }),
      span('D', { statusNow: 'settled', result: 'no', statusThen: 'closed', ...at(120) }),
      span('E', { statusNow: 'settled', statusThen: 'settled' }),
      span('F', { statusNow: 'closed', priceNow: 99 as Cents, ...at(110) }),
      span('G', { statusNow: 'resolving', statusThen: 'closed' }),
      span('H', { labelNow: 'taker', labelSince: 150 as Millis }),
      span('I', { labelThen: null, labelNow: 'maker' }),
    )
    expect(names(all.added)).toBe('A')
    expect(names(all.resolved)).toBe('DC')
    expect(names(all.closed)).toBe('F')
    expect(names(all.regimeChanges)).toBe('H')
    expect(all.moved).toEqual([])
  })
  it('does not depend on the order of the markets', () => {
    const any = fc.record({
      priceNow: fc.integer({ min: 35, max: 45 }),
      statusNow: fc.constantFrom('active', 'closed', 'settled'),
      labelNow: fc.constantFrom('maker', 'neutral'),
    })
    fc.assert(
      fc.property(fc.array(any), (list) => {
        const markets = list.map((more, i) =>
          span(`T${i}`, { ...more, priceNow: more.priceNow as Cents }),
        )
        expect(diff(...markets.toReversed())).toEqual(diff(...markets))
      }),
    )
  })
})
