import { t } from 'elysia'
import type { Static } from 'elysia'
import {
  EXIT_REASONS,
  CREATABLE_STRATEGY_STATUSES,
  POSITION_STATUSES,
  STRATEGY_HORIZONS,
  STRATEGY_STATUSES,
} from '../../domain/theses/holdings.ts'
import { VenueEnum } from '../market.ts'
import { Cents, integer, Iso, nullable, Num, PageInfo, stringEnum } from '../schemas.ts'

const Text = nullable(t.String())
const DirectionEnum = stringEnum(['yes', 'no'])
const SideCents = t.Number({ description: 'cents of the side, above 0 and below 100' })
const SomeCents = t.Optional(
  nullable(t.Number({ description: 'cents of the side, above 0 and below 100' })),
)

/** A note of the owner that they hold a market because of a thesis. */
export const ThesisPosition = t.Object({
  id: t.String({ description: 'pos_…' }),
  thesisId: t.String(),
  venue: VenueEnum,
  externalMarketId: t.String({ description: 'ticker' }),
  marketTitle: t.String(),
  direction: DirectionEnum,
  entryPrice: SideCents,
  currentPrice: Cents,
  size: nullable(t.Number({ description: 'contracts' })),
  status: stringEnum(POSITION_STATUSES),
  openedAt: Iso,
  exitedAt: nullable(Iso),
  exitPrice: Cents,
  exitReason: nullable(stringEnum(EXIT_REASONS)),
  rationale: Text,
  unrealizedPnlCents: Num,
  realizedPnlCents: Num,
  createdAt: Iso,
  updatedAt: Iso,
})
export type ThesisPosition = Static<typeof ThesisPosition>

/** A rule by which a thesis is traded in one market; prices are those of its side. */
export const ThesisStrategy = t.Object({
  id: t.String({ description: 'str_…' }),
  thesisId: t.String(),
  thesisTitle: t.String(),
  marketId: t.String({ description: 'ticker' }),
  market: t.String({ description: 'title of the market' }),
  venue: VenueEnum,
  direction: DirectionEnum,
  horizon: stringEnum(STRATEGY_HORIZONS),
  status: stringEnum(STRATEGY_STATUSES),
  priority: t.Integer({ description: '0 to 100, high first' }),
  entryBelow: Cents,
  entryAbove: Cents,
  stopLoss: Cents,
  takeProfit: Cents,
  maxQuantity: t.Integer({ description: 'contracts' }),
  perOrderQuantity: t.Integer({ description: 'contracts of one order' }),
  executedQuantity: t.Number({ description: 'contracts bought so far' }),
  softConditions: Text,
  rationale: Text,
  createdBy: t.String(),
  createdAt: Iso,
  updatedAt: Iso,
})
export type ThesisStrategy = Static<typeof ThesisStrategy>

export const StrategyPage = t.Object({
  data: t.Array(ThesisStrategy, { description: 'highest priority first' }),
  strategies: t.Array(ThesisStrategy),
  pageInfo: PageInfo,
})
export type StrategyPage = Static<typeof StrategyPage>

/** Id of a new row. */
export const RowCreated = t.Object({ id: t.String() })
export type RowCreated = Static<typeof RowCreated>
export const StrategyRemoved = t.Object({ ok: t.Literal(true) })
export const PositionExited = t.Object({ ok: t.Literal(true), id: t.String(), exitedAt: Iso })
export type PositionExited = Static<typeof PositionExited>

export const NewPosition = t.Object({
  venue: VenueEnum,
  externalMarketId: t.String({ description: 'ticker; it may be unknown here' }),
  marketTitle: t.String({ description: '1 to 300 characters' }),
  direction: DirectionEnum,
  entryPrice: SideCents,
  size: t.Optional(nullable(t.Number({ description: 'contracts, above 0' }))),
  rationale: t.Optional(Text),
  openedAt: t.Optional(Iso),
})
export const PositionChange = t.Object({
  ...t.Partial(NewPosition).properties,
  status: t.Optional(stringEnum(POSITION_STATUSES)),
  exitPrice: t.Optional(nullable(t.Number({ description: 'cents, 0 to 100' }))),
  exitReason: t.Optional(nullable(stringEnum(EXIT_REASONS))),
  exitedAt: t.Optional(nullable(Iso)),
})
export const PositionExit = t.Object({
  exitPrice: t.Optional(nullable(t.Number({ description: 'cents, 0 to 100' }))),
  exitReason: t.Optional(stringEnum(EXIT_REASONS)),
})

const strategyFields = {
  market: t.Optional(t.String({ description: 'its title by default' })),
  horizon: t.Optional(stringEnum(STRATEGY_HORIZONS)),
  entryBelow: SomeCents,
  entryAbove: SomeCents,
  stopLoss: SomeCents,
  takeProfit: SomeCents,
  maxQuantity: t.Optional(integer({ minimum: 1, maximum: 1_000_000 })),
  perOrderQuantity: t.Optional(integer({ minimum: 1, maximum: 1_000_000 })),
  softConditions: t.Optional(Text),
  rationale: t.Optional(Text),
  priority: t.Optional(integer({ minimum: 0, maximum: 100 })),
}
export const NewStrategy = t.Object({
  marketId: t.String({ description: 'ticker' }),
  direction: DirectionEnum,
  ...strategyFields,
  entry: t.Optional(nullable(t.Number({ description: 'the same as entryBelow' }))),
  exit: t.Optional(nullable(t.Number({ description: 'the same as takeProfit' }))),
  sizing: t.Optional(
    integer({ minimum: 1, maximum: 1_000_000, description: 'the same as perOrderQuantity' }),
  ),
  status: t.Optional(stringEnum(CREATABLE_STRATEGY_STATUSES)),
  createdBy: t.Optional(t.String({ description: 'at most 64 characters; "api" by default' })),
})
export const StrategyChange = t.Object({
  ...strategyFields,
  status: t.Optional(stringEnum(STRATEGY_STATUSES)),
})
