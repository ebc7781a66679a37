import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import type { FeeTerms } from '../fees.ts'
import type { BookLevel, OrderBook } from '../market.ts'
import { roundTo, sizeOfContracts } from '../units.ts'
import type { Cents, Millis, PriceE4 } from '../units.ts'
import { convictionOf, ideaId, selectIdeas, timeHorizon } from './ideas.ts'
import type { IdeaCandidate } from './ideas.ts'
import {
  annualisedYield,
  basketEdges,
  crossVenueEdge,
  executablePairGap,
  invertedBook,
  isTradablePair,
} from './implied-edges.ts'
import { ladderEdges } from './ladder-edges.ts'
import { considerConfidence, kellyShare, sizeHintOf, suggestionOf } from './suggestion.ts'
import type { SuggestionFacts } from './suggestion.ts'
import {
  edgeStrength,
  edgeTypeOf,
  executableEdge,
  marketAbsorption,
  thesisEdge,
} from './thesis-edge.ts'

const cents = (value: number) => value as Cents
const TAKER: FeeTerms = { model: 'quadratic', kind: 'quadratic', multiplier: 1, waivedUntil: null }
const SCHEDULE: FeeTerms = { model: 'schedule', rate: 0.04, exponent: 1, takerOnly: true }
const level = (price: number, size: number): BookLevel => ({
  price: Math.round(price * 100) as PriceE4,
  size: sizeOfContracts(size),
})
const book = (
  bids: readonly (readonly [number, number])[],
  asks: readonly (readonly [number, number])[],
): OrderBook => ({
  bids: bids.map(([price, size]) => level(price, size)),
  asks: asks.map(([price, size]) => level(price, size)),
})

describe('thesis edge', () => {
  const thesis = {
    thesisPrice: cents(35),
    firstThesisPrice: cents(35),
    firstMarketPrice: cents(49),
    thesisConfidence: 0.6,
    ownConfidence: null,
  }

  it('E1: 49 at first, thesis 35, price 42', () => {
    expect(thesisEdge(thesis, cents(42))).toEqual({
      edge: -7,
      direction: 'no',
      absorption: 0.5,
      confidence: 0.36,
    })
  })

  it('is null under a cent or without a price, and has no absorption then', () => {
    expect(thesisEdge(thesis, cents(35.5))).toBeNull()
    expect(thesisEdge(thesis, null)).toBeNull()
    expect(
      marketAbsorption(cents(40), { firstThesisPrice: cents(35), firstMarketPrice: cents(35.5) }),
    ).toBeNull()
    expect(
      marketAbsorption(cents(40), { firstThesisPrice: cents(35), firstMarketPrice: null }),
    ).toBeNull()
  })

  it('E2: thesis 35 against 120 at 23 leaves 10.76', () => {
    const market = {
      book: book([[22, 10]], [[23, 120]]),
      price: cents(22),
      spread: cents(1),
      fees: TAKER,
    }
    const found = executableEdge(cents(35), 'yes', market)
    expect(roundTo(found.edge!, 2)).toBe(10.76)
    expect(found).toMatchObject({ sizeAvailable: 100, estimated: false })
  })

  it('prices the available depth, estimates without a book and is null without a price', () => {
    const market = {
      book: book([[22, 10]], [[23, 40]]),
      price: cents(22),
      spread: cents(1),
      fees: null,
    }
    expect(executableEdge(cents(35), 'yes', market).sizeAvailable).toBe(40)
    expect(executableEdge(cents(35), 'yes', { ...market, book: null })).toMatchObject({
      edge: 12,
      estimated: true,
    })
    expect(
      executableEdge(cents(35), 'yes', { ...market, book: book([[22, 1]], []) }).edge,
    ).toBeNull()
    expect(executableEdge(cents(35), 'yes', { ...market, book: null, price: null }).edge).toBeNull()
  })

  it('E2: YES at p is NO at 100 − p on the mirrored book', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 2, max: 98 }), (fair, ask) => {
        const asks = book([], [[ask, 100]])
        const yes = executableEdge(cents(fair), 'yes', {
          book: asks,
          price: null,
          spread: null,
          fees: TAKER,
        })
        const no = executableEdge(cents(100 - fair), 'no', {
          book: invertedBook(asks),
          price: null,
          spread: null,
          fees: TAKER,
        })
        expect(no.edge).toBeCloseTo(yes.edge!, 9)
      }),
    )
  })

  it('E6: 10.76 at .36, half absorbed, in a liquid market is 1.94', () => {
    expect(roundTo(edgeStrength(10.76, 0.36, 0.5, 'high')!, 2)).toBe(1.94)
    expect(edgeStrength(null, 0.36, 0.5, 'high')).toBeNull()
  })

  it('E6: returns the first matching kind of edge', () => {
    const market = { onDateLadder: false, residualVr: null, price: cents(50) }
    expect(edgeTypeOf({ ...market, onDateLadder: true, residualVr: 3 })).toBe('timing_gap')
    expect(edgeTypeOf({ ...market, residualVr: 2 })).toBe('attention_gap')
    expect(edgeTypeOf({ ...market, price: cents(90) })).toBe('risk_premium')
    expect(edgeTypeOf({ ...market, price: null })).toBe('consensus_gap')
  })
})

describe('cross-venue edge', () => {
  const a = { book: book([[40, 50]], [[41, 100]]), fees: TAKER }
  const b = { book: book([[46, 80]], [[48, 10]]), fees: SCHEDULE }

  it('E3: ask 41 against bid 46 nets 2.31', () => {
    const edge = crossVenueEdge(a, b)!
    expect(roundTo(edge.net, 2)).toBe(2.31)
    expect(edge).toMatchObject({ buyYes: 'a', size: 80 })
    expect(roundTo(annualisedYield(edge, 30)!, 2)).toBe(28.81)
    expect(annualisedYield(edge, null)).toBeNull()
  })

  it('counts the size only while each further contract is profitable', () => {
    const deep = {
      book: book(
        [
          [46, 80],
          [40, 900],
        ],
        [],
      ),
      fees: SCHEDULE,
    }
    expect(crossVenueEdge({ ...a, book: book([], [[41, 200]]) }, deep)!.size).toBe(80)
  })

  it('is unknown without both books, negative without a profit', () => {
    expect(crossVenueEdge({ book: null, fees: null }, b)).toBeNull()
    expect(executablePairGap({ book: null, fees: null }, b)).toBeNull()
    expect(crossVenueEdge(a, { ...a })!.net).toBeLessThan(0)
    expect(executablePairGap(a, b)!).toBeCloseTo(crossVenueEdge(a, b)!.net, 9)
  })

  it('requires a confident pair with near closes, no difference in rules and a believable edge', () => {
    const pair = { confidence: 0.8, closeDeltaDays: 90, decisionDeltaDays: null }
    expect(isTradablePair(pair, false, null)).toBe(true)
    expect(isTradablePair(pair, false, 20)).toBe(true)
    expect(isTradablePair(pair, false, 20.1)).toBe(false)
    expect(isTradablePair(pair, true, 2)).toBe(false)
    expect(isTradablePair({ ...pair, closeDeltaDays: null }, false, 2)).toBe(false)
    expect(isTradablePair({ ...pair, confidence: 0.79 }, false, 2)).toBe(false)
  })
})

describe('baskets', () => {
  const outcome = (bid: number, ask: number) => ({
    book: book([[bid, 50]], [[ask, 20]]),
    fees: TAKER,
  })
  const event = { exclusive: true, exhaustive: true }

  it('E4: asks 30, 28, 35 net 2.53', () => {
    const [edge] = basketEdges([outcome(29, 30), outcome(27, 28), outcome(34, 35)], event)
    expect(edge).toMatchObject({ kind: 'underround', size: 20 })
    expect(roundTo(edge!.net, 2)).toBe(2.53)
  })

  it('sells when bids are over 100, buys only when exactly one wins', () => {
    const outcomes = [outcome(50, 52), outcome(55, 57)]
    expect(basketEdges(outcomes, { ...event, exhaustive: false }).map(({ kind }) => kind)).toEqual([
      'overround',
    ])
    expect(basketEdges(outcomes, { exclusive: false, exhaustive: true })).toEqual([])
    expect(basketEdges([...outcomes, { book: null, fees: null }], event)).toEqual([])
    expect(basketEdges(outcomes.slice(1), event)).toEqual([])
  })
})

describe('ladders', () => {
  const rung = (at: number, bid: number, ask: number, mark: number | null = (bid + ask) / 2) => ({
    ticker: `T${at}`,
    rung: at,
    book: book([[bid, 30]], [[ask, 20]]),
    mark: mark as Cents | null,
    fees: TAKER,
    source: null,
  })

  it('E5: 110 is bid 42 over an ask of 38 at 100', () => {
    const [edge, ...more] = ladderEdges([rung(100, 37, 38), rung(110, 42, 43)], 'above')
    expect(more).toEqual([])
    expect(edge).toMatchObject({ easier: 'T100', harder: 'T110', size: 20, soft: false })
    expect(roundTo(edge!.net!, 2)).toBe(0.65)
  })

  it('reverses for deadlines and serves violations by marks as soft', () => {
    expect(ladderEdges([rung(1, 42, 43), rung(2, 37, 38)], 'by')).toMatchObject([
      { easier: 'T2', harder: 'T1', soft: false },
    ])
    expect(ladderEdges([rung(100, 30, 45, 36), rung(110, 30, 50, 40)], 'above')).toMatchObject([
      { net: null, size: 0, markViolation: 4, soft: true },
    ])
    expect(ladderEdges([rung(100, 30, 45, 36), rung(110, 30, 50, 37)], 'above')).toEqual([])
    expect(ladderEdges([rung(100, 30, 45, null), rung(110, 30, 50, 60)], 'above')).toEqual([])
  })

  it('compares no rungs of different sources and finds nothing on a decreasing ladder', () => {
    const [low, high] = [rung(100, 37, 38), rung(110, 42, 43)]
    expect(
      ladderEdges(
        [
          { ...low, source: 'x' },
          { ...high, source: 'y' },
        ],
        'above',
      ),
    ).toEqual([])
    expect(ladderEdges([rung(100, 60, 61), rung(110, 42, 43), rung(120, 20, 21)], 'above')).toEqual(
      [],
    )
  })
})

describe('suggestion', () => {
  const facts: SuggestionFacts = {
    isLive: true,
    liquidity: 'high',
    spread: 1,
    tau: 30,
    disputed: false,
    pairConflict: false,
    edge: {
      kind: null,
      edge: 13,
      direction: 'yes',
      executable: 10.76,
      fair: 35,
      cost: 24.24,
      confidence: 0.36,
    },
    asScore: 0.577,
    volatility: 1,
    isPanic: false,
    catalystHours: null,
  }

  it('states an adverse selection that is measured, not the prior of an event type', () => {
    const { warnings, action } = suggestionOf({ ...facts, asScore: 0.75 })
    expect(warnings).toContain('adverse selection is 0.75')
    const assumed = suggestionOf({ ...facts, asScore: 0.75, asIsPrior: true })
    expect(assumed.action).toBe(action)
    expect(assumed.warnings).not.toContain('adverse selection is 0.75')
  })

  it('E7: fair 35 at a cost of 24.24 is a medium .2269', () => {
    expect(suggestionOf(facts)).toMatchObject({
      action: 'consider_long',
      confidence: 0.2269,
      sizeHint: 'medium',
    })
    expect(roundTo(kellyShare(35, 24.24), 4)).toBe(0.0355)
    expect(suggestionOf({ ...facts, edge: { ...facts.edge!, direction: 'no' } }).action).toBe(
      'consider_short',
    )
  })

  it.each([
    [{ isLive: false }, 'avoid'],
    [{ spread: 16 }, 'avoid'],
    [{ tau: 1 / 25 }, 'avoid'],
    [{ disputed: true }, 'avoid'],
    [{ pairConflict: true }, 'avoid'],
    [{ liquidity: 'low', edge: null }, 'avoid'],
    [{ edge: { ...facts.edge!, executable: 2.9 } }, 'wait'],
    [{ edge: { ...facts.edge!, executable: null } }, 'wait'],
    [{ edge: null, isPanic: true }, 'wait'],
    [{ edge: null, catalystHours: 24 }, 'wait'],
    [{ edge: { ...facts.edge!, confidence: 0.29 } }, 'monitor'],
    [{ asScore: 0.65, edge: { ...facts.edge!, executable: 5.9 } }, 'monitor'],
    [{ volatility: 6 }, 'monitor'],
    [{ volatility: null }, 'monitor'],
    [{ edge: null }, 'monitor'],
    [{ tau: null }, 'consider_long'],
  ] as const)('%j is %s', (changes, action) => {
    expect(suggestionOf({ ...facts, ...changes }).action).toBe(action)
  })

  it.each([
    [
      null,
      'Consider yes: 10.76¢ are left of 13¢ after costs.',
      '10.76¢ left after costs on yes',
      'costs leave 2¢ of 13¢',
      'the edge cannot be traded now',
    ],
    [
      'cross_venue',
      'Consider yes together with the same question on the other venue: 10.76¢ are left after costs.',
      '10.76¢ left after costs on yes together with the same question on the other venue',
      'costs leave 2¢ together with the same question on the other venue',
      'the edge cannot be traded together with the same question on the other venue now',
    ],
    [
      'basket',
      'Consider yes together with every other outcome of the event: 10.76¢ are left after costs.',
      '10.76¢ left after costs on yes together with every other outcome of the event',
      'costs leave 2¢ together with every other outcome of the event',
      'the edge cannot be traded together with every other outcome of the event now',
    ],
    [
      'ladder',
      'Consider yes together with the neighbouring strike or date: 10.76¢ are left after costs.',
      '10.76¢ left after costs on yes together with the neighbouring strike or date',
      'costs leave 2¢ together with the neighbouring strike or date',
      'the edge cannot be traded together with the neighbouring strike or date now',
    ],
  ] as const)('names all legs of an edge: %s', (kind, considered, positive, little, none) => {
    const edge = { ...facts.edge!, kind }
    const found = suggestionOf({ ...facts, edge })
    expect([found.reasoning, found.positives[0]]).toEqual([considered, positive])
    for (const [executable, words] of [
      [2, little],
      [null, none],
    ] as const) {
      const waiting = suggestionOf({ ...facts, edge: { ...edge, executable } })
      expect([waiting.reasoning, waiting.warnings[0]]).toEqual([`Wait: ${words}.`, words])
    }
  })

  it('is more confident to avoid with each reason, up to .9', () => {
    expect(suggestionOf({ ...facts, isLive: false }).confidence).toBe(0.6)
    const worst = {
      ...facts,
      isLive: false,
      spread: 20,
      tau: 0.01,
      disputed: true,
      pairConflict: true,
    }
    expect(suggestionOf(worst).confidence).toBe(0.9)
    expect(suggestionOf(worst).warnings).toHaveLength(5)
  })

  it('is never stronger than consider, and its confidence is bounded', () => {
    const number = fc.option(fc.double({ min: -50, max: 50, noNaN: true }))
    fc.assert(
      fc.property(
        number,
        number,
        number,
        fc.constantFrom('high', 'medium', 'low'),
        (edge, executable, volatility, liquidity) => {
          const best = edge === null ? null : { ...facts.edge!, edge, executable }
          const found = suggestionOf({ ...facts, edge: best, volatility, liquidity })
          expect(found.confidence).toBeGreaterThanOrEqual(0)
          expect(found.confidence).toBeLessThanOrEqual(0.95)
          expect(found.reasoning).not.toMatch(/\b(?:buy|sell|must|should)\b/i)
        },
      ),
    )
  })

  it('caps the size for adverse selection and thin books', () => {
    const sure = {
      edge: { ...facts.edge!, fair: 90, cost: 30 },
      asScore: 0.2,
      liquidity: 'high',
    } as const
    expect(sizeHintOf(sure)).toBe('large')
    expect(sizeHintOf({ ...sure, asScore: 0.65 })).toBe('medium')
    expect(sizeHintOf({ ...sure, liquidity: 'low' })).toBe('small')
    expect(kellyShare(20, 30)).toBe(0)
    expect(considerConfidence(1e9, 1, 'high', 0)).toBe(0.95)
  })
})

describe('ideas', () => {
  const candidate = (ticker: string, changes: Partial<IdeaCandidate> = {}): IdeaCandidate => ({
    basis: 'thesis_edge',
    ticker,
    title: `Market ${ticker}`,
    theme: ticker,
    direction: 'buy_yes',
    executableEdge: 6.5,
    confidence: 0.62,
    strength: 1,
    pitch: '',
    catalyst: null,
    closeTime: null,
    warning: null,
    asScore: null,
    cost: null,
    hedges: [],
    ...changes,
  })

  it('E8: .62 and 6.5 are high', () => {
    expect(convictionOf(0.62, 6.5)).toBe('high')
    expect(convictionOf(0.59, 6.5)).toBe('medium')
    expect(convictionOf(0.9, 2.99)).toBe('low')
    expect([3, 7, 60, null].map((days) => timeHorizon(days))).toEqual([
      'days',
      'weeks',
      'months',
      'months',
    ])
  })

  it('keeps two per theme and ten in total, each market once, none with a loss', () => {
    const many = Array.from({ length: 30 }, (_, i) => candidate(`T${i + 10}`, { strength: i }))
    expect(selectIdeas(many, 0 as Millis)).toHaveLength(10)
    expect(
      selectIdeas(
        many.map((idea) => ({ ...idea, theme: 'iran' })),
        0 as Millis,
      ),
    ).toHaveLength(2)
    expect(
      selectIdeas([candidate('A'), candidate('A', { basis: 'yield' })], 0 as Millis),
    ).toHaveLength(1)
    expect(selectIdeas([candidate('A', { executableEdge: 0 })], 0 as Millis)).toEqual([])
    expect(selectIdeas([...many].reverse(), 0 as Millis)).toEqual(selectIdeas(many, 0 as Millis))
  })

  it('keeps its id while kind, market and direction stay', () => {
    const [idea] = selectIdeas([candidate('A')], 5 as Millis)
    expect(idea!.id).toBe(ideaId(candidate('A', { executableEdge: 1, confidence: 0.1 })))
    expect(idea!.id).toMatch(/^idea_[0-9a-z]{6}$/)
    expect(idea!.expiresAt).toBe(5 + 12 * 3_600_000)
    expect(ideaId(candidate('A', { direction: 'buy_no' }))).not.toBe(idea!.id)
  })
})
