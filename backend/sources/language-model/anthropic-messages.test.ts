import { describe, expect, it } from 'vitest'
import { ANTHROPIC_MESSAGES, isMessagesAddress } from './anthropic-messages.ts'

const reply = (fields: object) => ({
  content: [{ type: 'text', text: ' Yes. ' }],
  stop_reason: 'end_turn',
  ...fields,
})

describe('the Messages API', () => {
  it.each([
    ['https://api.anthropic.com', 'https://api.anthropic.com/v1/messages'],
    ['https://api.anthropic.com/v1', 'https://api.anthropic.com/v1/messages'],
    ['http://127.0.0.1:9/v1/messages', 'http://127.0.0.1:9/v1/messages'],
  ])('is used at %s', (base, address) => {
    expect(isMessagesAddress(base)).toBe(true)
    expect(ANTHROPIC_MESSAGES.endpointUrl(base)).toBe(address)
  })

  it.each([
    'https://api.openai.com/v1',
    'https://notanthropic.com',
    'http://127.0.0.1:11434/v1',
    '',
  ])('is not used at %s', (base) => expect(isMessagesAddress(base)).toBe(false))

  it.each([
    [reply({}), 'Yes.'],
    [reply({ content: [{ type: 'tool_use', input: { nodes: [] } }] }), '{"nodes":[]}'],
    [reply({ content: [] }), null],
    [reply({ content: 'Yes.' }), null],
    [reply({ stop_reason: 'max_tokens' }), null],
    [reply({ stop_reason: 'refusal' }), null],
    [undefined, null],
  ])('reads the text of %j', (answered, text) => {
    expect(ANTHROPIC_MESSAGES.textOf(answered)).toBe(text)
  })
})
