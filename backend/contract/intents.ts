import { t } from 'elysia'
import type { Static } from 'elysia'
import { VenueWord } from './market.ts'
import { Cents, Iso, nullable, words } from './schemas.ts'
import {
  EXECUTION_STYLES,
  INTENT_SOURCES,
  INTENT_STATUSES,
  SOFT_STATES,
  TRIGGER_TYPES,
} from '../domain/portfolio/intent.ts'
import { GATES } from '../domain/portfolio/risk-gates.ts'

const Text = nullable(t.String())

export const Gate = t.Object({
  gate: words(GATES),
  passed: t.Boolean(),
  value: nullable(t.Union([t.Number(), t.String()])),
  limit: nullable(t.Union([t.Number(), t.String()])),
  note: Text,
})

export const IntentId = t.Object({ id: t.String() })

export const IntentSchema = t.Object({
  id: t.String(),
  action: words(['buy', 'sell']),
  venue: VenueWord,
  marketId: t.String(),
  marketTitle: t.String(),
  direction: words(['yes', 'no']),
  targetQuantity: t.Number({ description: 'contracts' }),
  filledQuantity: t.Number(),
  avgFillPrice: Cents,
  filledCostCents: t.Integer(),
  maxPrice: Cents,
  executionStyle: words(EXECUTION_STYLES),
  triggerType: words(TRIGGER_TYPES),
  triggerPrice: Cents,
  triggerAt: nullable(Iso),
  softCondition: Text,
  softState: words(SOFT_STATES),
  expireAt: Iso,
  status: words(INTENT_STATUSES),
  statusReason: Text,
  autoExecute: t.Boolean(),
  mode: nullable(words(['paper', 'live'])),
  source: words(INTENT_SOURCES),
  sourceId: Text,
  thesisId: Text,
  strategyId: Text,
  rationale: Text,
  gates: t.Array(Gate),
  tickId: Text,
  fills: t.Array(
    t.Object({
      orderId: t.String(),
      fillQuantity: t.Number(),
      fillPrice: t.Number(),
      fillCostCents: t.Integer(),
      at: Iso,
    }),
  ),
  price: Cents,
  createdAt: Iso,
  updatedAt: Iso,
  triggeredAt: nullable(Iso),
  finishedAt: nullable(Iso),
})
export type ServedIntent = Static<typeof IntentSchema>

export const PageInfo = t.Object({
  limit: t.Integer(),
  nextCursor: nullable(t.String()),
  hasMore: t.Boolean(),
})

export const IntentPage = t.Object({
  data: t.Array(IntentSchema),
  intents: t.Array(IntentSchema),
  pageInfo: PageInfo,
})
export type IntentPage = Static<typeof IntentPage>

export const IntentCancelled = t.Object({
  ok: t.Literal(true),
  id: t.String(),
  status: t.Literal('cancelled'),
})
