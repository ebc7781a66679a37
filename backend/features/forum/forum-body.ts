import {
  CHANNEL_ID,
  CHANNEL_TTL_S,
  MAX_CHANNEL_DESCRIPTION_LENGTH,
  MAX_CHANNEL_NAME_LENGTH,
  MAX_LISTED_CHANNELS,
} from '../../domain/forum/channels.ts'
import {
  AGENT_NAME,
  MAX_PAYLOAD_DEPTH,
  MAX_PAYLOAD,
  MAX_CONTENT_LENGTH,
  MAX_TICKER_LENGTH,
  MESSAGE_TYPES,
  MAX_TICKERS,
  type MessageDraft,
} from '../../domain/forum/messages.ts'
import { canonicalTicker, type Ticker } from '../../domain/market.ts'
import { BodyFields } from '../../http/request/body-fields.ts'
import { InvalidInput } from '../../lib/errors.ts'

/** The message of a body; the first invalid field in the contract's order is reported. */
export function draftIn(body: unknown): MessageDraft {
  const fields = fieldsOf(body)
  const channelId = fields.raw('channel')
  if (typeof channelId !== 'string') throw new InvalidInput('channel required')
  const type = MESSAGE_TYPES.find((name) => name === fields.raw('type'))
  if (type === undefined) {
    throw new InvalidInput(`type must be one of ${MESSAGE_TYPES.join(', ')}`)
  }
  const content = fields.raw('content')
  if (typeof content !== 'string' || content.trim() === '') {
    throw new InvalidInput('content required')
  }
  if (content.length > MAX_CONTENT_LENGTH && Array.from(content).length > MAX_CONTENT_LENGTH) {
    throw new InvalidInput(`content too long (max ${MAX_CONTENT_LENGTH} chars)`)
  }
  return {
    channelId,
    type,
    content,
    payload: payloadIn(fields.raw('payload')),
    tickers: tickersIn(fields.raw('tickers')),
    agentName: agentNameIn(fields.raw('agentName')),
    replyTo: replyToIn(fields.raw('replyTo')),
  }
}

/** A channel to be created. @throws InvalidInput */
export function channelIn(body: unknown): {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly defaultTtl: number
} {
  const fields = fieldsOf(body)
  const id = fields.raw('id')
  if (typeof id !== 'string' || !CHANNEL_ID.test(id)) {
    throw new InvalidInput(
      'id must be 2 to 40 lower-case letters, digits and dashes, beginning with a letter or digit',
    )
  }
  const name = fields.text('name', { min: 1, max: MAX_CHANNEL_NAME_LENGTH })
  const description = fields.text('description', { max: MAX_CHANNEL_DESCRIPTION_LENGTH })
  const ttl = fields.number('defaultTtl', { ...CHANNEL_TTL_S, isInteger: true })
  return {
    id,
    name: name ?? id,
    description: description ?? '',
    defaultTtl: ttl ?? CHANNEL_TTL_S.default,
  }
}

/** The channels of a body without repeats, in its order. @throws InvalidInput */
export function channelsIn(body: unknown): readonly string[] {
  const channelsValue = fieldsOf(body).raw('channels')
  if (
    !isListOfTexts(channelsValue) ||
    channelsValue.length === 0 ||
    channelsValue.length > MAX_LISTED_CHANNELS
  ) {
    throw new InvalidInput(`channels must be an array of 1 to ${MAX_LISTED_CHANNELS} channel ids`)
  }
  return [...new Set(channelsValue)]
}

/** @throws InvalidInput for a body that is not an object */
function fieldsOf(body: unknown): BodyFields {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new InvalidInput('Invalid JSON')
  }
  return new BodyFields(body)
}

const isListOfTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

/** A JSON value within its size and depth; null for none. */
function payloadIn(payloadValue: unknown): unknown {
  if (payloadValue === undefined || payloadValue === null) return null
  const depth = depthOf(payloadValue)
  // Each level takes two bytes, so a deeper value is too large without being serialized.
  const isLarge =
    depth * 2 > MAX_PAYLOAD || Buffer.byteLength(JSON.stringify(payloadValue)) > MAX_PAYLOAD
  if (isLarge) throw new InvalidInput('payload too large (max 10 KB)')
  if (depth > MAX_PAYLOAD_DEPTH) throw new InvalidInput('payload too deep')
  return payloadValue
}

/** Levels of nested objects and lists. Not recursive, because the value may be deeper than the stack. */
function depthOf(value: unknown): number {
  let depth = 0
  let level = [value]
  for (;;) {
    const nestedValues = level.filter(
      (nestedValue) => typeof nestedValue === 'object' && nestedValue !== null,
    )
    if (nestedValues.length === 0) return depth
    depth += 1
    level = nestedValues.flatMap((nestedValue) => Object.values(nestedValue) as unknown[])
  }
}

/** Lone surrogates and control characters cannot be part of an address. */
const isTicker = (text: string): boolean =>
  text.length > 0 &&
  text.length <= MAX_TICKER_LENGTH &&
  text.isWellFormed() &&
  !/\p{Cc}/u.test(text)

function tickersIn(tickersValue: unknown): readonly Ticker[] {
  if (tickersValue === undefined || tickersValue === null) return []
  if (!isListOfTexts(tickersValue) || !tickersValue.every(isTicker))
    throw new InvalidInput('tickers must be an array of strings')
  const tickers = [...new Set(tickersValue.map(canonicalTicker))]
  if (tickers.length > MAX_TICKERS) throw new InvalidInput(`too many tickers (max ${MAX_TICKERS})`)
  return tickers
}

function agentNameIn(nameValue: unknown): string | null {
  if (nameValue === undefined || nameValue === null) return null
  const name = typeof nameValue === 'string' ? nameValue.trim() : ''
  if (!AGENT_NAME.test(name)) {
    throw new InvalidInput('agentName must be 1 to 40 letters, digits, spaces, dots, dashes')
  }
  return name
}

function replyToIn(replyValue: unknown): string | null {
  if (replyValue === undefined || replyValue === null) return null
  if (typeof replyValue !== 'string') throw new InvalidInput('replyTo must be a message id')
  return replyValue
}
