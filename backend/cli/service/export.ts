import type { ExportRun } from '../../contract/archive.ts'
import type { ResponseBody } from '../../contract/routes.ts'
import { extname, resolve } from 'node:path'
import { TIMEFRAMES } from '../../domain/prices/candle.ts'
import type { Client } from '../client.ts'
import { parseJson, type JsonText } from '../route.ts'
import type { Call, Command } from '../command.ts'
import { CliFailure, EXIT, usageError, type ExitCode } from '../failure.ts'
import type { Flags } from '../flags.ts'
import { followJob, refuseUnlessDone, progressReporterOf, type ProgressReporter } from './job.ts'
import { amount, lines, text } from '../terminal/output.ts'
import { withService } from './private-service.ts'
import { VENUE_VALUES, venueIn } from '../venue-flag.ts'

const FORMATS = ['parquet', 'csv', 'json'] as const
const CHOICES = {
  kind: ['trades', 'quotes', 'candles', 'book', 'snapshots'],
  format: FORMATS,
  tf: TIMEFRAMES,
} as const

/** `augury export --out PATH`: writes rows of the data folder's history to files. */
export const exportCommand: Command = {
  name: 'export',
  synopsis:
    '--out PATH [--market T…] [--topic T] [--venue V] [--kind K] [--from T] [--to T] [--format F] [--tf W] [--force]',
  summary: 'write rows of the history to files',
  notes: [
    '  --out PATH      a folder; with --kind also one file that ends in .parquet, .csv or .json',
    '  --market T…     only these markets',
    '  --topic T       markets of a topic',
    `  --venue V       ${VENUE_VALUES.join(' | ')}`,
    '  --kind K        trades | quotes | candles | book | snapshots; all by default',
    '  --from, --to    ISO 8601, venue time; --from is included, --to is not',
    '  --format F      parquet | csv | json; by default from the ending of --out, else parquet',
    `  --tf W          with --kind candles: bars of ${TIMEFRAMES.join(' | ')} in place of stored ones;`,
    '                  only closed bars that start in the range',
    '  --force         replace existing files',
    '',
    'A folder receives markets.parquet (facts of the markets) and one file for each kind with rows;',
    'a file day.csv is accompanied by day.markets.csv. `augury import` reads all of them.',
    '',
  ],
  flags: {
    out: 'text',
    market: 'texts',
    topic: 'text',
    venue: 'text',
    kind: 'text',
    from: 'text',
    to: 'text',
    format: 'text',
    tf: 'text',
    force: 'switch',
  },
  choices: { ...CHOICES, venue: VENUE_VALUES },
  argumentCount: [0, 0],
  async run(call) {
    const { flags, system } = call
    const body = bodyOf(flags, system.cwd)
    const reportProgress = progressReporterOf(call)
    return withService(call, reportProgress, (client) =>
      exportWith(client, body, call, reportProgress),
    )
  },
}

/** Builds the request body. @throws CliFailure (usage) */
function bodyOf(flags: Flags, cwd: string): object {
  const outPath = flags.text('out')
  if (outPath === null) throw usageError('--out is required', 'See: augury export --help')
  for (const [name, choices] of Object.entries(CHOICES)) {
    const text = flags.text(name)
    if (text !== null && !choices.some((choice) => choice === text)) {
      throw usageError(`--${name} must be one of ${choices.join(', ')}, was "${text}"`)
    }
  }
  const venue = venueIn(flags, 'venue')
  const exportFormat = FORMATS.find((format) => extname(outPath).toLowerCase() === `.${format}`)
  const flagField = (name: string, parameter = name): object =>
    flags.has(name) ? { [parameter]: flags.text(name) } : {}
  return {
    out: resolve(cwd, outPath),
    format: flags.text('format') ?? exportFormat ?? 'parquet',
    ...(flags.has('market') && { markets: flags.texts('market') }),
    ...flagField('topic'),
    ...(venue !== null && { venue }),
    ...flagField('kind'),
    ...flagField('from'),
    ...flagField('to'),
    ...flagField('tf'),
    ...(flags.has('force') && { force: true }),
  }
}

async function exportWith(
  client: Client,
  body: object,
  { flags, system }: Call,
  reportProgress: ProgressReporter,
): Promise<ExitCode> {
  const { id } = parseJson(await send(client, body))
  const { body: answer, run } = await followJob(
    client,
    '/api/exports/:id',
    id,
    system,
    reportProgress,
    {
      progressLine: ({ state, rows }, elapsedMs) =>
        `${amount(Math.round(elapsedMs / 1_000))} s: ${state}, ${amount(rows)} rows`,
    },
  )
  refuseUnlessDone('export', run)
  system.print(flags.has('json') ? `${answer.trimEnd()}\n` : `${reportOf(run)}\n`)
  return EXIT.done
}

async function send(
  client: Client,
  body: object,
): Promise<JsonText<ResponseBody<'POST /api/exports'>>> {
  try {
    return await client.send('POST', '/api/exports', body)
  } catch (error) {
    if (!(error instanceof CliFailure) || error.exit !== EXIT.refused) throw error
    const { exit, code, message, status, details } = error
    throw new CliFailure(exit, code, message, {
      status: status ?? 409,
      details,
      cause: error,
      advice: 'Use --force to replace it.',
    })
  }
}

const reportOf = ({ rows, bytes, files }: ExportRun): string =>
  lines([
    ['rows', amount(rows)],
    ['bytes', amount(bytes)],
    ...files.map((file) => ['file', text(file)] as const),
  ])
