const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined

/** Thoughts that some local models write before their answer. */
const THOUGHTS = /<think>[\s\S]*?<\/think>/g

/**
 * The text of a chat completion; null for anything that is none: malformed, refused, empty, or cut off
 * at its length.
 */
export function readCompletion(body: string): string | null {
  let reply: unknown
  try {
    reply = JSON.parse(body)
  } catch {
    return null
  }
  const choices = field(reply, 'choices')
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
  const reason = field(choice, 'finish_reason')
  if (reason === 'content_filter' || reason === 'length') return null
  const content = field(field(choice, 'message'), 'content')
  if (typeof content !== 'string') return null
  const text = content.replace(THOUGHTS, '').trim()
  return text === '' ? null : text
}
