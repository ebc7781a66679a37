import type { ModelSpend } from '../../lib/language-model.ts'
import { callerOf } from './auth.ts'

/**
 * The requester, as far as an answer depends on it, and a callback that receives the cost of model
 * calls.
 */
export interface Requester {
  readonly isKnown: boolean
  readonly onSpent: (spend: ModelSpend) => void
}

const spends = new WeakMap<Request, ModelSpend>()
const NO_SPEND: ModelSpend = { calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 }

/**
 * The requester of a request. If several requests share one computation, its cost is charged to
 * the first.
 */
export const requesterOf = (request: Request): Requester => ({
  isKnown: callerOf(request) !== null,
  onSpent(spend) {
    const { calls, inputTokens, outputTokens, costUsd } = modelSpendOf(request) ?? NO_SPEND
    spends.set(request, {
      calls: calls + spend.calls,
      inputTokens: inputTokens + spend.inputTokens,
      outputTokens: outputTokens + spend.outputTokens,
      costUsd: costUsd + spend.costUsd,
    })
  },
})

/** Cost of language model calls for a request so far; null if there were none. */
export const modelSpendOf = (request: Request): ModelSpend | null => spends.get(request) ?? null
