import type { Clock } from '../../lib/clock.ts'
import { ModelFailed } from '../../lib/errors.ts'
import type { LanguageModel, ModelRequest, ModelTier } from '../../lib/language-model.ts'
import { NO_USE, readCompletion, readUse, type Use } from './completion.ts'

export interface OpenAiSettings {
  /** Base of the endpoint, as `http://127.0.0.1:11434/v1`. */
  readonly url: string
  /** Null for servers that require none. */
  readonly key: string | null
  readonly models: { readonly cheap: string } & Readonly<Partial<Record<ModelTier, string>>>
}

export interface ModelLimits {
  /** Timeout of a call, ms. */
  readonly timeout: number
  readonly answerTokens: number
  /** Calls per minute, and at one time. */
  readonly callsAMinute: number
  readonly callsAtOnce: number
}
export const MODEL_LIMITS: ModelLimits = {
  timeout: 30_000,
  answerTokens: 700,
  callsAMinute: 60,
  callsAtOnce: 4,
}

const MINUTE = 60_000
const MAX_BODY_LENGTH = 400_000

/** Models that accept neither a temperature nor `max_tokens`, detected from their refusals. */
type Dialect = 'plain' | 'reasoning'

/**
 * A language model with the chat completions protocol over HTTP, local or hosted. Redirects are
 * never followed, so that the key reaches the configured host alone.
 */
export function createOpenAiChat(
  settings: OpenAiSettings,
  clock: Pick<Clock, 'monotonic'>,
  limits: ModelLimits = MODEL_LIMITS,
): LanguageModel {
  const { url, key, models } = settings
  const nameOf = (tier: ModelTier): string => models[tier] ?? models.cheap
  const dialects = new Map<string, Dialect>()
  const calls: number[] = []
  let running = 0

  const spend = (): void => {
    const now = clock.monotonic()
    while ((calls[0] ?? Infinity) <= now - MINUTE) calls.shift()
    if (running >= limits.callsAtOnce || calls.length >= limits.callsAMinute) {
      throw new ModelFailed('The budget of the language model is spent')
    }
    calls.push(now)
  }

  const post = async (request: ModelRequest, model: string, dialect: Dialect) => {
    const timeout = AbortSignal.timeout(limits.timeout)
    const signal =
      request.signal === undefined ? timeout : AbortSignal.any([timeout, request.signal])
    const response = await fetch(`${url.replace(/\/+$/, '')}/chat/completions`, {
      method: 'POST',
      redirect: 'error',
      signal,
      headers: {
        'content-type': 'application/json',
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({
        model,
        messages: [
          { role: 'system', content: request.system },
          { role: 'user', content: request.user },
        ],
        ...(dialect === 'plain'
          ? { max_tokens: limits.answerTokens, temperature: 0.2 }
          : { max_completion_tokens: limits.answerTokens }),
      }),
    })
    const text = await limitedText(response)
    return { status: response.status, text }
  }

  const ask = async (
    request: ModelRequest,
    onUse: (use: Use) => void,
  ): Promise<{ text: string; model: string }> => {
    const model = nameOf(request.tier)
    const dialect = dialects.get(model) ?? 'plain'
    let answered = await post(request, model, dialect)
    if (answered.status === 400 && dialect === 'plain' && refusesParameters(answered.text)) {
      dialects.set(model, 'reasoning')
      answered = await post(request, model, 'reasoning')
    }
    onUse(readUse(answered.text))
    const text = answered.status === 200 ? readCompletion(answered.text) : null
    if (text === null) throw new ModelFailed(`The language model answered ${answered.status}`)
    return { text, model }
  }

  return {
    nameOf,
    async complete(request) {
      spend()
      running += 1
      let used = NO_USE
      try {
        return await ask(request, (use) => (used = use))
      } catch (cause) {
        if (cause instanceof ModelFailed) throw cause
        throw new ModelFailed('The language model did not answer', { cause })
      } finally {
        running -= 1
        request.onSpent?.({ calls: 1, ...used })
      }
    },
  }
}

const refusesParameters = (body: string): boolean => /max_tokens|temperature/.test(body)

/** The body as text; an oversized body is refused. */
async function limitedText(response: Response): Promise<string> {
  if (response.body === null) return ''
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > MAX_BODY_LENGTH)
      throw new ModelFailed('The answer of the language model was too long')
  }
  return text + decoder.decode()
}
