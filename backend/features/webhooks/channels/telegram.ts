import { SECOND } from '../../../domain/units.ts'
import type { Clock } from '../../../lib/clock.ts'
import { ATTEMPT_TIME, type SendMessage } from './channel.ts'

/** A bot of Telegram. */
export interface TelegramSettings {
  readonly token: string
  /** Address of the bot API, without a slash at its end. */
  readonly url: string
}

/** Longest text of a message. */
const MAX_TEXT_LENGTH = 4_096
const EXCERPT = 1_000

/** Response of the bot API to `sendMessage`. */
interface BotAnswer {
  readonly ok?: boolean
  readonly description?: string
  readonly parameters?: { readonly retry_after?: number }
}

/** Sends texts to chats by the bot API. The token is in no error. */
export function createSendTelegram({ token, url }: TelegramSettings, clock: Clock): SendMessage {
  return async ({ to, text }, stop) => {
    const startedAt = clock.monotonic()
    const elapsedTime = () => ({ durationMs: Math.round(clock.monotonic() - startedAt) })
    const timeLimit = AbortSignal.timeout(ATTEMPT_TIME)
    try {
      const response = await fetch(`${url}/bot${token}/sendMessage`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ chat_id: to, text: text.slice(0, MAX_TEXT_LENGTH) }),
        redirect: 'manual',
        signal: AbortSignal.any([stop, timeLimit]),
      })
      // Proxies quote the address that they refuse.
      const reply = (await response.text()).replaceAll(token, '…')
      const { ok, description, parameters } = answerIn(reply)
      const isSent = response.ok && ok === true
      const wait = parameters?.retry_after
      return {
        // An answer that is not the bot API's counts as none.
        status: response.ok && !isSent ? null : response.status,
        error: isSent ? null : (description ?? `HTTP ${response.status}`),
        responseExcerpt: reply.slice(0, EXCERPT),
        retryAfterMs: response.status === 429 && wait !== undefined ? wait * SECOND : null,
        ...elapsedTime(),
      }
    } catch (error) {
      const reason = timeLimit.aborted
        ? `no response within ${ATTEMPT_TIME / SECOND} s`
        : causeOf(error)
      const result = { status: null, responseExcerpt: null, retryAfterMs: null }
      return { ...result, error: reason.replaceAll(token, '…'), ...elapsedTime() }
    }
  }
}

function answerIn(reply: string): BotAnswer {
  try {
    const parsedReply: unknown = JSON.parse(reply)
    return typeof parsedReply === 'object' && parsedReply !== null ? parsedReply : {}
  } catch {
    return {}
  }
}

/** Why a request failed: fetch states it in the cause. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message : String(cause)
}
