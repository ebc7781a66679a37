import type { Side, Ticker } from '../market.ts'
import type { ExitReason } from '../theses/holdings.ts'
import type { EvaluationCost } from '../theses/thesis.ts'
import type { Millis } from '../units.ts'
import type { Venue } from '../venue.ts'
import type { EXECUTION_MODES } from './config.ts'
import type { Mode } from './ledger.ts'
import type { GateResult, ThesisSupport } from './risk-gates.ts'

export const TICK_TRIGGERS = ['schedule', 'manual', 'intent', 'reconcile', 'external'] as const
export type TickTrigger = (typeof TICK_TRIGGERS)[number]
export const TICK_STATUSES = ['running', 'completed', 'failed', 'skipped', 'interrupted'] as const
export type TickStatus = (typeof TICK_STATUSES)[number]
export const TICK_PHASES = ['reconcile', 'decide', 'gate', 'execute', 'settle', 'done'] as const
export type TickPhase = (typeof TICK_PHASES)[number]
export const DECISION_KINDS = ['entry', 'exit', 'hold'] as const
export const DECISION_OUTCOMES = [
  ...(['filled', 'partial', 'resting', 'not_filled', 'rejected_by_gate'] as const),
  ...(['rejected_by_venue', 'unknown', 'none'] as const),
] as const
export type DecisionOutcome = (typeof DECISION_OUTCOMES)[number]

/** Why a decision was made: the thesis, strategy, view or intent that it follows. */
export interface DecisionBasis {
  readonly thesisId: string | null
  readonly strategyId: string | null
  readonly viewId: string | null
  readonly intentId: string | null
  readonly pair: boolean
}

/** One decision of a tick. Prices are cents of the direction's side, quantities are contracts. */
export interface Decision {
  /** Place in its tick, from 1. */
  readonly n: number
  readonly kind: (typeof DECISION_KINDS)[number]
  readonly action: 'buy' | 'sell' | null
  readonly venue: Venue | null
  readonly marketId: Ticker | null
  readonly marketTitle: string | null
  readonly direction: Side | null
  readonly quantity: number | null
  readonly limitPriceCents: number | null
  /** Quantity at the limit; the proceeds of an exit. */
  readonly costCents: number | null
  readonly reason: string
  readonly confidence: number | null
  readonly basis: DecisionBasis
  readonly gates: readonly GateResult[]
  readonly outcome: DecisionOutcome
  readonly filledQuantity: number
  readonly avgFillPriceCents: number | null
  readonly orderId: string | null
  readonly error: string | null
}

/** An order that the rules propose. */
export interface PlannedOrder extends Decision {
  readonly kind: 'entry' | 'exit'
  readonly action: 'buy' | 'sell'
  readonly venue: Venue
  readonly marketId: Ticker
  readonly direction: Side
  readonly quantity: number
  /** Price of the side when it was decided. */
  readonly decidedPriceCents: number
  /** The limit never goes beyond this; null where the rule names no price. */
  readonly boundPriceCents: number | null
  readonly exitReason: ExitReason | null
  /** Edge and confidence of a view or a pair; null where they are those of the thesis. */
  readonly support?: ThesisSupport | null
  /** The pair whose other leg is traded with it, or neither; null for a single order. */
  readonly pairId?: string | null
}
export type TickDecision = Decision | PlannedOrder
export const isPlanned = (decision: TickDecision): decision is PlannedOrder =>
  decision.kind !== 'hold' && 'decidedPriceCents' in decision

/** A run of the autopilot. Money is whole cents. */
export interface Tick {
  readonly id: string
  readonly userId: string
  readonly tickAt: Millis
  readonly trigger: TickTrigger
  /** Scheduled time that it runs for; null for a tick without a schedule. */
  readonly slot: Millis | null
  readonly status: TickStatus
  readonly phase: TickPhase
  readonly executionMode: (typeof EXECUTION_MODES)[number]
  readonly mode: Mode | null
  /** `rules`, or the name of the model that chose among what the rules proposed. */
  readonly decisionModel: string
  /** Note of the model, or why the rules decided without it; absent when only rules decide. */
  readonly modelNote?: string
  /** Cost of the model; absent without one. */
  readonly cost?: EvaluationCost
  readonly decisions: readonly TickDecision[]
  readonly balanceCents: number | null
  readonly portfolioValueCents: number | null
  readonly exposureCents: number | null
  readonly dailyPnlCents: number | null
  readonly drawdownCents: number | null
  readonly openPositionCount: number | null
  readonly haltTriggered: boolean
  readonly handoffNote: string | null
  readonly skipReason: string | null
  readonly missedRuns: number
  readonly error: string | null
  readonly tickDurationMs: number | null
  readonly finishedAt: Millis | null
}

/** A tick at its start: nothing is read or decided. */
export const startedTick = (
  start: Pick<Tick, 'id' | 'userId' | 'tickAt' | 'trigger' | 'executionMode' | 'mode'>,
): Tick => ({
  ...start,
  slot: null,
  status: 'running',
  phase: 'reconcile',
  decisionModel: 'rules',
  decisions: [],
  balanceCents: null,
  portfolioValueCents: null,
  exposureCents: null,
  dailyPnlCents: null,
  drawdownCents: null,
  openPositionCount: null,
  haltTriggered: false,
  handoffNote: null,
  skipReason: null,
  missedRuns: 0,
  error: null,
  tickDurationMs: null,
  finishedAt: null,
})

/** Planned orders in their sequence; both legs of a pair are one group. */
export function orderGroups(decisions: readonly TickDecision[]): PlannedOrder[][] {
  const groups: PlannedOrder[][] = []
  for (const decision of decisions) {
    if (!isPlanned(decision)) continue
    const { pairId = null } = decision
    const last = groups.at(-1)
    const isSecondLeg = pairId !== null && last?.length === 1 && last[0]?.pairId === pairId
    if (isSecondLeg) last.push(decision)
    else groups.push([decision])
  }
  return groups
}

/** A decision of a tick that a stop or an error ended: one not carried out yet has no outcome. */
export const abandonDecision = (decision: TickDecision): TickDecision =>
  decision.kind !== 'hold' && decision.outcome === 'unknown'
    ? { ...decision, outcome: 'none' }
    : decision

/** Order fields of a decision without an order. */
export const NO_ORDER = {
  action: null,
  quantity: null,
  limitPriceCents: null,
  costCents: null,
  gates: [],
  outcome: 'none',
  filledQuantity: 0,
  avgFillPriceCents: null,
  orderId: null,
  error: null,
} as const
