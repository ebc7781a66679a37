import {
  isOverBudget,
  newHeartbeat,
  withFailedCalls,
  type HeartbeatConfig,
} from '../../../domain/theses/heartbeat.ts'
import {
  NO_COST,
  sumOfCosts,
  type EvaluationCost,
  type Thesis,
} from '../../../domain/theses/thesis.ts'
import { roundTo, type Millis } from '../../../domain/units.ts'
import { isoOf } from '../../../lib/clock.ts'
import { Conflict, NotFound } from '../../../lib/errors.ts'
import type { HeartbeatStore } from '../heartbeat/heartbeat.store.ts'
import type { ThesesStore } from '../theses.store.ts'
import { FailedModelCalls } from '../../../lib/read-model.ts'

/** Cost of the models of a thesis since the first of the month, UTC. */
export interface MonthlyCosts extends Omit<EvaluationCost, 'usd'> {
  /** `YYYY-MM` */
  readonly month: string
  /** Dollars of the calls whose price is known. */
  readonly monthlyTotal: number
  readonly unpricedCalls: number
}

interface CostStores {
  readonly store: Pick<ThesesStore, 'evaluations' | 'byIdPrefix'>
  readonly heartbeats: Pick<HeartbeatStore, 'byThesisId' | 'put'>
}

const monthOf = (now: Millis): string => isoOf(now).slice(0, 7)

export async function monthlyCosts(
  { store, heartbeats }: CostStores,
  thesisId: string,
  now: Millis,
): Promise<MonthlyCosts> {
  const month = monthOf(now)
  const from = Date.parse(`${month}-01T00:00:00.000Z`)
  const evaluations = await store.evaluations(thesisId, { from, until: now }, null, null)
  const failedCalls = (await heartbeats.byThesisId(thesisId))?.heartbeat.failedCalls
  const {
    usd,
    unpricedCalls = 0,
    ...counts
  } = sumOfCosts([
    ...evaluations.flatMap(({ cost }) => cost ?? []),
    ...(failedCalls?.month === month ? [failedCalls.cost] : []),
  ])
  return { month, monthlyTotal: roundTo(usd, 6), unpricedCalls, ...counts }
}

/** Why a budget in dollars cannot be enforced; null when it can. */
export const budgetNote = (
  { monthlyBudgetUsd }: Pick<HeartbeatConfig, 'monthlyBudgetUsd'>,
  { unpricedCalls }: Pick<MonthlyCosts, 'unpricedCalls'>,
): string | null =>
  monthlyBudgetUsd === 0 || unpricedCalls === 0
    ? null
    : `The budget cannot be enforced: the price of ${unpricedCalls} ${unpricedCalls === 1 ? 'call' : 'calls'} of this month is unknown. Set the prices of your models in Settings (SET sources) or by AUGURY_LLM_CHEAP_PRICE=INPUT/OUTPUT (also _MEDIUM, _HEAVY), dollars per million tokens.`

/** The cost of the calls of one piece of work, also of those that failed. */
export class Spending {
  readonly #calls: EvaluationCost[] = []

  /** A listener to the cost of one more series of calls. */
  next(): (cost: EvaluationCost) => void {
    const index = this.#calls.push(NO_COST) - 1
    return (cost) => {
      this.#calls[index] = cost
    }
  }

  get total(): EvaluationCost {
    return sumOfCosts(this.#calls)
  }
}

/**
 * Keeps the cost of calls that no evaluation will hold. It runs in the queue of the owner.
 * @throws NotFound when the thesis was deleted while the model was called
 */
export async function recordCost(
  { store, heartbeats }: CostStores,
  { id, userId }: Pick<Thesis, 'id' | 'userId'>,
  cost: EvaluationCost,
  now: Millis,
): Promise<void> {
  const [thesis] = await store.byIdPrefix(userId, id)
  if (thesis === undefined) throw new NotFound('Thesis not found')
  if (cost.llmCalls === 0) return
  const storedHeartbeat = await heartbeats.byThesisId(id)
  const heartbeat = storedHeartbeat?.heartbeat ?? newHeartbeat(id)
  const next = withFailedCalls(heartbeat, monthOf(now), cost)
  await heartbeats.put(next, storedHeartbeat?.nextRunAt ?? null)
}

/** The same for calls that failed. */
export const recordFailedCalls = (
  stores: CostStores,
  thesis: Pick<Thesis, 'id' | 'userId'>,
  error: unknown,
  now: Millis,
): Promise<void> =>
  recordCost(stores, thesis, error instanceof FailedModelCalls ? error.cost : NO_COST, now)

/**
 * Checks that the month's budget of a thesis has room for a call.
 * @throws Conflict with code BUDGET_EXCEEDED
 */
export async function requireBudget(
  stores: CostStores,
  thesisId: string,
  now: Millis,
): Promise<void> {
  const { config } =
    (await stores.heartbeats.byThesisId(thesisId))?.heartbeat ?? newHeartbeat(thesisId)
  const { monthlyTotal } = await monthlyCosts(stores, thesisId, now)
  if (!isOverBudget(config, monthlyTotal)) return
  throw new Conflict(
    `the models of this thesis have cost $${monthlyTotal} this month; its monthlyBudgetUsd is ${config.monthlyBudgetUsd}: raise it in its heartbeat`,
    'BUDGET_EXCEEDED',
  )
}
