import { t } from 'elysia'
import type { Static } from 'elysia'
import { LevelWord, linkFields, SampleMark, VenueWord } from './market-ref.ts'
import { Cents, Iso, nullable, Num, words } from './schemas.ts'

export const StatusWord = words(['upcoming', 'active', 'paused', 'closed', 'resolving', 'settled'])

export const BookLevel = t.Object({
  price: t.Number({ description: 'cents' }),
  size: t.Number({ description: 'contracts' }),
})

/** Fields of a market as lists serve it; rows of particular lists add to them. */
export const marketRowFields = {
  ...linkFields,
  ticker: t.String(),
  venue: VenueWord,
  title: t.String(),
  subtitle: nullable(t.String()),
  slug: t.String(),
  eventId: t.String(),
  eventTitle: nullable(t.String()),
  seriesId: nullable(t.String()),
  category: t.String(),
  topics: t.Array(t.String()),
  status: StatusWord,
  result: nullable(words(['yes', 'no', 'scalar'])),
  price: Cents,
  bestBid: Cents,
  bestAsk: Cents,
  spread: Cents,
  lastPrice: Cents,
  change24h: Num,
  volume: Num,
  volume24h: Num,
  volumeUnit: words(['contracts', 'usd']),
  openInterest: Num,
  liquidityScore: LevelWord,
  openTime: nullable(Iso),
  closeTime: nullable(Iso),
  tauDays: nullable(t.Integer()),
  updatedAt: t.String({ format: 'date-time', description: 'time of the quote' }),
  sample: SampleMark,
}
export const MarketRow = t.Object(marketRowFields)
export type MarketRow = Static<typeof MarketRow>

export const Indicators = t.Object({
  iy: Num,
  iyYes: Num,
  iyNo: Num,
  adjIy: Num,
  cri: Num,
  ee: Num,
  eeSource: nullable(t.Literal('thesis')),
  las: Num,
  cvr: Num,
  tau: Num,
  tauDays: nullable(t.Integer()),
  daysToEvent: Num,
  overround: Num,
  rv: Num,
  vr: Num,
  iar: Num,
  expectedVr: Num,
  residualVr: Num,
  hasThesis: t.Boolean(),
  hasOrderbook: t.Boolean(),
  lastComputedAt: nullable(Iso),
})
export type Indicators = Static<typeof Indicators>

export const RegimeLabel = words(['maker', 'taker', 'neutral'])
