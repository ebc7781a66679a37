import { describe, expect, it } from 'vitest'
import type { EvaluationCost } from '../domain/theses/thesis.ts'
import { ModelFailed } from './errors.ts'
import type { LanguageModel, ModelSpend } from './language-model.ts'
import { FailedModelCalls, readModel } from './read-model.ts'

const SPEND: ModelSpend = { calls: 1, inputTokens: 10, outputTokens: 5, costUsd: 0.25 }

/** A model with these answers; an error fails the call after it was sent. */
function answering(...answers: readonly (string | Error)[]) {
  let calls = 0
  const model: LanguageModel = {
    nameOf: () => 'small',
    complete: ({ onSpent }) => {
      const answer = answers[calls] ?? new Error('no further call was expected')
      calls += 1
      onSpent?.(calls === 2 ? { ...SPEND, unpricedCalls: 1 } : SPEND)
      return typeof answer === 'string'
        ? Promise.resolve({ text: answer, model: `model ${calls}` })
        : Promise.reject(answer)
    },
  }
  return { model, calls: () => calls }
}
const read = (text: string, model: string): string | null =>
  text.startsWith('ok') ? `${text} of ${model}` : null
const request = { tier: 'cheap', system: 's', user: 'u' } as const

describe('the answer of a model', () => {
  it('is read at the first call', async () => {
    const { model, calls } = answering('ok')
    const costs: EvaluationCost[] = []
    const answer = await readModel(model, request, read, (cost) => costs.push(cost))
    expect(answer).toMatchObject({ read: 'ok of model 1', model: 'model 1', answer: 'ok' })
    expect(answer.cost).toMatchObject({
      usd: 0.25,
      unpricedCalls: 0,
      llmCalls: 1,
      searchCalls: 0,
      inputTokens: 10,
      outputTokens: 5,
    })
    expect(costs).toEqual([answer.cost])
    expect(calls()).toBe(1)
  })

  it('is requested again in another form, and costs both calls', async () => {
    const { model, calls } = answering('no', `ok${'x'.repeat(5_000)}`)
    const costs: number[] = []
    const answer = await readModel(model, request, read, ({ usd }) => costs.push(usd))
    expect(answer.model).toBe('model 2')
    expect(answer.answer).toHaveLength(4_000)
    expect(answer.cost).toMatchObject({ usd: 0.5, unpricedCalls: 1, llmCalls: 2, inputTokens: 20 })
    expect(costs).toEqual([0.25, 0.5])
    expect(calls()).toBe(2)
  })

  it('fails with its cost when it is twice in another form', async () => {
    const { model, calls } = answering('no', 'no')
    const failure: unknown = await readModel(model, request, read).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(FailedModelCalls)
    expect(failure).toMatchObject({
      message: 'The language model did not answer in the requested form',
      cost: { llmCalls: 2 },
    })
    expect(calls()).toBe(2)
  })

  it('fails with its cost when the model fails, and as it is for any other error', async () => {
    const failed = answering('no', new ModelFailed('The language model refused'))
    await expect(readModel(failed.model, request, read)).rejects.toMatchObject({
      message: 'The language model refused',
      cost: { llmCalls: 2 },
    })
    const fault = new TypeError('a fault')
    await expect(readModel(answering(fault).model, request, read)).rejects.toBe(fault)
  })
})
