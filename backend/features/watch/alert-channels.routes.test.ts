import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { DeliveryPage, ServedDelivery } from '../../contract/orders/deliveries.ts'
import type { AlertTested, ServedAlertRule } from '../../contract/orders/watch.ts'
import {
  startBotServer,
  startMailServer,
  type BotServer,
  type MailServer,
} from '../../testing/message-servers.ts'
import { startTradingService, TICKER, type TradingService } from '../../testing/trading-service.ts'

let mail: MailServer
let bot: BotServer
let service: TradingService
beforeAll(async () => {
  mail = await startMailServer()
  bot = await startBotServer()
  service = await startTradingService(null, {
    AUGURY_SMTP_URL: mail.url,
    AUGURY_TELEGRAM_TOKEN: bot.token,
    AUGURY_TELEGRAM_URL: bot.url,
  })
})
afterAll(async () => {
  await service.stop()
  await mail.close()
  await bot.close()
})

const at = (cents: number, laterMs = 1_000) =>
  service.quote({ bid: cents, ask: cents + 1, bidSize: 100, askSize: 100 }, laterMs)
const add = async (more: object): Promise<ServedAlertRule> => {
  const rule = { ticker: TICKER, condition: 'price_above', threshold: 70, windowSeconds: 60 }
  const [status, created] = await service.send<ServedAlertRule>('POST', '/api/alert-rules', {
    ...rule,
    ...more,
  })
  expect(status).toBe(201)
  return created
}
const sentBy = async (id: string): Promise<readonly ServedDelivery[]> =>
  (await service.send<DeliveryPage>('GET', `/api/alert-deliveries?ruleId=${id}`))[1].data
const untilEnded = (id: string, count = 1) =>
  vi.waitFor(
    async () => {
      const sent = await sentBy(id)
      expect(sent).toHaveLength(count)
      expect(sent.every(({ status }) => status !== 'pending')).toBe(true)
      return sent
    },
    { timeout: 30_000, interval: 10 },
  )

describe('an alert to a person', () => {
  it('[alerts.channels.delivered] is sent by email and by Telegram, once each', async () => {
    await at(60)
    const [email, telegram] = [
      await add({ channel: 'email', target: 'ann@example.com' }),
      await add({ channel: 'telegram', target: '-100200' }),
    ]
    await at(71)
    expect(await untilEnded(email.id)).toMatchObject([
      { channel: 'email', status: 'delivered', attempts: 1, lastStatus: 250, endpointId: null },
    ])
    expect(await untilEnded(telegram.id)).toMatchObject([
      { channel: 'telegram', status: 'delivered', lastStatus: 200 },
    ])
    expect(mail.mails.map(({ to }) => to)).toEqual([['ann@example.com']])
    expect(mail.mails[0]?.source).toMatch(/Subject: =\?UTF-8\?|Subject: Augury/)
    expect(bot.messages).toEqual([
      { chat_id: '-100200', text: expect.stringMatching(/at or above 70¢$/) as string },
    ])
  })

  it('[alerts.channels.test] is tested now, marked as a test, with the reason of a failure', async () => {
    const rule = await add({ channel: 'telegram', target: '7', threshold: 90 })
    const test = async () =>
      (await service.send<AlertTested>('POST', `/api/alert-rules/${rule.id}/test`))[1]
    expect(await test()).toMatchObject({ ok: true, channel: 'telegram' })
    expect(bot.messages.at(-1)).toMatchObject({ chat_id: '7' })
    bot.refusal = 400
    expect(await test()).toMatchObject({ ok: false })
    bot.refusal = null
    expect(await sentBy(rule.id)).toMatchObject([
      { test: true, status: 'failed', lastError: 'Bad Request: chat not found' },
      { test: true, status: 'delivered' },
    ])
  })

  it('[alerts.channels.paused] is retried by the schedule of webhooks, and paused by five failed firings', async () => {
    await at(60)
    const { id } = await add({ channel: 'email', target: 'bob@example.com', threshold: 80 })
    mail.refusal = 451
    for (let firing = 1; firing <= 5; firing += 1) {
      await at(81)
      await vi.waitFor(
        async () => {
          await service.clock.advance(5_000)
          const sent = await sentBy(id)
          expect(sent.filter(({ status }) => status === 'failed')).toHaveLength(firing)
        },
        { timeout: 60_000, interval: 1 },
      )
      await at(60, 60_000)
    }
    mail.refusal = null
    const [newest] = await sentBy(id)
    const failed = (await sentBy(id)).filter(({ channel }) => channel === 'email')
    expect(failed.map(({ attempts, lastStatus }) => [attempts, lastStatus])).toEqual(
      Array.from({ length: 5 }, () => [6, 451]),
    )
    expect(newest).toMatchObject({ event: 'alert.paused', channel: 'desktop' })
    const [, rule] = await service.send<ServedAlertRule>('GET', `/api/alert-rules/${id}`)
    expect(rule).toMatchObject({
      state: 'paused',
      pausedReason: 'endpoint_consecutive_failures',
      failureCount: 5,
    })
  })

  it.each([
    [{ channel: 'email', target: 'a@b, c@d' }, 'target must be an email address'],
    [{ channel: 'email' }, 'target is required: your account has no email address'],
    [{ channel: 'telegram', target: '../x' }, 'target must be the id of a chat'],
    [{ channel: 'telegram' }, 'target is required: the id of a chat'],
  ])('[alerts.channels.refused] of %j is refused: %s', async (more, error) => {
    const [status, refused] = await service.send<object>('POST', '/api/alert-rules', {
      ticker: TICKER,
      condition: 'price_above',
      threshold: 70,
      ...more,
    })
    expect([status, refused]).toMatchObject([400, { error, code: 'VALIDATION_ERROR' }])
  })
})
