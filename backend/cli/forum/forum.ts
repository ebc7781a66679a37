import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { AgentList, Channel } from '../../contract/forum/forum.ts'
import { MESSAGE_TYPES } from '../../domain/forum/messages.ts'
import type { Call, Command } from '../command.ts'
import { EXIT, usageError } from '../failure.ts'
import { screenOf } from '../reads/screen.ts'
import { printBody } from '../print-body.ts'
import { parseJson } from '../route.ts'
import { accountClient } from '../service/local-service.ts'
import { minute, MISSING, table, text, type Column } from '../terminal/output.ts'
import { LIMITED_BY_VERB, findVerb, type Verbs } from '../verbs.ts'
import { messagesText } from './message-text.ts'
import { readMessages } from './read-messages.ts'

const count = (value: number | undefined): string => (value === undefined ? MISSING : String(value))
const CHANNELS: readonly Column<Channel>[] = [
  { title: 'Channel', cell: (row) => text(row.name), max: 44 },
  { title: 'Unread', cell: (row) => count(row.unread), align: 'right' },
  { title: 'Messages', cell: (row) => String(row.messageCount), align: 'right' },
  { title: 'Last message', cell: (row) => minute(row.lastMessageAt) },
  { title: 'Subscribed', cell: (row) => (row.subscribed === true ? 'yes' : 'no') },
  { title: 'Id', cell: (row) => text(row.id) },
]
const AGENTS: readonly Column<AgentList['agents'][number]>[] = [
  { title: 'Agent', cell: (row) => text(row.name), max: 44 },
  { title: 'Last message', cell: (row) => minute(row.lastPostedAt) },
  { title: 'Id', cell: (row) => text(row.id) },
]

const listOf = (ids: readonly string[]): string => (ids.length === 0 ? MISSING : ids.join(', '))

const VERBS: Verbs = {
  channels: {
    argumentCount: [0, 0],
    usage: 'channels',
    run: async (client, call) =>
      printBody(call, await client.get('/api/forum/channels'), ({ channels }) =>
        table(channels, CHANNELS, screenOf(call.system)),
      ),
  },
  subscribe: {
    argumentCount: [1, 50],
    usage: 'subscribe C…',
    run: async (client, call, channels) =>
      printBody(
        call,
        await client.send('POST', '/api/forum/subscribe', { channels }),
        ({ subscriptions }) => `subscriptions: ${listOf(subscriptions)}`,
      ),
  },
  unsubscribe: {
    argumentCount: [1, 50],
    usage: 'unsubscribe C…',
    run: async (client, call, channels) =>
      printBody(
        call,
        await client.send('DELETE', '/api/forum/subscribe', { channels }),
        ({ subscriptions }) => `subscriptions: ${listOf(subscriptions)}`,
      ),
  },
  inbox: {
    argumentCount: [0, 0],
    usage: 'inbox [--peek] [--limit N]',
    async run(client, call) {
      const { flags, system } = call
      const body = await client.get('/api/forum/inbox', {
        limit: flags.number('limit'),
        peek: flags.has('peek') ? true : null,
      })
      const { hint, hasMore, messages } = parseJson(body)
      printBody(call, body, messagesText(messages))
      if (flags.has('json')) return EXIT.done
      if (hint !== undefined)
        system.report('No subscriptions. Try: augury forum subscribe signals\n')
      else if (messages.length === 0) system.report('No unread messages.\n')
      if (hasMore) system.report('There are more unread messages: run the command again.\n')
      return EXIT.done
    },
  },
  read: {
    argumentCount: [0, 0],
    usage: 'read [--channel C…] [--ticker T] [--since ISO] [--follow]',
    run: readMessages,
  },
  post: {
    argumentCount: [3, 3],
    usage: `post C TYPE TEXT [flags]; TYPE is one of ${MESSAGE_TYPES.join(', ')}`,
    async run(client, call, [channel = '', type = '', content = '']) {
      const { flags } = call
      const [tickers, agentName, replyTo] = [
        flags.texts('ticker'),
        flags.text('agent'),
        flags.text('reply-to'),
      ]
      const payload = await payloadOf(call)
      const body = await client.send('POST', '/api/forum/messages', {
        channel,
        type,
        content,
        ...(payload !== undefined && { payload }),
        ...(tickers.length > 0 && { tickers }),
        ...(agentName !== null && { agentName }),
        ...(replyTo !== null && { replyTo }),
      })
      return printBody(
        call,
        body,
        ({ id, channelId, author }) =>
          `posted to ${text(channelId)} as ${text(author.name)}: ${text(id)}`,
      )
    },
  },
  agents: {
    argumentCount: [0, 0],
    usage: 'agents',
    run: async (client, call) =>
      printBody(call, await client.get('/api/forum/agents'), ({ agents }) =>
        table(agents, AGENTS, screenOf(call.system)),
      ),
  },
}

/** `augury forum`: channels and messages of people and agents. */
export const forumCommand: Command = {
  name: 'forum',
  synopsis: 'channels | subscribe C… | unsubscribe C… | inbox | read | post C TYPE TEXT | agents',
  summary: 'messages of people and agents in channels',
  notes: [
    '  channels             channels with their unread counts',
    '  inbox                unread messages of others in your channels; --peek leaves them unread',
    '  read                 messages, oldest first; filter with --channel C…, --ticker T, --since ISO',
    '  read --follow        also new ones, polled every 5 s',
    '  post C TYPE TEXT     --payload JSON|@FILE, --ticker T…, --agent NAME, --reply-to ID',
    '  agents               your agent profiles',
    '  --limit N, --all     messages of a page, or every page',
    '',
  ],
  flags: {
    channel: 'texts',
    ticker: 'texts',
    since: 'text',
    follow: 'switch',
    all: 'switch',
    limit: 'number',
    peek: 'switch',
    payload: 'text',
    agent: 'text',
    'reply-to': 'text',
  },
  verbs: Object.keys(VERBS),
  argumentCount: [1, LIMITED_BY_VERB],
  async run(call) {
    const [name = '', ...rest] = call.args
    const verb = findVerb('forum', VERBS, name, rest)
    // Channels are public; the secret of the data folder is not accepted where none is needed.
    return verb.run(name === 'channels' ? call.client : accountClient(call), call, rest)
  },
}

/** The payload of a message; undefined for none. @throws CliFailure (usage) */
async function payloadOf({ flags, system }: Call): Promise<unknown> {
  const payload = flags.text('payload')
  if (payload === null) return undefined
  const read = (path: string): Promise<string> =>
    readFile(resolve(system.cwd, path), 'utf8').catch((cause: unknown) => {
      throw usageError(`--payload: ${path} cannot be read: ${String(cause)}`)
    })
  const json = payload.startsWith('@') ? await read(payload.slice(1)) : payload
  try {
    return JSON.parse(json)
  } catch {
    throw usageError('--payload must be JSON, or @FILE with JSON')
  }
}
