import type { Clock } from '../../lib/clock.ts'
import { ModelFailed } from '../../lib/errors.ts'
import type {
  LanguageModel,
  ModelRequest,
  ModelSpend,
  ModelTier,
  TokenPrice,
} from '../../lib/language-model.ts'
import { ANTHROPIC_MESSAGES, isMessagesAddress } from './anthropic-messages.ts'
import { OPENAI_CHAT } from './openai-chat.ts'
import { NO_USAGE, type TokenUsage } from './wire.ts'

export interface ModelSettings {
  /** Base of the endpoint, as `http://127.0.0.1:11434/v1` or `https://api.anthropic.com`. */
  readonly url: string
  /** Null for servers that require none. */
  readonly key: string | null
  readonly models: { readonly cheap: string } & Readonly<Partial<Record<ModelTier, string>>>
  /** Configured prices of the models, for providers that state no price. */
  readonly prices?: Readonly<Partial<Record<ModelTier, TokenPrice>>>
}

export interface ModelLimits {
  /** Timeout of a call, ms, unless the request has its own. */
  readonly timeout: number
  /** Maximum length of an answer, tokens, unless the request has its own. */
  readonly answerTokens: number
  /** Calls per minute, and at one time. */
  readonly callsPerMinute: number
  readonly maxConcurrentCalls: number
}
export const MODEL_LIMITS: ModelLimits = {
  timeout: 30_000,
  answerTokens: 700,
  callsPerMinute: 60,
  maxConcurrentCalls: 4,
}

const MINUTE = 60_000
const MAX_BODY_LENGTH = 400_000

/**
 * A language model over HTTP, local or hosted: chat completions, or the Messages API for an address
 * of Anthropic. Redirects are never followed, so that the key reaches the configured host alone.
 */
export function createHttpModel(
  settings: ModelSettings,
  clock: Pick<Clock, 'monotonic'>,
  limits: ModelLimits = MODEL_LIMITS,
): LanguageModel {
  const { key, models } = settings
  const base = settings.url.replace(/\/+$/, '')
  const wire = isMessagesAddress(base) ? ANTHROPIC_MESSAGES : OPENAI_CHAT
  const nameOf = (tier: ModelTier): string => models[tier] ?? models.cheap
  const priceOf = (tier: ModelTier): TokenPrice | null =>
    settings.prices?.[models[tier] === undefined ? 'cheap' : tier] ?? null
  /** Parameters that each model refused. */
  const refusedBy = new Map<string, ReadonlySet<string>>()
  const calls: number[] = []
  let requestsInFlight = 0

  const countCall = (): void => {
    const now = clock.monotonic()
    while ((calls[0] ?? Infinity) <= now - MINUTE) calls.shift()
    if (requestsInFlight >= limits.maxConcurrentCalls || calls.length >= limits.callsPerMinute) {
      throw new ModelFailed(
        `The language model is called at most ${limits.maxConcurrentCalls} times at once and ${limits.callsPerMinute} times a minute`,
      )
    }
    calls.push(now)
  }

  const post = async (request: ModelRequest, model: string, refusedModels: ReadonlySet<string>) => {
    const { system, user, schema = null, answerTokens = limits.answerTokens } = request
    const timeout = AbortSignal.timeout(request.timeout ?? limits.timeout)
    const signal =
      request.signal === undefined ? timeout : AbortSignal.any([timeout, request.signal])
    const call = { model, system, user, schema, answerTokens, refused: refusedModels }
    const response = await fetch(wire.endpointUrl(base), {
      method: 'POST',
      redirect: 'error',
      signal,
      headers: { 'content-type': 'application/json', ...wire.headersOf(key) },
      body: JSON.stringify(wire.bodyOf(call)),
    })
    return { status: response.status, text: await limitedText(response) }
  }

  const callModel = async (
    request: ModelRequest,
    onUsage: (use: TokenUsage) => void,
  ): Promise<{ text: string; model: string }> => {
    const model = nameOf(request.tier)
    for (;;) {
      const refusedParameters = refusedBy.get(model) ?? new Set<string>()
      const { status, text: body } = await post(request, model, refusedParameters)
      const nowRefused = wire.optional.filter(
        (name) => !refusedParameters.has(name) && body.includes(name),
      )
      if (status === 400 && nowRefused.length > 0) {
        refusedBy.set(model, new Set([...refusedParameters, ...nowRefused]))
        continue
      }
      const reply = parseJson(body)
      onUsage(wire.usageOf(reply))
      const text = status === 200 ? wire.textOf(reply) : null
      if (text === null) {
        throw new ModelFailed(
          status === 200
            ? 'The language model refused, or its answer was empty or cut off'
            : `The language model answered ${status}`,
        )
      }
      return { text, model }
    }
  }

  return {
    nameOf,
    async complete(request) {
      countCall()
      requestsInFlight += 1
      let usage = NO_USAGE
      try {
        return await callModel(request, (use) => (usage = use))
      } catch (cause) {
        if (cause instanceof ModelFailed) throw cause
        throw new ModelFailed('The language model did not answer', { cause })
      } finally {
        requestsInFlight -= 1
        request.onSpent?.(spendOf(usage, priceOf(request.tier)))
      }
    },
  }
}

/** The cost that the reply states, else that of its tokens; unknown when neither is known. */
function spendOf(tokenUsage: TokenUsage, price: TokenPrice | null): ModelSpend {
  const { inputTokens, outputTokens, costUsd } = tokenUsage
  const isCounted = inputTokens > 0 || outputTokens > 0
  const tokenCost =
    price === null || !isCounted
      ? null
      : (inputTokens * price.input + outputTokens * price.output) / 1_000_000
  const usd = costUsd ?? tokenCost
  return {
    calls: 1,
    inputTokens,
    outputTokens,
    costUsd: usd ?? 0,
    unpricedCalls: usd === null ? 1 : 0,
  }
}

/** Parses a body as JSON; undefined for invalid JSON. */
function parseJson(body: string): unknown {
  try {
    return JSON.parse(body) as unknown
  } catch {
    return undefined
  }
}

/** The body as text; an oversized body is refused. */
async function limitedText(response: Response): Promise<string> {
  if (response.body === null) return ''
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > MAX_BODY_LENGTH) {
      throw new ModelFailed('The answer of the language model was too long')
    }
  }
  return text + decoder.decode()
}
