import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../lib/clock.ts'
import {
  startBotServer,
  startMailServer,
  type BotServer,
  type MailServer,
} from '../../../testing/message-servers.ts'
import { createSendEmail } from './email.ts'
import { createSendTelegram } from './telegram.ts'

let mail: MailServer
let bot: BotServer
beforeAll(async () => {
  mail = await startMailServer()
  bot = await startBotServer()
})
afterAll(async () => {
  await mail.close()
  await bot.close()
})

const running = new AbortController().signal
const MESSAGE = { to: 'ann@example.com', subject: 'Augury: €', text: 'Fed: 70¢\n.\nend' }
/** A port that nothing listens on. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe('email', () => {
  const send = (url: string, message = MESSAGE) =>
    createSendEmail({ url, from: 'augury@example.org' }, systemClock)(message, running)

  it('is sent as text with the reply code as status', async () => {
    expect(await send(mail.url)).toMatchObject({ status: 250, error: null, retryAfterMs: null })
    const [{ from, to, source } = { from: '', to: [], source: '' }] = mail.mails
    expect([from, to]).toEqual(['augury@example.org', ['ann@example.com']])
    expect(source).toContain('Subject: =?UTF-8?')
    expect(source).toMatch(/Content-Type: text\/plain/)
  })

  it('keeps a line break of a subject out of the headers', async () => {
    await send(mail.url, { ...MESSAGE, subject: 'one\r\nBcc: other@example.com' })
    const newest = mail.mails.at(-1)
    expect(newest?.to).toEqual(['ann@example.com'])
    expect(newest?.source).not.toMatch(/^Bcc:/m)
  })

  it('fails with the reply of the server, or the reason why none came', async () => {
    mail.refusal = 451
    expect(await send(mail.url)).toMatchObject({
      status: 451,
      error: expect.stringContaining('try again later') as string,
    })
    mail.refusal = null
    expect(await send(mail.url.replace('secret', 'wrong'))).toMatchObject({ status: 535 })
    expect(await send(`smtp://127.0.0.1:${await closedPort()}`)).toMatchObject({
      status: null,
      error: expect.stringContaining('ECONNREFUSED') as string,
    })
  })
})

describe('a Telegram message', () => {
  const send = ({ url, token }: { url: string; token: string }, text = MESSAGE.text) =>
    createSendTelegram({ url, token }, systemClock)({ ...MESSAGE, to: '42', text }, running)

  it('is sent to its chat', async () => {
    expect(await send(bot)).toMatchObject({ status: 200, error: null })
    expect(bot.messages).toEqual([{ chat_id: '42', text: MESSAGE.text }])
  })

  it('counts as sent when the answer, which repeats it, is long', async () => {
    const sent = await send(bot, 'x'.repeat(4_000))
    expect(sent).toMatchObject({ status: 200, error: null })
    expect(sent.responseExcerpt).toHaveLength(1_000)
  })

  it('fails with the description of the bot API, and waits as it requests', async () => {
    bot.refusal = 400
    expect(await send(bot)).toMatchObject({ status: 400, error: 'Bad Request: chat not found' })
    bot.refusal = 429
    expect(await send(bot)).toMatchObject({ status: 429, retryAfterMs: 30_000 })
    bot.refusal = null
  })

  it('follows no redirect', async () => {
    bot.refusal = 302
    expect(await send(bot)).toMatchObject({ status: 302, error: 'HTTP 302' })
    bot.refusal = null
  })

  it('names the token in no error', async () => {
    const refused = await send({ url: bot.url, token: 'other-token' })
    expect(refused).toMatchObject({ status: 404, error: 'Not Found: /bot…/sendMessage' })
    const token = 'unreachable-token'
    const unreachable = await send({ url: `http://127.0.0.1:${await closedPort()}`, token })
    expect(unreachable.status).toBeNull()
    expect(unreachable.error).toContain('ECONNREFUSED')
    expect(JSON.stringify([refused, unreachable])).not.toContain('-token')
  })
})
