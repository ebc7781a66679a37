import { cancelText, isFillOf, type LiveOrder } from '../../../domain/portfolio/live-order.ts'
import { isVenueFill, type LedgerEntry } from '../../../domain/portfolio/ledger.ts'
import { isPlanned, type PlannedOrder, type Tick } from '../../../domain/portfolio/tick.ts'
import { contractsOf, roundTo, type SizeE6 } from '../../../domain/units.ts'
import type { TicksStore } from '../autopilot/ticks.store.ts'
import type { LedgerStore } from '../ledger.store.ts'
import type { UnsentOrder } from './live-orders.ts'
import type { LiveOrdersStore } from './live-orders.store.ts'

export const UNANSWERED_TEXT = 'the venue has not answered: the order is looked up each minute'

/** The known state of an order, as stored in its decision. */
export function outcomeOf(
  order: LiveOrder,
  entries: readonly LedgerEntry[],
): Pick<PlannedOrder, 'outcome' | 'filledQuantity' | 'avgFillPriceCents' | 'orderId' | 'error'> {
  const fills = entries.filter((entry) => isVenueFill(entry) && isFillOf(order, entry))
  const size = fills.reduce((sum, fill) => sum + (fill.size ?? 0), 0)
  const cost = fills.reduce((sum, fill) => sum + (fill.size ?? 0) * (fill.price ?? 0), 0)
  const filledQuantity = Math.max(size, order.filled)
  const orderFields = {
    filledQuantity: contractsOf(filledQuantity as SizeE6),
    avgFillPriceCents: size === 0 ? null : roundTo(cost / size / 100, 4),
    orderId: order.clientOrderId,
    error: order.reason,
  }
  switch (order.status) {
    case 'rejected':
      return { ...orderFields, outcome: 'rejected_by_venue' }
    case 'none':
      return { ...orderFields, outcome: 'none' }
    case 'written':
    case 'unknown':
      return { ...orderFields, outcome: 'unknown', error: UNANSWERED_TEXT }
    case 'resting':
      return { ...orderFields, outcome: 'resting' }
    case 'traded':
    case 'done':
      if (filledQuantity === 0) {
        const error = order.timeInForce === 'gtc' ? cancelText(order) : 'no matching offers'
        return { ...orderFields, outcome: 'not_filled', error }
      }
      return { ...orderFields, outcome: filledQuantity < order.size ? 'partial' : 'filled' }
  }
}

/** The outcome of a decision whose order was not written. */
export const unsentOutcome = ({
  kind,
  reason,
}: UnsentOrder): Pick<PlannedOrder, 'outcome' | 'error'> => {
  if (kind === 'failed') return { outcome: 'none', error: reason }
  const isByVenue = reason.startsWith('EXCHANGE_REJECT')
  return { outcome: isByVenue ? 'rejected_by_venue' : 'rejected_by_gate', error: reason }
}

/** Brings the decisions of ticks up to the states of their orders. */
export function createLiveOutcomes(deps: {
  readonly store: LiveOrdersStore
  readonly ledger: Pick<LedgerStore, 'trades'>
  readonly ticks: Pick<TicksStore, 'byId' | 'put'>
  readonly epochOf: () => number
}) {
  const { store, ledger, ticks, epochOf } = deps

  /** The tick with the outcomes of its orders, or of the order of one decision. */
  const withOutcomes = async (tick: Tick, decisionNumber: number | null = null): Promise<Tick> => {
    const orders = await store.ordersOfTick(tick.userId, tick.id)
    const entries = await ledger.trades(tick.userId, { mode: 'live', epoch: epochOf() })
    const decisions = tick.decisions.map((decision) => {
      if (!isPlanned(decision) || decision.n !== (decisionNumber ?? decision.n)) return decision
      const order = orders.find((liveOrder) => liveOrder.decision === decision.n)
      if (order !== undefined) return { ...decision, ...outcomeOf(order, entries) }
      // A decision without an order had none sent.
      return decision.outcome === 'unknown' ? { ...decision, outcome: 'none' as const } : decision
    })
    return { ...tick, decisions }
  }
  return {
    withOutcomes,
    /** Updates ended ticks. The caller holds the user's queue. */
    async update(userId: string, tickIds: Iterable<string>): Promise<void> {
      for (const id of new Set(tickIds)) {
        const tick = await ticks.byId(userId, id)
        if (tick !== null && tick.status !== 'running') await ticks.put(await withOutcomes(tick))
      }
    },
  }
}
export type LiveOutcomes = ReturnType<typeof createLiveOutcomes>
