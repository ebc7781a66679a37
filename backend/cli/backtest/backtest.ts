import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { basename, isAbsolute, join, resolve } from 'node:path'
import type { BacktestRow } from '../../contract/backtests.ts'
import { formatComparison, formatRun } from './backtest-report.ts'
import { usd } from './usd.ts'
import { STUDY_FLAGS, STUDY_NOTES, studyOf } from './backtest-study.ts'
import type { Client } from '../client.ts'
import type { Call, Command } from '../command.ts'
import { EXIT, usageError } from '../failure.ts'
import type { Flags } from '../flags.ts'
import { followJob, refuseUnlessDone, progressReporterOf } from '../service/job.ts'
import { minute, table, text, type Column } from '../terminal/output.ts'
import { withService } from '../service/private-service.ts'
import { printBody } from '../print-body.ts'
import { jsonOf, parseJson, routePath } from '../route.ts'
import { LIMITED_BY_VERB, findVerb, type Verbs } from '../verbs.ts'

const COLUMNS: readonly Column<BacktestRow>[] = [
  { title: 'Id', cell: (run) => text(run.id) },
  { title: 'Strategy', cell: (run) => text(run.strategy), max: 32 },
  { title: 'Created', cell: (run) => minute(run.createdAt) },
  { title: 'State', cell: (run) => text(run.state) },
  { title: 'Profit', cell: (run) => text(usd(run.profit)) },
  { title: 'Trades', cell: (run) => text(String(run.trades ?? '–')) },
]

const VERBS: Verbs = {
  run: { argumentCount: [1, 1], usage: 'run STRATEGY [flags]', run: runBacktest },
  list: {
    argumentCount: [0, 0],
    usage: 'list [--limit N]',
    async run(client, call) {
      const limit = call.flags.number('limit') ?? 20
      const body = await client.get('/api/backtests', { limit: String(limit) })
      return printBody(call, body, ({ data }) => table(data, COLUMNS))
    },
  },
  show: {
    argumentCount: [1, 1],
    usage: 'show ID',
    async run(client, call, [id = '']) {
      const body = await client.get(routePath('/api/backtests/:id', { id }))
      return printBody(call, body, formatRun)
    },
  },
  compare: {
    argumentCount: [2, 2],
    usage: 'compare A B',
    async run(client, call, ids) {
      const bodies = await Promise.all(
        ids.map((id) => client.get(routePath('/api/backtests/:id', { id }))),
      )
      return printBody(call, jsonOf(bodies.map(parseJson)), formatComparison)
    },
  },
  cancel: {
    argumentCount: [1, 1],
    usage: 'cancel ID',
    async run(client, { system }, [id = '']) {
      await client.send('DELETE', routePath('/api/backtests/:id', { id }))
      system.print('cancelled\n')
      return EXIT.done
    },
  },
}

/** `augury backtest`: runs strategies over the stored history. */
export const backtestCommand: Command = {
  name: 'backtest',
  synopsis: 'run STRATEGY [--from T --to T] [flags] | list | show ID | compare A B | cancel ID',
  summary: 'run a strategy over stored history',
  notes: [
    '  run STRATEGY        a name (calibration-fade, buy-and-hold, …, or of DATA/strategies) or a file',
    '  --from, --to        ISO 8601, the range to run over; all that is stored by default',
    '  --market T…         only these markets',
    '  --topic T           markets of a topic, a category or a venue',
    '  --param k=v…        parameters of the strategy',
    '  --cash USD          starting cash; 10000 by default',
    '  --seed N            seed of the strategy’s random numbers',
    '  --check-lookahead   compare with runs whose data ends after a quarter, half, three quarters',
    '  --check-determinism run twice and compare',
    ...STUDY_NOTES,
    '  --capacity          repeat it at 2, 4 and 8 times the order size',
    '  --out DIR           copy the report, trades and equity there',
    '  --limit N           list: the newest N runs',
    '',
    'Order matching and the report: docs/backtesting.md',
    '',
  ],
  flags: {
    from: 'text',
    to: 'text',
    market: 'texts',
    topic: 'text',
    param: 'texts',
    cash: 'number',
    seed: 'number',
    out: 'text',
    limit: 'number',
    'check-lookahead': 'switch',
    'check-determinism': 'switch',
    capacity: 'switch',
    ...STUDY_FLAGS,
  },
  verbs: Object.keys(VERBS),
  argumentCount: [1, LIMITED_BY_VERB],
  async run(call) {
    const [name = '', ...rest] = call.args
    const { run } = findVerb('backtest', VERBS, name, rest)
    const reportProgress = progressReporterOf(call)
    return withService(call, reportProgress, (client) => run(client, call, rest))
  },
}

async function runBacktest(client: Client, call: Call, [strategy = '']: readonly string[]) {
  const { flags, system } = call
  const { id } = parseJson(
    await client.send('POST', '/api/backtests', bodyOf(strategy, flags, system.cwd)),
  )
  const { body, run } = await followJob(
    client,
    '/api/backtests/:id',
    id,
    system,
    progressReporterOf(call),
    {
      progressLine: ({ state, progress }, elapsedMs) =>
        `${Math.round(elapsedMs / 1_000)} s: ${state}, ${Math.round(progress * 100)} %`,
    },
  )
  refuseUnlessDone('backtest', run)
  const outPath = flags.text('out')
  if (outPath !== null) copyInto(resolve(system.cwd, outPath), run.files)
  return printBody(call, body, formatRun(run))
}

/** Builds the request body. @throws CliFailure (usage) */
function bodyOf(strategy: string, flags: Flags, cwd: string): object {
  const [from, to] = [flags.text('from'), flags.text('to')]
  const path = resolve(cwd, strategy)
  const isFile = /\.(?:ts|js|mjs)$/.test(strategy) && (isAbsolute(strategy) || existsSync(path))
  const checks = (['lookahead', 'determinism'] as const).filter((name) =>
    flags.has(`check-${name}`),
  )
  const params = flags.texts('param').map((assignment): [string, string] => {
    const at = assignment.indexOf('=')
    if (at < 1) throw usageError(`--param takes name=value, was "${assignment}"`)
    return [assignment.slice(0, at), assignment.slice(at + 1)]
  })
  const topic = flags.text('topic')
  const [cash, seed] = [flags.number('cash'), flags.number('seed')]
  return {
    strategy: isFile ? path : strategy,
    ...(from !== null && { from }),
    ...(to !== null && { to }),
    params: Object.fromEntries(params),
    checks,
    ...studyOf(flags),
    ...(flags.has('capacity') && { capacity: true }),
    ...(flags.has('market') && { markets: flags.texts('market') }),
    ...(topic !== null && { topic }),
    ...(cash !== null && { startCashUsd: cash }),
    ...(seed !== null && { seed }),
  }
}

function copyInto(folder: string, files: readonly string[]): void {
  mkdirSync(folder, { recursive: true })
  for (const file of files) copyFileSync(file, join(folder, basename(file)))
}
