import { isOverBudget, newHeartbeat } from '../../../domain/theses/heartbeat.ts'
import { sumOfCosts, type EvaluationCost } from '../../../domain/theses/thesis.ts'
import { roundTo, type Millis } from '../../../domain/units.ts'
import { isoOf } from '../../../lib/clock.ts'
import { Conflict } from '../../../lib/errors.ts'
import type { HeartbeatStore } from '../heartbeat/heartbeat.store.ts'
import type { ThesesStore } from '../theses.store.ts'

/** Cost of the models of a thesis since the first of the month, UTC. */
export interface MonthlyCosts extends Omit<EvaluationCost, 'usd'> {
  /** `YYYY-MM` */
  readonly month: string
  /** Dollars. */
  readonly monthlyTotal: number
}

export async function monthlyCosts(
  store: Pick<ThesesStore, 'evaluations'>,
  thesisId: string,
  now: Millis,
): Promise<MonthlyCosts> {
  const month = isoOf(now).slice(0, 7)
  const from = Date.parse(`${month}-01T00:00:00.000Z`)
  const evaluations = await store.evaluations(thesisId, { from, until: now }, null, null)
  const { usd, ...counts } = sumOfCosts(evaluations.flatMap(({ cost }) => cost ?? []))
  return { month, monthlyTotal: roundTo(usd, 6), ...counts }
}

/**
 * Checks that the month's budget of a thesis has room for a call.
 * @throws Conflict with code BUDGET_EXCEEDED
 */
export async function requireBudget(
  store: Pick<ThesesStore, 'evaluations'>,
  heartbeats: Pick<HeartbeatStore, 'one'>,
  thesisId: string,
  now: Millis,
): Promise<void> {
  const { config } = (await heartbeats.one(thesisId))?.heartbeat ?? newHeartbeat(thesisId)
  const { monthlyTotal } = await monthlyCosts(store, thesisId, now)
  if (!isOverBudget(config, monthlyTotal)) return
  throw new Conflict(
    `the models of this thesis have cost $${monthlyTotal} this month; its monthlyBudgetUsd is ${config.monthlyBudgetUsd}: raise it in its heartbeat`,
    'BUDGET_EXCEEDED',
  )
}
