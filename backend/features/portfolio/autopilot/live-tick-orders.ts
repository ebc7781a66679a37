import { refusalOf } from '../../../domain/portfolio/risk-gates.ts'
import { isPlanned, type PlannedOrder } from '../../../domain/portfolio/tick.ts'
import { TickReserve } from '../../../domain/portfolio/tick-reserve.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { AccountFiguresReader } from '../account-figures.ts'
import type { LiveSession } from '../live/live-desk.ts'
import { livePlanOf } from '../live/live-orders.ts'
import { unsentOutcome, type LiveOutcomes } from '../live/live-outcomes.ts'
import type { TicksSinceLoss } from './cooldown.ts'
import type { GatedOrders } from './gated-orders.ts'
import { figuresOfTick, replaceDecision, type RunningTick } from './tick-orders.ts'
import type { TicksStore } from './ticks.store.ts'

const NO_LIVE_PAIRS = 'pairs are traded on paper only: at an exchange one leg could fill alone'

/** Sends the accepted orders of a live tick, one at a time and each once. */
export function createLiveTickOrders(deps: {
  readonly figuresReader: AccountFiguresReader
  readonly gated: GatedOrders
  readonly ticks: Pick<TicksStore, 'put' | 'byId'>
  readonly outcomes: LiveOutcomes
  readonly ticksSinceLoss: TicksSinceLoss
  readonly clock: Clock
}) {
  const { figuresReader, ticks, outcomes, ticksSinceLoss, clock } = deps
  const { orderOf, gatesOf } = deps.gated

  return {
    /**
     * Sends an order if the gates still pass and the last check before the request does; returns
     * whether the account may have changed. The caller holds the user's queue.
     */
    async send(
      runningTick: RunningTick,
      group: readonly PlannedOrder[],
      session: LiveSession,
    ): Promise<boolean> {
      const { config, theses } = runningTick
      const { userId } = runningTick.tick
      const endGroup = async (change: Partial<PlannedOrder>): Promise<false> => {
        for (const decision of group) {
          runningTick.tick = replaceDecision(runningTick.tick, { ...decision, ...change })
        }
        await ticks.put(runningTick.tick)
        return false
      }
      const [decision, ...others] = group
      if (decision === undefined || others.length > 0) {
        return endGroup({ outcome: 'none', error: NO_LIVE_PAIRS })
      }
      const now = clock.now()
      const figures = await figuresOfTick(runningTick, figuresReader)
      const order = await orderOf(runningTick.tick, decision)
      const limit = order?.plan.limit ?? null
      if (order === null || limit === null) {
        return endGroup({ outcome: 'none', error: 'the market is unknown' })
      }
      const sentDecisions = runningTick.tick.decisions.filter(
        (tickDecision) =>
          isPlanned(tickDecision) && tickDecision.orderId !== null && tickDecision.n < decision.n,
      )
      const gates = gatesOf(order, figures, {
        config,
        theses,
        reserved: new TickReserve(sentDecisions.length),
        ticksSinceLoss: await ticksSinceLoss(userId, figures),
        failures: session.failures,
        now,
      })
      const refusal = refusalOf(gates)
      if (refusal !== null) return endGroup({ gates, outcome: 'rejected_by_gate', error: refusal })
      const { plan, view } = order
      const answer = await session.send(livePlanOf({ ...plan, limit }, view, decision.n))
      if (answer.kind !== 'written') return endGroup({ gates, ...unsentOutcome(answer) })
      await session.reconcile()
      runningTick.tick = replaceDecision(runningTick.tick, { ...decision, gates })
      runningTick.tick = await outcomes.withOutcomes(runningTick.tick, decision.n)
      await ticks.put(runningTick.tick)
      return true
    },
  }
}
export type LiveTickOrders = ReturnType<typeof createLiveTickOrders>
