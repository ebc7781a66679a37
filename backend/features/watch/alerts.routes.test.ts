import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTradingService, TICKER, type TradingService } from '../../testing/trading-service.ts'
import type {
  AlertRulePage,
  ServedAlertRule,
  ServedWatched,
  WatchCandidates,
  WatchCreated,
  WatchedPage,
} from '../../contract/orders/watch.ts'
import type { DeliveryPage, ServedDelivery } from '../../contract/orders/deliveries.ts'

let service: TradingService
beforeAll(async () => {
  service = await startTradingService(null)
})
afterAll(() => service.stop())

const at = (cents: number, laterMs = 1_000) =>
  service.quote({ bid: cents, ask: cents + 1, bidSize: 100, askSize: 100 }, laterMs)
const add = async (body: object): Promise<ServedAlertRule> => {
  const [status, rule] = await service.send<ServedAlertRule>('POST', '/api/alert-rules', body)
  expect(status).toBe(201)
  return rule
}
const ruleOf = async (id: string) =>
  (await service.send<ServedAlertRule>('GET', `/api/alert-rules/${id}`))[1]
const sentBy = async (id: string): Promise<readonly ServedDelivery[]> =>
  (await service.send<DeliveryPage>('GET', `/api/alert-deliveries?ruleId=${id}`))[1].data
const errorOf = async (method: string, path: string, body?: object): Promise<string> => {
  const [status, { code, error }] = await service.send<{ code: string; error: string }>(
    method,
    path,
    body,
  )
  return `${status} ${code}: ${error}`
}

describe('a price alert', () => {
  it('[alerts.price.fires] fires when the price reaches its threshold, and again only after it was below', async () => {
    await at(60)
    const { id, ...rule } = await add({
      ticker: TICKER,
      condition: 'price_above',
      threshold: 70,
      windowSeconds: 60,
    })
    expect(rule).toMatchObject({
      ticker: TICKER,
      label: '≥ 70¢',
      windowSeconds: 60,
      channel: 'desktop',
      state: 'active',
      conditionTrue: false,
      fireCount: 0,
      lastFiredAt: null,
    })
    await at(69)
    expect(await sentBy(id)).toEqual([])
    await at(70)
    await at(75)
    const [delivery, ...others] = await sentBy(id)
    expect(others).toEqual([])
    expect(delivery).toMatchObject({
      event: 'alert.fired',
      channel: 'desktop',
      status: 'delivered',
      ticker: TICKER,
      test: false,
      message: expect.stringMatching(/^Will the test pass\? 70(\.5)?¢, at or above 70¢$/) as string,
    })
    // Within the window it is counted and not sent; a minute later it is.
    await at(60)
    await at(72)
    expect(await sentBy(id)).toHaveLength(1)
    await at(60)
    await at(72, 60_000)
    expect(await sentBy(id)).toHaveLength(2)
    expect(await ruleOf(id)).toMatchObject({ fireCount: 2, conditionTrue: true })
  })

  it('[alerts.price.at-once] fires at once when its condition holds at creation', async () => {
    await at(80)
    const rule = await add({ ticker: TICKER, condition: 'price_below', threshold: 90 })
    await service.accept([])
    expect(await sentBy(rule.id)).toHaveLength(1)
  })

  it('[alerts.price.changed] evaluates a changed threshold, and nothing while it is paused', async () => {
    await at(50)
    const { id } = await add({ ticker: TICKER, condition: 'price_above', threshold: 60 })
    const change = (body: object) =>
      service.send<ServedAlertRule>('PATCH', `/api/alert-rules/${id}`, body)
    const [, paused] = await change({ state: 'paused' })
    expect(paused).toMatchObject({ state: 'paused', pausedReason: 'user' })
    await at(65)
    expect(await sentBy(id)).toEqual([])
    const [, moved] = await change({ threshold: 64, state: 'active' })
    expect(moved).toMatchObject({ label: '≥ 64¢', pausedReason: null })
    await service.accept([])
    expect(await sentBy(id)).toHaveLength(1)
  })

  it('[alerts.rules.test] sends a test notice that counts for nothing', async () => {
    const { id } = await add({ ticker: TICKER, condition: 'price_above', threshold: 99 })
    const [status, tested] = await service.send<object>('POST', `/api/alert-rules/${id}/test`)
    expect([status, tested]).toMatchObject([200, { ok: true, channel: 'desktop' }])
    expect(await sentBy(id)).toMatchObject([{ test: true }])
    expect(await ruleOf(id)).toMatchObject({ fireCount: 0, lastFiredAt: null })
  })

  it('[alerts.price.restart] survives a restart, and fires once for what was reached meanwhile', async () => {
    await at(50)
    const { id } = await add({ ticker: TICKER, condition: 'price_above', threshold: 55 })
    await service.restart()
    await at(56)
    await at(57)
    expect(await sentBy(id)).toHaveLength(1)
    expect(await ruleOf(id)).toMatchObject({ fireCount: 1, conditionTrue: true })
  })

  it.each([
    [{ ticker: 'NOPE', condition: 'price_above', threshold: 1 }, '404 NOT_FOUND: Market not found'],
    [{ ticker: TICKER }, '400 VALIDATION_ERROR: condition is required'],
    [
      { ticker: TICKER, condition: 'price_above' },
      '400 VALIDATION_ERROR: threshold is required in cents',
    ],
    [
      { ticker: TICKER, condition: 'price_above', threshold: 101 },
      '400 VALIDATION_ERROR: threshold must be a number from 0 to 100',
    ],
    [
      { ticker: TICKER, condition: 'price_above', threshold: 1, windowSeconds: 59 },
      '400 VALIDATION_ERROR: windowSeconds must be an integer from 60 to 604800',
    ],
    [
      { ticker: TICKER, condition: 'price_above', threshold: 1, channel: 'telegram' },
      '503 NOT_CONFIGURED: channel telegram has no server settings',
    ],
    [
      {
        ticker: TICKER,
        condition: 'price_above',
        threshold: 1,
        channel: 'webhook',
        endpointId: 'we_1',
      },
      '404 NOT_FOUND: Endpoint not found',
    ],
    [{}, '400 VALIDATION_ERROR: ticker, or kind and ref, is required'],
  ])('[alerts.rules.refused] of %j is refused: %s', async (body, error) => {
    expect(await errorOf('POST', '/api/alert-rules', body)).toBe(error)
  })
})

it('[alerts.rules.repeated] a repeated create answers with the rule of the first', async () => {
  const body = { ticker: TICKER, condition: 'price_above', threshold: 97 }
  const post = async (sent: object): Promise<[number, ServedAlertRule]> => {
    const response = await fetch(`${service.url}/api/alert-rules`, {
      method: 'POST',
      headers: {
        authorization: service.authorization,
        'content-type': 'application/json',
        'idempotency-key': 'rule-number-1',
      },
      body: JSON.stringify(sent),
    })
    return [response.status, (await response.json()) as ServedAlertRule]
  }
  const first = await post(body)
  await service.send('DELETE', `/api/alert-rules/${first[1].id}`)
  expect(await post(body)).toEqual(first)
  expect((await post({ ...body, threshold: 98 }))[0]).toBe(409)
})

describe('a watched object', () => {
  it('[watch.objects.once] is made once, holds its rules, and takes them along when it is removed', async () => {
    const body = { ticker: TICKER.toLowerCase(), condition: 'price_below', threshold: 3 }
    const [, first] = await service.send<WatchCreated>('POST', '/api/watch', body)
    const [status, again] = await service.send<WatchCreated>('POST', '/api/watch', body)
    expect(status).toBe(200)
    expect(again.id).toBe(first.id)
    expect(again.rule?.id).toBe(first.rule?.id)
    expect(first).toMatchObject({ kind: 'market', ref: TICKER, venue: 'venue_a', state: 'active' })
    expect(first.snapshot).toMatchObject({ status: 'active' })
    const [, page] = await service.send<WatchedPage>('GET', '/api/watch?kind=market')
    expect(page.objects.map(({ id }) => id)).toEqual([first.id])
    expect(page.objects[0]?.ruleCount).toBeGreaterThan(1)
    const [, changed] = await service.send<ServedWatched>('PATCH', `/api/watch/${first.id}`, {
      note: ' keep an eye on it ',
    })
    expect(changed.note).toBe('keep an eye on it')
    expect(await service.send('DELETE', `/api/watch/${first.id}`)).toEqual([200, { ok: true }])
    const [, rules] = await service.send<AlertRulePage>('GET', '/api/alert-rules')
    expect(rules.data).toEqual([])
    expect(await errorOf('GET', `/api/watch/${first.id}`)).toBe('404 NOT_FOUND: Watch not found')
  })

  it('[watch.objects.identify] identifies what a text names, and stores nothing', async () => {
    const [, { candidates }] = await service.send<WatchCandidates>('POST', '/api/watch/identify', {
      text: `https://kalshi.com/markets/kxtest/${TICKER.toLowerCase()}?x=1`,
    })
    expect(candidates[0]).toMatchObject({ kind: 'market', ref: TICKER, confidence: 1 })
    expect(candidates.at(-1)).toMatchObject({ kind: 'query' })
    const [, page] = await service.send<WatchedPage>('GET', '/api/watch')
    expect(page.data).toEqual([])
  })
})

it('[alerts.rules.pages] pages rules, newest first', async () => {
  for (const threshold of [1, 2, 3]) {
    await add({ ticker: TICKER, condition: 'price_below', threshold })
  }
  const [, first] = await service.send<AlertRulePage>('GET', '/api/alert-rules?limit=2')
  expect(first.data.map(({ threshold }) => threshold)).toEqual([3, 2])
  const { nextCursor } = first.pageInfo
  const [, second] = await service.send<AlertRulePage>(
    ...(['GET', `/api/alert-rules?limit=2&cursor=${nextCursor ?? ''}`] as const),
  )
  expect(second.data.map(({ threshold }) => threshold)).toEqual([1])
  expect(second.pageInfo.hasMore).toBe(false)
})

it('[alerts.price.settled] archives the rules of a settled market', async () => {
  const { id } = await add({ ticker: TICKER, condition: 'price_above', threshold: 98 })
  await service.describe({ status: 'settled', result: 'yes', settlementPrice: null })
  await service.accept([])
  expect(await ruleOf(id)).toMatchObject({ state: 'archived' })
})

describe('an alert on texts', () => {
  const QUERY = { kind: 'query', ref: 'fed', condition: 'semantic_match' }

  it('[alerts.items.refused] is made with its defaults, and changed', async () => {
    const { id, ...rule } = await add({ ...QUERY, match: 'fed rate cut' })
    expect(rule).toMatchObject({
      ticker: null,
      label: 'Like fed rate cut',
      threshold: 0.75,
      match: 'fed rate cut',
    })
    const [, changed] = await service.send<ServedAlertRule>('PATCH', `/api/alert-rules/${id}`, {
      match: 'rate hike',
    })
    expect(changed).toMatchObject({ label: 'Like rate hike', threshold: 0.75 })
    const [, tested] = await service.send<object>('POST', `/api/alert-rules/${id}/test`)
    expect(tested).toMatchObject({ ok: true, message: 'Test: Like rate hike' })
  })

  it.each([
    [QUERY, '400 VALIDATION_ERROR: match is required for semantic_match'],
    [
      { ...QUERY, match: 'fed', threshold: 75 },
      '400 VALIDATION_ERROR: threshold must be a number from 0 to 1',
    ],
    [
      { ...QUERY, match: 'ab' },
      '400 VALIDATION_ERROR: match must be a string of 3 to 500 characters',
    ],
    [
      { ...QUERY, condition: 'price_above', threshold: 1 },
      '400 VALIDATION_ERROR: condition price_above needs a market',
    ],
    [
      { ticker: TICKER, condition: 'econ_release' },
      '503 NOT_CONFIGURED: econ_release rules cannot be made: this service has no source of economic releases; price_above, price_below and semantic_match work',
    ],
    [{ kind: 'bill', ref: 'hr-1', condition: 'gov_action' }, '404 NOT_FOUND: Bill not found'],
    [{ kind: 'thesis', ref: '0123abcd' }, '404 NOT_FOUND: Thesis not found'],
  ])('[alerts.items.refused] of %j is refused: %s', async (body, error) => {
    expect(await errorOf('POST', '/api/alert-rules', body)).toBe(error)
  })
})

it('[watch.objects.thesis] watches an own thesis under its full id', async () => {
  const [, { id, title }] = await service.send<{ id: string; title: string }>(
    'POST',
    '/api/thesis/create?sync=true',
    { rawThesis: 'Gold will trade above $5,000 before April 2027' },
  )
  const [status, created] = await service.send<WatchCreated>('POST', '/api/watch', {
    kind: 'thesis',
    ref: id.slice(0, 8),
  })
  expect([status, created]).toMatchObject([201, { kind: 'thesis', ref: id, label: title }])
})
