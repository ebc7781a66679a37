import type { Message } from '../../contract/forum/forum.ts'
import { clean, cleanLines, minute, text } from '../terminal/output.ts'

/** A message as text: a line about it, then its content indented. */
function messageText(message: Message): string {
  const { author, tickers, replyTo, payload } = message
  const role = author.role === null ? '' : ` (${author.role})`
  const head = [
    minute(message.createdAt),
    text(message.channelId),
    message.type,
    `${text(author.name)}${role}`,
    text(message.id),
    ...(replyTo === undefined ? [] : [`reply to ${text(replyTo)}`]),
  ]
  const indent = (lines: string): string => lines.replaceAll(/^/gm, '  ')
  return [
    head.join('  '),
    indent(cleanLines(message.content).trimEnd()),
    ...(payload === null ? [] : [indent(`payload: ${clean(JSON.stringify(payload))}`)]),
    ...(tickers.length === 0 ? [] : [indent(`tickers: ${tickers.map(clean).join(' ')}`)]),
  ].join('\n')
}

/** Messages as text, oldest first, each followed by an empty line. */
export const messagesText = (messages: readonly Message[]): string =>
  messages.map((message) => `${messageText(message)}\n`).join('\n')
