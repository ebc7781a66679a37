import { t } from 'elysia'
import type { Static } from 'elysia'
import { isSample } from '../domain/market.ts'
import type { MarketFacts } from '../domain/market.ts'
import { roundTo } from '../domain/units.ts'
import type { Cents as CentsValue, Millis } from '../domain/units.ts'
import { isoOf } from '../lib/clock.ts'
import { inspectUrl, marketPageUrl, marketUrl } from './next-actions.ts'
import type { Urls } from './next-actions.ts'
import { Cents, words } from './schemas.ts'

export const VenueWord = words(['venue_a', 'venue_b'])
export const LevelWord = words(['high', 'medium', 'low'])

/** A market as other things name it. */
export const MarketRef = t.Object({
  ticker: t.String(),
  venue: VenueWord,
  title: t.String(),
  price: Cents,
  url: t.String({ description: 'address of the dossier' }),
})
export type MarketRef = Static<typeof MarketRef>

/** Fields of everything that links to a market. */
export const linkFields = {
  pageUrl: t.String(),
  apiUrl: t.String(),
  inspectUrl: t.String(),
}

/** A market of either venue with its own prices. */
export const quotedFields = {
  ticker: t.String(),
  venue: VenueWord,
  title: t.String(),
  price: Cents,
  bestBid: Cents,
  bestAsk: Cents,
}

/** Present on markets that the demo made up, absent on all others. */
export const SampleMark = t.Optional(
  t.Literal(true, { description: 'made up by the demo, not a market of the venue' }),
)

export const isoOrNull = (at: Millis | null): string | null => (at === null ? null : isoOf(at))

/** A number as it is served, rounded half away from zero. */
export const rounded = (value: number | null, places = 2): number | null =>
  value === null ? null : roundTo(value, places)

/** What rows of made-up markets say in addition. */
export const sampleMark = (facts: Pick<MarketFacts, 'tags'>): { sample?: true } =>
  isSample(facts) ? { sample: true } : {}

/** A market with its headline price. */
interface Priced {
  readonly facts: Pick<MarketFacts, 'ticker' | 'venue' | 'title'>
  readonly price: CentsValue | null
}

export const refOf = ({ facts, price }: Priced, urls: Urls): MarketRef => ({
  ticker: facts.ticker,
  venue: facts.venue,
  title: facts.title,
  price: rounded(price),
  url: inspectUrl(urls, facts.ticker),
})

/** Addresses of a market: its page, its data and its dossier. */
export const linksOf = (
  { slug, facts }: { readonly slug: string; readonly facts: Pick<MarketFacts, 'ticker'> },
  urls: Urls,
) => ({
  pageUrl: marketPageUrl(urls, slug),
  apiUrl: marketUrl(urls, facts.ticker),
  inspectUrl: inspectUrl(urls, facts.ticker),
})
