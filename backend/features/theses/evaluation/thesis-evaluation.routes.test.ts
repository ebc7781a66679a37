import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DeliveryPage } from '../../../contract/orders/deliveries.ts'
import type { ThesisHeartbeat } from '../../../contract/theses/heartbeat.ts'
import type {
  EvaluationPage,
  ServedEvaluation,
  ServedThesis,
  ThesisEvaluated,
  ThesisFormed,
  ThesisQueued,
} from '../../../contract/theses/thesis.ts'
import {
  json,
  startScriptServer,
  type Reply,
  type ScriptServer,
} from '../../../testing/script-server.ts'
import { startTradingService, type TradingService } from '../../../testing/trading-service.ts'

const MINUTE = 60_000
const DAY = 1_440 * MINUTE
let service: TradingService
let server: ScriptServer
let reply: Reply
/** The models that were called, in order. */
let called: string[] = []
let claims = 0

const overloaded = json({ error: 'overloaded' }, 529)
const judged =
  (word: string): Reply =>
  (request, response, body) => {
    const { messages } = JSON.parse(body) as { messages: { content: string }[] }
    const [signalId] = /sig_\w+/.exec(messages[1]?.content ?? '') ?? []
    const content = JSON.stringify({ judgements: [{ nodeId: 'n1', signalId, class: word }] })
    json({
      choices: [{ finish_reason: 'stop', message: { content } }],
      usage: { prompt_tokens: 100, completion_tokens: 10, cost: 0.001 },
    })(request, response, body)
  }
const suggested: Reply = (...args) => {
  const node = {
    parent: 'n1',
    label: 'The jury meets',
    probability: 0.5,
    rationale: '',
    markets: [],
  }
  json({
    choices: [{ finish_reason: 'stop', message: { content: JSON.stringify({ nodes: [node] }) } }],
    usage: { prompt_tokens: 100, completion_tokens: 10, cost: 0.001 },
  })(...args)
}
const send = <T>(method: string, path: string, body?: object) => service.send<T>(method, path, body)
const newClaim = (): string => `The bakery will win prize ${(claims += 1)} before March 2027`
/** A thesis that the rules form, because the model fails. */
async function formed(): Promise<string> {
  reply = overloaded
  const claim = { rawThesis: newClaim() }
  const [, { id }] = await send<ThesisFormed>('POST', '/api/thesis/create?sync=true', claim)
  await service.accept([])
  called = []
  return `/api/thesis/${id}`
}
const addSignal = (path: string): Promise<unknown> =>
  send('POST', `${path}/signal`, { type: 'news', content: 'The jury met today' })
/** Requests that wait for their answer until the returned promise is fulfilled. */
function waiting(): Promise<Parameters<Reply>> {
  const { promise, resolve } = Promise.withResolvers<Parameters<Reply>>()
  reply = (...args) => resolve(args)
  return promise
}
/** Lets time pass, and the runs end that became due. */
const pass = async (minutes: number): Promise<void> => {
  for (let minute = 0; minute < minutes; minute += 1) {
    await service.clock.advance(MINUTE)
    await service.accept([])
  }
}

beforeAll(async () => {
  server = await startScriptServer(() => (request, response, body) => {
    called.push((JSON.parse(body) as { model: string }).model)
    reply(request, response, body)
  })
  service = await startTradingService(null, {
    AUGURY_LLM_URL: `${server.url}/v1`,
    AUGURY_LLM_CHEAP: 'small',
    AUGURY_LLM_MEDIUM: 'middle',
  })
})
// A new minute of the limit on calls of models.
beforeEach(() => service.clock.advance(MINUTE))
afterAll(async () => {
  await service.stop()
  await server.close()
})

describe('a thesis that is deleted while a model is called', () => {
  const missing = [404, { error: 'Thesis not found', code: 'NOT_FOUND' }]

  it('[theses.model.deleted] ends its evaluation with 404, and the call is aborted', async () => {
    const path = await formed()
    await addSignal(path)
    const pending = waiting()
    const evaluating = send('POST', `${path}/evaluate`, {})
    const [request] = await pending
    const aborted = new Promise((resolve) => request.socket.once('close', resolve))
    // The deletion does not wait for the model.
    expect((await send('DELETE', path))[0]).toBe(200)
    await aborted
    expect(await evaluating).toMatchObject(missing)
  })

  it('[theses.model.deleted] ends its augmentation and its formation with 404', async () => {
    const path = await formed()
    let pending = waiting()
    const augmenting = send('POST', `${path}/augment`, {})
    await pending
    await send('DELETE', path)
    expect(await augmenting).toMatchObject(missing)

    pending = waiting()
    const claim = { rawThesis: newClaim() }
    const forming = send('POST', '/api/thesis/create?sync=true', claim)
    await pending
    const [, { data }] = await send<{ data: { id: string }[] }>('GET', '/api/thesis?status=forming')
    await send('DELETE', `/api/thesis/${data[0]?.id ?? ''}`)
    expect(await forming).toMatchObject(missing)
    reply = overloaded
    const [status] = await send<ThesisQueued>('POST', '/api/thesis/create?sync=true', claim)
    expect(status).toBe(200)
  })
})

describe('an evaluation while a model is called', () => {
  it('[theses.evaluate.concurrent] lets its owner change the thesis, and runs once at a time', async () => {
    const path = await formed()
    await addSignal(path)
    const pending = waiting()
    const evaluating = send<ThesisEvaluated>('POST', `${path}/evaluate`, {})
    const args = await pending
    expect((await send('PATCH', path, { title: 'Renamed meanwhile' }))[0]).toBe(200)
    const [status, { code }] = await send<{ code: string }>('POST', `${path}/evaluate`, {})
    expect([status, code]).toEqual([409, 'EVALUATION_RUNNING'])
    judged('for')(...args)
    const [, { evaluation }] = await evaluating
    expect(evaluation.newConfidence).toBeGreaterThan(0.5)
    const [, thesis] = await send<ServedThesis>('GET', path)
    expect(thesis).toMatchObject({
      title: 'Renamed meanwhile',
      confidence: evaluation.newConfidence,
    })
  })
})

it('[theses.model.costs] keeps the cost of a judgement that no evaluation holds', async () => {
  const path = await formed()
  const costs = async () => (await send<ThesisHeartbeat>('GET', `${path}/heartbeat`))[1].costs
  const before = await costs()
  await addSignal(path)
  const pending = waiting()
  const evaluating = send<{ code: string }>('POST', `${path}/evaluate`, {})
  const args = await pending
  await send('PATCH', path, { status: 'dormant' })
  judged('for')(...args)
  const [status, { code }] = await evaluating
  expect([status, code]).toEqual([409, 'THESIS_NOT_ACTIVE'])
  const after = await costs()
  expect(after.llmCalls - before.llmCalls).toBe(1)
  expect(after.monthlyTotal - before.monthlyTotal).toBeCloseTo(0.001, 6)
})

it('[theses.model.costs] keeps the cost of suggestions that could not be written', async () => {
  const path = await formed()
  const costs = async () => (await send<ThesisHeartbeat>('GET', `${path}/heartbeat`))[1].costs
  const before = await costs()
  const pending = waiting()
  const augmenting = send<{ code: string }>('POST', `${path}/augment`, {})
  const args = await pending
  await send('PATCH', path, { status: 'dormant' })
  suggested(...args)
  const [status, { code }] = await augmenting
  expect([status, code]).toEqual([409, 'THESIS_NOT_ACTIVE'])
  const after = await costs()
  expect(after.llmCalls - before.llmCalls).toBe(1)
  expect(after.monthlyTotal - before.monthlyTotal).toBeCloseTo(0.001, 6)
})

describe('the smart model of a heartbeat', () => {
  let path: string
  const change = (body: object): Promise<unknown> => send('PATCH', `${path}/heartbeat`, body)
  const newest = async () =>
    (await send<EvaluationPage>('GET', `${path}/evaluations?raw=true`))[1]
      .data[0] as ServedEvaluation
  /** The newest evaluation after a signal that a run of the heartbeat reads. */
  const afterSignal = async (answer: Reply) => {
    await addSignal(path)
    called = []
    reply = answer
    await pass(16)
    return newest()
  }
  beforeAll(async () => {
    path = await formed()
    await change({ newsIntervalMin: 15, xIntervalMin: 60 })
  })

  it('[theses.heartbeat.smart-model] judges again by the medium model what would change much', async () => {
    const large = await afterSignal(judged('strong_for'))
    expect(called).toEqual(['small', 'middle'])
    expect(large).toMatchObject({
      model: 'middle',
      corrections: [
        'middle judged again what small had judged: the confidence would move by more than 3 points',
      ],
      cost: { llmCalls: 2, usd: 0.002 },
    })
    const neutral = await afterSignal(judged('neutral'))
    expect([called, neutral.model]).toEqual([['small'], 'small'])
  })

  it('[theses.heartbeat.smart-model] judges once a day by the medium model, and never while it is off', async () => {
    await service.clock.sleepThrough(DAY)
    await afterSignal(judged('neutral'))
    expect(called).toEqual(['small', 'middle'])
    await afterSignal(judged('neutral'))
    expect(called).toEqual(['small'])
    await change({ smartModel: false })
    await afterSignal(judged('strong_against'))
    expect(called).toEqual(['small'])
    await change({ smartModel: true, evalModelTier: 'medium' })
    await afterSignal(judged('strong_for'))
    expect(called).toEqual(['middle'])
    await change({ evalModelTier: 'cheap' })
  })

  it('counts the first judgement when the medium model fails', async () => {
    const small = judged('strong_against')
    const evaluation = await afterSignal((request, response, body) =>
      (called.at(-1) === 'small' ? small : overloaded)(request, response, body),
    )
    expect(evaluation.model).toBe('small')
    expect(evaluation.confidenceDelta).toBeLessThan(-0.03)
    expect(evaluation.corrections?.[0]).toMatch(
      /^middle was to judge again, because the confidence would move .*, and failed: /,
    )
  })

  it('[theses.heartbeat.budget] pauses when the budget is spent and resumes with the next month', async () => {
    await change({ monthlyBudgetUsd: 0.0001 })
    await pass(16)
    const [, paused] = await send<ThesisHeartbeat>('GET', `${path}/heartbeat`)
    const month = new Date(service.clock.now())
    const next = Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1)
    expect(paused).toMatchObject({
      pausedReason: 'budget',
      config: { mode: 'paused' },
      nextRunAt: new Date(next).toISOString(),
    })
    const [, { data }] = await send<DeliveryPage>('GET', '/api/alert-deliveries')
    expect(data.filter(({ message }) => message.includes('its budget of $0.0001'))).toMatchObject([
      { channel: 'desktop', event: null },
    ])
    await service.clock.sleepThrough(next - service.clock.now())
    await pass(2)
    const [, running] = await send<ThesisHeartbeat>('GET', `${path}/heartbeat`)
    expect(running).toMatchObject({ pausedReason: null, config: { mode: 'active' } })
  })
})
