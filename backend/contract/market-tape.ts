import { t } from 'elysia'
import type { Static } from 'elysia'
import { VenueEnum } from './market.ts'
import { CandlesQuery } from './market-history.ts'
import * as param from './params.ts'
import { query } from './query-schema.ts'
import type { ReadQuery } from './query-schema.ts'
import { describedEnum, Iso, Num, nullable, stringEnum } from './schemas.ts'
import { TIMEFRAMES } from '../domain/prices/candle.ts'

/** Quotes and trades of one market, as a chart draws them. */
export const QuoteBarsQuery = CandlesQuery
export type QuoteBarsQuery = ReadQuery<typeof QuoteBarsQuery>

const midpoint = (description: string) =>
  nullable(
    t.Number({
      description: `${description} midpoint of books up to 10 cents wide; null without one`,
    }),
  )

export const QuoteBar = t.Object({
  t: t.Integer({ description: 'start of the bar, Unix seconds' }),
  at: Iso,
  bid: Num,
  ask: Num,
  o: midpoint('first'),
  h: midpoint('highest'),
  l: midpoint('lowest'),
  c: midpoint('last'),
})
export type QuoteBar = Static<typeof QuoteBar>

export const QuoteBars = t.Object({
  ticker: t.String(),
  venue: VenueEnum,
  timeframe: stringEnum(TIMEFRAMES),
  priceUnit: t.Literal('cents'),
  bars: t.Array(QuoteBar, {
    description: 'bars in which the quote changed; it is unchanged until the next one',
  }),
  gaps: t.Array(t.Object({ from: Iso, to: Iso }), {
    description: 'gaps in the quote feed since the first bar',
  }),
  count: t.Integer(),
  nextBefore: nullable(Iso),
})
export type QuoteBars = Static<typeof QuoteBars>

export const DepthQuery = query({
  timeframe: param.oneOf(TIMEFRAMES, '15m', {
    description: 'width of a bar',
    named: 'timeframe',
  }),
  limit: param.limit(96, 300),
  asOf: param.asOf(),
})
export type DepthQuery = ReadQuery<typeof DepthQuery>

const DepthLevel = t.Object({
  price: t.Number({ description: 'cents of YES' }),
  size: t.Number({ description: 'contracts' }),
})
export const DepthBar = t.Object({
  t: t.Integer({ description: 'start of the bar, Unix seconds' }),
  at: Iso,
  bids: t.Array(DepthLevel, { description: 'best first, at most five' }),
  asks: t.Array(DepthLevel, { description: 'best first, at most five' }),
})
export type DepthBar = Static<typeof DepthBar>

export const DepthBars = t.Object({
  ticker: t.String(),
  venue: VenueEnum,
  timeframe: stringEnum(TIMEFRAMES),
  priceUnit: t.Literal('cents'),
  bars: t.Array(DepthBar, {
    description: 'the newest stored book of each bar that has one, oldest first',
  }),
  gaps: t.Array(t.Object({ from: Iso, to: Iso }), {
    description: 'gaps in the book feed since the first bar',
  }),
  count: t.Integer(),
})
export type DepthBars = Static<typeof DepthBars>

export const TapeQuery = query({
  limit: param.limit(200, 2_000),
  before: param.instant('only trades before this time'),
  asOf: param.asOf(),
})
export type TapeQuery = ReadQuery<typeof TapeQuery>

export const Tape = t.Object({
  ticker: t.String(),
  venue: VenueEnum,
  priceUnit: t.Literal('cents'),
  trades: t.Array(
    t.Object({
      id: t.String({ description: 'unique within the venue' }),
      at: Iso,
      price: t.Number({ description: 'YES price, whichever side was bought' }),
      size: t.Number({ description: 'contracts' }),
      side: nullable(describedEnum(['yes', 'no'], 'side that the taker bought')),
      block: t.Optional(t.Literal(true, { description: 'block trade, agreed off the book' })),
    }),
    { description: 'newest first' },
  ),
  count: t.Integer(),
  nextBefore: nullable(Iso),
})
export type Tape = Static<typeof Tape>
export type TapeTrade = Tape['trades'][number]
