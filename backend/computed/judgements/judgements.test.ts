import { describe, expect, it } from 'vitest'
import type { ContagionGap } from '../../domain/links/contagion.ts'
import { roundTo } from '../../domain/units.ts'
import { HOUR, MINUTE } from '../../domain/units.ts'
import type { Cents, Millis } from '../../domain/units.ts'
import { at, level, marketView, NOON } from '../../testing/builders.ts'
import { FakeBoard } from '../../testing/fake-board.ts'
import { marketQuantities, contextSnapshotOf, marketPair } from '../../testing/snapshot-builders.ts'
import { memoryContext } from '../../testing/memory-context.ts'
import type { ContextSnapshot } from '../snapshot/context-snapshot.ts'
import { createJudgements } from './judgements.ts'

const after = (hours: number): Millis => (NOON + hours * HOUR) as Millis

function setUp() {
  const stored = memoryContext()
  const board = new FakeBoard()
  return { stored, board, judgements: createJudgements({ stored, board }) }
}

const gapTo = (lagging: string, gap: number): ContagionGap => ({
  trigger: 'A',
  lagging,
  gap,
  expected: gap,
  z: 3,
  strength: 0.4,
  direction: 'lagging',
  relation: 'theme',
  link: { i: 'A', j: lagging, kind: 'thematic', sign: 1, priorBeta: 0.35, confidence: 0.5 },
})

/** A snapshot in which B, at `price`, lags A by `gap`; no gap for null. */
const owing = (hours: number, price: number | null, gap: number | null): ContextSnapshot => {
  const view = (ticker: string, mark: number) =>
    marketQuantities({ view: marketView({ price: mark, facts: { ticker } }) })
  return contextSnapshotOf([view('A', 60), ...(price === null ? [] : [view('B', price)])], {
    at: after(hours),
    gaps: (window) => (window === '6h' && gap !== null ? [gapTo('B', gap)] : []),
  })
}
const B = { trigger: 'A', lagging: 'B' }

describe('records of gaps', () => {
  it('keeps the first appearance while a gap is served, and over interruptions of less than a day', async () => {
    const { judgements } = setUp()
    for (const snapshot of [owing(0, 40, 6), owing(1, 40, null), owing(2, 40, 6)]) {
      await judgements.publish(snapshot)
    }
    expect((await judgements.gapsSince(owing(2, 40, 6), '6h'))(B)).toBe(NOON)
    expect((await judgements.gapsSince(owing(2, 40, 6), '24h'))(B)).toBe(after(2))
    await judgements.publish(owing(30, 40, null))
    await judgements.publish(owing(31, 40, 6))
    expect((await judgements.gapsSince(owing(31, 40, 6), '6h'))(B)).toBe(after(31))
  })

  it('returns for a past instant what was known then, also after a restart', async () => {
    const { judgements, stored, board } = setUp()
    for (const hours of [0, 1, 2]) await judgements.publish(owing(hours, 40, 6))
    const restarted = createJudgements({ stored, board })
    expect((await restarted.gapsSince(owing(1, 40, 6), '6h'))(B)).toBe(NOON)
    await restarted.publish(owing(3, 40, 6))
    expect((await restarted.gapsSince(owing(3, 40, 6), '6h'))(B)).toBe(NOON)
    expect(await stored.judgements({ kind: 'gap', from: after(-1), to: after(0) })).toHaveLength(1)
  })

  // [contagion.record.half-life]
  it('D6: measures again after 1, 6 and 24 hours: 6.2 with 2.0 left closed 67.7 %', async () => {
    const { judgements } = setUp()
    const prices = new Map([
      [0, 40],
      [1, 40.5],
      [6, 41],
      [24, 44.2],
    ])
    for (const [hours, price] of prices) await judgements.publish(owing(hours, price, 6.2))
    const [record] = await judgements.gapRecords(after(24))
    expect(record).toMatchObject({ kind: 'thematic', n: 1, hitRate: 1, unproven: false })
    expect(record?.closed.map(({ hours, share }) => [hours, roundTo(share * 100, 1)])).toEqual([
      [1, 8.1],
      [6, 16.1],
      [24, 67.7],
    ])
    // At an earlier instant the later measurements are unknown.
    expect((await judgements.gapRecords(after(5)))[0]?.closed).toHaveLength(1)
  })

  it('measures hours that passed while the service was down, and ended markets', async () => {
    const { judgements, board } = setUp()
    await judgements.publish(owing(0, 40, 6))
    board.views = [marketView({ price: 100, facts: { ticker: 'B', status: 'settled' } })]
    await judgements.publish(owing(30, null, null))
    const [record] = await judgements.gapRecords(after(30))
    expect(record?.closed).toEqual([1, 6, 24].map((hours) => ({ hours, share: 10, n: 1 })))
  })

  it('stores failed rows with the next snapshot', async () => {
    const { stored, board } = setUp()
    let fails = true
    const judgements = createJudgements({
      board,
      stored: {
        judgements: (query) => stored.judgements(query),
        appendContext: (rows) =>
          fails ? Promise.reject(new Error('disk full')) : stored.appendContext(rows),
      },
    })
    await expect(judgements.publish(owing(0, 40, 6))).rejects.toThrow('disk full')
    fails = false
    await judgements.publish(owing(1, 40, 6))
    expect(await stored.judgements({ kind: 'gap', from: NOON, to: after(1) })).toMatchObject([
      { at: after(1) },
    ])
    // Published instants are ignored.
    await judgements.publish(owing(1, 40, 9))
    expect(await stored.judgements({ kind: 'gap', from: NOON, to: after(9) })).toHaveLength(1)
  })
})

describe('records of pairs', () => {
  const paired = (hours: number, confidence: number): ContextSnapshot =>
    contextSnapshotOf([], {
      at: after(hours),
      pairs: [marketPair({ a: 'A', b: '0xb', confidence })],
    })

  it('starts when any preset first serves a pair, and adds a row when another does', async () => {
    const { judgements, stored } = setUp()
    const snapshots = [paired(0, 0.4), paired(1, 0.82), paired(2, 0.85), paired(3, 0.78)]
    for (const snapshot of snapshots) await judgements.publish(snapshot)
    const rows = await stored.judgements({ kind: 'pair', from: after(-1), to: after(9) })
    expect(rows.map((row) => row.at)).toEqual([after(1), after(3)])
    const sinceOf = async (snapshot: ContextSnapshot) =>
      (await judgements.pairsSince(snapshot))({ id: 'A~0xb' })
    expect(await sinceOf(paired(4, 0.9))).toBe(after(1))
    expect(await sinceOf(paired(0, 0.4))).toBe(after(0))
  })
})

describe('ideas', () => {
  /** A ladder whose harder rung has a bid above the easier one's ask; none for a net of null. */
  const ladder = (
    hours: number,
    net: number | null,
    price = 38,
    half = at('2026-11-20T12:00:00Z'),
  ) => {
    const rung = (ticker: string, bid: number, title: string) =>
      marketQuantities({
        view: {
          ...marketView({
            price: bid,
            bid: bid - 1,
            ask: bid,
            facts: { ticker, title, category: 'finance' },
          }),
          liquidityScore: 'high',
        },
      })
    const edge = {
      easier: 'LOW',
      harder: 'HIGH',
      net,
      size: 10,
      markViolation: 4,
      soft: net === null,
    }
    return contextSnapshotOf(
      [rung('LOW', price, 'Oil above 100?'), rung('HIGH', 43, 'Oil above 110?')],
      {
        at: (half + hours * HOUR) as Millis,
        eventEdges: [
          { venue: 'venue_a', eventId: 'OIL', eventTitle: 'Oil', baskets: [], ladders: [edge] },
        ],
      },
    )
  }
  const noonOf = (hours: number) => ladder(hours, 0).at

  // [ideas.rounds.twelve-hours]
  it('E8: publishes twice a day, keeps id and start, and ends missing ideas', async () => {
    const { judgements } = setUp()
    await judgements.publish(ladder(0, 3.5))
    const [first] = await judgements.ideas(noonOf(0))
    expect(first).toMatchObject({
      ticker: 'LOW',
      direction: 'buy_yes',
      basis: 'yield',
      conviction: 'medium',
      edgeCents: 3.5,
      hedges: ['HIGH'],
      category: 'finance',
      cost: 38,
      entry: 38,
      pitch:
        '“Oil above 110?” is bid at 42¢ above the 38¢ asked for “Oil above 100?”, which it implies: 3.5¢ are left after fees.',
    })
    expect(first?.id).toMatch(/^idea_[0-9a-z]{6}$/)
    // Between rounds a better price changes nothing.
    await judgements.publish(ladder(1, 9))
    expect(await judgements.ideas(noonOf(1))).toEqual([first])
    await judgements.publish(ladder(12, 6.5))
    expect(await judgements.ideas(noonOf(12))).toMatchObject([
      {
        id: first?.id,
        createdAt: noonOf(0),
        expiresAt: noonOf(24),
        edgeCents: 6.5,
        conviction: 'high',
        entry: 38,
      },
    ])
    await judgements.publish(ladder(24, null))
    expect(await judgements.ideas(noonOf(24))).toEqual([])
    // Expired ideas remain readable, and past instants return past values.
    expect(await judgements.idea(first?.id ?? '', noonOf(30))).toMatchObject({ edgeCents: 6.5 })
    expect(await judgements.idea(first?.id ?? '', noonOf(1))).toEqual(first)
    expect(await judgements.idea('idea_nope00', noonOf(30))).toBeNull()
    expect(await judgements.ideas(noonOf(-1))).toEqual([])
  })

  // [ideas.rounds.moved]
  it('E8: recomputes an idea when its market moved by 5 cents', async () => {
    const { judgements } = setUp()
    await judgements.publish(ladder(0, 3.5))
    await judgements.publish(ladder(1, 8, 34))
    expect(await judgements.ideas(noonOf(1))).toMatchObject([{ edgeCents: 3.5 }])
    await judgements.publish(ladder(2, 8, 33))
    expect(await judgements.ideas(noonOf(2))).toMatchObject([
      { edgeCents: 8, createdAt: noonOf(0), price: 33, entry: 38 },
    ])
    await judgements.publish(ladder(3, null, 50))
    expect(await judgements.ideas(noonOf(3))).toEqual([])
  })

  it('creates ideas from pairs and gaps at the prices of their books', async () => {
    const { judgements, board } = setUp()
    const view = (ticker: string, price: number, bid: number, ask: number) => ({
      ...marketView({ price, bid, ask, facts: { ticker, title: `Is ${ticker} up?` } }),
      liquidityScore: 'high' as const,
    })
    const pair = marketPair({ a: 'A', b: '0xb', confidence: 0.9 })
    const markets = [view('A', 41, 40, 41), view('0xb', 47, 46, 48)]
    const lagging = ['LAG', 'PAST'].map((ticker) => view(ticker, 20, 19, 21))
    for (const { facts } of lagging) {
      const book = { bids: [level(19, 500)], asks: [level(21, 500)] }
      board.books.set(facts.ticker, { book, at: NOON })
    }
    const snapshot = contextSnapshotOf(
      [
        ...markets.map((one) => marketQuantities({ view: one, theme: one.facts.ticker })),
        ...lagging.map((one) =>
          marketQuantities({
            view: one,
            theme: one.facts.ticker,
            adverse: { score: 0.7, prior: 0.5, nTrades: 9, alpha: 0.9 },
          }),
        ),
      ].map((market) => ({
        ...market,
        marksAgo: { ...market.marksAgo, '6h': ((market.view.mark ?? 0) - 5) as Cents },
      })),
      {
        at: (NOON + 15 * MINUTE) as Millis,
        pairs: [pair],
        crossVenue: new Map([
          [
            pair.id,
            {
              pair,
              edge: { net: 2.31, cost: 97.69, size: 10, buyYes: 'a' },
              executableGap: 2,
              yieldPct: null,
              isTradable: true,
            },
          ],
        ]),
        gaps: (window) =>
          window === '6h'
            ? [
                { ...gapTo('LAG', 10), expected: 12 },
                { ...gapTo('PAST', 10), direction: 'overshooting' },
              ]
            : [],
      },
    )
    await judgements.publish(snapshot)
    const ideas = await judgements.ideas(snapshot.at)
    expect(ideas.find(({ basis }) => basis === 'cross_venue')).toMatchObject({
      ticker: 'A',
      direction: 'buy_yes',
      hedges: ['0xb'],
      edgeCents: 2.31,
      conviction: 'low',
      pitch:
        'YES of “Is A up?” at 41¢ and NO of “Is 0xb up?” at 54¢ cost 97.69¢ with fees; if both venues settle alike, one of them pays 100¢.',
      risk: 'the venues may settle differently; adverse selection 0.5',
    })
    const gap = ideas.find(({ basis }) => basis === 'contagion')
    // Fair 30, bought at 21, venue_a's fee of .07 × .21 × .79.
    expect(gap?.executableEdge).toBeCloseTo(30 - 21 - 7 * 0.21 * 0.79)
    expect(gap).toMatchObject({
      ticker: 'LAG',
      direction: 'buy_yes',
      risk: 'adverse selection 0.7',
      pitch:
        '“Is A up?” moved +5¢ in 6h. Its past response implies +12¢ here; the price has moved +2¢, so 10¢ remain.',
    })
    expect(ideas.map(({ ticker }) => ticker)).not.toContain('PAST')
  })
})
