import { amountOf, field, type ModelWire } from './wire.ts'

/** Reasoning that some local models write before their answer. */
const REASONING = /<think>[\s\S]*?<\/think>/g

/** Chat completions, as OpenAI, local servers and most hosts offer them. */
export const OPENAI_CHAT: ModelWire = {
  optional: ['max_tokens', 'temperature', 'response_format'],
  endpointUrl: (base) => `${base}/chat/completions`,
  headersOf: (key) => (key === null ? {} : { authorization: `Bearer ${key}` }),
  bodyOf({ model, system, user, schema, answerTokens, refused }) {
    const parameters = {
      temperature: 0.2,
      ...(schema !== null && {
        response_format: { type: 'json_schema', json_schema: { ...schema, strict: true } },
      }),
    }
    const acceptedParameters = Object.entries(parameters).filter(([name]) => !refused.has(name))
    return {
      model,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: user },
      ],
      [refused.has('max_tokens') ? 'max_completion_tokens' : 'max_tokens']: answerTokens,
      ...Object.fromEntries(acceptedParameters),
    }
  },
  textOf(reply) {
    const choices = field(reply, 'choices')
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
    const reason = field(choice, 'finish_reason')
    if (reason === 'content_filter' || reason === 'length') return null
    const content = field(field(choice, 'message'), 'content')
    if (typeof content !== 'string') return null
    const text = content.replace(REASONING, '').trim()
    return text === '' ? null : text
  },
  usageOf(reply) {
    const usage = field(reply, 'usage')
    return {
      inputTokens: Math.trunc(amountOf(usage, 'prompt_tokens')),
      outputTokens: Math.trunc(amountOf(usage, 'completion_tokens')),
      // Few hosts state dollars.
      costUsd: typeof field(usage, 'cost') === 'number' ? amountOf(usage, 'cost') : null,
    }
  },
}
