import { basename, dirname, join, resolve } from 'node:path'
import type { FileReport } from '../domain/import-report.ts'
import type { Client } from './client.ts'
import type { Call, Command } from './command.ts'
import { EXIT, misuse, type ExitCode } from './failure.ts'
import { cancelled, followJob, sayOf, type JobRun, type Say } from './job.ts'
import { amount, table, text, type Column } from './output.ts'
import { withService } from './private-service.ts'

interface ImportRun extends JobRun {
  readonly files: readonly FileReport[]
}

const COLUMNS: readonly Column<FileReport>[] = [
  {
    title: 'File',
    of: ({ path }) => text(join(basename(dirname(path)), basename(path))),
    most: 60,
  },
  { title: 'Layout', of: ({ layout }) => text(layout) },
  { title: 'Taken', of: ({ rowsTaken }) => amount(rowsTaken), align: 'right' },
  { title: 'Known', of: ({ rowsKnown }) => amount(rowsKnown), align: 'right' },
  { title: 'Refused', of: ({ rowsRefused }) => amount(rowsRefused), align: 'right' },
]

/** `augury import FILE…`: recorded files into the history of the data folder. */
export const importCommand: Command = {
  name: 'import',
  synopsis: 'FILE… [--venue V] [--kind LAYOUT] [--dry-run] [--strict]',
  summary: 'takes recorded files into the history',
  flags: { venue: 'word', kind: 'word', 'dry-run': 'switch', strict: 'switch' },
  words: [1, 1000],
  async run(call) {
    const { flags } = call
    const venue = flags.word('venue')
    if (venue !== null && venue !== 'venue_a' && venue !== 'venue_b') {
      throw misuse(`--venue must be venue_a or venue_b, was "${venue}"`)
    }
    const say = sayOf(call)
    return withService(call, say, (client) => importWith(client, call, say))
  },
}

async function importWith(
  client: Client,
  { words, flags, around }: Call,
  say: Say,
): Promise<ExitCode> {
  const started = await client.send('POST', '/api/imports', {
    paths: words.map((word) => resolve(around.cwd, word)),
    ...(flags.on('venue') && { venue: flags.word('venue') }),
    ...(flags.on('kind') && { kind: flags.word('kind') }),
    ...(flags.on('dry-run') && { dryRun: true }),
    ...(flags.on('strict') && { strict: true }),
  })
  const { id } = JSON.parse(started) as { id: string }
  const { body, run } = await followJob<ImportRun>(client, `/api/imports/${id}`, around, say, {
    news: newsOfFiles(),
    far: (now, elapsedMs) => `${amount(Math.round(elapsedMs / 1_000))} s: ${farOf(now)}`,
  })
  around.print(flags.on('json') ? `${body.trimEnd()}\n` : `${reportOf(run)}\n`)
  return exitOf(run, flags.on('strict'))
}

/** Lines about the files that changed since it was last asked. */
function newsOfFiles(): (run: ImportRun) => string[] {
  const told = new Map<string, string>()
  return ({ files }) =>
    files.flatMap((file) => {
      const line = progressOf(file)
      if (line === null || told.get(file.path) === line) return []
      told.set(file.path, line)
      return [line]
    })
}

function farOf({ state, files }: ImportRun): string {
  const rows = files.reduce((sum, file) => sum + file.rowsTaken + file.rowsKnown, 0)
  const begun = files.filter(({ layout, error }) => layout !== null || error !== null).length
  return `${state}, ${amount(rows)} rows, ${amount(begun)} of ${amount(files.length)} files looked at`
}

function progressOf({ path, error, rowsTaken, rowsKnown, rowsRefused }: FileReport): string | null {
  if (error !== null) return `${text(path)}: ${text(error)}`
  if (rowsTaken + rowsKnown + rowsRefused === 0) return null
  return `${text(path)}: ${amount(rowsTaken)} taken, ${amount(rowsKnown)} known, ${amount(rowsRefused)} refused`
}

function reportOf({ files }: ImportRun): string {
  const notes = files.flatMap(({ path, error, reasons }) => [
    ...(error === null ? [] : [`${text(path)}: ${text(error)}`]),
    ...reasons.map(
      ({ reason, count, firstRow }) =>
        `${text(path)}: ${amount(count)} × ${text(reason)}, first in row ${amount(firstRow)}`,
    ),
  ])
  return [table(files, COLUMNS), ...(notes.length > 0 ? [''] : []), ...notes].join('\n')
}

function exitOf({ state, files }: ImportRun, isStrict: boolean): ExitCode {
  if (state === 'cancelled') throw cancelled('import')
  if (isStrict && files.some((file) => file.rowsRefused > 0)) return EXIT.refused
  if (state === 'failed' || files.some((file) => file.error !== null)) return EXIT.failed
  return EXIT.done
}
