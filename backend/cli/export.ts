import { extname, resolve } from 'node:path'
import { TIMEFRAMES } from '../domain/candle.ts'
import type { Client } from './client.ts'
import type { Call, Command } from './command.ts'
import { CliFailure, EXIT, misuse, type ExitCode } from './failure.ts'
import type { Flags } from './flags.ts'
import { followJob, refuseUnlessDone, sayOf, type JobRun, type Say } from './job.ts'
import { amount, lines, text } from './output.ts'
import { withService } from './private-service.ts'

interface ExportRun extends JobRun {
  readonly rows: number
  readonly bytes: number
  readonly files: readonly string[]
  readonly error: string | null
}

const FORMATS = ['parquet', 'csv', 'json'] as const
const CHOICES = {
  venue: ['venue_a', 'venue_b'],
  kind: ['trades', 'quotes', 'candles', 'book', 'snapshots'],
  format: FORMATS,
  tf: TIMEFRAMES,
} as const

/** `augury export --out PATH`: rows of the history of the data folder into files. */
export const exportCommand: Command = {
  name: 'export',
  synopsis:
    '--out PATH [--market T…] [--topic T] [--venue V] [--kind K] [--from T] [--to T] [--format F] [--tf W] [--force]',
  summary: 'writes rows of the history to files',
  notes: [
    '  --out PATH      a folder; with --kind also one file that ends in .parquet, .csv or .json',
    '  --market T…     these markets alone',
    '  --topic T       markets of a topic',
    '  --venue V       venue_a | venue_b',
    '  --kind K        trades | quotes | candles | book | snapshots; without it everything',
    '  --from, --to    ISO 8601, venue time: rows at --from are taken, rows at --to are not',
    '  --format F      parquet | csv | json; by default as --out ends, else parquet',
    `  --tf W          with --kind candles: bars of ${TIMEFRAMES.join(' | ')} in place of stored ones;`,
    '                  those that start in the span and have ended',
    '  --force         replace files that exist',
    '',
    'Into a folder go markets.parquet (the facts of the markets) and one file a kind that has rows;',
    'beside day.csv stands day.markets.csv. `augury import` takes all of them back.',
    '',
  ],
  flags: {
    ...{ out: 'word', market: 'words', topic: 'word', venue: 'word', kind: 'word', from: 'word' },
    ...{ to: 'word', format: 'word', tf: 'word', force: 'switch' },
  },
  choices: CHOICES,
  words: [0, 0],
  async run(call) {
    const { flags, around } = call
    const body = bodyOf(flags, around.cwd)
    const say = sayOf(call)
    return withService(call, say, (client) => exportWith(client, body, call, say))
  },
}

/** What is asked of the service. @throws CliFailure (usage) */
function bodyOf(flags: Flags, cwd: string): object {
  const out = flags.word('out')
  if (out === null) throw misuse('--out is needed', 'See: augury export --help')
  for (const [name, choices] of Object.entries(CHOICES)) {
    const given = flags.word(name)
    if (given !== null && !choices.some((choice) => choice === given)) {
      throw misuse(`--${name} must be one of ${choices.join(', ')}, was "${given}"`)
    }
  }
  const ending = FORMATS.find((format) => extname(out).toLowerCase() === `.${format}`)
  const given = (name: string, as = name): object =>
    flags.on(name) ? { [as]: flags.word(name) } : {}
  return {
    out: resolve(cwd, out),
    format: flags.word('format') ?? ending ?? 'parquet',
    ...(flags.on('market') && { markets: flags.words('market') }),
    ...given('topic'),
    ...given('venue'),
    ...given('kind'),
    ...given('from'),
    ...given('to'),
    ...given('tf'),
    ...(flags.on('force') && { force: true }),
  }
}

async function exportWith(
  client: Client,
  body: object,
  { flags, around }: Call,
  say: Say,
): Promise<ExitCode> {
  const { id } = JSON.parse(await send(client, body)) as { id: string }
  const { body: answer, run } = await followJob<ExportRun>(
    client,
    `/api/exports/${id}`,
    around,
    say,
    {
      far: ({ state, rows }, elapsedMs) =>
        `${amount(Math.round(elapsedMs / 1_000))} s: ${state}, ${amount(rows)} rows`,
    },
  )
  refuseUnlessDone('export', run)
  around.print(flags.on('json') ? `${answer.trimEnd()}\n` : `${reportOf(run)}\n`)
  return EXIT.done
}

async function send(client: Client, body: object): Promise<string> {
  try {
    return await client.send('POST', '/api/exports', body)
  } catch (error) {
    if (!(error instanceof CliFailure) || error.exit !== EXIT.refused) throw error
    const { exit, code, message, status, details } = error
    throw new CliFailure(exit, code, message, {
      ...{ status: status ?? 409, details, cause: error },
      advice: 'Replace it with --force.',
    })
  }
}

const reportOf = ({ rows, bytes, files }: ExportRun): string =>
  lines([
    ['rows', amount(rows)],
    ['bytes', amount(bytes)],
    ...files.map((file) => ['file', text(file)] as const),
  ])
