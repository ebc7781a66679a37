import { t } from 'elysia'
import type { Static } from 'elysia'
import { ContagionLink } from './indices.ts'
import {
  CrossMatch,
  Indicators,
  RegimeLabel,
  RegimeSignal,
  ThesisEdge,
  TrendEnum,
  marketRowFields,
} from './market.ts'
import * as param from './params.ts'
import { PositionOverlay } from './portfolio.ts'
import { query } from './query-schema.ts'
import type { ReadQuery } from './query-schema.ts'
import { Action, Cents, Iso, Num, nullable, stringEnum } from './schemas.ts'

export const InspectQuery = query({
  format: param.format(['json', 'markdown'] as const, 'json'),
  contagion: param.flag('linked markets with an expected move', true),
  diff: param.flag('changes of the last 24 hours', true),
  trend: param.flag('the last seven days', true),
  asOf: param.asOf(),
  nextActions: param.nextActions(),
})
export type InspectQuery = ReadQuery<typeof InspectQuery>

const Change = t.Object({ from: Num, to: Num, delta: Num })

export const Suggestion = t.Object({
  action: stringEnum(['consider_long', 'consider_short', 'wait', 'avoid', 'monitor']),
  confidence: t.Number(),
  reasoning: t.String(),
  positives: t.Array(t.String()),
  warnings: t.Array(t.String()),
  sizeHint: stringEnum(['small', 'medium', 'large']),
})

export const DossierActions = t.Object({
  execute: nullable(Action),
  watch: nullable(Action),
  deeper: t.Array(Action),
  query: t.Array(Action),
})
export type DossierActions = Static<typeof DossierActions>

const {
  pageUrl,
  apiUrl,
  inspectUrl,
  ticker,
  venue,
  title,
  slug,
  eventTitle,
  category,
  status,
  result,
  price,
  bestBid,
  bestAsk,
  spread,
  lastPrice,
  volume,
  volume24h,
  volumeUnit,
  openInterest,
  liquidityScore,
  closeTime,
  sample,
} = marketRowFields

/** The part of a dossier that does not depend on the reader. */
export const SharedDossier = t.Object({
  ticker,
  venue,
  title,
  description: t.String(),
  category,
  eventTitle,
  status,
  result,
  price,
  bestBid,
  bestAsk,
  spread,
  lastPrice,
  volume,
  volume24h,
  volumeUnit,
  openInterest,
  liquidityScore,
  closeTime,
  slug,
  suggestion: Suggestion,
  regime: t.Object({
    label: RegimeLabel,
    asScore: Num,
    signals: t.Array(RegimeSignal),
    computedAt: Iso,
    trendLabel: nullable(TrendEnum),
  }),
  indicators: Indicators,
  edges: t.Array(ThesisEdge),
  crossVenue: t.Array(CrossMatch, { description: 'highest confidence first, at most 5' }),
  contagion: t.Optional(t.Array(ContagionLink, { description: 'strongest first, at most 10' })),
  diff24h: t.Optional(
    t.Object({
      from: Iso,
      to: Iso,
      price: Change,
      yield: Change,
      indicators: t.Object({
        iyYes: Change,
        iyNo: Change,
        cri: Change,
        ee: Change,
        las: Change,
        rv: Change,
        vr: Change,
        overround: Change,
      }),
    }),
  ),
  trend7d: t.Optional(
    t.Array(
      t.Object({
        date: t.String({ description: 'UTC day, YYYY-MM-DD' }),
        price: Cents,
        high: Cents,
        low: Cents,
        volume: Num,
        iy: Num,
        cri: Num,
      }),
      { description: 'ascending; days without a quote are absent' },
    ),
  ),
  legislation: t.Array(t.Object({}), { description: 'linked bills; currently none' }),
  nextActions: t.Optional(DossierActions),
  asOf: Iso,
  pageUrl,
  apiUrl,
  inspectUrl,
  sample,
})
export type SharedDossier = Static<typeof SharedDossier>

export const Dossier = t.Object({
  ...SharedDossier.properties,
  /** Paper position of the requester; absent without credentials. */
  position: t.Optional(nullable(PositionOverlay)),
  latencyMs: t.Number(),
})
export type Dossier = Static<typeof Dossier>
