import type { Message } from '../../../backend/contract/forum/forum.ts'
import type { MessageType } from '../../../backend/domain/forum/messages.ts'

export const TYPE_LABELS: Readonly<Record<MessageType, string>> = {
  signal: 'Signal',
  edge: 'Edge',
  analysis: 'Analysis',
  coordination: 'Coordination',
  request: 'Request',
  reply: 'Reply',
}
const MAX_EXCERPT_LENGTH = 60

/** The beginning of a message as one line. */
export function excerptOf({ content }: Pick<Message, 'content'>): string {
  const line = content.trim().replace(/\s+/g, ' ')
  const characters = Array.from(line)
  return characters.length <= MAX_EXCERPT_LENGTH
    ? line
    : `${characters.slice(0, MAX_EXCERPT_LENGTH - 1).join('')}…`
}

/** The parent of a reply as text; the parent may be deleted. */
export function parentLabel(message: Message, messages: readonly Message[]): string | null {
  if (message.replyTo === undefined) return null
  const parent = messages.find(({ id }) => id === message.replyTo)
  return parent === undefined
    ? 'In reply to an expired message'
    : `In reply to ${parent.author.name}: ${excerptOf(parent)}`
}
