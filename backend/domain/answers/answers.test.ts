import { describe, expect, it } from 'vitest'
import type { Cents, Millis } from '../units.ts'
import type { AnswerFacts, AnswerMarket } from './answer-facts.ts'
import { extractiveAnswer, keyFactorsOf, moneyText } from './answer-text.ts'
import { surpriseOf } from './briefing.ts'
import { textDirection } from './direction-lexicon.ts'
import { findingsIn } from './findings.ts'
import { isGrounded } from './grounding.ts'
import { nearestTopics, noMatchText } from './nearest-topics.ts'
import { opinionBody, stanceOf } from './opinion.ts'
import { perspectivesOf } from './perspectives.ts'

const AT = Date.UTC(2026, 7, 20, 12) as Millis
const market = (fields: Partial<AnswerMarket> = {}): AnswerMarket => ({
  ticker: 'KXFED-26SEP',
  venue: 'venue_a',
  title: 'Fed rate cut in September?',
  outcome: null,
  price: 31 as Cents,
  change24h: -4,
  volume24hUsd: 52_000,
  spread: 1 as Cents,
  liquidity: 'high',
  closeTime: Date.UTC(2026, 8, 16) as Millis,
  updatedAt: AT,
  vr: null,
  ...fields,
})
const facts = (fields: Partial<AnswerFacts> = {}): AnswerFacts => {
  const headline = fields.headline ?? market()
  return {
    at: AT,
    headline,
    markets: [headline],
    counterpart: null,
    outcomes: [],
    combined: [],
    eventTitle: null,
    tensions: [],
    ...fields,
  }
}
const COUNTERPART = { ticker: '0xb', venue: 'venue_b' as const, price: 33 as Cents, gap: 2 }

describe('the extractive answer', () => {
  it('is the example of methodology I2', () => {
    expect(extractiveAnswer(facts({ counterpart: COUNTERPART }))).toBe(
      'Fed rate cut in September? 31% (Kalshi), -4¢ in 24h, $52k traded. ' +
        'Polymarket shows 33 (gap 2¢). Closes 2026-09-16.',
    )
  })

  it('adds the outcomes that the question combines', () => {
    const [small, more] = [
      market({ outcome: '25 bps', price: 86 as Cents }),
      market({ outcome: 'more', price: 5 as Cents }),
    ]
    const combined = facts({
      headline: small,
      combined: [small, more],
      eventTitle: 'Fed cuts in December',
      counterpart: COUNTERPART,
    })
    expect(extractiveAnswer(combined)).toBe(
      'Fed cuts in December: 91% = 86% 25 bps + 5% more (Kalshi). Closes 2026-09-16.',
    )
  })

  it('lists unknown values and caveats', () => {
    const bare = market({
      price: null,
      change24h: null,
      volume24hUsd: null,
      closeTime: null,
      spread: 8 as Cents,
      liquidity: 'low',
      updatedAt: (AT - 3_600_000) as Millis,
    })
    expect(extractiveAnswer(facts({ headline: bare }))).toBe(
      'Fed rate cut in September? no price (Kalshi). ' +
        'Caveat: spread 8¢, low liquidity, quote is 60 minutes old.',
    )
  })

  it('stays within 90 words for any texts', () => {
    const long = market({ title: 'word '.repeat(2_000), outcome: 'x '.repeat(5_000) })
    const outcomes = [long, long, long]
    const text = 'y '.repeat(900)
    const tensions = [{ kind: 'divergence' as const, cents: 4, text, ticker: null }]
    const answer = extractiveAnswer(facts({ headline: long, outcomes, tensions }))
    expect(answer.split(/\s+/).length).toBeLessThanOrEqual(90)
  })

  it('lists at most six factors with number and field', () => {
    const busy = market({ ticker: 'KXB', vr: 3.3, change24h: -12 })
    const found = facts({ markets: [market(), busy], counterpart: COUNTERPART })
    expect(keyFactorsOf(found)).toEqual([
      'Fed rate cut in September? moved -12¢ in 24h (KXB, change24h)',
      'Fed rate cut in September? volume 3.3σ above usual (KXB, vr)',
      'Fed rate cut in September? closes 2026-09-16, in 26.5 days (KXB, closeTime)',
      'Fed rate cut in September? +2¢ on Polymarket against Kalshi (crossVenue.gap)',
    ])
  })

  it('names the venue instead of a condition id', () => {
    const ticker = `0x${'4f'.repeat(32)}`
    const busy = market({ ticker, venue: 'venue_b', vr: 3.3, change24h: -12 })
    expect(keyFactorsOf(facts({ markets: [busy] })).join()).not.toContain('0x4f')
    expect(keyFactorsOf(facts({ markets: [busy] }))[0]).toContain('(Polymarket, change24h)')
  })

  it('breaks ties by ticker', () => {
    const alike = { change24h: 6, vr: 3 }
    const markets = [market({ ...alike, ticker: 'KXB' }), market({ ...alike, ticker: 'KXA' })]
    expect(keyFactorsOf(facts({ markets }))).toEqual([
      expect.stringContaining('(KXA, change24h)'),
      expect.stringContaining('(KXA, vr)'),
      expect.stringContaining('(KXA, closeTime)'),
    ])
  })

  it.each([
    [840, '$840'],
    [999.7, '$1k'],
    [52_000, '$52k'],
    [999_499, '$999k'],
    [1_234_000, '$1.2M'],
  ])('writes %d dollars as %s', (usd, text) => expect(moneyText(usd)).toBe(text))
})

describe('texts of a model', () => {
  const FACTS = ['31% (Kalshi), -4¢ in 24h, $52k traded', 'Closes 2026-09-16', '1,250.5 contracts']
  const tickers = new Set(['KXFED-26SEP'])
  it.each([
    ['At 31% and 4 lower.', true],
    ['It closes on September 16, 2026.', true],
    ['1250.5 contracts', true],
    ['KXFED-26SEP is at 31%.', true],
    ['About a third, 33%.', false],
    ['KXFED-26OCT is at 31%.', false],
    ['It fell four cents.', true],
    ['It fell three cents.', false],
  ])('%s', (text, isServed) => expect(isGrounded(text, FACTS, tickers)).toBe(isServed))
})

describe('text analysis', () => {
  it.each([
    ['The deal was confirmed', 1],
    ['Iran denies the report', -1],
    ['It was not confirmed', -1],
    ["He didn't reject it", 1],
    ["IT WON'T", 0],
    ["THEY DIDN'T DENY IT", 1],
    ['Inflation has risen', 1],
    ['Inflation has fallen', -1],
    ['Nothing happened', 0],
    ['Confirmed by one, denied by another', 0],
  ])('%s', (text, direction) => expect(textDirection(text)).toBe(direction))

  it('explains why no market is listed', () => {
    expect(noMatchText('will')).toBe(
      '“will” has no subject. Name a person, place, event, date or number.',
    )
    expect(
      noMatchText('rain in london', [
        {
          title: 'Rain in NYC?',
          differs: ['other place: New York', 'other date: 2026-11-21', 'x'],
        },
        { title: 'Snow in London?', differs: ['does not name “rain”'] },
      ]),
    ).toBe(
      'No open market asks “rain in london”. Nearest: “Rain in NYC?” – other place: New York, ' +
        'other date: 2026-11-21; “Snow in London?” – does not name “rain”.',
    )
  })

  it('finds the nearest topics', () => {
    expect(nearestTopics('tehran airport')).toEqual(['iran', 'oil', 'fed-rate'])
    expect(nearestTopics('бюджет')).toHaveLength(3)
  })

  it('lists each sentence once, under its best topic', () => {
    const found = findingsIn('OPEC cut output. Rain fell. The Fed cut rates.', ['oil', 'fed-rate'])
    expect(found.map(({ claim, topic }) => [claim, topic])).toEqual([
      ['OPEC cut output.', 'oil'],
      ['The Fed cut rates.', 'fed-rate'],
    ])
    expect(findingsIn('x'.repeat(50_000), ['oil'])).toEqual([])
  })

  it('lists a sentence with two equal topics under the first', () => {
    const text = 'Zinc copper rate port. Zinc rate. Port port. Copper port. Zinc port port city.'
    const topicOf = (topics: readonly string[]) =>
      findingsIn(text, topics).find(({ claim }) => claim === 'Zinc copper rate port.')?.topic
    expect([topicOf(['zinc', 'copper']), topicOf(['copper', 'zinc'])]).toEqual(['zinc', 'copper'])
  })
})

describe('results and opinions', () => {
  it.each([
    ['yes', 30, 70],
    ['no', 30, 30],
    ['yes', null, null],
    ['void', 30, null],
  ])('a %s priced at %s surprises by %s', (result, before, surprise) => {
    expect(surpriseOf(result, before)).toBe(surprise)
  })

  it('takes the side of the edge and states what would change it', () => {
    const opinion = {
      label: '3.3σ volume',
      facts: [],
      counter: [],
      edge: 'yes' as const,
      market: { title: 'A', price: 3 },
      gaugeFrom: null,
      url: 'http://here/A',
    }
    expect(stanceOf(opinion)).toBe('yes')
    expect(opinionBody(opinion)).toContain('“A” at 0¢ or lower. [Source](http://here/A)')
    expect(opinionBody(opinion)).not.toContain('Counter-evidence')
    expect(opinionBody(opinion)).not.toContain('3.3σ')
    expect(opinionBody(opinion)).toContain('It is no forecast')
    expect(opinionBody(opinion)).not.toContain('- [Source]')
    const gauge = { ...opinion, market: null, gaugeFrom: '+0.13', counter: ['Liquidity is low'] }
    expect(opinionBody(gauge)).toMatch(/^## Facts\n- 3\.3σ volume.* \[Source\]/)
    expect(opinionBody(gauge)).toContain('## Counter-evidence\n- Liquidity is low')
    expect(opinionBody(gauge)).toContain('The gauge back at +0.13.')
    expect(stanceOf({ edge: null })).toBe('neutral')
  })

  it('is the example of methodology I4', () => {
    const lower = { ...COUNTERPART, price: 56 as Cents, gap: -4 }
    const headline = market({ price: 60 as Cents, change24h: null })
    const [, against] = perspectivesOf(facts({ headline, counterpart: lower }), 3)
    expect(against?.argument).toBe('For NO: Polymarket prices 4¢ lower (crossVenue.gap).')
  })

  it('states a fact once when the other venue has its own perspective', () => {
    const argumentsFor = (counterpart: typeof COUNTERPART | null) =>
      perspectivesOf(facts({ counterpart }), 5).flatMap(({ argument }) => argument)
    expect(argumentsFor(COUNTERPART).filter((text) => text.includes('crossVenue'))).toHaveLength(1)
    expect(
      argumentsFor(null).filter((text) => text.includes('No confident counterpart')),
    ).toHaveLength(1)
  })

  it.each([
    [0.5, 'yes'],
    [0, 'uncertain'],
    [-0.5, 'no'],
    [null, 'uncertain'],
  ])('the other venue with a gap of %s is for %s', (gap, stance) => {
    const perspectives = perspectivesOf(facts({ counterpart: { ...COUNTERPART, gap } }), 5)
    expect(perspectives.at(-1)?.stance).toBe(stance)
  })
})
