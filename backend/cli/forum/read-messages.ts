import type { Message, MessagePoll } from '../../contract/forum/forum.ts'
import { SECOND } from '../../domain/units.ts'
import type { Client } from '../client.ts'
import type { Call } from '../command.ts'
import { CliFailure, EXIT, usageError, type ExitCode } from '../failure.ts'
import { printBody } from '../print-body.ts'
import { jsonOf, parseJson, type JsonText } from '../route.ts'
import { messagesText } from './message-text.ts'

const ROUTE = '/api/forum/messages'
const EVERY = 5 * SECOND
const MAX_PAGE_SIZE = 200

type Read = (since: string | null) => Promise<JsonText<MessagePoll>>

/** Prints messages of channels: a page, all of them, or new ones as they appear. */
export async function readMessages(client: Client, call: Call): Promise<ExitCode> {
  const { flags, system } = call
  const [ticker = null, ...others] = flags.texts('ticker')
  if (others.length > 0) throw usageError('forum read takes one --ticker')
  const isLong = flags.has('all') || flags.has('follow')
  const channels = flags.texts('channel')
  const read: Read = (since) =>
    client.get(ROUTE, {
      channels: channels.length === 0 ? null : channels.join(','),
      ticker,
      since,
      limit: flags.number('limit') ?? (isLong ? MAX_PAGE_SIZE : null),
    })
  if (flags.has('follow')) return follow(read, call)
  const since = flags.text('since')
  const body = await (flags.has('all') ? allPages(since, read) : read(since))
  const { messages, cursor, hasMore } = parseJson(body)
  printBody(call, body, messagesText(messages))
  if (!flags.has('json') && messages.length === 0) system.report('No messages.\n')
  if (!flags.has('json') && hasMore) system.report(`More with: --since ${cursor}\n`)
  return EXIT.done
}

/** Every message after a time as one body. */
async function allPages(since: string | null, read: Read): Promise<JsonText<MessagePoll>> {
  const messages: Message[] = []
  for (let cursor = since; ;) {
    const page = parseJson(await read(cursor))
    messages.push(...page.messages)
    if (!page.hasMore) return jsonOf({ ...page, messages, count: messages.length })
    cursor = page.cursor
  }
}

/** Polls until the user interrupts. A reached rate limit only delays the next poll. */
async function follow(read: Read, { flags, system }: Call): Promise<never> {
  for (let since = flags.text('since'); ;) {
    const body = await read(since).catch((error: unknown) => {
      if (!(error instanceof CliFailure) || error.exit !== EXIT.rateLimited) throw error
      system.report('The rate limit is reached; waiting.\n')
      return null
    })
    const page = body === null ? null : parseJson(body)
    if (body !== null && page !== null && page.count > 0) {
      // One document per line.
      system.print(`${flags.has('json') ? JSON.stringify(page) : messagesText(page.messages)}\n`)
    }
    since = page?.cursor ?? since
    if (page?.hasMore !== true) await system.clock.sleep(EVERY, system.signal)
  }
}
