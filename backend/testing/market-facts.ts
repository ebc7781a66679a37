import type { MarketFacts } from '../domain/market.ts'
import type { Millis, PriceE4 } from '../domain/units.ts'

/** Facts of an ordinary active market; a test states only what matters to it. */
export const marketFacts = (facts: Partial<MarketFacts> = {}): MarketFacts => ({
  venue: 'venue_a',
  ticker: 'KXTEST-26DEC31-A',
  title: 'Will the test pass?',
  subtitle: null,
  description: 'Resolves YES when the test passes.',
  rulesUrl: null,
  eventId: 'KXTEST-26DEC31',
  eventTitle: 'Will the test pass?',
  seriesId: 'KXTEST',
  seriesTitle: 'Tests',
  category: 'technology',
  tags: [],
  status: 'active',
  result: null,
  settlementPrice: null,
  openTime: Date.parse('2026-11-01T00:00:00Z') as Millis,
  closeTime: Date.parse('2026-12-31T00:00:00Z') as Millis,
  expirationTime: null,
  exclusive: false,
  priceRanges: [{ start: 0 as PriceE4, end: 10_000 as PriceE4, step: 100 as PriceE4 }],
  volumeUnit: 'contracts',
  aliases: [],
  assetIds: [],
  ...facts,
})
