import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '../domain/units.ts'
import type { Millis } from '../domain/units.ts'
import { laddersOf, profitOf, sharedTitles, sumsOf, twinGapsOf } from '../testing/coherence.ts'
import type { Coherence, Touch } from '../testing/coherence.ts'
import { createCatalogue } from './catalogue/catalogue.ts'
import { isTrading } from './catalogue/market.ts'
import type { SimMarket } from './catalogue/market.ts'
import { quoteAt } from './tape/quote.ts'
import { truthOf } from '../testing/sample-truth.ts'

const NOW = Date.parse('2026-11-20T14:00:00.000Z') as Millis
const INSTANTS = [0, 3.3, 17.1, 41.7, 66.6, 88.8].map((days) => NOW - days * DAY)

const touchAt =
  (at: number) =>
  (market: SimMarket): Touch => {
    const { bid, ask } = quoteAt(market, at)
    return { bid: bid > 0 ? bid / 100 : null, ask: ask < 10_000 ? ask / 100 : null }
  }

describe.each([1, 7, 23, 101])('the world of seed %i', (seed) => {
  const catalogue = createCatalogue({ seed, markets: 1_000, from: NOW })
  const truth = truthOf(catalogue, seed)
  const open = (at: number): SimMarket[] =>
    [...catalogue.markets('venue_a', at), ...catalogue.markets('venue_b', at)].filter((market) =>
      isTrading(market, at),
    )
  const expectCoherent = (min: number, check: (at: number) => Coherence): void => {
    const checks = INSTANTS.map(check)
    expect(checks.flatMap(({ faults }) => faults)).toEqual([])
    expect(checks.reduce((sum, { compared }) => sum + compared, 0)).toBeGreaterThan(min)
  }

  it('prices exclusive outcomes to a sum of 95 to 105 cents', () => {
    expectCoherent(20, (at) => sumsOf(catalogue, at, touchAt(at)))
    for (const at of INSTANTS)
      for (const event of new Set(open(at).map((market) => market.event)))
        if (event.exclusive) {
          const outcomes = event.template.shape.kind === 'game' ? 2 : event.markets.length
          const chances = Array.from({ length: outcomes }, (_, i) => event.view(i, at))
          expect(chances.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 6)
        }
  })

  it('prices ladders in the order of their strikes and dates', () => {
    expectCoherent(200, (at) => laddersOf(catalogue, at, touchAt(at)))
  })

  it('prices the same question alike on both venues, except for planted gaps', () => {
    expectCoherent(60, (at) => twinGapsOf(truth, at, touchAt(at)))
  })

  it('gives every open market a unique title', () => {
    const titleOf = ({ venue, question, choice }: SimMarket): string =>
      venue === 'venue_a' ? `${question} - ${choice.label}` : question
    for (const at of INSTANTS) expect(sharedTitles(open(at), titleOf)).toEqual([])
  })
})

describe('planted gaps', () => {
  const catalogue = createCatalogue({ seed: 5, markets: 2_000, from: NOW })
  const truth = truthOf(catalogue, 5)
  const profitAt = (twin: Parameters<typeof profitOf>[0], at: number): number | null =>
    isTrading(twin.a, at) && isTrading(twin.b, at) ? profitOf(twin, touchAt(at)) : null
  const gaps = INSTANTS.flatMap((at) => truth.gaps(at - 5 * DAY, at))

  it('are among the twins of every few days, and never most of them', () => {
    for (const at of INSTANTS) {
      const apart = truth.gaps(at, at + 1).flatMap(({ twins }) => twins).length
      expect(apart).toBeLessThan(truth.twins(at).length / 3)
    }
    expect(gaps.length).toBeGreaterThan(20)
  })

  it('leave a profit while they last, and none afterwards', () => {
    const apart = gaps.flatMap((gap) =>
      gap.twins
        .filter((twin) => Math.abs(truth.gapOf(twin, gap.from + HOUR)) > 8)
        .flatMap((twin) => {
          const before = profitAt(twin, gap.from - MINUTE)
          const during = profitAt(twin, gap.from + HOUR)
          const after = profitAt(twin, gap.to + MINUTE)
          return before === null || during === null || after === null
            ? []
            : [{ before, during, after }]
        }),
    )
    expect(apart.length).toBeGreaterThan(10)
    for (const { before, during, after } of apart) {
      expect(before).toBeLessThanOrEqual(0)
      expect(during).toBeGreaterThan(0)
      expect(after).toBeLessThanOrEqual(0)
    }
  })
})
