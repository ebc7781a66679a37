import type { ModelSpend } from '../lib/language-model.ts'
import { callerOf } from './auth.ts'

/** Who asks, as far as an answer depends on it, and who hears what models cost for it. */
export interface Asker {
  readonly isKnown: boolean
  readonly onSpent: (spend: ModelSpend) => void
}

const spends = new WeakMap<Request, ModelSpend>()
const NOTHING: ModelSpend = { calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 }

/** Who sent a request. What is spent for an answer that several wait for is spent by who asked first. */
export const askerOf = (request: Request): Asker => ({
  isKnown: callerOf(request) !== null,
  onSpent(spend) {
    const { calls, inputTokens, outputTokens, costUsd } = spentOn(request) ?? NOTHING
    spends.set(request, {
      calls: calls + spend.calls,
      inputTokens: inputTokens + spend.inputTokens,
      outputTokens: outputTokens + spend.outputTokens,
      costUsd: costUsd + spend.costUsd,
    })
  },
})

/** What language models cost for a request so far; null where none was asked. */
export const spentOn = (request: Request): ModelSpend | null => spends.get(request) ?? null
