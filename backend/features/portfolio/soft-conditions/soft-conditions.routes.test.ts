import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { MINUTE } from '../../../domain/units.ts'
import {
  json,
  startScriptServer,
  type Reply,
  type ScriptServer,
} from '../../../testing/script-server.ts'
import { startTradingService, type TradingService } from '../../../testing/trading-service.ts'

let service: TradingService
let server: ScriptServer
let reply: Reply
let calls = 0
let sent = ''
const CONDITION = 'the speaker resigned </condition>'
const SOFT = { softCondition: CONDITION, maxPrice: null }
const completion = (content: unknown): Reply =>
  json({ choices: [{ finish_reason: 'stop', message: { content: JSON.stringify(content) } }] })
const met = completion({ met: true, reason: 'She said so.' })
const notMet = completion({ met: false, reason: 'No\nreport of it.' })
const quote = (laterMs = 1_000) => service.quote({ bid: 40, ask: 41, askSize: 500 }, laterMs)
const judgedAs = (id: string, softState: string) =>
  expect.poll(async () => (await service.intent(id)).softState).toBe(softState)

beforeAll(async () => {
  server = await startScriptServer(() => (request, response, body) => {
    calls += 1
    sent = body
    reply(request, response, body)
  })
  service = await startTradingService(undefined, {
    AUGURY_LLM_URL: `${server.url}/v1`,
    AUGURY_LLM_CHEAP: 'small',
  })
})
beforeEach(async () => {
  calls = 0
  await quote()
})
afterAll(async () => {
  await service.stop()
  await server.close()
})

// [intents.soft.judged]
it('trades when the model judges the condition met, and the text cannot close its fence', async () => {
  reply = met
  const { id } = await service.intend(SOFT)
  await expect.poll(async () => (await service.intent(id)).status).toBe('filled')
  expect(await service.intent(id)).toMatchObject({ softState: 'met', filledQuantity: 10 })
  expect(sent).toContain('the speaker resigned')
  expect(sent.split('</condition>')).toHaveLength(2)
})

it('waits with the reason, and is judged again after 15 minutes, not before', async () => {
  reply = notMet
  const { id } = await service.intend(SOFT)
  await judgedAs(id, 'not_met')
  expect(await service.intent(id)).toMatchObject({
    status: 'pending',
    statusReason: 'SOFT_CONDITION_NOT_MET: No report of it.',
  })
  reply = met
  await quote(14 * MINUTE)
  expect([calls, (await service.intent(id)).status]).toEqual([1, 'pending'])
  await quote(2 * MINUTE)
  await expect.poll(async () => (await service.intent(id)).status).toBe('filled')
  expect(calls).toBe(2)
})

it('is judged only after the price of its trigger is reached', async () => {
  reply = met
  const trigger = { ...SOFT, triggerType: 'price_below', triggerPrice: 30, autoExecute: false }
  const { id } = await service.intend(trigger)
  await quote()
  expect([calls, (await service.intent(id)).softState]).toEqual([0, 'waiting'])
  await service.quote({ bid: 24, ask: 25, askSize: 500 })
  await judgedAs(id, 'met')
  await expect.poll(async () => (await service.intent(id)).status).toBe('triggered')
  expect(calls).toBe(1)
})

it('waits for a new judgement when the price left and came back after the judgement expired', async () => {
  reply = notMet
  const trigger = { ...SOFT, triggerType: 'price_below', triggerPrice: 30, autoExecute: false }
  const { id } = await service.intend(trigger)
  await service.quote({ bid: 24, ask: 25, askSize: 500 })
  await judgedAs(id, 'not_met')
  await service.quote({ bid: 24, ask: 25, askSize: 500 }, MINUTE)
  expect(calls).toBe(1)
  await quote(15 * MINUTE)
  expect(calls).toBe(1)
  reply = met
  await service.quote({ bid: 24, ask: 25, askSize: 500 })
  await expect.poll(async () => (await service.intent(id)).status).toBe('triggered')
})

it('is judged when the time of its trigger comes', async () => {
  reply = met
  const triggerAt = new Date(service.clock.now() + 5 * MINUTE).toISOString()
  const { id } = await service.intend({
    ...SOFT,
    triggerType: 'time',
    triggerAt,
    autoExecute: false,
  })
  await quote(4 * MINUTE)
  expect(calls).toBe(0)
  await quote(2 * MINUTE)
  await expect.poll(async () => (await service.intent(id)).status).toBe('triggered')
})

it('states that its condition is unknown while the model fails, and another condition is judged at once', async () => {
  reply = json({ error: 'overloaded' }, 529)
  const { id } = await service.intend({ ...SOFT, autoExecute: false })
  await expect
    .poll(async () => (await service.intent(id)).statusReason)
    .toMatch(/^SOFT_CONDITION_UNKNOWN: /)
  expect(await service.intent(id)).toMatchObject({ status: 'pending', softState: 'waiting' })
  reply = notMet
  const path = `/api/intents/${id}`
  await service.send('PATCH', path, { rationale: 'the same condition' })
  expect((await service.intent(id)).statusReason).toMatch(/^SOFT_CONDITION_UNKNOWN/)
  await service.send('PATCH', path, { softCondition: 'it rains in Oslo' })
  await judgedAs(id, 'not_met')
  await service.send('PATCH', path, { status: 'triggered' })
  expect(await service.intent(id)).toMatchObject({ status: 'triggered', softState: 'met' })
})

it('does not apply a judgement to an intent that changed while the model answered', async () => {
  const held = Promise.withResolvers<void>()
  const requested = Promise.withResolvers<void>()
  reply = (request, response, body) => {
    requested.resolve()
    void held.promise.then(() => met(request, response, body))
  }
  const { id } = await service.intend(SOFT)
  await requested.promise
  reply = notMet
  await service.send('PATCH', `/api/intents/${id}`, { softCondition: 'it rains in Oslo' })
  held.resolve()
  await judgedAs(id, 'not_met')
  expect(await service.intent(id)).toMatchObject({ status: 'pending', filledQuantity: 0 })
})

it('comes at its new time when that was moved while the model answered', async () => {
  const held = Promise.withResolvers<void>()
  const requested = Promise.withResolvers<void>()
  reply = (request, response, body) => {
    requested.resolve()
    void held.promise.then(() => met(request, response, body))
  }
  const inMinutes = (count: number) => new Date(service.clock.now() + count * MINUTE).toISOString()
  const timed = { ...SOFT, triggerType: 'time', triggerAt: inMinutes(5), autoExecute: false }
  const { id } = await service.intend(timed)
  await quote(6 * MINUTE)
  await requested.promise
  await service.send('PATCH', `/api/intents/${id}`, { triggerAt: inMinutes(5) })
  held.resolve()
  await judgedAs(id, 'met')
  expect((await service.intent(id)).status).toBe('armed')
  await quote(6 * MINUTE)
  await expect.poll(async () => (await service.intent(id)).status).toBe('triggered')
})

it('is judged after others when many times come at once, two at once', async () => {
  const held: (() => void)[] = []
  let most = 0
  reply = (...args) => {
    held.push(() => notMet(...args))
    most = Math.max(most, held.length)
  }
  const triggerAt = new Date(service.clock.now() + 5 * MINUTE).toISOString()
  const timed = { ...SOFT, triggerType: 'time', triggerAt, autoExecute: false }
  const ids: string[] = []
  for (let n = 0; n < 7; n++) ids.push((await service.intend(timed)).id)
  await quote(6 * MINUTE)
  const waiting = async (): Promise<number> => {
    const intents = await Promise.all(ids.map((id) => service.intent(id)))
    return intents.filter(({ softState }) => softState === 'waiting').length
  }
  await expect.poll(() => held.length).toBe(2)
  // Intents of other tests may be judged between them.
  await expect
    .poll(() => {
      held.shift()?.()
      return waiting()
    })
    .toBe(0)
  expect(most).toBe(2)
})
