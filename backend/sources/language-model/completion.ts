import type { ModelSpend } from '../../lib/language-model.ts'

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined

/** Cost of a call, as far as its reply states it. */
export type Use = Omit<ModelSpend, 'calls'>
export const NO_USE: Use = { inputTokens: 0, outputTokens: 0, costUsd: 0 }

/** Tokens and dollars of a reply; 0 for values it does not state. Few providers state dollars. */
export function readUse(body: string): Use {
  const usage = field(parsed(body), 'usage')
  const amount = (name: string): number => {
    const value = field(usage, name)
    return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0
  }
  return {
    inputTokens: Math.trunc(amount('prompt_tokens')),
    outputTokens: Math.trunc(amount('completion_tokens')),
    costUsd: amount('cost'),
  }
}

/** Reasoning that some local models write before their answer. */
const REASONING = /<think>[\s\S]*?<\/think>/g

/**
 * The text of a chat completion; null for a reply that is malformed, refused, empty, or cut off at
 * its maximum length.
 */
export function readCompletion(body: string): string | null {
  const choices = field(parsed(body), 'choices')
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
  const reason = field(choice, 'finish_reason')
  if (reason === 'content_filter' || reason === 'length') return null
  const content = field(field(choice, 'message'), 'content')
  if (typeof content !== 'string') return null
  const text = content.replace(REASONING, '').trim()
  return text === '' ? null : text
}

/** Parses a body as JSON; undefined for invalid JSON. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown
  } catch {
    return undefined
  }
}
