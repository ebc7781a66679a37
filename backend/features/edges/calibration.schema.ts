import { t } from 'elysia'
import type { Static } from 'elysia'
import { VERDICTS } from '../../domain/calibration-scores.ts'
import { VENUES } from '../../domain/market.ts'
import { VenueWord } from '../../http/market-ref.ts'
import * as param from '../../http/params.ts'
import { query } from '../../http/query.ts'
import type { ReadQuery } from '../../http/query.ts'
import { Iso, nullable, Num, words } from '../../http/schemas.ts'

export const PERIODS = ['7d', '30d', '90d', 'all'] as const

export const CalibrationQuery = query({
  source: param.oneOf(VENUES, null, { description: 'both venues unless told' }),
  period: param.oneOf(PERIODS, '30d', { description: 'when the settlement was known' }),
  category: param.text('as of listing'),
  topic: param.text('as of listing'),
  min_volume: param.number({ min: 0, description: 'dollars over the life of the market' }),
  asOf: param.asOf(),
})
export type CalibrationQuery = ReadQuery<typeof CalibrationQuery>

const groupFields = { n: t.Integer(), brier: Num, hitRate: Num }
const cents = (description: string) => nullable(t.Number({ description }))

export const Calibration = t.Object({
  source: words(['venue_a', 'venue_b', 'all']),
  period: words(PERIODS),
  category: nullable(t.String()),
  topic: nullable(t.String()),
  minVolumeUsd: t.Number(),
  sample: t.Integer({
    description: 'settled YES or NO, listed 48 hours or more before their close',
  }),
  coveragePct: nullable(t.Number({ description: 'of them with a price 24 h before settlement' })),
  brier: nullable(t.Number({ description: 'mean squared miss 24 h before settlement' })),
  brierAtClose: nullable(
    t.Number({ description: 'of the last price, for comparison; markets of any life count' }),
  ),
  hitRate: Num,
  verdict: nullable(words(VERDICTS)),
  horizonHours: t.Literal(24),
  buckets: t.Array(
    t.Object({
      from: t.Number({ description: 'cents' }),
      to: t.Number({ description: 'cents' }),
      n: t.Integer(),
      predictedMean: cents('cents'),
      realizedRate: cents('cents'),
      deviation: cents('predicted less realised, cents'),
      brier: Num,
    }),
    { description: 'ten, ascending' },
  ),
  byVenue: t.Array(t.Object({ venue: VenueWord, ...groupFields })),
  byCategory: t.Array(t.Object({ category: t.String(), ...groupFields }), {
    description: 'most forecasts first',
  }),
  from: Iso,
  to: Iso,
  generatedAt: Iso,
})
export type Calibration = Static<typeof Calibration>
