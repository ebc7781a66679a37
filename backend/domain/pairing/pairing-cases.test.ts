import { describe, expect, it } from 'vitest'
import type { Millis } from '../units.ts'
import { PAIR_CALIBRATION } from './calibration-curve.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { Fingerprint, PairingFacts } from './fingerprint.ts'
import { judgePair } from './judgement.ts'
import type { PairJudgement } from './judgement.ts'
import { pairMarkets, passesPreset, presetDays } from './pairs.ts'
import { TITLE_WEIGHTS } from './title-weights.ts'

type Side = string | (Partial<PairingFacts> & { readonly title: string })

const CLOSE = Date.parse('2026-12-31T23:59:00Z') as Millis
const day = (text: string): Millis => Date.parse(`${text}T15:00:00Z`) as Millis

function market(side: Side, venue: 'venue_a' | 'venue_b'): Fingerprint {
  const facts = typeof side === 'string' ? { title: side } : side
  return fingerprintOf({
    venue,
    ticker: `${venue} ${facts.title}`,
    subtitle: null,
    description: '',
    eventId: facts.title,
    eventTitle: null,
    seriesTitle: null,
    tags: [],
    category: 'politics',
    closeTime: CLOSE,
    mark: null,
    ...facts,
  })
}

const judged = (a: Side, b: Side): PairJudgement =>
  judgePair(market(a, 'venue_a'), market(b, 'venue_b'), {
    weights: TITLE_WEIGHTS,
    calibration: PAIR_CALIBRATION,
  })

const race = (title: string, closes: string): Side => ({ title, closeTime: day(closes) })

describe('one question in two wordings', () => {
  it.each<readonly [string, Side, Side]>([
    [
      'initials',
      'Will J.D. Vance win the 2028 Republican presidential nomination?',
      'Will JD Vance win the 2028 Republican presidential nomination?',
    ],
    [
      'a middle initial',
      'Will Trump nominate James B. Bullard as Fed Chair in 2026?',
      'Will Trump nominate James Bullard as Fed Chair in 2026?',
    ],
    [
      'a vowel of a first name',
      'Will Ahmad Vahidi be head of state in Iran end of 2026?',
      'Will Ahmed Vahidi be head of state in Iran end of 2026?',
    ],
    [
      'a silent letter',
      'Will Cory Booker win the 2028 Democratic presidential nomination?',
      'Will Corey Booker win the 2028 Democratic presidential nomination?',
    ],
    [
      'letters without a decomposition',
      'Will Bodø win the Eliteserien in 2026?',
      'Will Bodo win the Eliteserien in 2026?',
    ],
    [
      'the party of a Senate race',
      race('Will Democratics win the Senate race in Maine?', '2027-11-03'),
      race('Will the Democrats win the Maine Senate race in 2026?', '2026-11-03'),
    ],
    [
      'the party of a governorship',
      race('Will the Republican party win the governorship in Nevada', '2027-11-03'),
      race('Will the Republicans win the Nevada governor race in 2026?', '2026-11-03'),
    ],
    [
      'the candidate of a party in the label',
      {
        title: 'Will Democratic win the House race for GA-06? - Lucy McBath',
        subtitle: 'Lucy McBath',
        closeTime: day('2027-11-03'),
      },
      race('Will the Democratic Party win the GA-6 House seat?', '2026-11-03'),
    ],
    [
      'leaving an office',
      'Will Vladimir Putin leave President of Russia before Jan 1, 2027?',
      'Putin out as President of Russia by December 31, 2026?',
    ],
    [
      'ceasing to hold an office',
      'Will Viktor Orbán cease to be Prime Minister of Hungary before Jan 1, 2027?',
      'Viktor Orban out as Prime Minister of Hungary by December 31, 2026?',
    ],
    [
      'a nominee and a primary',
      'Will Ken Paxton be the Republican nominee for Senate in Texas in 2026?',
      'Will Ken Paxton win the 2026 Texas Senate Republican primary?',
    ],
    [
      'the presidency',
      race('Will Republican win the Presidency in 2028? - Republican party', '2029-11-07'),
      race('Will the Republicans win the 2028 US Presidential Election?', '2028-11-07'),
    ],
    [
      'a song with and without its artist',
      'Will Opalite be the #1 song on the Billboard Hot 100 in March 2026?',
      'Will Opalite be the top song on the Billboard Hot 100 in March 2026?',
    ],
    [
      'no cut as a count',
      'Will the Fed cut rates 0 times in 2026?',
      'Will no Fed rate cuts happen in 2026?',
    ],
  ])('is recognised: %s', (_, a, b) => {
    const pair = judged(a, b)
    expect(pair).toMatchObject({ vetoes: [], qualifiers: [], inverted: false })
    expect(pair.confidence).toBeGreaterThanOrEqual(0.8)
  })
})

describe('two questions in similar words', () => {
  it.each<readonly [string, Side, Side]>([
    [
      'one field, one day and nothing else',
      'When will a crypto firm receive a national bank charter? - Before Jan 1, 2027',
      'Will the crypto market structure bill become law by Jan 1, 2027?',
    ],
    [
      'one actor, one day in May and nothing else',
      'When will Congress ban stock trading by its members? - Before May 8, 2027',
      'Will Congress end daylight saving time by May 8, 2027?',
    ],
    [
      'Virginia and West Virginia',
      race('Will Democrats win the Senate race in Virginia?', '2026-11-03'),
      race('Will Democrats win the Senate race in West Virginia?', '2026-11-03'),
    ],
    [
      'two districts of one number',
      race('Will Republican win the House race for RI-02?', '2026-11-03'),
      race('Will the Republican Party win the CT-02 House seat?', '2026-11-03'),
    ],
    [
      'two offices of one state',
      race('Will Republicans win the governorship in West Virginia', '2026-11-03'),
      race('Will the Republicans win the West Virginia Senate race in 2026?', '2026-11-03'),
    ],
    [
      'two elections of one seat',
      race('Will Democratics win the Senate race in Georgia?', '2029-11-07'),
      race('Will the Democrats win the Georgia Senate race in 2026?', '2026-11-03'),
    ],
    [
      'the party that only the slug names',
      race('Will Republicans win the Senate race in Maine?', '2026-11-03'),
      {
        title: 'Will the party win the Maine Senate race in 2026?',
        aliases: ['maine-senate-winner-dem'],
      },
    ],
    [
      'a title and a slug of two parties',
      race('Will Republicans win the Senate race in Maine?', '2026-11-03'),
      {
        title: 'Will the Republicans win the Maine Senate race in 2026?',
        aliases: ['will-the-democrats-win-the-maine-senate-race-dem'],
      },
    ],
    [
      'a count and whether at all',
      'Will the Fed cut rates 3 times in 2026?',
      'Will there be a Fed rate cut in 2026?',
    ],
    [
      'two counts',
      'Will the Fed cut rates 3 times in 2026?',
      'Will 2 Fed rate cuts happen in 2026?',
    ],
    [
      'brothers',
      'Will Flávio Bolsonaro win the 2026 Brazilian presidential election?',
      'Will Eduardo Bolsonaro win the 2026 Brazilian presidential election?',
    ],
    [
      'the name of an outcome and that of a relative',
      {
        title: '2026 Brazilian presidential election winner? - Michelle Bolsonaro',
        subtitle: 'Michelle Bolsonaro',
      },
      'Will Jair Bolsonaro win the 2026 Brazilian presidential election?',
    ],
    [
      'two people with one first name',
      'Will François Ruffin win the 2027 French presidential election?',
      'Will François Baroin win the 2027 French presidential election?',
    ],
    [
      'the end of a year and the end of the next',
      'Will Iran test a nuclear weapon before 2026?',
      'Will Iran test a nuclear weapon by 2026-12-31?',
    ],
    [
      'an outcome before a year and the end of that year',
      { title: 'When will Iran test a nuclear weapon? - Before 2026', subtitle: 'Before 2026' },
      'Will Iran test a nuclear weapon by 2026-12-31?',
    ],
    [
      'running for a nomination',
      'Who will run for the Republican presidential nomination in 2028? - J.D. Vance',
      'Will J.D. Vance win the 2028 Republican presidential nomination?',
    ],
    [
      'two clubs of one town',
      'Manchester United at Newcastle: Both Teams to Score',
      'Newcastle United FC vs. Manchester City FC: Both Teams to Score',
    ],
    [
      'the second leg',
      'Barcelona at Newcastle: Both Teams to Score',
      'FC Barcelona vs. Newcastle United FC: Both Teams to Score',
    ],
    [
      'several offices at once',
      race(
        'Will Kansas Governor winner be Democratic party and Kansas Senate winner be Democratic party?',
        '2026-11-03',
      ),
      race('Will the Democrats win the Kansas governor race in 2026?', '2026-11-03'),
    ],
  ])('is not served: %s', (_, a, b) => {
    expect(judged(a, b).confidence).toBeLessThan(0.8)
    expect(judged(b, a).confidence).toBeLessThan(0.8)
  })
})

describe('the rules of one question', () => {
  const title = 'Will Russia and Ukraine agree to a ceasefire by December 31, 2026?'
  const between = (a: string, b: string): PairJudgement =>
    judged({ title, description: a }, { title, description: b })

  it.each<readonly [string, string, string]>([
    [
      'leave out on one venue only',
      'A statement by a party without confirmation is not sufficient.',
      'Only a general pause counts; agreements limited to energy will not qualify.',
    ],
    [
      'leave out different things',
      'Agreements limited to energy will not qualify.',
      'A pause of less than a week does not count.',
    ],
  ])('cap the confidence when they %s', (_, a, b) => {
    for (const found of [between(a, b), between(b, a)]) {
      expect(found.qualifiers).toEqual(['exclusion'])
      expect(found.confidence).toBe(0.74)
    }
  })

  it.each<readonly [string, string, string]>([
    [
      'leave out the same in other words',
      'Agreements that are limited to energy infrastructure do not count.',
      'An agreement limited to energy infrastructure will not qualify.',
    ],
    [
      'differ in what proves it',
      'Announcements of intent do not count.',
      'Only reports of both governments count.',
    ],
    ['are unknown on one venue', 'A local pause does not count.', ''],
  ])('do not when they %s', (_, a, b) => {
    expect(between(a, b).qualifiers).toEqual([])
  })

  it.each<readonly [string, string, string]>([
    ['day after a holiday', 'the next trading day counts', 'the previous trading day decides'],
    ['list', 'ranked with style control removed', 'ranked with style control on'],
    ['moment', 'the effective date decides', 'an announcement by the deadline is enough'],
    ['release', 'the advance estimate is used', 'the third estimate is used'],
  ])('cap the confidence when they choose another %s', (_, a, b) => {
    expect(between(a, b).qualifiers).toEqual(['setting'])
    expect(between(a, a).qualifiers).toEqual([])
  })
})

describe('months and days', () => {
  it('are distinct from names and thresholds beside them', () => {
    const film = 'Will Project Hail Mary win Best Picture?'
    expect(market(film, 'venue_a').time).toEqual(
      market('Will Conclave win Best Picture?', 'venue_a').time,
    )
    const rate = market('Will the tariff fall below 20% by Nov 30, 2026?', 'venue_b')
    expect(rate.strikes).toEqual([20])
    expect(rate.time.day).toBe(Date.UTC(2026, 10, 30))
  })
})

describe('a race without a year', () => {
  it('is that of the month which the other names when both close together', () => {
    const iowa = race('Who will win the Iowa Senate race? - Democratic', '2027-01-04')
    const of = (closes: string) =>
      judged(iowa, race('Who will win the Iowa Senate race: Democratic? (January 2027)', closes))
    expect(of('2027-01-04').confidence).toBeGreaterThanOrEqual(0.8)
    expect(of('2027-01-31').confidence).toBeLessThan(0.5)
  })
})

describe('a close a year after the decision', () => {
  const RULES_A =
    'If a representative of the Democratic party is sworn in as a Senator of Kansas for the term beginning in 2027, then the market resolves to Yes.'
  const RULES_B =
    'This market resolves by the winner of the 2026 midterm Kansas U.S. Senate election.'

  it('reaches arb by the decision that rules name', () => {
    const title = 'Will Acme Corp merge with Globex?'
    const rules = 'If the merger closes before Jan 1, 2027, the market resolves to Yes.'
    const [pair] = pairMarkets([
      market({ title, description: rules, closeTime: day('2028-01-01') }, 'venue_a'),
      market({ title, description: rules, closeTime: day('2027-01-01') }, 'venue_b'),
    ])
    expect(pair).toMatchObject({ closeDeltaDays: 365, decisionDeltaDays: 0, qualifiers: [] })
    expect(pair !== undefined && passesPreset({ ...pair, confidence: 0.99 }, 'arb')).toBe(true)
  })

  it('is not assumed without rules', () => {
    const title = 'Will Acme Corp merge with Globex?'
    const [pair] = pairMarkets([
      market({ title, closeTime: day('2028-01-01') }, 'venue_a'),
      market({ title, closeTime: day('2027-01-01') }, 'venue_b'),
    ])
    expect(pair).toMatchObject({ decisionDeltaDays: 365, qualifiers: ['deadline'] })
    expect(pair !== undefined && passesPreset({ ...pair, confidence: 0.99 }, 'arb')).toBe(false)
  })

  it('is the election for a race', () => {
    const [a, b] = [
      market(
        {
          title: 'Kansas Senate winner? - Democratic party',
          description: RULES_A,
          closeTime: day('2027-11-03'),
        },
        'venue_a',
      ),
      market(
        {
          title: 'Will the Democrats win the Kansas Senate race?',
          description: RULES_B,
          closeTime: day('2026-11-03'),
        },
        'venue_b',
      ),
    ]
    expect(new Date(a.decisionTime ?? 0).toISOString()).toContain('2026-11-03')
    expect(a.decisionTime).toBe(b.decisionTime)
  })

  it('limits presets by the nearer of closes and decisions', () => {
    expect(presetDays({ closeDeltaDays: 365, decisionDeltaDays: 0 })).toBe(0)
    expect(presetDays({ closeDeltaDays: 2, decisionDeltaDays: 60 })).toBe(2)
    expect(presetDays({ closeDeltaDays: null, decisionDeltaDays: 3 })).toBe(3)
    expect(presetDays({ closeDeltaDays: null, decisionDeltaDays: null })).toBeNull()
  })
})
