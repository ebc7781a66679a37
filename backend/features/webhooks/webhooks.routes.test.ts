import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DeliveryPage } from '../../contract/orders/deliveries.ts'
import type { ServedAlertRule } from '../../contract/orders/watch.ts'
import type {
  DeliveryDetail,
  EndpointCreated,
  EndpointPage,
  ServedEndpoint,
} from '../../contract/orders/webhooks.ts'
import { startTradingService, TICKER, type TradingService } from '../../testing/trading-service.ts'

let service: TradingService
beforeAll(async () => {
  service = await startTradingService(null)
})
afterAll(() => service.stop())

const PATH = '/api/webhook-endpoints'
// An address of the test networks would be refused; this one is public and never reached.
const url = (path: string) => `https://93.184.215.14:9443/${path}`
const created = async (body: object): Promise<EndpointCreated> => {
  const [status, endpoint] = await service.send<EndpointCreated>('POST', PATH, body)
  expect(status).toBe(201)
  return endpoint
}
const errorOf = async (method: string, path: string, body?: object): Promise<string> => {
  const [status, { code, error }] = await service.send<{ code: string; error: string }>(
    method,
    path,
    body,
  )
  return `${status} ${code}: ${error}`
}
const pause = (id: string) => service.send('PATCH', `${PATH}/${id}`, { state: 'paused' })

describe('webhook endpoints', () => {
  it('[webhooks.endpoint.lifecycle] are created, listed, changed, paused, resumed and deleted', async () => {
    const { secret, ...endpoint } = await created({ url: url('a') })
    expect(endpoint).toMatchObject({
      label: '93.184.215.14',
      events: expect.arrayContaining(['alert.fired', 'portfolio.halt_triggered']) as string[],
      state: 'active',
      pausedReason: null,
      stats24h: { attempts: 0, delivered: 0, http5xx: 0, networkErrors: 0, failureRate: null },
      lastDeliveryAt: null,
    })
    const [, read] = await service.send<ServedEndpoint>('GET', `${PATH}/${endpoint.id}`)
    expect(read).toEqual(endpoint)
    const [, page] = await service.send<EndpointPage>('GET', PATH)
    expect(page.endpoints).toEqual(page.data)
    expect(page.data.map(({ id }) => id)).toContain(endpoint.id)
    expect(JSON.stringify(page)).not.toContain(secret)
    const change = { label: 'mine', events: ['alert.paused'] }
    const [, changed] = await service.send<ServedEndpoint>(
      'PATCH',
      `${PATH}/${endpoint.id}`,
      change,
    )
    expect(changed).toMatchObject(change)
    await pause(endpoint.id)
    const [, paused] = await service.send<EndpointPage>('GET', `${PATH}?state=paused`)
    expect(paused.data).toEqual([
      expect.objectContaining({ id: endpoint.id, pausedReason: 'user' }),
    ])
    const [, resumed] = await service.send<ServedEndpoint>(
      'POST',
      `${PATH}/${endpoint.id}/resume`,
      {},
    )
    expect(resumed).toMatchObject({ state: 'active', pausedReason: null })
    expect(await service.send('DELETE', `${PATH}/${endpoint.id}`)).toEqual([200, { ok: true }])
    expect(await errorOf('GET', `${PATH}/${endpoint.id}`)).toBe('404 NOT_FOUND: Endpoint not found')
  })

  it('[webhooks.endpoint.refusals] refuse bad bodies with a reason', async () => {
    const refused = async (body: object) => errorOf('POST', PATH, body)
    expect(await refused({})).toBe('400 VALIDATION_ERROR: url is required')
    expect(await refused({ url: 'http://example.com/' })).toBe(
      '400 URL_REFUSED: url refused: url must use https',
    )
    expect(await refused({ url: 'https://127.0.0.1:9443/' })).toBe(
      '400 URL_REFUSED: url refused: address is not public',
    )
    expect(await refused({ url: url('a'), events: [] })).toMatch(
      /^400 VALIDATION_ERROR: events must be a list of some of alert.fired, /,
    )
    expect(await refused({ url: url('a'), events: ['nope'] })).toMatch(/^400/)
    expect(await refused({ url: url('a'), label: 'x'.repeat(121) })).toBe(
      '400 VALIDATION_ERROR: label must be a string of 1 to 120 characters',
    )
    const { id } = await created({ url: url('b'), label: 'twin' })
    expect(await refused({ url: url('b'), label: 'twin' })).toBe(
      '409 CONFLICT: an endpoint with this label and url exists',
    )
    const at = `${PATH}/${id}`
    expect(await errorOf('PATCH', at, {})).toBe('400 VALIDATION_ERROR: No valid fields to update')
    expect(await errorOf('PATCH', at, { state: 'degraded' })).toBe(
      '400 VALIDATION_ERROR: state must be active or paused',
    )
    expect(await errorOf('POST', `${at}/rotate`, { graceSeconds: 604_801 })).toMatch(/^400/)
    expect((await service.send('POST', `${at}/rotate`))[0]).toBe(200)
    expect(await errorOf('POST', `${at}/replay`, {})).toMatch(/^400 VALIDATION_ERROR: since/)
    expect(await errorOf('GET', `${at}/deliveries/del_none`)).toBe(
      '404 NOT_FOUND: Delivery not found',
    )
    expect(await errorOf('GET', `${at}/deliveries?cursor=x`)).toBe(
      '400 VALIDATION_ERROR: cursor is invalid',
    )
  })

  it('are 20 at most', async () => {
    const [, { data }] = await service.send<EndpointPage>('GET', `${PATH}?limit=200`)
    for (let n = data.length; n < 20; n += 1) await created({ url: url(`n${n}`), label: `n${n}` })
    expect(await errorOf('POST', PATH, { url: url('more') })).toBe(
      '409 CONFLICT: at most 20 endpoints may exist: delete one first',
    )
    const [, { data: all }] = await service.send<EndpointPage>('GET', `${PATH}?limit=200`)
    for (const { id } of all) await service.send('DELETE', `${PATH}/${id}`)
  })
})

describe('an alert rule on a webhook', () => {
  it('[webhooks.alert.fired] delivers to its endpoint and to subscribed ones, once each', async () => {
    await service.quote({ bid: 40, ask: 41, bidSize: 100, askSize: 100 })
    const own = await created({ url: url('own'), label: 'own', events: ['thesis.killed'] })
    const subscribed = await created({ url: url('all'), label: 'all' })
    const deaf = await created({ url: url('deaf'), label: 'deaf', events: ['thesis.killed'] })
    // Paused endpoints keep their deliveries, so that nothing leaves the machine.
    for (const { id } of [own, subscribed, deaf]) await pause(id)
    const rule = { ticker: TICKER, condition: 'price_above', threshold: 70, channel: 'webhook' }
    expect(await errorOf('POST', '/api/alert-rules', { ...rule, endpointId: 'we_none' })).toBe(
      '404 NOT_FOUND: Endpoint not found',
    )
    const [, createdRule] = await service.send<ServedAlertRule>('POST', '/api/alert-rules', {
      ...rule,
      endpointId: own.id,
    })
    expect(createdRule).toMatchObject({ channel: 'webhook', endpointId: own.id })
    await service.quote({ bid: 71, ask: 72, bidSize: 100, askSize: 100 })
    const [, sent] = await service.send<DeliveryPage>(
      'GET',
      `/api/alert-deliveries?ruleId=${createdRule.id}`,
    )
    expect(sent.data.map(({ endpointId }) => endpointId).toSorted()).toEqual(
      [own.id, subscribed.id].toSorted(),
    )
    expect(new Set(sent.data.map(({ eventId }) => eventId)).size).toBe(1)
    const [, { data }] = await service.send<DeliveryPage>('GET', `${PATH}/${own.id}/deliveries`)
    const [, detail] = await service.send<DeliveryDetail>(
      'GET',
      `${PATH}/${own.id}/deliveries/${data[0]?.id ?? ''}`,
    )
    expect(detail.body).toMatchObject({
      type: 'alert.fired',
      data: {
        ruleId: createdRule.id,
        ticker: TICKER,
        condition: 'price_above',
        threshold: 70,
        rule: { id: createdRule.id, channel: 'webhook' },
        watchedObject: { kind: 'market', ref: TICKER },
        snapshot: { priceCents: expect.any(Number) as number, item: null, late: false },
        test: false,
      },
    })
    await service.send('DELETE', `${PATH}/${own.id}`)
    const [, deleted] = await service.send<ServedAlertRule>(
      'GET',
      `/api/alert-rules/${createdRule.id}`,
    )
    expect(deleted).toMatchObject({ state: 'paused', pausedReason: 'endpoint_gone' })
  })
})
