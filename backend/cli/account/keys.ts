import type { KeyRow } from '../../contract/accounts.ts'
import type { Client } from '../client.ts'
import type { Call, Command } from '../command.ts'
import { confirm } from '../terminal/confirm.ts'
import { EXIT, usageError, type ExitCode } from '../failure.ts'
import type { Flags } from '../flags.ts'
import { printBody } from '../print-body.ts'
import { accountClient } from '../service/local-service.ts'
import { lines, minute, table, text, type Column } from '../terminal/output.ts'
import { jsonOf, parseJson, routePath } from '../route.ts'
import { LIMITED_BY_VERB, findVerb, type Verb, type Verbs } from '../verbs.ts'
import { screenOf } from '../reads/screen.ts'

const COLUMNS: readonly Column<KeyRow>[] = [
  { title: 'Name', cell: (row) => text(row.name), max: 40 },
  { title: 'Begins with', cell: (row) => text(row.keyPrefix) },
  { title: 'Created', cell: (row) => minute(row.createdAt) },
  { title: 'Last used', cell: (row) => minute(row.lastUsedAt) },
  { title: 'Revoked', cell: (row) => minute(row.revokedAt) },
  { title: 'Id', cell: (row) => text(row.id) },
]

/** The `--limit` flag; null when it was not given. @throws CliFailure (usage) */
function limitOf(flags: Flags): number | null {
  const limit = flags.number('limit')
  if (limit === null || (Number.isInteger(limit) && limit > 0)) return limit
  throw usageError(`--limit must be a whole number above 0, was "${flags.text('limit')}"`)
}

interface Keys {
  readonly client: Client
  readonly route: '/api/keys' | '/api/data-keys'
}

type KeysVerb = Verb<(keys: Keys, call: Call, argument: string | null) => Promise<ExitCode>>

const VERBS: Verbs<KeysVerb> = {
  list: {
    argumentCount: [0, 0],
    usage: 'list [--limit N] [--data-service]',
    async run({ client, route }, call) {
      const limit = limitOf(call.flags)
      const body = await client.get(route)
      const answer = parseJson(body)
      // The routes return every key and accept no limit.
      const keys = answer.keys.slice(0, limit ?? undefined)
      const limitedBody = limit === null ? body : jsonOf({ ...answer, keys })
      return printBody(call, limitedBody, table(keys, COLUMNS, screenOf(call.system)))
    },
  },
  create: {
    argumentCount: [0, 1],
    usage: 'create [NAME] [--data-service]',
    async run({ client, route }, call, name) {
      const body = await client.send('POST', route, name === null ? {} : { name })
      const createdKey = parseJson(body)
      // The key is printed alone on its line, so that it can be piped.
      printBody(call, body, text(createdKey.key))
      if (!call.flags.has('quiet'))
        call.system.report(`${lines([['id', text(createdKey.id)]])}\n${text(createdKey.message)}\n`)
      return EXIT.done
    },
  },
  revoke: {
    argumentCount: [1, 1],
    usage: 'revoke ID [--data-service] [--yes]',
    async run({ client, route }, call, argument) {
      const id = argument ?? ''
      await confirm(call, `Revoking ${id} cannot be undone.`, 'revoke')
      const body = await client.send('DELETE', routePath(`${route}/:id` as const, { id }))
      return printBody(call, body, `revoked: ${text(id)}`)
    },
  },
}

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
  verbs: Object.keys(VERBS),
  argumentCount: [0, LIMITED_BY_VERB],
  async run(call) {
    const [name = 'list', ...rest] = call.args
    const { run } = findVerb('keys', VERBS, name, rest)
    if (call.flags.has('limit') && name !== 'list') {
      throw usageError('--limit is only for keys list')
    }
    const route = call.flags.has('data-service') ? '/api/data-keys' : '/api/keys'
    return run({ client: accountClient(call), route }, call, rest[0] ?? null)
  },
}
