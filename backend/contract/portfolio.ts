import { t } from 'elysia'
import type { Static } from 'elysia'
import { VenueEnum } from './market.ts'
import { Cents, describedEnum, Iso, nullable, PageInfo, stringEnum } from './schemas.ts'
import {
  EXECUTION_MODES,
  FIELDS_WITHOUT_EFFECT,
  PAPER_FILL_RULES,
} from '../domain/portfolio/config.ts'
import { CONFIDENCES, LEDGER_EVENTS, LEDGER_SOURCES, MODES } from '../domain/portfolio/ledger.ts'
import { LIVE_ORDER_STATUSES } from '../domain/portfolio/live-order.ts'
import { TICK_STATUSES } from '../domain/portfolio/tick.ts'
import { byVenue, venueFields } from '../domain/venue.ts'

const Text = nullable(t.String())
const Money = t.Integer({ description: 'cents' })
const SideEnum = stringEnum(['yes', 'no'])

/** Description of fields without effect; `withoutEffect` lists them. */
const UNUSED = { description: 'stored; no effect: the schedule is cronExpression' }

const ConfigFields = {
  enabled: t.Boolean(),
  executionMode: stringEnum(EXECUTION_MODES),
  cronExpression: t.String({
    description: 'five fields in the time zone of the schedule; runs are at least 5 minutes apart',
  }),
  decisionModel: t.String({
    description:
      'who chooses among the entries that the rules propose: rules, tier:cheap, tier:medium, tier:heavy, or provider/model; without a configured model the rules',
  }),
  monthlyModelBudgetUsd: t.Number({
    description:
      'maximum cost of the models of ticks in a UTC month; beyond it the rules decide; 0: no limit',
  }),
  maxTotalExposureCents: Money,
  maxPerMarketCents: Money,
  maxDailyLossCents: Money,
  maxPositions: t.Integer(),
  minBalanceCents: Money,
  maxOrdersPerTick: t.Integer({ description: 'orders per tick; for intents, orders per minute' }),
  maxSingleOrderCents: Money,
  cooldownAfterLossTicks: t.Integer({
    description: 'number of ticks without entries after a losing exit',
  }),
  maxDrawdownHaltCents: Money,
  drawdownWarnCents: Money,
  excludeCategories: t.Array(t.String()),
  minAdjIy: t.Number(),
  maxLas: t.Number(),
  minTauDays: t.Number(),
  crossVenuePairsEnabled: t.Boolean({
    description: 'ticks buy both legs of pairs of venues that pay after both fees, or none',
  }),
  minEdgeCents: t.Number(),
  minThesisConfidence: t.Number(),
  tickIntervalMinutes: t.Integer(UNUSED),
  paperStartBalanceCents: Money,
  paperFill: stringEnum(PAPER_FILL_RULES),
}

export const ConfigChange = t.Partial(
  t.Object({
    ...ConfigFields,
    confirmToken: t.String({ description: 'from the response of the first step to live trading' }),
    confirmPhrase: t.String({ description: 'as a person typed it' }),
  }),
)
export const PaperResetBody = t.Object({ confirm: t.Literal(true) })

export const ConfigSchema = t.Object({
  ...ConfigFields,
  isDefault: t.Boolean(),
  withoutEffect: t.Array(stringEnum(FIELDS_WITHOUT_EFFECT), {
    description: 'fields that are stored and have no effect yet',
  }),
  userId: t.String(),
  mode: describedEnum(
    MODES,
    'account of ticks now; live only after a confirmation at the exchange of this run',
  ),
  schedule: t.Object({
    timeZone: t.String(),
    active: t.Boolean(),
    nextRunAt: nullable(Iso),
    nextRuns: t.Array(Iso),
    lastError: Text,
  }),
  credentials: t.Object(byVenue(() => t.Boolean())),
  credentialsUpdatedAt: t.Object(byVenue(() => nullable(Iso))),
  haltedAt: nullable(Iso),
  haltReason: nullable(stringEnum(['drawdown', 'user'])),
  createdAt: nullable(Iso),
  updatedAt: nullable(Iso),
})
export type ServedConfig = Static<typeof ConfigSchema>

const LiveOrderRef = {
  clientOrderId: t.String({ description: 'svc-<tickId>-<n>' }),
  venue: VenueEnum,
  marketId: t.String(),
  marketTitle: t.String(),
  status: stringEnum(LIVE_ORDER_STATUSES),
}
export const CancelledLiveOrders = t.Object({
  cancelled: t.Array(t.Object(LiveOrderRef)),
  failed: t.Array(t.Object({ ...LiveOrderRef, reason: t.String() }), {
    description: 'orders that may still trade; each is tried again every minute',
  }),
})
export type CancelledLiveOrders = Static<typeof CancelledLiveOrders>
/** The configuration; when live trading ended, with the result of cancelling the orders at the exchange. */
export const ConfigStored = t.Object({
  ...ConfigSchema.properties,
  orders: t.Optional(CancelledLiveOrders),
})
export type ConfigStored = Static<typeof ConfigStored>

/** The answer of the first step into live trading. */
export const LiveConfirmation = t.Object({
  token: t.String(),
  phrase: t.String({ description: 'to be typed by a person' }),
  expiresAt: Iso,
  limits: t.Record(t.String(), t.Integer()),
  venues: t.Array(VenueEnum),
  sample: t.Boolean({ description: 'the exchange is simulated' }),
})
export type LiveConfirmation = Static<typeof LiveConfirmation>

const StateFields = {
  ...venueFields('BalanceCents', () => nullable(Money)),
  ...venueFields('PortfolioValueCents', () => nullable(Money)),
  totalExposureCents: nullable(Money),
  openPositionCount: nullable(t.Integer()),
  dailyRealizedPnlCents: nullable(Money),
  totalUnrealizedPnlCents: nullable(Money),
  maxDrawdownCents: nullable(Money),
  peakEquityCents: nullable(Money),
  ticksSinceLoss: nullable(t.Integer()),
  handoffNote: nullable(t.String({ maxLength: 2_000 })),
  lastReconcileAt: nullable(Iso),
  lastReconcileStatus: nullable(stringEnum(['ok', 'mismatch', 'failed'])),
  mismatches: t.Array(t.Unknown(), { maxItems: 50 }),
}
/** Fields of the report that its user may write; the next tick overwrites them. */
export const StateChange = t.Partial(t.Object(StateFields))
export type StateChange = Static<typeof StateChange>
export const StateSchema = t.Object({
  userId: t.String(),
  ...StateFields,
  handoffNote: Text,
  lastTickAt: nullable(Iso),
  updatedAt: Iso,
})
export type ServedState = Static<typeof StateSchema>

const Util = {
  usedCents: Money,
  limitCents: Money,
  utilization: t.Number(),
}

export const RiskSchema = t.Object({
  asOf: Iso,
  executionMode: stringEnum(EXECUTION_MODES),
  enabled: t.Boolean(),
  mode: stringEnum(MODES),
  balance: t.Object({
    totalCents: nullable(Money),
    ...byVenue(() => nullable(Money)),
    minBalanceCents: Money,
    asOf: nullable(Iso),
    stale: t.Boolean(),
  }),
  exposure: t.Object({
    ...Util,
    perMarket: t.Array(
      t.Object({
        marketId: t.String(),
        marketTitle: t.String(),
        usedCents: Money,
        limitCents: Money,
      }),
    ),
    byCategory: t.Record(t.String(), Money),
  }),
  dailyLoss: t.Object(Util),
  drawdown: t.Object({
    ...Util,
    warnCents: Money,
    warned: t.Boolean(),
    peakEquityCents: Money,
    equityCents: nullable(Money),
  }),
  positions: t.Object({ used: t.Integer(), limit: t.Integer(), utilization: t.Number() }),
  cooldown: t.Object({
    ticksSinceLoss: nullable(t.Integer()),
    required: t.Integer(),
    active: t.Boolean(),
  }),
  staleData: t.Boolean(),
  staleReasons: t.Array(t.String()),
  lastReconcileAt: nullable(Iso),
  lastReconcileStatus: nullable(stringEnum(['ok', 'mismatch', 'failed'])),
  halted: nullable(t.Object({ at: Iso, reason: t.String() })),
  credentials: t.Object(byVenue(() => t.Boolean())),
  lastTick: nullable(
    t.Object({
      id: t.String({ description: 'pt_…' }),
      tickAt: Iso,
      status: stringEnum(TICK_STATUSES),
      actionsCount: t.Integer({ description: 'entries and exits decided' }),
    }),
  ),
  nextRunAt: nullable(Iso),
  unknownPnlCents: Money,
})
export type ServedRisk = Static<typeof RiskSchema>

export const PaperReset = t.Object({ ok: t.Literal(true), epoch: t.Integer() })
export type PaperReset = Static<typeof PaperReset>

export const EntrySchema = t.Object({
  id: t.String(),
  seq: t.Integer(),
  eventType: stringEnum(LEDGER_EVENTS),
  mode: stringEnum(MODES),
  source: stringEnum(LEDGER_SOURCES),
  occurredAt: Iso,
  recordedAt: Iso,
  venue: nullable(VenueEnum),
  marketId: Text,
  marketTitle: Text,
  category: Text,
  action: nullable(stringEnum(['buy', 'sell'])),
  direction: nullable(SideEnum),
  quantity: nullable(t.Number()),
  priceCents: Cents,
  cashDeltaCents: Money,
  feeCents: Money,
  slippageCents: nullable(Money),
  realizedPnlCents: nullable(Money),
  exact: t.Object({ cashDelta: t.String(), fee: t.String(), realizedPnl: Text }),
  result: nullable(stringEnum(['yes', 'no', 'scalar', 'void'])),
  orderId: Text,
  clientOrderId: Text,
  venueTradeId: Text,
  liquidity: nullable(stringEnum(['maker', 'taker'])),
  tickId: Text,
  intentId: Text,
  thesisId: Text,
  strategyId: Text,
  viewId: Text,
  confidence: stringEnum(CONFIDENCES),
  key: t.String(),
  note: Text,
  payload: t.Record(t.String(), t.Unknown()),
})
export type ServedEntry = Static<typeof EntrySchema>

export const LedgerPage = t.Object({ data: t.Array(EntrySchema), pageInfo: PageInfo })
export type LedgerPage = Static<typeof LedgerPage>

export const PositionSchema = t.Object({
  id: t.String({ description: '<mode>:<venue>:<marketId>, with :<account> at a demo’s exchange' }),
  mode: stringEnum(MODES),
  venue: VenueEnum,
  marketId: t.String(),
  marketTitle: t.String(),
  category: t.String(),
  direction: SideEnum,
  quantity: t.Number(),
  avgPriceCents: t.Number(),
  costCents: Money,
  currentPriceCents: Cents,
  priceAsOf: nullable(Iso),
  stale: t.Boolean(),
  valueCents: nullable(Money),
  unrealizedPnlCents: nullable(Money),
  realizedPnlCents: Money,
  feesCents: Money,
  status: stringEnum(['open', 'closed', 'settled']),
  openedAt: Iso,
  lastFillAt: Iso,
  closedAt: nullable(Iso),
  thesisId: Text,
  strategyId: Text,
  confidence: stringEnum(CONFIDENCES),
  asOf: Iso,
})
export type ServedPosition = Static<typeof PositionSchema>

export const PositionPage = t.Object({ data: t.Array(PositionSchema), pageInfo: PageInfo })
export type PositionPage = Static<typeof PositionPage>

/** An open paper position of the requester. Its prices are those of the held side. */
export const PositionOverlay = t.Object({
  ticker: t.String(),
  venue: VenueEnum,
  title: t.String(),
  direction: SideEnum,
  quantity: t.Number({ description: 'contracts' }),
  avgPrice: t.Number({ description: 'cost of a contract of the held side, cents' }),
  price: Cents,
  unrealizedPnlCents: nullable(t.Integer({ description: 'null while no price is known' })),
  thesisId: Text,
})
export type PositionOverlay = Static<typeof PositionOverlay>

/** Paper positions of the requester. */
export const PortfolioOverlay = t.Object({
  positions: t.Array(PositionOverlay, { description: 'highest cost first' }),
  exposureByCategory: t.Record(t.String(), t.Integer(), {
    description: 'cost of open positions, cents',
  }),
})
export type PortfolioOverlay = Static<typeof PortfolioOverlay>
