import type { NewTick } from '../../../contract/orders/ticks.ts'
import type { ServedState, StateChange } from '../../../contract/portfolio.ts'
import { canonicalTicker, VENUES } from '../../../domain/market.ts'
import { TRADE_DIRECTIONS, type Trade } from '../../../domain/portfolio/journal.ts'
import { MODES } from '../../../domain/portfolio/ledger.ts'
import { NO_ORDER, type Decision, type Tick } from '../../../domain/portfolio/tick.ts'
import { EXIT_REASONS, POSITION_STATUSES } from '../../../domain/theses/holdings.ts'
import type { Millis } from '../../../domain/units.ts'
import { venueFields } from '../../../domain/venue.ts'
import { isoOf } from '../../../lib/clock.ts'
import { parseInstant } from '../../../contract/params.ts'
import { BodyFields } from '../../../http/request/body-fields.ts'
import { InvalidInput } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'

const MAX_CENTS = 1e11
const MAX_CONTRACTS = 1e9

const NO_DECISION: Decision = {
  ...NO_ORDER,
  n: 0,
  kind: 'hold',
  venue: null,
  marketId: null,
  marketTitle: null,
  direction: null,
  reason: '',
  confidence: null,
  basis: { thesisId: null, strategyId: null, viewId: null, intentId: null, pair: false },
}

const UNREPORTED_STATE = {
  ...venueFields('BalanceCents', () => null),
  ...venueFields('PortfolioValueCents', () => null),
  totalExposureCents: null,
  openPositionCount: null,
  dailyRealizedPnlCents: null,
  totalUnrealizedPnlCents: null,
  maxDrawdownCents: null,
  peakEquityCents: null,
  ticksSinceLoss: null,
  handoffNote: null,
  lastReconcileAt: null,
  lastReconcileStatus: null,
  mismatches: [],
}

/** A tick that its user ran elsewhere; fields that were not sent have their defaults. */
export function reportedTick(
  newTick: NewTick,
  owner: { readonly userId: string; readonly executionMode: Tick['executionMode'] },
  now: Millis,
): Tick {
  const decisions = (newTick.decisions ?? []).map((reportedDecision, index): Decision => ({
    ...NO_DECISION,
    n: index + 1,
    ...reportedDecision,
  }))
  const status = newTick.status ?? 'completed'
  const sentEnd = newTick.finishedAt ?? null
  const defaultEnd = status === 'running' ? null : now
  return {
    id: newId('pt', now),
    userId: owner.userId,
    tickAt: now,
    trigger: 'external',
    slot: null,
    status,
    phase: newTick.phase ?? 'done',
    executionMode: newTick.executionMode ?? owner.executionMode,
    mode: newTick.mode ?? null,
    decisionModel: newTick.decisionModel ?? 'external',
    decisions,
    balanceCents: newTick.balanceCents ?? null,
    portfolioValueCents: newTick.portfolioValueCents ?? null,
    exposureCents: newTick.exposureCents ?? null,
    dailyPnlCents: newTick.dailyPnlCents ?? null,
    drawdownCents: newTick.drawdownCents ?? null,
    openPositionCount: newTick.openPositionCount ?? null,
    haltTriggered: newTick.haltTriggered ?? false,
    handoffNote: newTick.handoffNote ?? null,
    skipReason: newTick.skipReason ?? null,
    missedRuns: newTick.missedRuns ?? 0,
    error: newTick.error ?? null,
    tickDurationMs: newTick.tickDurationMs ?? null,
    finishedAt: sentEnd === null ? defaultEnd : parseInstant(sentEnd),
  }
}

/** The report with the fields that its user wrote; absent ones are unknown. */
export const reportedState = (
  change: StateChange,
  before: ServedState | null,
  userId: string,
  now: Millis,
): ServedState => ({
  ...(before ?? UNREPORTED_STATE),
  ...Object.fromEntries(
    Object.entries(change).filter(([name]) => Object.hasOwn(UNREPORTED_STATE, name)),
  ),
  userId,
  lastTickAt: isoOf(now),
  updatedAt: isoOf(now),
})

/** A row of the journal that its user reports. @throws InvalidInput */
export function reportedTrade(body: unknown, userId: string, now: Millis): Trade {
  const fields = new BodyFields(body)
  const venue = fields.word('venue', VENUES)
  const marketId = fields.text('marketId', { min: 1, max: 200 }, 'ticker') ?? null
  const direction = fields.word('direction', TRADE_DIRECTIONS)
  const quantity = fields.number('quantity', { min: 0, max: MAX_CONTRACTS, above: true }) ?? null
  const price = (name: string) => fields.number(name, { min: 0, max: 100 })
  const entryPriceCents = price('entryPriceCents') ?? null
  if (
    venue === undefined ||
    marketId === null ||
    direction === undefined ||
    quantity === null ||
    entryPriceCents === null
  ) {
    throw new InvalidInput('venue, marketId, direction, quantity and entryPriceCents are required')
  }
  const money = (name: string, min = 0) =>
    fields.number(name, { min, max: MAX_CENTS, isInteger: true }) ?? null
  const text = (name: string, max: number) => fields.text(name, { max }) ?? null
  const exitPriceCents = price('exitPriceCents') ?? null
  const closedAt = fields.instant('closedAt') ?? null
  const isClosed = exitPriceCents !== null || closedAt !== null
  const status = fields.word('status', POSITION_STATUSES) ?? (isClosed ? 'closed' : 'open')
  const ticker = canonicalTicker(marketId)
  return {
    id: newId('trd', now),
    userId,
    key: null,
    venue,
    marketId: ticker,
    marketTitle: text('marketTitle', 300) ?? ticker,
    direction,
    mode: fields.word('mode', MODES) ?? 'paper',
    quantity,
    entryPriceCents,
    exitPriceCents,
    costCents: money('costCents') ?? Math.round(quantity * entryPriceCents),
    feesCents: money('feesCents') ?? 0,
    realizedPnlCents: money('realizedPnlCents', -MAX_CENTS),
    exact: null,
    exitReason: fields.word('exitReason', EXIT_REASONS) ?? null,
    status,
    thesisId: text('thesisId', 64),
    strategyId: text('strategyId', 64),
    viewId: text('viewId', 64),
    intentId: text('intentId', 64),
    tickId: text('tickId', 64),
    rationale: text('rationale', 2_000),
    openedAt: fields.instant('openedAt') ?? now,
    closedAt: closedAt ?? (status === 'closed' ? now : null),
    createdAt: now,
  }
}
