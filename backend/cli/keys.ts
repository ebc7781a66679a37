import type { Client } from './client.ts'
import type { Call, Command } from './command.ts'
import { EXIT, misuse, type ExitCode } from './failure.ts'
import { ownersClient } from './local-service.ts'
import { lines, minute, table, text, type Column } from './output.ts'

interface KeyRow {
  readonly id: string
  readonly name: string
  readonly keyPrefix: string
  readonly lastUsedAt: string | null
  readonly revokedAt: string | null
  readonly createdAt: string
}

const ROUTE = '/api/data-keys'

const COLUMNS: readonly Column<KeyRow>[] = [
  { title: 'Name', of: (row) => text(row.name), most: 40 },
  { title: 'Begins with', of: (row) => text(row.keyPrefix) },
  { title: 'Created', of: (row) => minute(row.createdAt) },
  { title: 'Last used', of: (row) => minute(row.lastUsedAt) },
  { title: 'Revoked', of: (row) => minute(row.revokedAt) },
  { title: 'Id', of: (row) => text(row.id) },
]

/** `augury keys`: keys of the real-time data service, made by the owner of the data folder. */
export const keysCommand: Command = {
  name: 'keys',
  synopsis: '[list | create [NAME] | revoke ID] --data-service',
  summary: 'keys of the real-time data service',
  flags: { 'data-service': 'switch' },
  words: [0, 3],
  async run(call) {
    const [verb = 'list', ...rest] = call.words
    const action = ACTIONS[verb]
    if (action === undefined) throw misuse(`keys knows list, create and revoke, not "${verb}"`)
    if (rest.length < action.least || rest.length > action.most) {
      throw misuse(
        `wrong number of words after keys ${verb}`,
        `Usage: augury keys ${keysCommand.synopsis}`,
      )
    }
    if (!call.flags.on('data-service')) {
      throw misuse(
        'service keys belong to accounts, which this service does not have yet',
        'Keys of the real-time data service: augury keys create --data-service',
      )
    }
    return action.run(ownersClient(call), call, rest[0] ?? null)
  },
}

interface Action {
  readonly least: number
  readonly most: number
  run(client: Client, call: Call, word: string | null): Promise<ExitCode>
}

const ACTIONS: Readonly<Record<string, Action>> = {
  list: {
    ...{ least: 0, most: 0 },
    async run(client, { flags, around }) {
      const body = await client.get(ROUTE)
      const { keys } = JSON.parse(body) as { keys: readonly KeyRow[] }
      around.print(flags.on('json') ? `${body.trimEnd()}\n` : `${table(keys, COLUMNS)}\n`)
      return EXIT.done
    },
  },
  create: {
    ...{ least: 0, most: 1 },
    async run(client, { flags, around }, name) {
      const body = await client.send('POST', ROUTE, name === null ? {} : { name })
      const made = JSON.parse(body) as { id: string; key: string; message: string }
      // Alone on its line, so that it can be piped to where it is kept.
      around.print(flags.on('json') ? `${body.trimEnd()}\n` : `${made.key}\n`)
      if (!flags.on('quiet'))
        around.tell(`${lines([['id', text(made.id)]])}\n${text(made.message)}\n`)
      return EXIT.done
    },
  },
  revoke: {
    ...{ least: 1, most: 1 },
    async run(client, { flags, around }, id) {
      const body = await client.send('DELETE', `${ROUTE}/${encodeURIComponent(id ?? '')}`)
      around.print(flags.on('json') ? `${body.trimEnd()}\n` : `revoked: ${text(id)}\n`)
      return EXIT.done
    },
  },
}
