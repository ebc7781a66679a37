import { EVALUATION_TIERS } from '../../domain/theses/heartbeat.ts'
import { STRATEGY_HORIZONS } from '../../domain/theses/holdings.ts'
import { THESIS_STATUSES } from '../../domain/theses/status.ts'
import type { Command } from '../command.ts'
import { accountClient } from '../service/local-service.ts'
import { LIMITED_BY_VERB, findVerb, type Verbs } from '../verbs.ts'
import { THESIS_GROWTH } from './thesis-growth.ts'
import { THESIS_READS } from './thesis-reads.ts'
import { STRATEGY_VERBS } from './thesis-strategies.ts'
import { THESIS_WRITES } from './thesis-writes.ts'

const VERBS: Verbs = {
  ...THESIS_READS,
  ...THESIS_WRITES,
  ...THESIS_GROWTH,
  ...STRATEGY_VERBS,
}

/** `augury thesis`: the caller's theses. */
export const thesisCommand: Command = {
  name: 'thesis',
  synopsis:
    'list | get ID | context ID | edges ID | positions ID | evaluations ID | heartbeat ID | backtest ID | create TEXT | signal ID TEXT | evaluate ID | augment ID | whatif ID | strategies ID | strategy VERB ID … | fork ID | publish ID | unpublish ID | status ID STATE | delete ID',
  summary: 'your theses: claims, their conditions and edges',
  notes: [
    '  list                 your theses, last changed first; filter with --status, --limit, --cursor, --all',
    '  get ID               claim, confidence, conditions and edges; ID may be its first 8 digits',
    '  context ID           the same with order books, history and track record, as agents read it; --limit N edges',
    '  edges ID             markets that the thesis prices differently, cents of YES',
    '  positions ID         positions recorded for it',
    '  evaluations ID       confidence by day; --raw lists each evaluation, --days N looks further back',
    '  heartbeat ID         schedule and cost of the scheduled evaluations; --set newsIntervalMin=60 paused=true',
    '                       also xIntervalMin, evalModelTier, smartModel, monthlyBudgetUsd, closedLoop=on|off|entries|exits',
    '  backtest ID          forms it --window 90d ago from the data known then, and replays it to now',
    '  create TEXT          polls until it is formed; --sync waits in one request, --async not at all; --title TEXT',
    '  signal ID TEXT       evidence for the next evaluation; --type T, --node n1, --url U',
    '  evaluate ID          reads the waiting signals and the moves of the markets; --model cheap|base|medium|heavy',
    '  augment ID           adds conditions with weight 0; --depth 1 to 3, --focus n1',
    '  whatif ID            --set n1=40% n2=0.1; stores nothing',
    '  strategies ID        rules by which the thesis is traded, highest priority first',
    '  strategy add ID TICKER SIDE    SIDE yes or no; prices are cents of that side',
    '    --below C, --above C         enter at or below, at or above this price; one is required',
    '    --stop C, --target C         sell at or below, at or above this price; none clears a price',
    '    --size N, --max N            contracts per order (50), contracts in total (500)',
    '    --priority N                 0 to 100, high first (50)',
    '    --horizon H                  short, medium or long',
    '    --wait-for TEXT              a condition in words: the strategy waits until you clear it with none',
    '    --reason TEXT                note stored with the strategy',
    '  strategy set ID STRATEGY       changes the given fields',
    '  strategy pause|resume|remove ID STRATEGY',
    '  fork ID              copies an own thesis, or a published one by its address; --title TEXT, --reason TEXT;',
    '                       --claim TEXT continues it under another claim, and the parent becomes dormant',
    '  publish ID           --slug NAME, --description TEXT; prints the address of the page',
    '  status ID STATE      active, paused, killed, dormant, or resolved with --outcome yes|no|void',
    '  delete ID            asks for confirmation, --yes skips it',
    '',
  ],
  flags: {
    status: 'text',
    limit: 'number',
    cursor: 'text',
    all: 'switch',
    days: 'number',
    depth: 'number',
    focus: 'text',
    claim: 'text',
    model: 'text',
    raw: 'switch',
    title: 'text',
    sync: 'switch',
    async: 'switch',
    type: 'text',
    node: 'text',
    url: 'text',
    set: 'texts',
    window: 'text',
    slug: 'text',
    description: 'text',
    outcome: 'text',
    below: 'text',
    above: 'text',
    stop: 'text',
    target: 'text',
    size: 'number',
    max: 'number',
    priority: 'number',
    horizon: 'text',
    'wait-for': 'text',
    reason: 'text',
    yes: 'switch',
  },
  verbs: Object.keys(VERBS),
  choices: {
    status: THESIS_STATUSES,
    outcome: ['yes', 'no', 'void'],
    horizon: STRATEGY_HORIZONS,
    model: EVALUATION_TIERS,
  },
  argumentCount: [1, LIMITED_BY_VERB],
  async run(call) {
    const [name = '', ...rest] = call.args
    const verb = findVerb('thesis', VERBS, name, rest)
    return verb.run(accountClient(call), call, rest)
  },
}
