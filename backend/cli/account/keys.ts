import type { KeyRow } from '../../contract/accounts.ts'
import type { Client } from '../client.ts'
import type { Call, Command } from '../command.ts'
import { confirm } from '../terminal/confirm.ts'
import { EXIT, usageError, type ExitCode } from '../failure.ts'
import type { Flags } from '../flags.ts'
import { ownersClient } from '../service/local-service.ts'
import { lines, minute, table, text, type Column } from '../terminal/output.ts'
import { routePath, parseJson } from '../route.ts'
import { screenOf } from '../reads/screen.ts'

const COLUMNS: readonly Column<KeyRow>[] = [
  { title: 'Name', cell: (row) => text(row.name), max: 40 },
  { title: 'Begins with', cell: (row) => text(row.keyPrefix) },
  { title: 'Created', cell: (row) => minute(row.createdAt) },
  { title: 'Last used', cell: (row) => minute(row.lastUsedAt) },
  { title: 'Revoked', cell: (row) => minute(row.revokedAt) },
  { title: 'Id', cell: (row) => text(row.id) },
]

/** `augury keys`: the caller's service keys, or keys for the real-time data service. */
export const keysCommand: Command = {
  name: 'keys',
  synopsis: '[list [--limit N] | create [NAME] | revoke ID] [--data-service] [--yes]',
  summary: 'manage service keys, or keys of the real-time data service',
  notes: [
    '  --data-service  keys of the real-time data service',
    '  --limit N       list the first N',
    '  --yes           revoke without confirmation',
    '',
    'Uses the stored key; without one acts as the owner of the data folder, whose service must run.',
    '',
  ],
  flags: { 'data-service': 'switch', limit: 'number', yes: 'switch' },
  verbs: ['list', 'create', 'revoke'],
  words: [0, 3],
  async run(call) {
    const [verb = 'list', ...rest] = call.words
    const action = Object.hasOwn(ACTIONS, verb) ? ACTIONS[verb] : undefined
    if (action === undefined)
      throw usageError(`keys has the verbs list, create and revoke, not "${verb}"`)
    if (rest.length < action.min || rest.length > action.max) {
      throw usageError(
        `wrong number of words after keys ${verb}`,
        `Usage: augury keys ${keysCommand.synopsis}`,
      )
    }
    if (call.flags.has('limit') && action !== ACTIONS['list']) {
      throw usageError('--limit is only for keys list')
    }
    const route = call.flags.has('data-service') ? '/api/data-keys' : '/api/keys'
    const client = call.settings.apiKey === null ? ownersClient(call) : call.client
    return action.run({ client, route }, call, rest[0] ?? null)
  },
}

/** Returns null for all. @throws CliFailure (usage) */
function limitOf(flags: Flags): number | null {
  const limit = flags.number('limit')
  if (limit === null || (Number.isInteger(limit) && limit > 0)) return limit
  throw usageError(`--limit must be a whole number above 0, was "${flags.word('limit')}"`)
}

interface Keys {
  readonly client: Client
  readonly route: '/api/keys' | '/api/data-keys'
}

interface Action {
  readonly min: number
  readonly max: number
  run(keys: Keys, call: Call, word: string | null): Promise<ExitCode>
}

const ACTIONS: Readonly<Record<string, Action>> = {
  list: {
    min: 0,
    max: 0,
    async run({ client, route }, { flags, system }) {
      const limit = limitOf(flags)
      const body = await client.get(route)
      const answer = parseJson(body)
      // The routes return every key and accept no limit.
      const keys = answer.keys.slice(0, limit ?? undefined)
      const limited = limit === null ? body.trimEnd() : JSON.stringify({ ...answer, keys })
      system.print(
        flags.has('json') ? `${limited}\n` : `${table(keys, COLUMNS, screenOf(system))}\n`,
      )
      return EXIT.done
    },
  },
  create: {
    min: 0,
    max: 1,
    async run({ client, route }, { flags, system }, name) {
      const body = await client.send('POST', route, name === null ? {} : { name })
      const created = parseJson(body)
      // The key is printed alone on its line, so that it can be piped.
      system.print(flags.has('json') ? `${body.trimEnd()}\n` : `${text(created.key)}\n`)
      if (!flags.has('quiet'))
        system.report(`${lines([['id', text(created.id)]])}\n${text(created.message)}\n`)
      return EXIT.done
    },
  },
  revoke: {
    min: 1,
    max: 1,
    async run({ client, route }, call, word) {
      const { flags, system } = call
      const id = word ?? ''
      await confirm(call, `Revoking ${id} cannot be undone.`, 'revoke')
      const body = await client.send('DELETE', routePath(`${route}/:id` as const, { id }))
      system.print(flags.has('json') ? `${body.trimEnd()}\n` : `revoked: ${text(id)}\n`)
      return EXIT.done
    },
  },
}
