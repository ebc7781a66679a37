import { THESIS_STATUSES } from '../../domain/theses/status.ts'
import type { Command } from '../command.ts'
import { usageError } from '../failure.ts'
import { ownersClient } from '../service/local-service.ts'
import { THESIS_READS } from './thesis-reads.ts'
import type { ThesisVerb } from './thesis-verb.ts'
import { THESIS_WRITES } from './thesis-writes.ts'

const VERBS: Readonly<Record<string, ThesisVerb>> = { ...THESIS_READS, ...THESIS_WRITES }

/** `augury thesis`: the caller's theses. */
export const thesisCommand: Command = {
  name: 'thesis',
  synopsis:
    'list | get ID | edges ID | evaluations ID | create TEXT | signal ID TEXT | evaluate ID | whatif ID | publish ID | unpublish ID | status ID STATE | delete ID',
  summary: 'your theses: claims, their conditions and edges',
  notes: [
    '  list                 your theses, last changed first; filter with --status, --limit, --cursor, --all',
    '  get ID               claim, confidence, conditions and edges; ID may be its first 8 digits',
    '  edges ID             markets that the thesis prices differently, cents of YES',
    '  evaluations ID       confidence by day; --raw lists each evaluation, --days N looks further back',
    '  create TEXT          polls until it is formed; --sync waits in one request, --async not at all; --title TEXT',
    '  signal ID TEXT       evidence for the next evaluation; --type T, --node n1, --url U',
    '  evaluate ID          reads the waiting signals and the moves of the markets',
    '  whatif ID            --set n1=40% n2=0.1; stores nothing',
    '  publish ID           --slug NAME, --description TEXT; prints the address of the page',
    '  status ID STATE      active, paused, killed, dormant, or resolved with --outcome yes|no|void',
    '  delete ID            asks first, --yes does not',
    '',
  ],
  flags: {
    status: 'word',
    limit: 'number',
    cursor: 'word',
    all: 'switch',
    days: 'number',
    raw: 'switch',
    title: 'word',
    sync: 'switch',
    async: 'switch',
    type: 'word',
    node: 'word',
    url: 'word',
    set: 'words',
    slug: 'word',
    description: 'word',
    outcome: 'word',
    yes: 'switch',
  },
  verbs: Object.keys(VERBS),
  choices: { status: THESIS_STATUSES, outcome: ['yes', 'no', 'void'] },
  words: [1, 400],
  async run(call) {
    const [name = '', ...rest] = call.words
    const verb = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined
    if (verb === undefined) {
      throw usageError(`thesis has the verbs ${Object.keys(VERBS).join(', ')}, not "${name}"`)
    }
    const [least, most] = verb.words
    if (rest.length < least || rest.length > most) {
      throw usageError(`usage: augury thesis ${verb.usage}`, 'See: augury thesis --help')
    }
    const client = call.settings.apiKey === null ? ownersClient(call) : call.client
    return verb.run(client, call, rest)
  },
}
