import type { MarketRef } from '../../contract/market.ts'
import { isSample } from '../../domain/market.ts'
import type { MarketFacts } from '../../domain/market.ts'
import { roundTo } from '../../domain/units.ts'
import type { Cents as CentsValue, Millis } from '../../domain/units.ts'
import { inspectUrl, marketPageUrl, marketUrl } from '../next-actions.ts'
import type { Urls } from '../next-actions.ts'
import { isoOf } from '../../lib/clock.ts'

export const isoOrNull = (at: Millis | null): string | null => (at === null ? null : isoOf(at))

/** Rounds a number for a response, half away from zero. */
export const roundOrNull = (value: number | null, places = 2): number | null =>
  value === null ? null : roundTo(value, places)

/** The `sample` field of generated markets. */
export const sampleMark = (facts: Pick<MarketFacts, 'tags'>): { sample?: true } =>
  isSample(facts) ? { sample: true } : {}

/** A market with its headline price. */
interface PricedMarket {
  readonly facts: Pick<MarketFacts, 'ticker' | 'venue' | 'title'>
  readonly price: CentsValue | null
}

export const refOf = ({ facts, price }: PricedMarket, urls: Urls): MarketRef => ({
  ticker: facts.ticker,
  venue: facts.venue,
  title: facts.title,
  price: roundOrNull(price),
  url: inspectUrl(urls, facts.ticker),
})

/** Links of a market: its page, its data and its dossier. */
export const linksOf = (
  { slug, facts }: { readonly slug: string; readonly facts: Pick<MarketFacts, 'ticker'> },
  urls: Urls,
) => ({
  pageUrl: marketPageUrl(urls, slug),
  apiUrl: marketUrl(urls, facts.ticker),
  inspectUrl: inspectUrl(urls, facts.ticker),
})
