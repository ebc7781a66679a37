import type { ServedDecision, ServedTick, ServedTrade } from '../../../contract/orders/ticks.ts'
import type { Trade } from '../../../domain/portfolio/journal.ts'
import { NO_COST } from '../../../domain/theses/thesis.ts'
import type { Tick, TickDecision } from '../../../domain/portfolio/tick.ts'
import { isoOrNull } from '../../../http/presenters/market-ref.ts'
import { isoOf } from '../../../lib/clock.ts'
import { exactDollars } from '../intent-served.ts'

const servedDecision = (decision: TickDecision): ServedDecision => ({
  n: decision.n,
  kind: decision.kind,
  action: decision.action,
  venue: decision.venue,
  marketId: decision.marketId,
  marketTitle: decision.marketTitle,
  direction: decision.direction,
  quantity: decision.quantity,
  limitPriceCents: decision.limitPriceCents,
  costCents: decision.costCents,
  reason: decision.reason,
  confidence: decision.confidence,
  basis: decision.basis,
  gates: [...decision.gates],
  outcome: decision.outcome,
  filledQuantity: decision.filledQuantity,
  avgFillPriceCents: decision.avgFillPriceCents,
  orderId: decision.orderId,
  error: decision.error,
})

export function servedTick({
  slot: _slot,
  modelNote: _note,
  cost = NO_COST,
  ...tick
}: Tick): ServedTick {
  const decisions = tick.decisions.map(servedDecision)
  const actions = decisions.filter(({ kind }) => kind !== 'hold')
  const gates = decisions.flatMap((tickDecision) => tickDecision.gates)
  return {
    ...tick,
    tickAt: isoOf(tick.tickAt),
    decisions,
    actions,
    actionsCount: actions.length,
    gatesEvaluated: gates.length,
    gatesFailed: gates.filter(({ passed }) => !passed).length,
    cost,
    traceIds: [],
    finishedAt: isoOrNull(tick.finishedAt),
  }
}

export function servedTrade({ key: _key, exact, ...trade }: Trade): ServedTrade {
  return {
    ...trade,
    exact:
      exact === null
        ? null
        : {
            cost: exactDollars(exact.cost),
            fees: exactDollars(exact.fees),
            realizedPnl: exact.realized === null ? null : exactDollars(exact.realized),
          },
    openedAt: isoOf(trade.openedAt),
    closedAt: isoOrNull(trade.closedAt),
    createdAt: isoOf(trade.createdAt),
  }
}
