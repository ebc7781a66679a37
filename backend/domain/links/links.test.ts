import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { fingerprintOf } from '../pairing/fingerprint.ts'
import { roundTo } from '../units.ts'
import type { Cents, Millis } from '../units.ts'
import { contagionGaps } from './contagion.ts'
import type { ContagionGap, ContagionMarket } from './contagion.ts'
import { distinctGaps } from './distinct-gaps.ts'
import { gapSentence } from './gap-sentence.ts'
import { QuestionGroups } from './question-groups.ts'
import { closedShare, gapRecords } from './gap-record.ts'
import { gapDirection, gapSignificance, responseGap, servedGap } from './gaps.ts'
import type { GapReading } from './gaps.ts'
import { discoverLeadLags, isLagCandidate } from './lead-lag.ts'
import { linkGraph } from './link-graph.ts'
import type { LinkMarket, MarketLink } from './link-graph.ts'
import { exclusiveBeta, responseCoefficient, shrunkBeta } from './response.ts'
import { isStructural } from './structural-gap.ts'
import { seriesStem } from './series-stem.ts'

const cents = (value: number) => value as Cents

function linked(
  ticker: string,
  title: string,
  changes: Partial<
    LinkMarket & { eventId: string; venue: 'venue_a' | 'venue_b'; subtitle: string }
  > = {},
): LinkMarket {
  const fingerprint = fingerprintOf({
    venue: changes.venue ?? 'venue_a',
    ticker,
    title,
    subtitle: changes.subtitle ?? null,
    description: '',
    eventId: changes.eventId ?? ticker,
    eventTitle: null,
    seriesTitle: null,
    tags: [],
    category: 'politics',
    closeTime: Date.parse('2026-12-31T00:00:00Z') as Millis,
    mark: null,
  })
  return { fingerprint, title, seriesId: null, exclusive: false, liquidity: 'high', ...changes }
}
const NOTHING = { pairs: [], leadLags: [] }

describe('link graph', () => {
  it('D1: two outcomes of an exclusive event that are also rungs keep same_event_exclusive', () => {
    const rungs = [100, 110].map((strike) =>
      linked(`T${strike}`, `Oil above $${strike} on July 31, 2026?`, {
        eventId: 'E',
        exclusive: true,
      }),
    )
    expect(linkGraph(rungs, NOTHING)).toEqual([
      {
        i: 'T100',
        j: 'T110',
        kind: 'same_event_exclusive',
        sign: -1,
        priorBeta: null,
        confidence: 0.95,
      },
    ])
  })

  it('links neighbouring rungs of strikes and dates only', () => {
    const strikes = [100, 110, 120].map((strike) =>
      linked(`T${strike}`, `Oil above $${strike} on July 31, 2026?`, { eventId: 'E' }),
    )
    const ladder = linkGraph(strikes, NOTHING).filter(({ kind }) => kind === 'ladder')
    expect(ladder.map(({ i, j }) => `${i}-${j}`)).toEqual(['T100-T110', 'T110-T120'])
    expect(ladder[0]).toMatchObject({ priorBeta: 0.8, confidence: 0.9, sign: 1 })
  })

  it('links the same question of a series in another period', () => {
    const months = ['March', 'April'].map((month) => linked(month, `Fed cut in ${month} 2026?`))
    expect(linkGraph(months, NOTHING)).toMatchObject([
      { kind: 'series_sibling', priorBeta: 0.5, confidence: 0.7 },
    ])
  })

  it('takes pairs from .60 on, inverted ones with a negative response', () => {
    const markets = [linked('A', 'Will it rain?'), linked('b', 'Is it dry?', { venue: 'venue_b' })]
    const pair = { a: 'A', b: 'b', confidence: 0.6, inverted: true }
    expect(linkGraph(markets, { pairs: [pair], leadLags: [] })).toMatchObject([
      { kind: 'cross_venue', sign: -1, priorBeta: -1, confidence: 0.6 },
    ])
    const weak = { ...pair, confidence: 0.59 }
    expect(linkGraph(markets, { pairs: [weak], leadLags: [] })).toEqual([])
  })

  it('links markets of one theme that share names or words', () => {
    const markets = [
      linked('A', 'Will Russia capture Sumy before October?'),
      linked('B', 'Will Russia capture Lyman before October?'),
      linked('C', 'Best picture winner at the Oscars'),
    ]
    expect(linkGraph(markets, NOTHING)).toMatchObject([
      { i: 'A', j: 'B', kind: 'thematic', confidence: 0.5, priorBeta: 0.35 },
    ])
  })

  it('keeps at most twenty neighbours each, whatever the order of the markets', () => {
    const outcomes = Array.from({ length: 60 }, (_, i) =>
      linked(`T${i + 100}`, `Who wins? - Name${i}`, { eventId: 'E', exclusive: true }),
    )
    const links = linkGraph(outcomes, NOTHING)
    const degrees = new Map<string, number>()
    for (const { i, j } of links) {
      for (const end of [i, j]) degrees.set(end, (degrees.get(end) ?? 0) + 1)
    }
    expect(Math.max(...degrees.values())).toBe(20)
    expect(linkGraph([...outcomes].reverse(), NOTHING)).toEqual(links)
    expect(linkGraph([], NOTHING)).toEqual([])
  })

  it.each([
    ['US strikes Iran by February 5, 2026?', 'us-strikes-iran'],
    ['US strikes Iran by March 31?', 'us-strikes-iran'],
    ['Kraken IPO before 2027?', 'kraken-ipo'],
    ['Kraken IPO in 2025?', 'kraken-ipo'],
    ['Fed cut in March 2026?', 'fed-cut'],
    ['GDP growth Q1 2026', 'gdp-growth'],
    ['Erdoğan out by end of 2026?', 'erdogan-out'],
    ['Elon Musk tweets August 14 to August 21, 2026?', 'elon-musk-tweets'],
    ['Starmer out by the end of the year?', 'starmer-out'],
    ['high temp 2026-08-19', 'high-temp'],
    ['2026', '2026'],
  ])('strips the period of “%s”', (title, stem) => {
    expect(seriesStem(title)).toBe(stem)
  })
})

describe('response', () => {
  it('D2: n 40, slope .6, prior .35 is .5167', () => {
    expect(roundTo(shrunkBeta(0.6, 40, 0.35), 4)).toBe(0.5167)
    const changes = Float64Array.from({ length: 60 }, (_, i) => (i < 40 ? 2 : 0.5))
    const answers = changes.map((change) => change * 0.6)
    const { beta, n } = responseCoefficient(changes, answers, 0.35)
    expect([roundTo(beta, 4), n]).toEqual([0.5167, 40])
  })

  it('D2: an exclusive outcome takes its share of what another loses', () => {
    expect(roundTo(exclusiveBeta(cents(40), cents(20))! * -10, 2)).toBe(3.33)
    expect(exclusiveBeta(cents(100), cents(0))).toBeNull()
  })

  it('uses the prior without history, skips unknown hours and stays within ±1.5', () => {
    expect(responseCoefficient(new Float64Array(0), new Float64Array(0), 0.5)).toEqual({
      beta: 0.5,
      n: 0,
    })
    const gaps = Float64Array.of(Number.NaN, 4)
    expect(responseCoefficient(gaps, Float64Array.of(9, Number.NaN), 0.5).n).toBe(0)
    const series = fc.array(fc.double({ min: -50, max: 50, noNaN: true }), { minLength: 2 })
    fc.assert(
      fc.property(series, series, (x, y) => {
        const { beta } = responseCoefficient(Float64Array.from(x), Float64Array.from(y), 0.5)
        expect(Math.abs(beta)).toBeLessThanOrEqual(1.5)
      }),
    )
  })
})

describe('lead and lag', () => {
  /** A fixed series that looks random. */
  const noise = (seed: number, length: number): Float64Array => {
    let state = seed
    return Float64Array.from({ length }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
      return ((state >>> 16) % 11) - 5
    })
  }
  const leader = noise(1, 336)
  const follower = leader.map((_, hour) => (leader[hour - 2] ?? 0) + (noise(2, 336)[hour] ?? 0) / 5)
  const markets = [
    { ticker: 'L', theme: 'iran', changes: leader },
    { ticker: 'F', theme: 'iran', changes: follower },
    { ticker: 'N', theme: 'iran', changes: noise(7, 336) },
    { ticker: 'O', theme: 'oil', changes: follower },
  ]

  it('D3: n 400 requires .15; .22 at lag 2 against .10 at lag 0 is a candidate', () => {
    expect(isLagCandidate(0.22, 0.1, 400)).toBe(true)
    expect(isLagCandidate(0.149, 0, 400)).toBe(false)
    expect(isLagCandidate(0.22, 0.18, 400)).toBe(false)
  })

  it('finds which market moves first, inside a theme only, and nothing in noise', () => {
    const found = discoverLeadLags(markets)
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({ leader: 'L', follower: 'F', lagHours: 2 })
    expect(found[0]!.confidence).toBeCloseTo(0.4 + 0.4 * found[0]!.rho ** 2)
    expect(discoverLeadLags([...markets].reverse())).toEqual(found)
    expect(discoverLeadLags([])).toEqual([])
  })

  it('requires the same sign in both halves and a hundred hours of changes', () => {
    const turned = follower.map((change, hour) => (hour < 200 ? change : -change))
    const pair = (changes: Float64Array) => [markets[0]!, { ticker: 'F', theme: 'iran', changes }]
    expect(discoverLeadLags(pair(turned))).toEqual([])
    expect(
      discoverLeadLags(pair(follower.map((change, hour) => (hour < 99 ? change : 0)))),
    ).toEqual([])
  })
})

describe('gaps', () => {
  it('D4: the remaining expected move of j', () => {
    const { expected, gap } = responseGap(87, 6, cents(10), 0.448276)!
    expect([roundTo(expected, 4), roundTo(gap, 4)]).toEqual([39, 33])
    expect(responseGap(20, 0, cents(97), 0.5)!.expected).toBe(3)
    expect(responseGap(4.9, 0, cents(50), 0.5)).toBeNull()
    expect(responseGap(null, 0, cents(50), 0.5)).toBeNull()
    expect(responseGap(9, 0, null, 0.5)).toBeNull()
    expect(roundTo(responseGap(-24, 18, cents(50), 0.25)!.gap, 4)).toBe(-24)
    expect(roundTo(responseGap(29, 60, cents(20), 0.345)!.gap, 1)).toBe(-50)
  })

  const reading = (changes: Partial<GapReading['lagging']> = {}): GapReading => ({
    trigger: { move: 12, liquidity: 'high', spread: cents(1) },
    lagging: {
      move: 1,
      before: cents(40),
      volatility: 0.8,
      idleHours: 2,
      liquidity: 'high',
      spread: cents(2),
      ...changes,
    },
    kind: 'thematic',
    confidence: 0.5,
    beta: 0.5167,
    hours: 6,
  })

  it('D5: a lagging market and its strength', () => {
    const served = servedGap(reading())!
    expect(served).toMatchObject({ gap: 5.2, direction: 'lagging', relation: 'theme' })
    expect(roundTo(served.z, 2)).toBe(2.65)
    expect(roundTo(served.strength, 3)).toBe(0.285)
  })

  it('D5: a move the other way overshoots', () => {
    const served = servedGap({
      ...reading({ move: 18 }),
      trigger: { move: -24, liquidity: 'high', spread: cents(1) },
      beta: 0.25,
    })
    expect(served).toMatchObject({ gap: -24, direction: 'overshooting' })
    expect(gapDirection(0, 4)).toBeNull()
  })

  it.each([
    ['a small gap', { move: 3 }],
    ['noise', { volatility: 2 }],
    ['no volatility', { volatility: null }],
    ['no two-sided book', { spread: null }],
    ['a wide book', { spread: cents(11) }],
    ['a market where nothing happens', { idleHours: 25 }],
    ['an unknown last event', { idleHours: null }],
    ['no mark', { before: null }],
    ['no move known', { move: null }],
  ])('serves nothing for %s', (_, changes) => {
    expect(servedGap(reading(changes))).toBeNull()
  })

  it('floors the volatility', () => {
    expect(gapSignificance(6, 0, 4)).toBe(10)
  })
})

describe('contagion', () => {
  const link: MarketLink = {
    i: 'A',
    j: 'B',
    kind: 'ladder',
    sign: 1,
    priorBeta: 0.8,
    confidence: 0.9,
  }
  const market = (move: number, before = 40): ContagionMarket => ({
    move,
    before: cents(before),
    spread: cents(1),
    liquidity: 'high',
    volatility: 0.5,
    idleHours: 1,
  })
  const readings = (markets: Readonly<Record<string, ContagionMarket>>) => ({
    marketOf: (ticker: string) => markets[ticker] ?? null,
    betaOf: () => null,
    hours: 6,
  })

  it('finds lagging markets', () => {
    const gaps = contagionGaps([link], readings({ A: market(20), B: market(0) }))
    expect(gaps).toMatchObject([
      { trigger: 'A', lagging: 'B', gap: 16, relation: 'series_sibling' },
    ])
    expect(contagionGaps([link], readings({ A: market(20) }))).toEqual([])
  })

  it('computes exclusive outcomes from their prices', () => {
    const exclusive: MarketLink = {
      ...link,
      kind: 'same_event_exclusive',
      sign: -1,
      priorBeta: null,
    }
    const [gap] = contagionGaps([exclusive], readings({ A: market(-30, 40), B: market(0, 30) }))
    expect(gap).toMatchObject({ trigger: 'A', lagging: 'B', gap: 15 })
  })
})

describe('records of gaps', () => {
  it('D6: a gap of 6.2 with 2.0 left closed 67.7 %', () => {
    expect(roundTo(closedShare(6.2, 2)! * 100, 1)).toBe(67.7)
    expect(closedShare(6.2, null)).toBeNull()
  })

  it('marks a kind as unproven after a hundred gaps without evidence of closing', () => {
    const gaps = (closing: number, n: number) =>
      Array.from({ length: n }, (_, i) => ({
        kind: 'thematic' as const,
        gap: 10,
        after: { 1: null, 6: 8, 24: i < closing ? 5 : 12 },
      }))
    expect(gapRecords(gaps(55, 100))[0]).toMatchObject({ n: 100, hitRate: 0.55, unproven: true })
    expect(gapRecords(gaps(65, 100))[0]!.unproven).toBe(false)
    expect(gapRecords(gaps(0, 99))[0]!.unproven).toBe(false)
    expect(gapRecords(gaps(65, 100))[0]!.closed).toMatchObject([
      { hours: 6 },
      { hours: 24, n: 100 },
    ])
    expect(gapRecords([])).toEqual([])
  })
})

describe('distinct gaps', () => {
  const gapOf = (
    trigger: string,
    lagging: string,
    gap: number,
    changes: Partial<ContagionGap> = {},
  ) =>
    ({ trigger, lagging, gap, direction: 'lagging', relation: 'theme', ...changes }) as ContagionGap
  /** Markets `E:1` and `E:2` are of event E; events in lower case are exclusive. */
  const groups = (twins: readonly [string, string][] = []) =>
    new QuestionGroups(
      (ticker) => {
        const event = ticker.split(':')[0] ?? ''
        return event === '' ? null : { event, exclusive: event === event.toLowerCase() }
      },
      twins.map(([a, b]) => ({ a, b, confidence: 0.8 })),
    )
  const kept = (gaps: readonly ContagionGap[], twins: readonly [string, string][] = []) =>
    distinctGaps(gaps, groups(twins)).map(({ trigger, lagging }) => `${trigger} > ${lagging}`)

  it('keeps one direction of a link, the lagging one', () => {
    const over = gapOf('A:1', 'B:1', -9, { direction: 'overshooting' })
    expect(kept([over, gapOf('B:1', 'A:1', 6)])).toEqual(['B:1 > A:1'])
    expect(kept([over, gapOf('B:1', 'A:1', -6, { direction: 'overshooting' })])).toEqual([
      'A:1 > B:1',
    ])
  })

  it('keeps one outcome of an exclusive event and one of two twins', () => {
    const outcomes = [gapOf('A:1', 'e:1', 9), gapOf('A:1', 'e:2', -8), gapOf('e:1', 'e:2', 7)]
    expect(kept(outcomes)).toEqual(['A:1 > e:1', 'e:1 > e:2'])
    expect(kept([gapOf('A:1', 'B:1', 9), gapOf('A:1', 'C:1', 8)], [['B:1', 'C:1']])).toEqual([
      'A:1 > B:1',
    ])
  })

  it('keeps a gap between the venues beside one between their outcomes', () => {
    const between = gapOf('e:1', 'f:1', 9, { relation: 'cross_venue' })
    expect(kept([between, gapOf('e:1', 'e:2', 8)], [['e:1', 'f:1']])).toEqual([
      'e:1 > f:1',
      'e:1 > e:2',
    ])
  })

  it('keeps two gaps per event and none of unknown markets', () => {
    const rungs = [1, 2, 3].map((rung) => gapOf(`E:${rung}`, `E:${rung + 1}`, 10 - rung))
    expect(kept([gapOf('', 'E:1', 20), ...rungs])).toEqual(['E:1 > E:2', 'E:2 > E:3'])
  })

  it.each([
    [1, 5.2, 'moved +1¢ where +6.2¢ usually follows: 5.2¢ too low'],
    [18, -24, 'moved +18¢ where -6¢ usually follows: 24¢ too high'],
    [-15, 8.8, 'moved -15¢ where -6.2¢ usually follows: 8.8¢ too low'],
    [0, -5, 'moved 0¢ where -5¢ usually follows: 5¢ too high'],
    [10, -14.06, 'moved +10¢ where -4.1¢ usually follows: 14.1¢ too high'],
  ])('a move of %s with %s to go: %s', (laggingMove, gap, sentence) => {
    expect(gapSentence({ laggingMove, gap })).toBe(sentence)
  })
})

describe('gaps inside one event', () => {
  const ends = (beforeI: number, moveI: number, beforeJ: number, moveJ: number) =>
    [
      { before: cents(beforeI), move: moveI },
      { before: cents(beforeJ), move: moveJ },
    ] as const
  const gapOn = (
    kind: MarketLink['kind'],
    direction: ContagionGap['direction'],
    sign: 1 | -1 = 1,
  ) => ({ link: { kind, sign }, direction, gap: 10 }) as ContagionGap
  const sums = (moves: number | null, prices: number | null = null) => ({ moves, prices })

  it('are structure while the sum of an exclusive event stays the same', () => {
    const [trigger, lagging] = ends(40, -33, 30, -15)
    const gap = gapOn('same_event_exclusive', 'overshooting', -1)
    expect(isStructural(gap, trigger, lagging, sums(2))).toBe(true)
    expect(isStructural(gap, trigger, lagging, sums(-9))).toBe(false)
    expect(isStructural(gap, trigger, lagging, sums(null))).toBe(false)
  })

  it('are structure when the expected move would take the sum of the prices away from 100', () => {
    const [trigger, lagging] = ends(80, -33, 53, 0)
    const rising = { ...gapOn('same_event_exclusive', 'lagging', -1), gap: 38 }
    const falling = { ...rising, gap: -9 }
    // 45 and 53 and 2: the outcome that is called too low would bring the sum to 138.
    expect(isStructural(rising, trigger, lagging, sums(-33, 100))).toBe(true)
    expect(isStructural(rising, trigger, lagging, sums(-33, 93))).toBe(false)
    expect(isStructural(falling, trigger, lagging, sums(-33, 93))).toBe(true)
    expect(isStructural(falling, trigger, lagging, sums(-33, 108))).toBe(false)
    // Outcomes without a market may hold the rest.
    expect(isStructural(falling, trigger, lagging, sums(-33, 60))).toBe(false)
  })

  it('are structure while the rungs of a ladder keep their order', () => {
    const overshooting = gapOn('ladder', 'overshooting')
    const [trigger, lagging] = ends(80, 6, 60, 25)
    expect(isStructural(overshooting, trigger, lagging, sums(null))).toBe(true)
    expect(isStructural(gapOn('ladder', 'lagging'), trigger, lagging, sums(null))).toBe(false)
    const [slow, crossed] = ends(80, 6, 60, 30)
    expect(isStructural(overshooting, slow, crossed, sums(null))).toBe(false)
    expect(isStructural(gapOn('thematic', 'overshooting'), trigger, lagging, sums(null))).toBe(
      false,
    )
  })
})
