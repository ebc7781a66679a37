import { t } from 'elysia'
import type { Static } from 'elysia'
import { VENUES } from '../../domain/market.ts'
import type { CurveShape } from '../../domain/yield-curve.ts'
import { VenueWord } from '../../http/market-ref.ts'
import * as param from '../../http/params.ts'
import { query } from '../../http/query.ts'
import type { ReadQuery } from '../../http/query.ts'
import { Cents, Iso, Num, words } from '../../http/schemas.ts'

const SHAPES: readonly CurveShape[] = ['up', 'flat', 'inverted', 'humped']

export const CurvesQuery = query({
  limit: param.clampedInteger({ default: 50, min: 1, max: 200 }),
  venue: param.oneOf(VENUES, null),
  topic: param.text('theme of a market of the curve'),
  shape: param.oneOf(SHAPES, null),
  asOf: param.asOf(),
})
export type CurvesQuery = ReadQuery<typeof CurvesQuery>

export const CurveQuery = query({ asOf: param.asOf() })
export type CurveQuery = ReadQuery<typeof CurveQuery>

export const YieldCurve = t.Object({
  eventBase: t.String({ description: 'event, or what questions of several events ask' }),
  venue: VenueWord,
  title: t.String(),
  shape: words(['up', 'flat', 'inverted', 'humped']),
  pointCount: t.Integer(),
  distinctTenorCount: t.Integer(),
  totalVolume24h: Num,
  avgPrice: Cents,
  firstMarketTitle: t.String(),
  asOf: Iso,
  points: t.Array(
    t.Object({
      ticker: t.String(),
      title: t.String(),
      tenorDays: t.Integer(),
      price: Cents,
      iy: Num,
      volume24h: Num,
      closeTime: Iso,
      inspectUrl: t.String(),
    }),
    { description: 'nearest first' },
  ),
})
export type YieldCurve = Static<typeof YieldCurve>

export const Curves = t.Object({
  curves: t.Array(YieldCurve, { description: 'by 24 h volume' }),
  count: t.Integer(),
  generatedAt: Iso,
})
export type Curves = Static<typeof Curves>
