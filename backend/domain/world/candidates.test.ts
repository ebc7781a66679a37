import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { runToCompletion } from '../cooperative-steps.ts'
import {
  DAY_MS,
  NOON_ISH,
  worldMarket,
  type WorldMarketFields,
} from '../../testing/world-markets.ts'
import { DAY, HOUR, type Millis } from '../units.ts'
import { consensusBreak } from './salient/consensus-break.ts'
import { ConsensusFinder, type PairedMarket, type ThematicPeer } from './salient/consensus.ts'
import { divergenceItem, type Divergence } from './salient/divergence.ts'
import {
  marketCandidates,
  novelMarket,
  residualVolume,
  resolvingSoon,
} from './salient/market-candidates.ts'
import { regimeShift } from './salient/regime-shift.ts'
import type { WorldMarket } from './world-market.ts'

const BASELINE = (NOON_ISH - 12 * HOUR) as Millis
const finder = (
  markets: readonly WorldMarket[],
  pairs: readonly (readonly [string, PairedMarket])[] = [],
  thematic: readonly (readonly [string, readonly ThematicPeer[]])[] = [],
) => new ConsensusFinder(markets, new Map(pairs), new Map(thematic))
const breakOf = (market: WorldMarket, of: ConsensusFinder) => {
  const consensus = of.find(market)
  return consensus === null ? null : consensusBreak(market, consensus)
}

describe('resolving soon', () => {
  const market = worldMarket({
    closeTime: NOON_ISH + DAY,
    tau: 1,
    daysToEvent: 1,
    volume24hUsd: 1_000,
  })

  it('C1: mark 50 with a day to go has twice the strength needed', () => {
    expect(resolvingSoon(market, NOON_ISH)).toMatchObject({
      x: 2,
      label: '24h to close @ 50¢ — Question of KXA?',
      body: { hoursToClose: 24, closeTime: '2026-11-21T14:05:00.000Z', catalyst: null },
    })
  })

  it('counts to the expected result where the close is later', () => {
    const game = { ...market, closeTime: (NOON_ISH + 14 * DAY) as Millis, tau: 14 }
    expect(resolvingSoon(game, NOON_ISH)).toMatchObject({
      label: '24h to result @ 50¢ — Question of KXA?',
      body: { hoursToClose: 336 },
    })
  })

  it('leaves out decided, far, thin, closed or unpriced markets', () => {
    const of = (fields: Partial<WorldMarket>) => resolvingSoon({ ...market, ...fields }, NOON_ISH)
    expect(of({ mark: 98 as WorldMarket['mark'] })).toBeNull()
    expect(of({ mark: null })).toBeNull()
    expect(of({ daysToEvent: 7.1 })).toBeNull()
    expect(of({ volume24hUsd: 999 })).toBeNull()
    expect(of({ volume24hUsd: null })).toBeNull()
    expect(of({ closeTime: NOON_ISH })).toBeNull()
    expect(of({ closeTime: null })).toBeNull()
    expect(of({ daysToEvent: null, tau: null })).toBeNull()
  })

  it('is as strong for YES as for NO', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 0, max: 7 }), (mark, days) => {
        const of = (at: number) =>
          resolvingSoon({ ...market, mark: at as WorldMarket['mark'], daysToEvent: days }, NOON_ISH)
        expect(of(100 - mark)?.x ?? 0).toBeCloseTo(of(mark)?.x ?? 0, 9)
      }),
    )
  })
})

describe('residual', () => {
  it('C1: a residual of 1.8 is .9 of what is needed', () => {
    expect(residualVolume(worldMarket({ vr: 2, residualVr: 1.8 }))).toBeNull()
  })

  it('uses the volume surprise itself without a calendar entry', () => {
    const catalyst = { title: 'CPI', at: NOON_ISH }
    const items = [
      residualVolume(worldMarket({ vr: 3.288, residualVr: null, price: 52 })),
      residualVolume(worldMarket({ vr: 9, residualVr: 3.3, catalyst })),
    ]
    expect(items).toMatchObject([
      {
        x: 1.644,
        label: '3.3σ volume @ 52¢ — Question of KXA?',
        body: { residualVr: null, vr: 3.288 },
      },
      { x: 1.65, body: { residualVr: 3.3, vr: 9, scheduledCatalyst: 'CPI' } },
    ])
  })

  it('requires ten dollars of trading', () => {
    expect(residualVolume(worldMarket({ vr: 4, volume24hUsd: 9 }))).toBeNull()
    expect(residualVolume(worldMarket({ vr: 4, volume24hUsd: null }))).toBeNull()
    expect(residualVolume(worldMarket({ vr: 4, volume24hUsd: 10 }))).not.toBeNull()
  })

  it('requires a price from 5 to 95', () => {
    const of = (price: number | null) => residualVolume(worldMarket({ vr: 4, price }))
    expect([of(4.9), of(95.1), of(null)]).toEqual([null, null, null])
    expect([of(5), of(95)]).not.toContain(null)
    expect(residualVolume(worldMarket({ vr: null }))).toBeNull()
  })
})

describe('novel', () => {
  const firstSeenAt = (NOON_ISH - 3 * HOUR) as Millis
  const market = worldMarket({ firstSeenAt, volume24hUsd: 2_000 })

  it('C1: 2000 dollars traded are 1.10 of what is needed', () => {
    const item = novelMarket(market, NOON_ISH, BASELINE, 2)
    expect(item?.x).toBeCloseTo(1.1, 3)
    expect(item).toMatchObject({
      label: 'New: Question of KXA? @ 50¢',
      body: { ageHours: 3, siblings: 2, firstSeenAt: '2026-11-20T11:05:00.000Z' },
    })
  })

  it('leaves out markets known at the baseline or not traded', () => {
    expect(novelMarket({ ...market, firstSeenAt: BASELINE }, NOON_ISH, BASELINE, 0)).toBeNull()
    expect(novelMarket({ ...market, volume24hUsd: 998 }, NOON_ISH, BASELINE, 0)).toBeNull()
    expect(novelMarket({ ...market, volume24hUsd: null }, NOON_ISH, BASELINE, 0)).toBeNull()
  })

  it('names the most traded market of an event, in any order', () => {
    const markets = ['KXB', 'KXA', 'KXC'].map((ticker) =>
      worldMarket({ ...market, ticker, eventId: 'E', volume24hUsd: ticker === 'KXC' ? 9e3 : 9e4 }),
    )
    for (const order of [markets, markets.toReversed()]) {
      const items = runToCompletion(
        marketCandidates(order, NOON_ISH, BASELINE, new Map([['venue_a|E', 3]])),
      )
      expect(items.map(({ legs }) => legs[0]?.ticker)).toEqual(['KXA'])
      expect(items[0]?.body).toMatchObject({ siblings: 2 })
    }
  })
})

describe('regime shift', () => {
  const from = { disagreement: 42, geoRisk: 10, breadth: 0.13, activity: 0 }
  const shift = (to: Partial<typeof from>, path: string[] = []) =>
    regimeShift({ from, to: { ...from, ...to }, since: BASELINE, path, markets: [] })

  it('names the gauge that moved most by its unit', () => {
    expect(shift({ disagreement: 60, breadth: 0.48 })).toMatchObject({
      x: 1.4,
      label: 'Breadth +0.13 → +0.48 since 02:05 UTC',
      body: { gauge: 'breadth', from: 0.13, to: 0.48, change: 0.35 },
    })
    expect(shift({ disagreement: 57 })?.label).toBe('Disagreement 42 → 57 since 02:05 UTC')
  })

  it('names the gauge without whose move the sentence would be another', () => {
    const item = shift({ disagreement: 55, breadth: 0.3 })
    expect(item).toMatchObject({
      x: 1,
      label: 'Breadth +0.13 → +0.30 since 02:05 UTC',
      body: {
        gauge: 'breadth',
        change: 0.17,
        fromLabel: expect.stringMatching(/^Steady/) as string,
      },
    })
    expect(shift({ disagreement: 50 })).toBeNull()
    expect(shift({})).toBeNull()
  })

  it('ignores unknown gauges', () => {
    const unknown = { disagreement: null, geoRisk: null, breadth: null, activity: null }
    const input = { since: BASELINE, path: [], markets: [] }
    expect(regimeShift({ ...input, from: unknown, to: from })).toBeNull()
    const quiet = { ...from, activity: null }
    expect(
      regimeShift({ ...input, from: quiet, to: { ...from, disagreement: 44, activity: 90 } }),
    ).toBeNull()
  })

  it('names the larger move when two gauges changed the sentence together', () => {
    const quiet = { disagreement: 19, geoRisk: 0, breadth: 0, activity: 9 }
    const input = { since: BASELINE, path: [], markets: [] }
    expect(
      regimeShift({ ...input, from: quiet, to: { ...quiet, disagreement: 30, activity: 12 } })
        ?.label,
    ).toBe('Disagreement 19 → 30 since 02:05 UTC')
  })

  it('has one id for a gauge of a region', () => {
    expect(shift({ disagreement: 57 })?.id).toBe(shift({ disagreement: 80 })?.id)
    expect(shift({ disagreement: 57 })?.id).not.toBe(shift({ disagreement: 57 }, ['iran'])?.id)
  })

  it('names the three markets that moved most, ties by ticker', () => {
    const markets = [
      worldMarket({ ticker: 'D', mark: 55, markAtBaseline: 50 }),
      worldMarket({ ticker: 'C', mark: 41, markAtBaseline: 50 }),
      worldMarket({ ticker: 'B', mark: 45, markAtBaseline: 50 }),
      worldMarket({ ticker: 'A', mark: 54, markAtBaseline: 50 }),
      worldMarket({ ticker: 'E', mark: 99, markAtBaseline: null }),
    ]
    const item = regimeShift({
      from,
      to: { ...from, geoRisk: 40 },
      since: BASELINE,
      path: [],
      markets,
    })
    expect(item?.body).toMatchObject({
      drivers: [
        { ticker: 'C', delta: -9 },
        { ticker: 'B', delta: -5 },
        { ticker: 'D', delta: 5 },
      ],
    })
  })
})

describe('divergence', () => {
  const markets = new Map(
    ['KXA', 'KXB'].map((ticker) => [ticker, worldMarket({ ticker, title: ticker, theme: 'oil' })]),
  )
  const divergence: Divergence = {
    trigger: 'KXA',
    lagging: 'KXB',
    triggerMove: 87,
    laggingMove: 6,
    gap: 33,
    z: 2.65,
    confidence: 0.5,
    relation: 'theme',
    direction: 'lagging',
    theme: 'oil',
  }
  const item = (fields: Partial<Divergence> = {}) =>
    divergenceItem({ ...divergence, ...fields }, (ticker) => markets.get(ticker))

  it('marks a gap between the venues that is too wide to be believed', () => {
    const wide = item({ relation: 'cross_venue', gap: -30 })
    expect(wide).toMatchObject({ x: 1, body: { suspect: true } })
    expect(wide?.label).toContain('— 30¢ gap (probable data error) [oil]')
    expect(item({ relation: 'cross_venue', gap: 29.9 })?.x).toBeCloseTo(5.98)
  })

  it('states which market lags which and by how much', () => {
    expect(item()).toMatchObject({
      id: 's-0lb6y3',
      x: 6.6,
      confidence: 0.5,
      label: 'KXB lagging KXA — 33¢ gap [oil]',
      body: {
        lhs: { name: 'KXA', Δ: '87c', delta: 87 },
        rhs: { name: 'KXB', Δ: '6c', delta: 6 },
        gap: 33,
        triggerTicker: 'KXA',
        laggingTicker: 'KXB',
      },
    })
    expect(item({ gap: -24, direction: 'overshooting' })?.label).toBe(
      'KXB overshooting KXA — 24¢ gap [oil]',
    )
  })

  it('needs 5 cents, two deviations and two live markets', () => {
    expect(item({ gap: 4.9 })).toBeNull()
    expect(item({ z: -1.9 })).toBeNull()
    expect(item({ lagging: 'GONE' })).toBeNull()
  })
})

describe('a gap between the venues that is too wide to be believed', () => {
  const pair = [['KXA', { ticker: '0xb', confidence: 0.99, inverted: false }]] as const
  const breakAt = (mark: number) => {
    const market = worldMarket({ ticker: 'KXA', mark, price: mark, markAtBaseline: mark - 5 })
    const other = worldMarket({ ticker: '0xb', venue: 'venue_b', mark: 94, price: 94 })
    return breakOf(market, finder([market, other], pair))
  }

  it('is marked as a probable error and has the least strength', () => {
    expect(breakAt(24)).toMatchObject({
      x: 1,
      label: '24¢ vs 94¢ consensus (probable data error) — Question of KXA?',
      body: { deviation: -70, suspect: true },
    })
    expect(breakAt(65)?.x).toBe(2.9)
    expect(breakAt(65)?.body).not.toHaveProperty('suspect')
  })
})

describe('consensus', () => {
  const sibling = (ticker: string, mark: number, fields: WorldMarketFields = {}) =>
    worldMarket({
      eventId: 'E',
      exclusive: true,
      exhaustive: true,
      ticker,
      mark,
      price: mark,
      markAtBaseline: mark,
      ...fields,
    })

  it('C1: mark 52 with siblings at 30 and 33 is 15 above 37', () => {
    const market = sibling('KXA', 52, { markAtBaseline: 48 })
    const markets = [market, sibling('KXB', 30), sibling('KXC', 33)]
    expect(breakOf(market, finder(markets))).toMatchObject({
      x: 1.5,
      confidence: 0.9,
      label: '52¢ vs 37¢ consensus — Question of KXA?',
      body: {
        consensusPrice: 37,
        deviation: 15,
        basis: 'event_family',
        peers: [{ ticker: 'KXC' }, { ticker: 'KXB' }],
      },
    })
  })

  it('needs a move since the baseline, its own or a peer’s', () => {
    const still = sibling('KXA', 52)
    const markets = [still, sibling('KXB', 30), sibling('KXC', 33)]
    expect(breakOf(still, finder(markets))).toBeNull()
    const moved = sibling('KXC', 33, { markAtBaseline: 30 })
    expect(breakOf(still, finder([still, sibling('KXB', 30), moved]))).not.toBeNull()
  })

  it('stays within 0 and 100 when the marks of an event are inconsistent', () => {
    const markets = [sibling('KXA', 52), sibling('KXB', 70), sibling('KXC', 60)]
    expect(finder(markets).find(sibling('KXA', 52))?.price).toBe(0)
  })

  it('uses the other venue first and mirrors an inverted pair', () => {
    const market = sibling('KXA', 52)
    const other = worldMarket({ ticker: '0xb', venue: 'venue_b', mark: 64, markAtBaseline: 60 })
    const pair = { ticker: '0xb', confidence: 0.9, inverted: true }
    const found = finder([market, sibling('KXB', 30), other], [['KXA', pair]]).find(market)
    expect(found).toMatchObject({ price: 36, basis: 'cross_venue', confidence: 0.9 })
    const weak = finder([market, other], [['KXA', { ...pair, confidence: 0.74 }]])
    expect(weak.find(market)).toBeNull()
  })

  it('accepts any price of a rung between its neighbours', () => {
    const rung = (ticker: string, at: number, mark: number | null) =>
      worldMarket({ ticker, rung: { ladder: 'L', at }, mark, markAtBaseline: mark })
    const middle = rung('M', 120, 50)
    const ladder = [rung('HI', 200, 20), middle, rung('LO', 100, 60)]
    expect(finder(ladder).find(middle)).toMatchObject({ price: 50, basis: 'event_family' })
    const above = rung('M', 120, 75)
    expect(
      finder([...ladder.filter((market) => market !== middle), above]).find(above)?.price,
    ).toBe(60)
    expect(finder(ladder.slice(0, 2)).find(middle)).toBeNull()
    expect(finder([rung('HI', 200, null), middle, rung('LO', 100, 60)]).find(middle)).toBeNull()
    const twin = rung('M2', 120, 48)
    expect(finder([...ladder, twin]).find(middle)?.price).toBe(50)
  })

  it('follows three peers of its theme', () => {
    const market = worldMarket({ ticker: 'M', theme: 'oil', mark: 70, markAtBaseline: 50 })
    const peers = [10, 20, 30].map((move, i) =>
      worldMarket({ ticker: `P${i}`, theme: 'oil', mark: 50 + move, markAtBaseline: 50 }),
    )
    const links = peers.map(({ ticker }) => ({ ticker, beta: 0.35 }))
    expect(finder([market, ...peers], [], [['M', links]]).find(market)).toMatchObject({
      price: 57,
      basis: 'region',
      confidence: 0.5,
    })
    expect(finder([market, ...peers], [], [['M', links.slice(1)]]).find(market)).toBeNull()
  })

  it('is null without marks, books or tight spreads', () => {
    const market = sibling('KXA', 52, { markAtBaseline: 40 })
    const others = [sibling('KXB', 30), sibling('KXC', 33)]
    const of = (fields: WorldMarketFields) => {
      const changed = sibling('KXA', 52, { markAtBaseline: 40, ...fields })
      return breakOf(changed, finder([changed, ...others]))
    }
    expect(of({})).not.toBeNull()
    expect(of({ mark: null })).toBeNull()
    expect(of({ twoSided: false })).toBeNull()
    expect(of({ spread: 10.1 })).toBeNull()
    expect(of({ spread: null })).toBeNull()
    const unmarked = { ...sibling('KXB', 30), mark: null }
    expect(breakOf(market, finder([market, unmarked, sibling('KXC', 33)]))).toBeNull()
  })

  it('stays within 0 and 100 for a theme however far its peers moved', () => {
    const move = fc.integer({ min: -90, max: 9 })
    fc.assert(
      fc.property(fc.array(move, { minLength: 3, maxLength: 5 }), (moves) => {
        const market = worldMarket({ ticker: 'M', mark: 50, markAtBaseline: 50 })
        const peers = moves.map((by, i) =>
          worldMarket({ ticker: `P${i}`, mark: 90 + by, markAtBaseline: 90 }),
        )
        const links = peers.map(({ ticker }) => ({ ticker, beta: 1.5 }))
        const price = finder([market, ...peers], [], [['M', links]]).find(market)?.price ?? -1
        expect(price).toBeGreaterThanOrEqual(0)
        expect(price).toBeLessThanOrEqual(100)
      }),
    )
  })
})

it('gives no candidate for markets without data', () => {
  const bare = worldMarket({
    price: null,
    mark: null,
    markAtBaseline: null,
    spread: null,
    twoSided: false,
    volume24hUsd: null,
    tau: null,
    closeTime: null,
    vr: null,
    firstSeenAt: NOON_ISH - DAY_MS / 24,
  })
  expect(runToCompletion(marketCandidates([bare], NOON_ISH, BASELINE, new Map()))).toEqual([])
  expect(breakOf(bare, finder([bare]))).toBeNull()
})
