import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ThesisHeartbeat } from '../../../contract/theses/heartbeat.ts'
import type { ThesisFormed } from '../../../contract/theses/thesis.ts'
import {
  json,
  startScriptServer,
  type Reply,
  type ScriptServer,
} from '../../../testing/script-server.ts'
import { startTradingService, type TradingService } from '../../../testing/trading-service.ts'

let server: ScriptServer
let reply: Reply
beforeAll(async () => {
  server = await startScriptServer(
    () =>
      (...args) =>
        reply(...args),
  )
})
afterAll(() => server.close())

const CLAIM = 'The senate will pass the shutdown bill by December 31, 2026'
const ENDPOINT = { AUGURY_LLM_KEY: 'secret', AUGURY_LLM_CHEAP: 'small' }
/** A refusal in the Messages API, which states tokens and no price. */
const refusal = json({
  content: [{ type: 'text', text: 'I cannot help.' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 1_000, output_tokens: 200 },
})

/** The heartbeat of a thesis that a failing model of the Messages API was to form and to evaluate. */
async function afterFailures(env: Readonly<Record<string, string>>, body: object = {}) {
  const service: TradingService = await startTradingService(null, {
    ...ENDPOINT,
    AUGURY_LLM_URL: `${server.url}/v1/messages`,
    ...env,
  })
  reply = refusal
  const [, { id }] = await service.send<ThesisFormed>('POST', '/api/thesis/create?sync=true', {
    rawThesis: CLAIM,
  })
  const path = `/api/thesis/${id}`
  await service.send('PATCH', `${path}/heartbeat`, body)
  await service.send('POST', `${path}/signal`, { type: 'news', content: 'The senate met' })
  const [status] = await service.send('POST', `${path}/evaluate`, {})
  const [, heartbeat] = await service.send<ThesisHeartbeat>('GET', `${path}/heartbeat`)
  const [again, refused] = await service.send<{ code?: string }>('POST', `${path}/evaluate`, {})
  await service.stop()
  return { status, heartbeat, again, code: refused.code }
}

it('[theses.model.costs] keeps the cost of calls that failed, and computes it from tokens', async () => {
  const { status, heartbeat, again, code } = await afterFailures(
    { AUGURY_LLM_CHEAP_PRICE: '1/5' },
    { monthlyBudgetUsd: 0.008 },
  )
  expect(status).toBe(500)
  // Two formations and two evaluations of 1,000 tokens read and 200 written, $0.002 each.
  expect(heartbeat.costs).toMatchObject({
    monthlyTotal: 0.008,
    llmCalls: 4,
    inputTokens: 4_000,
    outputTokens: 800,
    unpricedCalls: 0,
    budgetRemaining: 0,
    budgetNote: null,
  })
  expect([again, code]).toEqual([409, 'BUDGET_EXCEEDED'])
})

it('[theses.model.unpriced] states that a budget cannot be enforced while prices are unknown', async () => {
  const { heartbeat } = await afterFailures({}, { monthlyBudgetUsd: 1 })
  expect(heartbeat.costs).toMatchObject({ monthlyTotal: 0, llmCalls: 4, unpricedCalls: 4 })
  expect(heartbeat.costs.budgetNote).toMatch(/^The budget cannot be enforced: .* 4 calls/)
})

it('refuses a price in another form at the start', async () => {
  const env = { ...ENDPOINT, AUGURY_LLM_URL: server.url, AUGURY_LLM_CHEAP_PRICE: 'cheap' }
  await expect(startTradingService(null, env)).rejects.toThrow(/AUGURY_LLM_CHEAP_PRICE must be/)
})
