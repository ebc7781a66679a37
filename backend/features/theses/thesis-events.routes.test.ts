import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DeliveryPage } from '../../contract/orders/deliveries.ts'
import type { DeliveryDetail, EndpointPage } from '../../contract/orders/webhooks.ts'
import { WEBHOOK_EVENTS } from '../../contract/orders/webhook-events.ts'
import type { ServedThesis, ThesisUpdated, ThesisFormed } from '../../contract/theses/thesis.ts'
import { wholeSchema } from '../../http/routes/openapi-schemas.ts'
import { violationOf } from '../../testing/json-schema.ts'
import { startTradingService, type TradingService } from '../../testing/trading-service.ts'

let service: TradingService
beforeAll(async () => {
  service = await startTradingService(null)
})
afterAll(() => service.stop())

const ENDPOINTS = '/api/webhook-endpoints'
// It is public and never reached: its endpoints are paused before an event.
const url = (path: string) => `https://93.184.215.14:9443/${path}`
const send = async <T>(method: string, path: string, body?: object): Promise<T> =>
  (await service.send<T>(method, path, body))[1]
const form = async (claim: string, more: object = {}): Promise<ThesisFormed> => {
  await service.clock.advance(10_000)
  return await send('POST', '/api/thesis/create?sync=true', { rawThesis: claim, ...more })
}
const pause = (id: string) => send('PATCH', `${ENDPOINTS}/${id}`, { state: 'paused' })
const edit = (id: string, update: object) =>
  send('POST', `/api/thesis/${id}/nodes/update`, { nodeId: 'n1', ...update })
/** Bodies of the deliveries to an endpoint, oldest first, each as its schema declares. */
async function bodiesAt(endpointId: string): Promise<DeliveryDetail['body'][]> {
  const { data } = await send<DeliveryPage>('GET', `${ENDPOINTS}/${endpointId}/deliveries`)
  const details = await Promise.all(
    data.map(({ id }) =>
      send<DeliveryDetail>('GET', `${ENDPOINTS}/${endpointId}/deliveries/${id}`),
    ),
  )
  for (const { body } of details) {
    const declared = WEBHOOK_EVENTS.find(({ name }) => name === body['type'])
    expect(violationOf(wholeSchema({ ...declared?.body }), body)).toBeNull()
  }
  return details.map(({ body }) => body).toReversed()
}

describe('the events of a thesis', () => {
  it('[webhooks.thesis.events] announce a confidence that moved by 5 points since the last one, and a kill', async () => {
    const { id, webhook } = await form('Gold will trade above $5,000 before April 2027', {
      webhookUrl: url('gold'),
    })
    const endpointId = webhook?.endpointId ?? ''
    await pause(endpointId)
    const other = await form('Silver will trade above $90 before April 2027')
    await edit(other.id, { probability: 0.9 })
    for (const probability of [0.53, 0.56, 0.59]) await edit(id, { probability })
    await edit(id, { killCondition: { text: 'likely', op: 'prob_above', value: 0.58 } })
    const evaluated = await send<{ status: string }>('POST', `/api/thesis/${id}/evaluate`, {})
    expect(evaluated.status).toBe('killed')
    expect(await bodiesAt(endpointId)).toMatchObject([
      {
        type: 'thesis.confidence_changed',
        endpointId,
        data: {
          thesisId: id,
          previousConfidence: 0.5,
          currentConfidence: 0.56,
          delta: 0.06,
          trigger: 'evaluation',
        },
      },
      {
        type: 'thesis.killed',
        data: {
          reason: 'kill_flag_raised',
          evaluation: { confidence: 0.59, killConditions: [{ nodeId: 'n1', triggered: true }] },
        },
      },
    ])
    const { data } = await send<DeliveryPage>('GET', '/api/alert-deliveries?event=thesis.killed')
    expect(data.map(({ channel, status }) => [channel, status]).toSorted()).toEqual([
      ['desktop', 'delivered'],
      ['webhook', 'failed'],
    ])
  })

  it('[webhooks.thesis.endpoint] belong to the endpoint that the thesis manages', async () => {
    const { id } = await form('Copper will trade above $6 before April 2027')
    const path = `/api/thesis/${id}`
    const created = await send<ThesisUpdated>('PATCH', path, { webhookUrl: url('copper') })
    expect(created).toMatchObject({
      webhookUrl: url('copper'),
      webhook: { secret: expect.stringMatching(/^whsec_/) as string },
    })
    const moved = await send<ThesisUpdated>('PATCH', path, { webhookUrl: url('moved') })
    expect(moved).toMatchObject({ webhookUrl: url('moved') })
    expect(moved.webhook).toBeUndefined()
    const { data } = await send<EndpointPage>('GET', ENDPOINTS)
    expect(data.filter(({ thesisId }) => thesisId === id)).toMatchObject([
      {
        id: created.webhook?.endpointId,
        label: `thesis ${id.slice(0, 8)}`,
        events: ['thesis.confidence_changed', 'thesis.killed'],
      },
    ])
    const endpoint = `${ENDPOINTS}/${created.webhook?.endpointId ?? ''}`
    const [status] = await service.send('PATCH', endpoint, { label: 'mine' })
    expect(status).toBe(409)
    const cleared = await send<ServedThesis>('PATCH', path, { webhookUrl: null })
    expect(cleared.webhookUrl).toBeNull()
    expect((await service.send('GET', endpoint))[0]).toBe(404)
    await send('PATCH', path, { webhookUrl: url('again') })
    await send('DELETE', path)
    const after = await send<EndpointPage>('GET', ENDPOINTS)
    expect(after.data.filter(({ thesisId }) => thesisId === id)).toEqual([])
  })
})

it('[theses.notices.formed] a formed thesis is announced, and its notices go with it', async () => {
  const { id } = await form('Platinum will trade above $2,000 before April 2027')
  const about = async () =>
    (await send<DeliveryPage>('GET', '/api/alert-deliveries?channel=desktop')).data.filter(
      ({ message }) => message.includes('Platinum'),
    )
  expect(await about()).toMatchObject([
    {
      channel: 'desktop',
      event: null,
      message:
        'Thesis Platinum will trade above $2,000 before April 2027 formed: confidence 50%, 0 edges',
    },
  ])
  const rule = { condition: 'semantic_match', match: 'platinum' }
  const { id: objectId } = await send<{ id: string }>('POST', '/api/watch', {
    kind: 'thesis',
    ref: id,
    ...rule,
  })
  await edit(id, { probability: 0.9 })
  expect(await about()).toHaveLength(2)
  await send('DELETE', `/api/thesis/${id}`)
  expect(await about()).toEqual([])
  // Alert rules on it are archived.
  expect(await send('GET', `/api/watch/${objectId}`)).toMatchObject({
    state: 'archived',
    rules: [{ state: 'archived' }],
  })
})

it('[webhooks.create.repeated] repeats the answer with the secret, which is stored encrypted', async () => {
  const post = async (body: object) => {
    const response = await fetch(`${service.url}${ENDPOINTS}`, {
      method: 'POST',
      headers: {
        authorization: service.authorization,
        'content-type': 'application/json',
        'idempotency-key': 'endpoint-1',
      },
      body: JSON.stringify(body),
    })
    return [response.status, await response.json()] as [number, { secret: string; code?: string }]
  }
  const first = await post({ url: url('once'), label: 'once' })
  expect(first[0]).toBe(201)
  expect(await post({ url: url('once'), label: 'once' })).toEqual(first)
  const [status, { code }] = await post({ url: url('once'), label: 'twice' })
  expect([status, code]).toEqual([409, 'IDEMPOTENCY_MISMATCH'])
  const files = readdirSync(service.dataDir).filter((name) => name.startsWith('state.sqlite'))
  const stored = files.map((name) => readFileSync(join(service.dataDir, name), 'latin1')).join('')
  expect(stored).toContain('endpoint-1')
  expect(stored).not.toContain(first[1].secret)
})
