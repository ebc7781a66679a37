import { createTransport } from 'nodemailer'
import type { Clock } from '../../../lib/clock.ts'
import { ATTEMPT_TIME, type SendMessage } from './channel.ts'

/** A mail server and the sender of its messages. */
export interface SmtpSettings {
  /** `smtp://` or `smtps://`, with name and password where the server needs them. */
  readonly url: string
  readonly from: string
}

/** Sends plain-text messages by SMTP, one connection each. The status is the server's reply code. */
export function createSendEmail({ url, from }: SmtpSettings, clock: Clock): SendMessage {
  return async ({ to, subject, text }, stop) => {
    const startedAt = clock.monotonic()
    const transport = createTransport({
      url,
      connectionTimeout: ATTEMPT_TIME,
      greetingTimeout: ATTEMPT_TIME,
      socketTimeout: ATTEMPT_TIME,
      dnsTimeout: ATTEMPT_TIME,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    const result = { responseExcerpt: null, retryAfterMs: null }
    try {
      const { response } = await unlessAborted(
        transport.sendMail({ from, to, subject, text }),
        AbortSignal.any([stop, AbortSignal.timeout(ATTEMPT_TIME)]),
      )
      const status = codeOf(response) ?? 250
      return {
        ...result,
        status,
        error: null,
        responseExcerpt: response,
        durationMs: Math.round(clock.monotonic() - startedAt),
      }
    } catch (error) {
      const reply = error instanceof Error && 'response' in error ? String(error.response) : null
      return {
        ...result,
        status: reply === null ? null : codeOf(reply),
        error: reply ?? (error instanceof Error ? error.message : String(error)),
        durationMs: Math.round(clock.monotonic() - startedAt),
      }
    } finally {
      transport.close()
    }
  }
}

/** The code at the start of an SMTP reply. */
function codeOf(reply: string): number | null {
  const code = /^\d{3}/.exec(reply)?.[0]
  return code === undefined ? null : Number(code)
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(new Error(`no reply within ${ATTEMPT_TIME / 1_000} s`))
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject)
  })
}
