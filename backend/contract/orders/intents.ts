import { t } from 'elysia'
import type { Static } from 'elysia'
import { VenueEnum } from '../market.ts'
import { Cents, Iso, nullable, PageInfo, stringEnum } from '../schemas.ts'
import {
  EXECUTION_STYLES,
  INTENT_SOURCES,
  INTENT_STATUSES,
  SOFT_STATES,
  TRIGGER_TYPES,
  type IntentStatus,
} from '../../domain/portfolio/intent.ts'
import { GATES } from '../../domain/portfolio/risk-gates.ts'

const Text = nullable(t.String())

export const Gate = t.Object({
  gate: stringEnum(GATES),
  passed: t.Boolean(),
  value: nullable(t.Union([t.Number(), t.String()])),
  limit: nullable(t.Union([t.Number(), t.String()])),
  note: Text,
})

export const IntentId = t.Object({ id: t.String({ description: 'intent, in_…' }) })

/** States that a caller may set. */
export const SETTABLE_STATUSES = [
  'armed',
  'triggered',
  'executing',
  'filled',
  'expired',
  'cancelled',
  'rejected',
] as const satisfies readonly IntentStatus[]

const Price = nullable(t.Number({ description: 'cents, 0.1 to 99.9' }))
const Expiry = t.String({ description: 'ISO 8601 time or <n>m, <n>h, <n>d from now' })

/** Fields that may be changed while an intent is pending or armed. */
const ChangeableFields = {
  maxPrice: t.Optional(Price),
  triggerPrice: t.Optional(Price),
  triggerAt: t.Optional(nullable(Iso)),
  expireAt: t.Optional(Expiry),
  softCondition: t.Optional(Text),
  /** Refused unless it is the account in use. */
  mode: t.Optional(stringEnum(['paper', 'live'])),
  autoExecute: t.Optional(
    t.Boolean({ description: 'the service trades it, on paper or live as its user does' }),
  ),
  rationale: t.Optional(Text),
}

export const NewIntent = t.Object({
  marketId: t.String({ description: 'ticker' }),
  action: stringEnum(['buy', 'sell']),
  direction: stringEnum(['yes', 'no']),
  targetQuantity: t.Number({ description: 'contracts' }),
  venue: t.Optional(VenueEnum),
  marketTitle: t.Optional(t.String()),
  triggerType: t.Optional(stringEnum(TRIGGER_TYPES)),
  executionStyle: t.Optional(stringEnum(EXECUTION_STYLES)),
  source: t.Optional(stringEnum(INTENT_SOURCES)),
  sourceId: t.Optional(Text),
  thesisId: t.Optional(nullable(t.String({ description: 'a thesis of the caller' }))),
  strategyId: t.Optional(nullable(t.String({ description: 'a strategy of the caller' }))),
  ...ChangeableFields,
})

export const IntentChange = t.Object(
  {
    status: t.Optional(stringEnum(SETTABLE_STATUSES)),
    statusReason: t.Optional(Text),
    fill: t.Optional(
      t.Object({
        orderId: t.String(),
        fillQuantity: t.Number({ description: 'contracts' }),
        fillPrice: t.Number({ description: 'cents' }),
        fillCostCents: t.Optional(nullable(t.Number())),
      }),
    ),
    targetQuantity: t.Optional(t.Number({ description: 'contracts' })),
    ...ChangeableFields,
  },
  { description: 'either a status, or a fill, or new values of the other fields' },
)

export const IntentSchema = t.Object({
  id: t.String(),
  action: stringEnum(['buy', 'sell']),
  venue: VenueEnum,
  marketId: t.String(),
  marketTitle: t.String(),
  direction: stringEnum(['yes', 'no']),
  targetQuantity: t.Number({ description: 'contracts' }),
  filledQuantity: t.Number(),
  avgFillPrice: Cents,
  filledCostCents: t.Integer(),
  maxPrice: Cents,
  executionStyle: stringEnum(EXECUTION_STYLES),
  triggerType: stringEnum(TRIGGER_TYPES),
  triggerPrice: Cents,
  triggerAt: nullable(Iso),
  softCondition: Text,
  softState: stringEnum(SOFT_STATES),
  expireAt: Iso,
  status: stringEnum(INTENT_STATUSES),
  statusReason: Text,
  autoExecute: t.Boolean(),
  mode: nullable(stringEnum(['paper', 'live'])),
  source: stringEnum(INTENT_SOURCES),
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
