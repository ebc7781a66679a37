import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { NOON_ISH, worldMarket } from '../../testing/world-markets.ts'
import { DAY, HOUR, MINUTE, type Cents, type Millis } from '../units.ts'
import { catalystWeight, selectCatalysts, type CatalystEntry } from './salient/catalysts.ts'
import { dispersionOf } from './gauges/dispersion.ts'
import { causeOf, type ExplainFact, type Move } from './explain/explain-facts.ts'
import { largestMove } from './explain/move-start.ts'
import { explainMove } from './explain/explain.ts'
import { historyStep, lastOfSteps } from './delta/history-steps.ts'
import { operationMarkdown, trailRow, trailStartRow } from './markdown/operations-markdown.ts'
import { trailFrom, type GraphLink } from './explain/trail.ts'

const ADDRESSES = { baseUrl: 'http://127.0.0.1:4870' }
const at = (offset: number) => (NOON_ISH + offset) as Millis

describe('history', () => {
  it('uses wider steps for longer spans', () => {
    expect(
      [6 * HOUR, 48 * HOUR, 7 * DAY, 30 * DAY].map((span) => historyStep(span as Millis)),
    ).toEqual([300, 900, 3_600, 14_400])
  })

  it('keeps the last row of each step and leaves empty ones out', () => {
    const rows = [-20, -14, -11, 0, 5].map((minutes) => ({ at: at(minutes * MINUTE), minutes }))
    const steps = lastOfSteps(rows, NOON_ISH, (20 * MINUTE) as Millis, 600)
    expect(steps.map(({ minutes }) => minutes)).toEqual([-11, 0])
  })

  it('is not changed by rows that come later', () => {
    const offsets = fc.array(fc.integer({ min: -200, max: 200 }))
    fc.assert(
      fc.property(offsets, (minutes) => {
        const rows = minutes.toSorted((a, b) => a - b).map((m) => ({ at: at(m * MINUTE) }))
        const past = rows.filter((row) => row.at <= NOON_ISH)
        const of = (list: typeof rows) => lastOfSteps(list, NOON_ISH, (100 * MINUTE) as Millis, 900)
        expect(of(rows)).toEqual(of(past))
      }),
    )
  })
})

describe('catalysts', () => {
  const entry = (
    id: string,
    hours: number,
    fields: Partial<CatalystEntry> = {},
  ): CatalystEntry => ({
    id,
    at: at(hours * HOUR),
    importance: 'low',
    mark: 50 as Cents,
    liquidity: 'high',
    ...fields,
  })
  const pick = (entries: readonly CatalystEntry[], limit = 10) =>
    selectCatalysts(entries, NOON_ISH, (2 * DAY) as Millis, limit).map(({ id }) => id)

  it('C8: mark 50 in a day in a liquid market weighs .5', () => {
    expect(catalystWeight({ mark: 50 as Cents, liquidity: 'high' }, 1)).toBe(0.5)
    expect(catalystWeight({ mark: null, liquidity: 'high' }, 1)).toBe(0)
  })

  it('are ahead and within the window, soonest first, then the important', () => {
    const entries = [
      entry('now', 0),
      entry('far', 49),
      entry('edge', 48),
      entry('low', 5),
      entry('high', 5, { importance: 'high' }),
    ]
    expect(pick(entries)).toEqual(['high', 'low', 'edge'])
  })

  it('keep the entries with the highest weight above the limit', () => {
    const entries = [entry('sure', 1, { mark: 99 as Cents }), entry('a', 40), entry('b', 30)]
    expect(pick(entries, 2)).toEqual(['b', 'a'])
  })
})

describe('dispersion', () => {
  const market = (
    ticker: string,
    mark: number | null,
    volume24hUsd: number | null,
    eventId = 'E',
  ) => worldMarket({ ticker, mark, price: mark, volume24hUsd, eventId, eventTitle: 'Event' })
  const three = [market('A', 40, 5_000), market('B', 50, 3_000), market('C', 70, 2_000)]

  it('C8: 40, 50, 70 have mean 49, stdev 11.36, agreement .7728, median 50 and iqr 15', () => {
    const found = dispersionOf(three, [], 10, ADDRESSES)
    expect(found).toMatchObject({ agreement: 0.7728, median: 50, iqr: 15, marketCount: 3 })
    expect(found.groups).toMatchObject([
      {
        key: 'E',
        kind: 'event',
        mean: 49,
        stdev: 11.36,
        consensus: 'mixed',
        median: 50,
        min: 40,
        max: 70,
      },
    ])
    expect(found.groups[0]?.outliers.map(({ ticker, deviation }) => [ticker, deviation])).toEqual([
      ['C', 20],
    ])
  })

  it('is null for fewer than two marks', () => {
    expect(dispersionOf([market('A', 40, 1), market('B', null, 1)], [], 10, ADDRESSES)).toEqual({
      agreement: null,
      median: 40,
      iqr: 0,
      marketCount: 2,
      groups: [],
    })
    expect(dispersionOf([], ['iran'], 10, ADDRESSES)).toMatchObject({ median: null, iqr: null })
  })

  it('weights untraded markets equally', () => {
    const markets = [0, 100].map((mark, i) => market(`M${i}`, mark, null))
    const found = dispersionOf(markets, [], 10, ADDRESSES)
    expect(found.groups).toMatchObject([
      { kind: 'event', basis: 'marks', mean: 50, stdev: 50, consensus: 'split' },
    ])
    expect(found.agreement).toBe(0)
  })

  const outcomes = (marks: readonly number[]) =>
    marks.map((mark, i) => ({ ...market(`M${i}`, mark, null), exclusive: true }))
  const ladder = (marks: readonly number[]) =>
    marks.map((mark, i) => ({ ...market(`M${i}`, mark, null), rung: { ladder: 'L', at: i } }))
  it.each([
    ['outcomes of an exclusive event', outcomes([60, 25, 10]), 0, []],
    ['outcomes above 100 together', outcomes([90, 60]), 25.5, []],
    ['a falling ladder', ladder([71, 14, 2]), 0, []],
    ['a rising ladder', ladder([5, 40, 90]), 0, []],
    ['a rung above an easier one', ladder([70, 20, 60]), 16.33, []],
  ])('compares %s with their implied prices', (_, markets, stdev, outliers) => {
    const [group] = dispersionOf(markets, [], 10, ADDRESSES).groups
    expect(group).toMatchObject({ basis: 'implied', stdev })
    expect(group?.outliers.map(({ ticker }) => ticker)).toEqual(outliers)
  })

  it('compares counterparts of two venues, and groups by topic only what can be compared', () => {
    const own = { ...market('A', 42, 1, 'E1'), topics: ['iran'] }
    const twin = { ...market('0xb', 41, 1, 'E2'), venue: 'venue_b' as const, topics: ['iran'] }
    const alone = { ...market('C', 99, 1, 'E3'), topics: ['iran'] }
    const pairs = new Map([
      ['A', { ticker: '0xb', confidence: 0.9, inverted: true }],
      ['0xb', { ticker: 'A', confidence: 0.9, inverted: true }],
    ])
    const found = dispersionOf([own, twin, alone], ['iran', 'oil'], 10, ADDRESSES, pairs)
    expect(found.groups).toMatchObject([
      { key: 'iran', label: 'Iran', kind: 'topic', basis: 'implied', marketCount: 2, stdev: 8.5 },
    ])
    const weak = new Map([['A', { ticker: '0xb', confidence: 0.74, inverted: true }]])
    expect(dispersionOf([own, twin], ['iran'], 10, ADDRESSES, weak).groups).toEqual([])
  })

  it('has an agreement from 0 to 1, equal for YES and NO', () => {
    const row = fc.tuple(fc.integer({ min: 0, max: 100 }), fc.nat(1_000), fc.constantFrom('E', 'F'))
    fc.assert(
      fc.property(fc.array(row, { maxLength: 12 }), (rows) => {
        const of = (flip: boolean) =>
          dispersionOf(
            rows.map(([mark, volume, event], i) =>
              market(`M${i}`, flip ? 100 - mark : mark, volume, event),
            ),
            [],
            10,
            ADDRESSES,
          )
        const { agreement } = of(false)
        if (agreement !== null) {
          expect(agreement).toBeGreaterThanOrEqual(0)
          expect(agreement).toBeLessThanOrEqual(1)
          expect(of(true).agreement).toBeCloseTo(agreement, 4)
        } else expect(of(true).agreement).toBeNull()
      }),
    )
  })
})

describe('trail', () => {
  const link = (
    to: string,
    confidence: number,
    kind: GraphLink['kind'] = 'thematic',
  ): GraphLink => ({
    to,
    kind,
    confidence,
    lagSeconds: null,
  })
  const graph = new Map([
    ['A', [link('B', 0.9, 'cross_venue'), link('C', 0.5)]],
    ['B', [link('A', 0.9), link('D', 0.7, 'ladder'), link('C', 0.9)]],
    ['C', [link('D', 0.9), link('E', 0.4, 'lead_lag')]],
    ['D', [link('F', 1)]],
  ])
  const from = (limit = 10) => trailFrom('A', (ticker) => graph.get(ticker) ?? [], limit)

  it('C8: .9 and then .7 is .63', () => {
    expect(from().nodes).toEqual([
      { ticker: 'B', hop: 1, via: 'A', strength: 0.9 },
      { ticker: 'C', hop: 1, via: 'A', strength: 0.5 },
      { ticker: 'D', hop: 2, via: 'B', strength: 0.63 },
      { ticker: 'E', hop: 2, via: 'C', strength: 0.2 },
    ])
  })

  it('serves the kinds of the contract with the confidence of each link', () => {
    expect(from().links.map(({ to, kind, strength }) => [to, kind, strength])).toEqual([
      ['B', 'cross_venue', 0.9],
      ['C', 'contagion', 0.5],
      ['D', 'series_sibling', 0.7],
      ['E', 'contagion', 0.4],
    ])
    expect(from(1).links).toHaveLength(1)
  })

  it('ends where there are no links', () => {
    expect(trailFrom('Z', () => [], 5)).toEqual({ nodes: [], links: [] })
  })
})

describe('explain', () => {
  const move: Move = { startedAt: NOON_ISH, cents: -10, entityWords: ['iran', 'hormuz'] }
  const known = (offset: number, title = 'x', url: string | null = null) => ({
    evidence: { source: 's', title, url, at: at(offset) },
    knownAt: at(offset),
  })
  const strength = (fact: ExplainFact) => causeOf(fact, move)?.strength ?? null

  it('C8: a catalyst of 1 and contagion of .6 have .538 and .231', () => {
    const facts: ExplainFact[] = [
      { kind: 'contagion', ...known(-1 * HOUR), movedAt: at(-1 * HOUR), expected: -6 },
      { kind: 'catalyst', ...known(0, 'Vote') },
    ]
    const { hypotheses, unexplained } = explainMove(facts, move, at(DAY))
    expect(hypotheses.map(({ kind, rank, confidence }) => [kind, rank, confidence])).toEqual([
      ['catalyst', 0, 0.5385],
      ['contagion', 1, 0.2308],
    ])
    expect(unexplained).toBe(false)
  })

  it('counts each kind by its best fact and shows the newest three', () => {
    const facts = [1, 2, 3, 4].map((hours): ExplainFact => ({
      kind: 'catalyst',
      ...known(-hours * HOUR, `${hours}h before`),
    }))
    const { hypotheses } = explainMove(facts, move, NOON_ISH)
    expect(hypotheses).toHaveLength(1)
    expect(hypotheses[0]?.evidence.map(({ title }) => title)).toEqual([
      '1h before',
      '2h before',
      '3h before',
    ])
    expect(hypotheses[0]?.summary).toBe('a scheduled or stated event: 1h before (13:05 UTC)')
  })

  it('ignores facts that became known later', () => {
    const fact: ExplainFact = { kind: 'catalyst', ...known(0), knownAt: at(1) }
    expect(explainMove([fact], move, NOON_ISH)).toEqual({ hypotheses: [], unexplained: true })
  })

  it('measures each kind of fact', () => {
    expect(strength({ kind: 'legislation', ...known(-12 * HOUR) })).toBe(0.5)
    expect(strength({ kind: 'econ_release', ...known(-24 * HOUR) })).toBeNull()
    expect(strength({ kind: 'facts_change', ...known(-6 * HOUR) })).toBe(0.75)
    const news = (offset: number, text: string) =>
      strength({ kind: 'news', ...known(offset), text })
    expect(news(-1 * HOUR, 'Iran closes Hormuz')).toBe(1)
    expect(news(-1 * HOUR, 'Iran alone')).toBeNull()
    expect([news(-7 * HOUR, 'Iran Hormuz'), news(2 * HOUR, 'Iran Hormuz')]).toEqual([null, null])
    const contagion = (minutes: number, expected: number) =>
      strength({ kind: 'contagion', ...known(0), movedAt: at(-minutes * MINUTE), expected })
    expect([contagion(10, -5), contagion(9, -5), contagion(10, -4.9)]).toEqual([0.5, null, null])
    expect([contagion(60, -40), contagion(60, 40)]).toEqual([1, null])
    const lead = (cents: number) =>
      strength({ kind: 'cross_venue_lead', ...known(0), movedAt: at(-1), cents })
    expect([lead(-4), lead(4)]).toEqual([0.4, null])
    expect(strength({ kind: 'block_trade', ...known(0), share: 0.4 })).toBe(1)
    expect(strength({ kind: 'block_trade', ...known(0), share: 0.39 })).toBeNull()
    const thin = { kind: 'thin_book', ...known(0), depthRatio: null, spreadRatio: 2 } as const
    expect(strength({ ...thin, volumeBelowMedian: true })).toBe(1)
    expect(strength({ ...thin, volumeBelowMedian: false })).toBeNull()
  })

  it('has no cause later than its effect', () => {
    const later = known(6 * MINUTE)
    const facts: ExplainFact[] = [
      { kind: 'catalyst', ...later },
      { kind: 'facts_change', ...later },
      { kind: 'news', ...later, text: 'Iran closes Hormuz' },
      { kind: 'block_trade', ...later, share: 0.9 },
      { kind: 'busy_hour', ...later, share: 0.9 },
    ]
    expect(facts.map(strength)).toEqual(facts.map(() => null))
    expect(strength({ kind: 'block_trade', ...known(5 * MINUTE), share: 0.9 })).toBe(1)
  })

  it('explains a gap by the market that opened it, and attention by a stated date', () => {
    const peer = (cents: number) =>
      strength({ kind: 'peer_move', ...known(HOUR), as: 'cross_venue_lead', cents })
    expect([peer(8), peer(-8), peer(4), peer(40)]).toEqual([0.8, 0.8, null, 1])
    const closing = (days: number) =>
      strength({ kind: 'stated_date', ...known(-24 * HOUR), due: at(days * DAY), within: 168 })
    expect([closing(0), closing(3.5), closing(7)]).toEqual([1, 0.5, null])
  })

  it('explains trading by linked moves of the same hour, in either direction', () => {
    const attention = (expected: number, minutes = 0) =>
      strength({ kind: 'attention', ...known(minutes * MINUTE), expected })
    expect([attention(4), attention(-4), attention(80), attention(1.9)]).toEqual([
      0.5,
      0.5,
      1,
      null,
    ])
    expect([attention(4, 60), attention(4, 61)]).toEqual([0.5, null])
  })

  it('dates a cause of another day', () => {
    const summaryAt = (hours: number) => {
      const facts: ExplainFact[] = [{ kind: 'catalyst', ...known(-hours * HOUR, 'Vote') }]
      return explainMove(facts, move, NOON_ISH).hypotheses[0]?.summary
    }
    expect(summaryAt(1)).toBe('a scheduled or stated event: Vote (13:05 UTC)')
    expect(summaryAt(20)).toMatch(/ \(\d{4}-\d\d-19 18:05 UTC\)$/)
  })

  it.each([
    [[40, 41, 40, 44, 52], 2, 12],
    [[40, 60, 50, 41], 0, 20],
    [[50, 20, 21, 49], 0, -30],
    [[40, 40], null, null],
    [[], null, null],
  ])('the largest move of %j starts at point %s', (prices, start, cents) => {
    const path = prices.map((price, i) => ({ at: at(i * MINUTE), price }))
    expect(largestMove(path)).toEqual(
      start === null ? null : { startedAt: at(start * MINUTE), cents },
    )
  })

  it('never sums to more than one', () => {
    const kind = fc.constantFrom<'catalyst' | 'econ_release' | 'legislation'>(
      ...(['catalyst', 'econ_release', 'legislation'] as const),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(kind, fc.integer({ min: -30, max: 0 }))), (rows) => {
        const facts = rows.map(([of, hours]): ExplainFact => ({ kind: of, ...known(hours * HOUR) }))
        const { hypotheses } = explainMove(facts, move, NOON_ISH)
        const sum = hypotheses.reduce((total, { confidence }) => total + confidence, 0)
        expect(sum).toBeLessThan(1)
        expect(explainMove(facts.toReversed(), move, NOON_ISH)).toEqual({
          hypotheses,
          unexplained: hypotheses.length === 0,
        })
      }),
    )
  })
})

describe('operation text', () => {
  const head = {
    asOf: '2026-11-20T14:05:00.000Z',
    sinceBaseline: '2026-11-20T02:05:00.000Z',
    baselineReason: 'last 12h',
    region: {
      path: [],
      label: 'World',
      displayName: 'World',
      parentUrl: null,
      selfUrl: '',
      keywords: [],
    },
    regime: {
      label: 'Steady — no dominant macro signal',
      signals: { disagreement: 42, geoRisk: 17, breadth: 0.13, activity: 29 },
    },
  }

  it('has the four lines, a title and one bullet per row', () => {
    const linked = { link: 'the same theme', viaTitle: 'A?', url: 'http://x/KXB' }
    const rows = [
      trailStartRow({ title: 'A?', price: 30 }),
      trailRow({ ...linked, hop: 1, title: 'B?', price: 40 }),
      trailRow({ ...linked, hop: 2, title: 'C?', price: null }),
    ]
    expect(operationMarkdown(head, ['World'], 'Trail', rows)).toBe(`# World (2026-11-20 14:05 UTC)
Regime: Steady — no dominant macro signal
Index: Disagree 42 | GeoRisk 17 | Breadth +0.13 | Activity 29
Baseline: last 12h

## Trail
- from: 30¢ — A?
- 1 · 40¢ — B? · the same theme · \`GET http://x/KXB\`
- 2 · – — C? · the same theme, from “A?” · \`GET http://x/KXB\`
`)
    expect(operationMarkdown(head, ['World'], 'Explain', [])).toContain('- nothing found')
  })
})
