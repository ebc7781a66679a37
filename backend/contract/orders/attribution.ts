import { t } from 'elysia'
import type { Static } from 'elysia'
import { CONFIDENCES, LEDGER_SOURCES } from '../../domain/portfolio/ledger.ts'
import { VenueEnum } from '../market.ts'
import { nullable, stringEnum } from '../schemas.ts'

const Money = (description: string) => t.Integer({ description: `${description}, cents` })
const Day = t.String({ description: 'YYYY-MM-DD, UTC' })
const Id = (description: string) =>
  t.Optional(nullable(t.String({ description: `${description}; null for none` })))

const NUMBERS = {
  pnlCents: Money('realised profit and change of unrealised profit'),
  realizedPnlCents: Money('profit of closed contracts after the fees of both legs'),
  unrealizedPnlDeltaCents: Money('change of unrealised profit in the period'),
  cashDeltaCents: Money('cash received less cash paid, with fees'),
  feeCents: Money('fees paid'),
  openFeeDeltaCents: Money(
    'fees paid less those of contracts that closed; pnlCents less this is the change of equity',
  ),
  slippageCents: Money('paid beyond the price decided on; + is worse'),
  positionDelta: t.Number({ description: 'change of contracts held, positive for YES' }),
  fills: t.Integer({ description: 'number of fills' }),
  settlements: t.Integer({ description: 'number of settlements' }),
  entries: t.Integer({ description: 'number of ledger entries' }),
}

/** Figures of a period. */
export const AttributionNumbers = t.Object(NUMBERS)
export type AttributionNumbers = Static<typeof AttributionNumbers>

/** A row of unknown attribution always has thesisId null and its confidence. */
export const AttributionKeys = t.Object({
  source: t.Optional(stringEnum(LEDGER_SOURCES)),
  venue: t.Optional(nullable(VenueEnum)),
  marketId: Id('ticker'),
  thesisId: Id('thesis'),
  strategyId: Id('strategy of a thesis'),
  viewId: Id('view'),
  confidence: t.Optional(stringEnum(CONFIDENCES)),
})
export type AttributionKeys = Static<typeof AttributionKeys>

export const AttributionRow = t.Object({
  date: t.Optional(Day),
  keys: AttributionKeys,
  label: nullable(t.String({ description: 'title of the market, thesis or view' })),
  ...NUMBERS,
})
export type AttributionRow = Static<typeof AttributionRow>

export const GROUPINGS = [
  'source',
  'venue',
  'market',
  'thesis',
  'strategy',
  'view',
  'confidence',
] as const

/** Rows and their sums: of all, and of those of unknown attribution. */
export const Attribution = t.Object({
  from: Day,
  to: Day,
  timeZone: t.Literal('UTC'),
  groupBy: t.Array(stringEnum(['day', ...GROUPINGS])),
  rows: t.Array(AttributionRow),
  totals: AttributionNumbers,
  unknown: AttributionNumbers,
})
export type Attribution = Static<typeof Attribution>
