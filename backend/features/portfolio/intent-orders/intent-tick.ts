import type { MarketView } from '../../../computed/board/market-board.ts'
import type { PortfolioConfig } from '../../../domain/portfolio/config.ts'
import type { Intent } from '../../../domain/portfolio/intent.ts'
import type { Mode } from '../../../domain/portfolio/ledger.ts'
import type { GateResult } from '../../../domain/portfolio/risk-gates.ts'
import {
  NO_ORDER,
  startedTick,
  type PlannedOrder,
  type Tick,
} from '../../../domain/portfolio/tick.ts'
import { centsOf, contractsOf, type Millis, type PriceE4 } from '../../../domain/units.ts'
import { remainingSize } from '../../../domain/portfolio/intent.ts'
import type { PaperOrderPlan } from '../paper-order.ts'

/** The order for the rest of an intent. */
export const planOf = (
  intent: Intent,
  tickId: string,
  limit: PriceE4 | null = intent.maxPrice,
): PaperOrderPlan => ({
  source: 'intent',
  action: intent.action,
  direction: intent.direction,
  size: remainingSize(intent),
  limit,
  tickId,
  intentId: intent.id,
  thesisId: intent.thesisId,
  strategyId: intent.strategyId,
  viewId: null,
  payload: intent.rationale === null ? {} : { reason: intent.rationale },
})

/** The tick of an order of an intent: one decision, which is made. */
export function intentTick(
  plan: PaperOrderPlan,
  { facts }: MarketView,
  context: {
    readonly intent: Intent
    readonly config: PortfolioConfig
    readonly mode: Mode
    readonly phase: 'execute' | 'settle'
    readonly isEntry: boolean
    /** Price of the side at which it would trade now. */
    readonly touch: PriceE4 | null
    readonly gates: readonly GateResult[]
    /** The known state of the order. */
    readonly result: Partial<PlannedOrder>
    readonly now: Millis
  },
): Tick {
  const { intent, config, mode, phase, isEntry, touch, gates, result, now } = context
  const limit = plan.limit ?? touch
  const limitCents = limit === null ? null : centsOf(limit)
  const quantity = contractsOf(plan.size)
  const decision: PlannedOrder = {
    ...NO_ORDER,
    n: 1,
    kind: isEntry ? 'entry' : 'exit',
    action: plan.action,
    venue: facts.venue,
    marketId: facts.ticker,
    marketTitle: intent.marketTitle,
    direction: plan.direction,
    quantity,
    limitPriceCents: limitCents,
    costCents: limitCents === null ? null : Math.round(limitCents * quantity),
    reason: intent.rationale ?? `intent of ${NAMES[intent.source]}`,
    confidence: null,
    basis: {
      thesisId: intent.thesisId,
      strategyId: intent.strategyId,
      viewId: null,
      intentId: intent.id,
      pair: false,
    },
    gates,
    decidedPriceCents: centsOf(touch ?? limit ?? (0 as PriceE4)),
    boundPriceCents: intent.maxPrice === null ? null : centsOf(intent.maxPrice),
    exitReason: isEntry ? null : 'manual',
    ...result,
  }
  const { userId } = intent
  const { executionMode } = config
  return {
    ...startedTick({
      id: plan.tickId,
      userId,
      tickAt: now,
      trigger: 'intent',
      executionMode,
      mode,
    }),
    phase,
    decisions: [decision],
  }
}

const NAMES: Readonly<Record<Intent['source'], string>> = {
  agent: 'an agent',
  manual: 'the user',
  idea: 'an idea',
  thesis: 'a thesis',
  strategy: 'a strategy',
}
