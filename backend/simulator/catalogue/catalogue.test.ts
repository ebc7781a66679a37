import { describe, expect, it } from 'vitest'
import { DAY } from '../../domain/units.ts'
import type { Millis } from '../../domain/units.ts'
import { createCatalogue } from './catalogue.ts'
import { isTrading } from './market.ts'
import type { SimMarket } from './market.ts'
import { dateTexts } from './template.ts'
import { TEMPLATES } from './templates.ts'

const NOW = Date.parse('2026-11-20T14:00:00.000Z') as Millis

/** The topics' keywords as the terminal matches them; `control of the house` counts for both chambers. */
const KEYWORDS: Record<string, string> = {
  iran: 'iran|tehran|hormuz|irgc|khamenei',
  oil: 'oil|wti|brent|opec|gasoline|natural gas|crude',
  'fed-rate': 'fed|fomc|federal reserve|rate cut|rate hike|fed funds|dot plot|powell|basis points',
  recession: 'recession|gdp|unemployment|payroll|cpi|pce|inflation|jobless',
  'election-2026':
    '2026 election|midterm|house race|senate race|governor|control of the house|control of the senate',
  bitcoin: 'bitcoin|btc|ethereum|eth|solana|crypto|xrp',
  ukraine: 'ukraine|russia|putin|zelensky|kyiv|donbas|crimea',
  china: 'china|taiwan|xi jinping|beijing|pla',
  trump: 'trump|white house|executive order',
  'ai-tech': 'ai|openai|anthropic|gpt|nvidia|gemini|agi|semiconductor|tesla|apple',
}

describe('the catalogue', () => {
  const catalogue = createCatalogue({ seed: 3, markets: 2_000, from: NOW })
  const all = [...catalogue.markets('venue_a', NOW), ...catalogue.markets('venue_b', NOW)]
  const recent = all.filter((market) => market.settledAt > NOW - 90 * DAY)

  it('has about the requested size, three fifths of it on venue_a, events on both venues', () => {
    expect(recent.length).toBeGreaterThan(1_500)
    expect(recent.length).toBeLessThan(2_500)
    const share = recent.filter((market) => market.venue === 'venue_a').length / recent.length
    expect(share).toBeGreaterThan(0.5)
    expect(share).toBeLessThan(0.7)
    const paired = new Set(
      recent
        .filter((market) => market.venue === 'venue_a' && market.event.paired)
        .map((market) => market.event),
    )
    expect(paired.size).toBeGreaterThan(80)
  })

  it('gives every market and every event a unique name', () => {
    expect(new Set(all.map((market) => market.id)).size).toBe(all.length)
    expect(new Set(all.map((market) => market.number)).size).toBe(all.length)
    expect(new Set(all.map((market) => market.slug).filter((slug) => slug !== '')).size).toBe(
      all.filter((market) => market.venue === 'venue_b').length,
    )
    const events = new Set(all.map((market) => market.event))
    expect(new Set([...events].map((event) => event.id)).size).toBe(events.size)
  })

  it('contains every state and every result', () => {
    const has = (fits: (market: SimMarket) => boolean): boolean => all.some(fits)
    expect(has((market) => market.openAt > NOW)).toBe(true)
    expect(has((market) => market.openAt > NOW - DAY && market.openAt <= NOW)).toBe(true)
    expect(has((market) => market.closeAt > NOW && market.closeAt < NOW + 12 * 3_600_000)).toBe(
      true,
    )
    expect(has((market) => market.closeAt <= NOW && market.settledAt > NOW)).toBe(true)
    expect(all.filter((market) => isTrading(market, NOW)).length).toBeGreaterThan(300)
    for (const result of ['yes', 'no', 'scalar', 'void'])
      expect(
        has((market) => market.result === result),
        result,
      ).toBe(true)
  })

  it('is the same whenever it was built', () => {
    const earlier = createCatalogue({ seed: 3, markets: 2_000, from: (NOW - 25 * DAY) as Millis })
    const described = (market: SimMarket) => [
      market.id,
      market.rules,
      market.settledAt,
      market.payout,
      market.chance(NOW),
    ]
    expect(earlier.markets('venue_b', NOW).map(described)).toEqual(
      catalogue.markets('venue_b', NOW).map(described),
    )
  })

  it('continues: a month later there are new markets, and old ones have ended', () => {
    const later = NOW + 30 * DAY
    const then = catalogue.markets('venue_a', later)
    expect(
      then.filter((market) => market.createdAt > NOW && isTrading(market, later)).length,
    ).toBeGreaterThan(50)
    const stillOpen = then.filter(
      (market) => isTrading(market, later) && market.openAt < NOW,
    ).length
    expect(stillOpen).toBeLessThan(
      catalogue.markets('venue_a', NOW).filter((market) => isTrading(market, NOW)).length,
    )
  })

  it('prices markets towards their result', () => {
    const ended = all.filter(
      (market) =>
        market.settledAt < NOW &&
        (market.result === 'yes' || market.result === 'no') &&
        !market.placeholder,
    )
    const mean = (result: string, before: number): number => {
      const chances = ended
        .filter((market) => market.result === result && market.closeAt - before > market.openAt)
        .map((market) => market.chance(market.closeAt - before))
      return chances.reduce((a, b) => a + b, 0) / chances.length
    }
    expect(mean('yes', 60_000)).toBeGreaterThan(mean('yes', 2 * DAY))
    expect(mean('yes', 60_000)).toBeGreaterThan(0.9)
    expect(mean('no', 60_000)).toBeLessThan(0.1)
  })

  it('resolves as often as its prices imply', () => {
    const sample = all.filter(
      (market) =>
        market.settledAt < NOW &&
        (market.result === 'yes' || market.result === 'no') &&
        !market.placeholder &&
        market.event.template.shape.kind === 'above',
    )
    const believed = sample.map((market) => market.chance((market.openAt + market.endAt) / 2))
    const expected = believed.reduce((a, b) => a + b, 0)
    const happened = sample.filter((market) => market.result === 'yes').length
    expect(sample.length).toBeGreaterThan(100)
    expect(Math.abs(happened - expected) / sample.length).toBeLessThan(0.12)
  })
})

describe('titles', () => {
  it.each(TEMPLATES.map((template) => [template.name, template] as const))(
    'of %s match its topics on both venues',
    (_, template) => {
      const when = dateTexts(NOW)
      for (const subject of template.subjects)
        for (const topic of template.topics) {
          const matcher = new RegExp(`\\b(?:${KEYWORDS[topic] ?? 'never'})s?\\b`, 'i')
          const tags = template.tags.map((tag) => tag.replace('{name}', subject.name)).join(' | ')
          expect(`${template.titleA(subject, when)} | ${template.series.tags.join(' | ')}`).toMatch(
            matcher,
          )
          expect(`${template.titleB(subject, when)} | ${tags}`).toMatch(matcher)
        }
    },
  )

  it('cover all topics', () => {
    expect(new Set(TEMPLATES.flatMap((template) => template.topics))).toEqual(
      new Set(Object.keys(KEYWORDS)),
    )
  })
})
