import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** A mail as its server got it. */
export interface Mail {
  readonly from: string
  readonly to: readonly string[]
  /** Headers and text as sent. */
  readonly source: string
}

/** A mail server on loopback that takes mails from one sender with a password. */
export interface MailServer {
  /** `smtp://user:secret@127.0.0.1:port` */
  readonly url: string
  readonly mails: readonly Mail[]
  /** Refuses mails with this reply code until it is null again. */
  refusal: number | null
  close(): Promise<void>
}

export async function startMailServer(): Promise<MailServer> {
  const mails: Mail[] = []
  const smtp = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    onAuth({ username, password }, _session, done) {
      const isKnown = username === 'user' && password === 'secret'
      done(isKnown ? null : new Error('wrong password'), { user: 'user' })
    },
    onData(stream, { envelope }, done) {
      const code = server.refusal
      void text(stream).then((source) => {
        if (code !== null) {
          done(Object.assign(new Error('try again later'), { responseCode: code }))
          return
        }
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), source })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const { port } = smtp.server.address() as AddressInfo
  const server: MailServer = {
    url: `smtp://user:secret@127.0.0.1:${port}`,
    mails,
    refusal: null,
    close: () => new Promise((resolve) => smtp.close(() => resolve())),
  }
  return server
}

/** A message that the bot API was requested to send. */
export interface BotMessage {
  readonly chat_id: string
  readonly text: string
}

/** A server on loopback that speaks Telegram's bot API for one token. */
export interface BotServer {
  readonly url: string
  readonly token: string
  readonly messages: readonly BotMessage[]
  /** Refuses messages with this status until it is null again. */
  refusal: number | null
  close(): Promise<void>
}

export async function startBotServer(): Promise<BotServer> {
  const messages: BotMessage[] = []
  const token = '12345:test-token'
  const http = createServer((request, response) => {
    const send = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    const failed = (error_code: number, description: string, more: object = {}): void =>
      send(error_code, { ok: false, error_code, description, ...more })
    void text(request).then((sent) => {
      if (request.method !== 'POST' || request.url !== `/bot${token}/sendMessage`) {
        failed(404, `Not Found: ${request.url}`)
      } else if (server.refusal === 302) {
        response.writeHead(302, { location: '/elsewhere' }).end()
      } else if (server.refusal === 429) {
        failed(429, 'Too Many Requests: retry after 30', { parameters: { retry_after: 30 } })
      } else if (server.refusal !== null) {
        failed(server.refusal, 'Bad Request: chat not found')
      } else {
        const message = JSON.parse(sent) as BotMessage
        messages.push(message)
        const chat = { id: Number(message.chat_id), type: 'private' }
        send(200, { ok: true, result: { message_id: messages.length, chat, text: message.text } })
      }
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  const server: BotServer = {
    url: `http://127.0.0.1:${port}`,
    token,
    messages,
    refusal: null,
    close: () => new Promise((resolve) => http.close(() => resolve())),
  }
  return server
}
