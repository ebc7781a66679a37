import { sumOfCosts, type EvaluationCost } from '../domain/theses/thesis.ts'
import { ModelFailed } from './errors.ts'
import type { LanguageModel, ModelRequest, ModelSpend } from './language-model.ts'

const TRIES = 2
const MAX_ANSWER_LENGTH = 4_000

/** An answer that could be read, with its first part and the cost of all calls. */
export interface ReadAnswer<T> {
  readonly read: T
  readonly model: string
  readonly answer: string
  readonly cost: EvaluationCost
}

/**
 * Calls a model until its answer can be read, at most twice.
 * @param read null for an answer that is not in the requested form
 * @param onCost called with the cost of all calls so far after each call, also of one that failed
 * @throws ModelFailed when it does not answer, or twice in another form
 */
export async function readModel<T>(
  model: LanguageModel,
  request: Omit<ModelRequest, 'onSpent'>,
  read: (text: string, model: string) => T | null,
  onCost?: (cost: EvaluationCost) => void,
): Promise<ReadAnswer<T>> {
  const spends: ModelSpend[] = []
  const onSpent = (spend: ModelSpend): void => {
    spends.push(spend)
    onCost?.(costOf(spends))
  }
  const failWithCost = (error: unknown): never => {
    if (!(error instanceof ModelFailed)) throw error
    throw new FailedModelCalls(error.message, costOf(spends), error)
  }
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const { text, model: name } = await model.complete({ ...request, onSpent }).catch(failWithCost)
    const result = read(text, name)
    if (result === null) continue
    return {
      read: result,
      model: name,
      answer: text.slice(0, MAX_ANSWER_LENGTH),
      cost: costOf(spends),
    }
  }
  return failWithCost(new ModelFailed('The language model did not answer in the requested form'))
}

/** A failure of a model with the cost of its calls. */
export class FailedModelCalls extends ModelFailed {
  readonly cost: EvaluationCost
  constructor(message: string, cost: EvaluationCost, cause: unknown) {
    super(message, { cause })
    this.cost = cost
  }
}

const costOf = (spends: readonly ModelSpend[]): EvaluationCost =>
  sumOfCosts(
    spends.map(({ calls, costUsd, unpricedCalls = 0, inputTokens, outputTokens }) => ({
      usd: costUsd,
      unpricedCalls,
      llmCalls: calls,
      searchCalls: 0,
      inputTokens,
      outputTokens,
    })),
  )
