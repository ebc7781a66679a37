import { t } from 'elysia'
import type { Static } from 'elysia'
import { EXECUTION_MODES } from '../../domain/portfolio/config.ts'
import { TRADE_DIRECTIONS } from '../../domain/portfolio/journal.ts'
import { MODES } from '../../domain/portfolio/ledger.ts'
import {
  DECISION_KINDS,
  DECISION_OUTCOMES,
  TICK_PHASES,
  TICK_STATUSES,
  TICK_TRIGGERS,
} from '../../domain/portfolio/tick.ts'
import { EXIT_REASONS, POSITION_STATUSES } from '../../domain/theses/holdings.ts'
import { VenueEnum } from '../market.ts'
import { Cents, describedEnum, Iso, nullable, Num, PageInfo, stringEnum } from '../schemas.ts'
import { Gate } from './intents.ts'

const Text = nullable(t.String())
const Money = nullable(t.Integer({ description: 'cents' }))
const Contracts = nullable(t.Number({ description: 'contracts' }))

export const DecisionBasis = t.Object(
  {
    thesisId: Text,
    strategyId: Text,
    viewId: Text,
    intentId: Text,
    pair: t.Boolean({ description: 'it trades a pair of markets' }),
  },
  { description: 'what the decision follows' },
)

export const Decision = t.Object({
  n: t.Integer({ description: 'number within its tick, from 1' }),
  kind: stringEnum(DECISION_KINDS),
  action: nullable(describedEnum(['buy', 'sell'], 'null for a hold')),
  venue: nullable(VenueEnum),
  marketId: nullable(t.String({ description: 'ticker' })),
  marketTitle: Text,
  direction: nullable(describedEnum(['yes', 'no'], 'side of the contract')),
  quantity: Contracts,
  limitPriceCents: Cents,
  costCents: nullable(
    t.Integer({ description: 'quantity at the limit, cents; proceeds of an exit' }),
  ),
  reason: t.String(),
  confidence: nullable(t.Number({ description: 'of its thesis, 0 to 1' })),
  basis: DecisionBasis,
  gates: t.Array(Gate, { description: 'every gate that was evaluated, in order' }),
  outcome: stringEnum(DECISION_OUTCOMES),
  filledQuantity: t.Number({ description: 'contracts' }),
  avgFillPriceCents: Cents,
  orderId: Text,
  error: nullable(t.String({ description: 'why it was not filled completely' })),
})
export type ServedDecision = Static<typeof Decision>

const TickCost = t.Object({
  usd: t.Number(),
  llmCalls: t.Integer(),
  unpricedCalls: t.Optional(t.Integer()),
  searchCalls: t.Integer(),
  inputTokens: t.Integer(),
  outputTokens: t.Integer(),
})

export const TickSchema = t.Object({
  id: t.String({ description: 'pt_…' }),
  userId: t.String(),
  tickAt: Iso,
  trigger: stringEnum(TICK_TRIGGERS),
  status: stringEnum(TICK_STATUSES),
  phase: stringEnum(TICK_PHASES),
  executionMode: describedEnum(EXECUTION_MODES, 'of the configuration when it started'),
  mode: nullable(describedEnum(MODES, 'null when it was skipped')),
  decisionModel: t.String(),
  decisions: t.Array(Decision),
  actions: t.Array(Decision, { description: 'the entries and exits of the decisions' }),
  actionsCount: t.Integer(),
  gatesEvaluated: t.Integer(),
  gatesFailed: t.Integer(),
  balanceCents: Money,
  portfolioValueCents: Money,
  exposureCents: Money,
  dailyPnlCents: Money,
  drawdownCents: Money,
  openPositionCount: nullable(t.Integer()),
  haltTriggered: t.Boolean(),
  handoffNote: nullable(t.String({ description: 'summary for the next tick' })),
  skipReason: nullable(t.String({ description: 'halted, missed or overlap' })),
  missedRuns: t.Integer({ description: 'scheduled times before it that did not run' }),
  error: Text,
  cost: TickCost,
  traceIds: t.Array(t.String()),
  tickDurationMs: Num,
  finishedAt: nullable(Iso),
})
export type ServedTick = Static<typeof TickSchema>

export const TickPage = t.Object({
  data: t.Array(TickSchema, { description: 'newest first' }),
  pageInfo: PageInfo,
})
export type TickPage = Static<typeof TickPage>
/** The rows alone, or with `envelope=true` the page. */
export const TickList = t.Union([t.Array(TickSchema), TickPage])
export type TickList = Static<typeof TickList>

/** A tick that ran elsewhere. */
export const NewTick = t.Partial(
  t.Object({
    ...t.Omit(TickSchema, [
      'id',
      'userId',
      'tickAt',
      'trigger',
      'actions',
      'actionsCount',
      'gatesEvaluated',
      'gatesFailed',
    ]).properties,
    decisions: t.Array(t.Partial(Decision), { maxItems: 200, description: 'at most 200' }),
  }),
)
export type NewTick = Static<typeof NewTick>

export const TradeSchema = t.Object({
  id: t.String({ description: 'trd_…' }),
  userId: t.String(),
  venue: VenueEnum,
  marketId: t.String({ description: 'ticker' }),
  marketTitle: t.String(),
  direction: stringEnum(TRADE_DIRECTIONS),
  mode: stringEnum(MODES),
  quantity: t.Number({ description: 'contracts' }),
  entryPriceCents: t.Number({ description: 'cents of the bought side, 0 to 100' }),
  exitPriceCents: Cents,
  costCents: t.Integer({ description: 'without fees, cents' }),
  feesCents: t.Integer({ description: 'cents' }),
  realizedPnlCents: nullable(t.Integer({ description: 'after fees, cents; null while open' })),
  exact: nullable(
    t.Object(
      {
        cost: t.String(),
        fees: t.String(),
        realizedPnl: nullable(t.String()),
      },
      { description: 'unrounded dollars as decimal text; null for a reported row' },
    ),
  ),
  exitReason: nullable(stringEnum(EXIT_REASONS)),
  status: stringEnum(POSITION_STATUSES),
  thesisId: Text,
  strategyId: Text,
  viewId: Text,
  intentId: nullable(t.String({ description: 'the intent that bought it' })),
  tickId: Text,
  rationale: Text,
  openedAt: Iso,
  closedAt: nullable(Iso),
  createdAt: Iso,
})
export type ServedTrade = Static<typeof TradeSchema>

export const JournalPage = t.Object({
  data: t.Array(TradeSchema, { description: 'last opened first' }),
  pageInfo: PageInfo,
})
export type JournalPage = Static<typeof JournalPage>
export const TradeList = t.Union([t.Array(TradeSchema), JournalPage])
export type TradeList = Static<typeof TradeList>

export const NewTrade = t.Object({
  venue: VenueEnum,
  marketId: t.String({ description: 'ticker' }),
  direction: stringEnum(TRADE_DIRECTIONS),
  quantity: t.Number({ description: 'contracts, above 0' }),
  entryPriceCents: t.Number({ description: 'cents of the bought side, 0 to 100' }),
  ...t.Partial(
    t.Omit(TradeSchema, [
      'id',
      'userId',
      'createdAt',
      'exact',
      'venue',
      'marketId',
      'direction',
      'quantity',
      'entryPriceCents',
    ]),
  ).properties,
})

/** A row was stored. */
export const RowStored = t.Object({ ok: t.Literal(true) })
export type RowStored = Static<typeof RowStored>

export const TickTriggerBody = t.Object({
  reason: t.Optional(t.String({ description: 'at most 200 characters' })),
  dryRun: t.Optional(
    t.Boolean({ description: 'true: this tick trades on paper, also in live mode' }),
  ),
  sync: t.Optional(t.Boolean({ description: 'true: answers when the tick has ended' })),
})
export const TickStarted = t.Object({
  ok: t.Literal(true),
  tickId: t.String({ description: 'pt_…' }),
  status: t.Literal('running'),
  statusUrl: t.String({ description: 'absolute' }),
})
export type TickStarted = Static<typeof TickStarted>
export const TickFinished = t.Object({ ok: t.Literal(true), tick: TickSchema })
export type TickFinished = Static<typeof TickFinished>
