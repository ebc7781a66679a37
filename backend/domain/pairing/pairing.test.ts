import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import type { Cents, Millis } from '../units.ts'
import { DAY, roundTo } from '../units.ts'
import { rawConfidence } from './features.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { Fingerprint, PairingFacts } from './fingerprint.ts'
import { judgePair } from './judgement.ts'
import type { PairJudgement } from './judgement.ts'
import {
  bestPairs,
  withoutDominated,
  closeDeltaDays,
  pairGap,
  pairMarkets,
  pairStatistics,
  passesPreset,
} from './pairs.ts'
import { titleWeights } from './title-weights.ts'

const market = (changes: Partial<PairingFacts> & { readonly title: string }): Fingerprint =>
  fingerprintOf({
    venue: 'venue_a',
    ticker: changes.title,
    subtitle: null,
    description: '',
    eventId: changes.ticker ?? changes.title,
    eventTitle: null,
    seriesTitle: null,
    tags: [],
    category: 'economics',
    closeTime: null,
    mark: null,
    ...changes,
  })

describe('the direction of a strike', () => {
  it.each([
    ['Will CPI be above 2.8%?', 1],
    ['Will CPI be below 2.8%?', -1],
    ['Will CPI be above 2.8% or below 2.2%?', null],
    ['Will CPI be below 2.2% or above 2.8%?', null],
  ])('of "%s" is %s', (title, direction) => expect(market({ title }).direction).toBe(direction))
})

/** Titles of other markets, so that common words have low weight. */
const CATALOGUE = [
  'Bitcoin price on Aug 2, 2026? - $66,000 or above',
  'Ethereum price on Aug 2, 2026? - $2,400 or above',
  'Will the Fed cut rates at the July 2026 meeting?',
  'Will August 2026 CPI be above 2.8%?',
  'Will Brazil win the 2026 World Cup?',
  'Will the Republicans win the Senate in 2026?',
  'Will the high temperature in Miami exceed 90 degrees on July 30?',
  'Will Mexico win the 2026 World Cup?',
]

const BACKGROUND = CATALOGUE.map((title) => market({ title }))

function judged(
  a: string | Fingerprint,
  b: string | Fingerprint,
  correlation: number | null = null,
): PairJudgement {
  const [left, right] = [a, b].map((side) =>
    typeof side === 'string' ? market({ title: side }) : side,
  )
  const titles = [...BACKGROUND, left!, right!]
  const weights = titleWeights(titles.map(({ terms }) => terms))
  return judgePair(left!, right!, { weights, correlation })
}

describe('pair confidence', () => {
  const raw = (text: number, entity: number, number: number, date: number, price: number) =>
    roundTo(rawConfidence({ text, entity, number, date, price }), 4)

  it('D7: has the methodology’s examples', () => {
    expect(raw(0.91, 1, 1, 1, 0.9)).toBe(0.9869)
    expect(raw(0.62, 1, 1, 1, 0.96)).toBe(0.9105)
    expect(raw(0.62, 1, 0.5, 0.5, 0.9)).toBe(0.6318)
    expect(raw(0.05, 0, 1, 1, 0.9)).toBe(0.0241)
    expect(raw(0.66, 1, 1, 1, 0.9)).toBe(0.9289)
  })

  it('D7: rates a first release against a plain one at .74', () => {
    const pair = judged(
      'Will August 2026 CPI come in above 3.0% (initial release)?',
      'Will August 2026 CPI be above 3.0%?',
    )
    expect(pair.raw).toBeGreaterThan(0.74)
    expect(pair).toMatchObject({ confidence: 0.74, qualifiers: ['release'], vetoes: [] })
  })

  it('D7: rates other strikes at .49 and states which implies which', () => {
    const pair = judged(
      'Bitcoin above $70,000 on July 31, 2026?',
      'Will Bitcoin be above $71,000 on July 31, 2026?',
    )
    expect(pair.confidence).toBeLessThanOrEqual(0.49)
    expect(pair).toMatchObject({ vetoes: ['number'], relation: 'superset' })
  })

  it('D7: decreases with the days between deadlines, .7165 for ten', () => {
    const pair = judged('Iran deal by June 20, 2026?', 'Iran deal by June 30, 2026?')
    expect(roundTo(pair.features.date, 4)).toBe(0.7165)
    expect(pair).toMatchObject({ qualifiers: ['deadline'], relation: 'subset' })
  })

  it.each([
    [
      'Will the Fed cut rates by March 2026?',
      'Will the Fed cut rates by September 2026?',
      'deadline',
    ],
    ['Will Ohio elect a governor in 2026?', 'Will Ohio elect a governor in 2028?', 'year'],
    ['CPI in January?', 'CPI in February?', 'period'],
    ['Bitcoin above $70,000 on July 31, 2026?', 'Bitcoin above $70,000 on August 15, 2026?', 'day'],
    ['Will Smith be governor of Ohio?', 'Will Smith be senator of Ohio?', 'office'],
    ['Will Nikki Haley visit Iran?', 'Will Marco Rubio visit Iran?', 'name'],
    ['Will BTS tour before March 1, 2026?', 'Will BTS tour on March 1, 2026?', 'bound'],
    ['Will core CPI be above 3%?', 'Will CPI be above 3%?', 'quantity'],
    ['CPI YoY above 3%?', 'CPI MoM above 3%?', 'quantity'],
    ['Will the US strike Iran?', 'Will the US invade Iran?', 'quantity'],
  ] as const)('takes %s and %s for two things (%s)', (a, b, veto) => {
    const pair = judged(a, b)
    expect(pair.vetoes).toContain(veto)
    expect(pair.confidence).toBeLessThanOrEqual(0.49)
  })

  it.each([
    ['Will Bitcoin reach $70,000 in July?', 'Will Bitcoin be above $70,000 in July?', 'touch'],
    ['High in Miami between 85 and 86 degrees?', 'High in Miami above 85 degrees?', 'range'],
    ['Will Argentina beat Brazil in 90 minutes?', 'Will Argentina beat Brazil?', 'stage'],
    ['Bitcoin on Coinbase above $70,000?', 'Bitcoin on Binance above $70,000?', 'source'],
  ] as const)('holds %s and %s to reading (%s)', (a, b, qualifier) => {
    expect(judged(a, b).qualifiers).toContain(qualifier)
    expect(judged(a, b).confidence).toBeLessThanOrEqual(0.74)
  })

  it.each([
    ['Will Virginia win the ACC?', 'Will Virginia Tech win the ACC?', 'name'],
    ['Will G2 win the Masters?', 'G2 vs Paper Rex - Masters Group Stage', 'quantity'],
    [
      'World leaders out in 2026? - Putin',
      'Will Putin be the next leader out before 2027?',
      'quantity',
    ],
    [
      'Will Zelenskyy and Putin speak in 2026?',
      'Will Zelenskyy and Putin meet in 2026?',
      'quantity',
    ],
    ['Will the President of Iran fall in 2026?', 'Iran nuclear test in 2026?', 'quantity'],
    ['More than -25000 jobs added?', 'More than 25000 jobs added?', 'number'],
    ['Theo James announced as Bond?', 'James Norton announced as Bond?', 'name'],
  ] as const)('distinguishes %s from %s (%s)', (a, b, veto) => {
    expect(judged(a, b).vetoes).toContain(veto)
    expect(judged(b, a).vetoes).toContain(veto)
  })

  it.each([
    ['Hike by 25bps in March?', 'Hike in March?', 'threshold'],
    ['Unemployment above 4.6%?', 'Unemployment ≥4.6%?', 'strictness'],
    ['Will Trump say "Bitcoin"?', 'Will Trump say "Crypto" or "Bitcoin"?', 'words'],
    ['Iran holds its breath', 'Iran keeps its oil', 'predicate'],
    [
      'Will the high temp in Miami be 88-89°?',
      'Highest temperature in Miami between 88-89°?',
      'source',
    ],
  ] as const)('holds %s and %s to reading (%s)', (a, b, qualifier) => {
    expect(judged(a, b).qualifiers).toContain(qualifier)
  })

  it('treats the exact value of a price like a threshold', () => {
    const pair = judged('Bitcoin above $70,000 on July 31?', 'Bitcoin $70,000 or above on July 31?')
    expect(pair).toMatchObject({ vetoes: [], qualifiers: [] })
  })

  it('distinguishes a match of one day from a tournament that ends months later', () => {
    const final = Date.parse('2026-07-19T00:00:00Z') as Millis
    const cup = market({ title: "2026 Men's World Cup winner? - Brazil", closeTime: final })
    expect(judged(cup, 'Will Brazil win on 2026-03-26?').vetoes).toContain('day')
  })

  it('distinguishes two legs of one fixture by their expected ends', () => {
    const leg = (day: string, expects: boolean) => {
      const time = Date.parse(`${day}T20:00:00Z`) as Millis
      return market({
        title: 'Toulouse vs. Marseille',
        closeTime: time,
        ...(expects ? { expirationTime: time } : {}),
      })
    }
    expect(judged(leg('2026-03-04', true), leg('2026-03-07', true)).vetoes).toEqual(['day'])
    expect(judged(leg('2026-03-07', true), leg('2026-03-07', true)).vetoes).toEqual([])
    expect(judged(leg('2026-03-04', true), leg('2026-03-18', false)).vetoes).toEqual([])
  })

  it('detects whether rules let an office end by death, and assumes it for unknown rules', () => {
    const out = (description: string) => market({ title: 'Putin out in 2026?', description })
    const leftOut = out('Death does NOT satisfy the payout criterion.')
    const counted = out('Resolves to Yes if he ceases to be president.')
    expect(judged(leftOut, counted).qualifiers).toEqual(['departure'])
    expect(judged(leftOut, out('')).qualifiers).toEqual(['departure'])
    expect(judged(leftOut, leftOut).qualifiers).toEqual([])
    expect(judged(counted, out('')).qualifiers).toEqual([])
  })

  it('uses the deadline of a question whose close is long after a named day', () => {
    const term = Date.parse('2029-01-20T00:00:00Z') as Millis
    const a = market({ title: 'Will Trump resign?', closeTime: term })
    expect(judged(a, 'Will Trump resign by December 31, 2026?').qualifiers).toEqual(['deadline'])
  })

  it('finds the subject in an outcome’s label', () => {
    const a = market({
      title: 'Will OpenAI or Anthropic IPO first? - Anthropic',
      subtitle: 'Anthropic',
    })
    expect(a.subject).toEqual(['anthrop'])
    expect(market({ title: 'x', subtitle: 'Before July' }).subject).toBeNull()
    expect(judged(a, 'Will Anthropic or OpenAI IPO first?').inverted).toBe(false)
  })

  it('parses the end of a year in three spellings', () => {
    const spellings = [
      'Kraken IPO in 2026?',
      'Kraken IPO by December 31, 2026?',
      'Kraken IPO before 2027?',
    ]
    for (const a of spellings) {
      for (const b of spellings) expect(judged(a, b).vetoes, `${a} ${b}`).toEqual([])
    }
  })
})

describe('orientation', () => {
  it('inverts a negation, a bound from below and the other side of a contest', () => {
    const above = 'Bitcoin above $70,000 on July 31, 2026?'
    const below = 'Bitcoin below $70,000 on July 31, 2026?'
    expect(judged(above, below)).toMatchObject({ inverted: true, relation: 'complement' })
    expect(judged('Will the Fed cut rates?', 'Will the Fed not cut rates?').inverted).toBe(true)
    const home = market({ title: 'Padres vs. Mets', venue: 'venue_b' })
    const away = market({ title: 'Mets at Padres Winner? - Mets', subtitle: 'Mets' })
    expect(judged(away, home).inverted).toBe(true)
    expect(judged(above, above).inverted).toBe(false)
  })

  it('reduces an inverted pair by 5 % and aligns its prices', () => {
    const a = market({ title: 'Bitcoin above $70,000 on July 31, 2026?' })
    const b = market({ title: 'Bitcoin below $70,000 on July 31, 2026?' })
    const pair = judged(a, b)
    expect(pair.confidence).toBe(roundTo(pair.raw * 0.95, 2))
    expect(pairGap(41 as Cents, 56 as Cents, true)).toBe(-3)
    expect(pairGap(41 as Cents, null, true)).toBeNull()
  })

  it('inverts on prices that mirror each other, never on a correlation alone', () => {
    const at = (mark: number | null) =>
      market({ title: 'Will it rain?', mark: mark as Cents | null })
    expect(judged(at(30), at(71), -0.6).inverted).toBe(true)
    expect(judged(at(30), at(31), -0.6).inverted).toBe(false)
    expect(judged(at(30), at(71), -0.4).inverted).toBe(false)
    expect(judged(at(null), at(71), -0.6).inverted).toBe(false)
  })
})

describe('pairMarkets', () => {
  const CLOSE = Date.parse('2026-07-27T20:00:00Z') as Millis
  const ladder = [60, 62, 64, 66].flatMap((strike) => [
    market({
      title: `Bitcoin price on July 27, 2026? - $${strike},000 or above`,
      ticker: `A${strike}`,
      eventId: 'EA',
      closeTime: CLOSE,
    }),
    market({
      title: `Will the price of Bitcoin be above $${strike},000 on July 27?`,
      ticker: `b${strike}`,
      eventId: 'EB',
      venue: 'venue_b',
      closeTime: CLOSE,
    }),
  ])

  it('matches a ladder strike by strike', () => {
    const pairs = pairMarkets(ladder).filter(({ confidence }) => confidence >= 0.5)
    expect(pairs.map(({ a, b }) => `${a} ${b}`)).toEqual([
      'A60 b60',
      'A62 b62',
      'A64 b64',
      'A66 b66',
    ])
  })

  it('does not depend on the order of the markets, and pairs each once within two events', () => {
    const pairs = pairMarkets(ladder)
    fc.assert(
      fc.property(fc.shuffledSubarray([...ladder], { minLength: ladder.length }), (shuffled) => {
        expect(pairMarkets(shuffled)).toEqual(pairs)
      }),
      { numRuns: 20 },
    )
    expect(new Set(pairs.map(({ a }) => a)).size).toBe(pairs.length)
    expect(new Set(pairs.map(({ b }) => b)).size).toBe(pairs.length)
  })

  it('compares no markets whose closes are over 400 days apart', () => {
    const late = (CLOSE + 401 * DAY) as Millis
    const far = ladder.map((entry) =>
      entry.venue === 'venue_a' ? entry : { ...entry, closeTime: late, endTime: late },
    )
    expect(pairMarkets(far)).toEqual([])
  })

  it('compares by the expected result when a venue closes long after it', () => {
    const late = (CLOSE + 700 * DAY) as Millis
    const [pair, ...rest] = pairMarkets([
      market({
        title: "2026 Men's World Cup winner? - Brazil",
        ticker: 'A',
        closeTime: late,
        expirationTime: CLOSE,
      }),
      market({
        title: 'Will Brazil win the 2026 FIFA World Cup?',
        ticker: 'b',
        venue: 'venue_b',
        closeTime: CLOSE,
      }),
    ])
    expect(rest).toEqual([])
    expect(pair).toMatchObject({ relation: 'identity', closeDeltaDays: 700, features: { date: 1 } })
  })

  it('gives a review precedence over every rule', () => {
    const reviewOf = () => ({ equivalent: true, inverted: true })
    const [pair] = pairMarkets(ladder.slice(0, 2), { reviewOf })
    expect(pair).toMatchObject({ confidence: 1, method: 'reviewed', relation: 'complement' })
    const none = pairMarkets(ladder.slice(0, 2), {
      reviewOf: () => ({ equivalent: false, inverted: false }),
    })
    expect(none).toEqual([])
  })

  it('handles empty lists and empty and hostile titles', () => {
    expect(pairMarkets([])).toEqual([])
    const titles = [
      '',
      '???',
      '\u202e evil \u0000',
      'x'.repeat(10_000),
      'هل ستفوز إيران؟',
      '()[]{}*+?$1',
    ]
    const markets = titles.flatMap((title, index) => [
      market({ title, ticker: `A${index}` }),
      market({ title, ticker: `b${index}`, venue: 'venue_b' }),
    ])
    for (const { confidence } of pairMarkets(markets)) {
      expect(confidence).toBeGreaterThanOrEqual(0)
      expect(confidence).toBeLessThanOrEqual(1)
    }
  })
})

describe('judgements', () => {
  const words = fc.constantFrom(
    ...'Will Fed Iran cut rates strike $70,000 3% by before on March 31, 2026 not win governor Ohio above below'.split(
      ' ',
    ),
  )
  const title = fc.array(words, { maxLength: 12 }).map((list) => list.join(' '))
  const side = fc.record({
    title,
    mark: fc.option(fc.integer({ min: 0, max: 100 })),
    closeTime: fc.option(fc.integer({ min: 0, max: 2_000 }).map((day) => day * DAY)),
  })
  const built = (value: { title: string; mark: number | null; closeTime: number | null }) =>
    market({
      ...value,
      mark: value.mark as Cents | null,
      closeTime: value.closeTime as Millis | null,
    })

  it('are bounded, symmetric and never above a cap', () => {
    fc.assert(
      fc.property(side, side, (left, right) => {
        const [a, b] = [built(left), built(right)]
        const [pair, mirrored] = [judged(a, b), judged(b, a)]
        expect(pair.confidence).toBeGreaterThanOrEqual(0)
        expect(pair.confidence).toBeLessThanOrEqual(1)
        expect(mirrored.confidence).toBe(pair.confidence)
        expect(mirrored.inverted).toBe(pair.inverted)
        expect(mirrored.vetoes).toEqual(pair.vetoes)
        if (pair.vetoes.length > 0) expect(pair.confidence).toBeLessThanOrEqual(0.49)
        if (pair.qualifiers.length > 0) expect(pair.confidence).toBeLessThanOrEqual(0.74)
      }),
      { numRuns: 150 },
    )
  })

  it('rate a market as equal to itself', () => {
    fc.assert(
      fc.property(side, (value) => {
        const pair = judged(built(value), built(value))
        expect(pair).toMatchObject({ vetoes: [], qualifiers: [], inverted: false })
      }),
    )
  })
})

describe('pair lists', () => {
  const pair = (confidence: number, days: number | null, gap: number | null = null) => ({
    confidence,
    closeDeltaDays: days,
    decisionDeltaDays: null,
    gap,
  })

  it('sorts into presets; an unknown close passes only those without a cap', () => {
    expect(passesPreset(pair(0.8, 90), 'arb')).toBe(true)
    expect(passesPreset(pair(0.8, 90.01), 'arb')).toBe(false)
    expect(passesPreset(pair(0.79, 1), 'arb')).toBe(false)
    expect(passesPreset(pair(0.9, null), 'world')).toBe(false)
    expect(passesPreset(pair(0.6, null), 'detail')).toBe(true)
    expect(passesPreset(pair(0.5, null), 'browse')).toBe(true)
  })

  it('counts bands, presets and the middle gap', () => {
    const statistics = pairStatistics([
      pair(1, 1, -4),
      pair(0.95, 200, 2),
      pair(0.3, 1),
      pair(0.6, 1, 6),
    ])
    expect(statistics.byConfidence).toHaveLength(10)
    expect(statistics.byConfidence[9]).toEqual({ from: 0.9, to: 1, count: 2 })
    expect(statistics.byConfidence[3]?.count).toBe(1)
    expect(statistics).toMatchObject({
      totalPairs: 4,
      medianAbsGap: 4,
      byPreset: { arb: 1, world: 1, detail: 3, browse: 3 },
    })
    expect(pairStatistics([])).toMatchObject({ totalPairs: 0, medianAbsGap: null })
  })

  it('measures days between closes', () => {
    expect(closeDeltaDays(0 as Millis, (1.256 * DAY) as Millis)).toBe(1.26)
    expect(closeDeltaDays(0 as Millis, null)).toBeNull()
  })

  it('leaves out a pair when its market has one with a nearer deadline', () => {
    const before = (day: string, ticker: string, venue: 'venue_a' | 'venue_b' = 'venue_a') =>
      market({
        title: `Will Iran close the Strait of Hormuz before ${day}, 2027?`,
        ticker,
        venue,
        eventId: ticker,
      })
    const markets = [
      before('March 1', 'A1'),
      before('March 2', 'A2'),
      before('March 2', 'b', 'venue_b'),
    ]
    const pairs = pairMarkets(markets)
    expect(pairs.map(({ a }) => a).sort()).toEqual(['A1', 'A2'])
    expect(withoutDominated(pairs).map(({ a }) => a)).toEqual(['A2'])
    expect(withoutDominated(pairs.filter(({ a }) => a === 'A1'))).toHaveLength(1)
  })

  it('finds the best pair of a market of either venue', () => {
    const markets = [
      market({ title: 'Will Brazil win the gymkhana?', ticker: 'A' }),
      market({ title: 'Will Brazil win the gymkhana?', ticker: 'b', venue: 'venue_b' }),
    ]
    const pairs = pairMarkets(markets)
    expect(pairs).toHaveLength(1)
    expect(bestPairs(pairs).get('b')).toBe(pairs[0])
  })
})
