import { amountOf, field, type ModelWire } from './wire.ts'

const VERSION = '2023-06-01'

/** Whether an address speaks the Messages API: its host is Anthropic's, or its path ends in it. */
export function isMessagesAddress(url: string): boolean {
  const parsedUrl = URL.parse(url)
  if (parsedUrl === null) return false
  const { hostname, pathname } = parsedUrl
  return /(?:^|\.)anthropic\.com$/.test(hostname) || pathname.endsWith('/messages')
}

/** The Messages API of Anthropic. A schema becomes a tool that the model must call. */
export const ANTHROPIC_MESSAGES: ModelWire = {
  optional: [],
  endpointUrl(base) {
    if (base.endsWith('/messages')) return base
    return base.endsWith('/v1') ? `${base}/messages` : `${base}/v1/messages`
  },
  headersOf: (key) => ({
    'anthropic-version': VERSION,
    ...(key !== null && { 'x-api-key': key }),
  }),
  bodyOf: ({ model, system, user, schema, answerTokens }) => ({
    model,
    max_tokens: answerTokens,
    system,
    messages: [{ role: 'user', content: user }],
    ...(schema !== null && {
      tools: [{ name: schema.name, input_schema: schema.schema }],
      tool_choice: { type: 'tool', name: schema.name },
    }),
  }),
  textOf(reply) {
    const reason = field(reply, 'stop_reason')
    if (reason === 'max_tokens' || reason === 'refusal') return null
    const content = field(reply, 'content')
    if (!Array.isArray(content)) return null
    const blocks: unknown[] = content
    const call = blocks.find((block) => field(block, 'type') === 'tool_use')
    if (call !== undefined) return JSON.stringify(field(call, 'input') ?? null)
    const text = blocks
      .map((block) => field(block, 'text'))
      .filter((part) => typeof part === 'string')
      .join('')
      .trim()
    return text === '' ? null : text
  },
  usageOf(reply) {
    const usage = field(reply, 'usage')
    return {
      inputTokens: Math.trunc(amountOf(usage, 'input_tokens')),
      outputTokens: Math.trunc(amountOf(usage, 'output_tokens')),
      costUsd: null,
    }
  },
}
