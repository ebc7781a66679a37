import { basename, dirname, join, resolve } from 'node:path'
import type { ImportRun } from '../../contract/archive.ts'
import type { FileReport } from '../../domain/import-report.ts'
import type { Venue } from '../../domain/venue.ts'
import type { Client } from '../client.ts'
import type { Call, Command } from '../command.ts'
import { CliFailure, EXIT, type ExitCode } from '../failure.ts'
import { cancellation, followJob, progressReporterOf, type ProgressReporter } from './job.ts'
import { parseJson } from '../route.ts'
import { amount, table, text, type Column } from '../terminal/output.ts'
import { withService } from './private-service.ts'
import { VENUE_VALUES, venueIn } from '../venue-flag.ts'

const COLUMNS: readonly Column<FileReport>[] = [
  {
    title: 'File',
    cell: ({ path }) => text(join(basename(dirname(path)), basename(path))),
    max: 60,
  },
  { title: 'Layout', cell: ({ layout }) => text(layout) },
  { title: 'Taken', cell: ({ rowsTaken }) => amount(rowsTaken), align: 'right' },
  { title: 'Known', cell: ({ rowsKnown }) => amount(rowsKnown), align: 'right' },
  { title: 'Refused', cell: ({ rowsRefused }) => amount(rowsRefused), align: 'right' },
]

/** `augury import FILE…`: imports recorded files into the history of the data folder. */
export const importCommand: Command = {
  name: 'import',
  synopsis: 'FILE… [--venue V] [--kind LAYOUT] [--dry-run] [--strict]',
  summary: 'import recorded files into the history',
  choices: { venue: VENUE_VALUES },
  flags: { venue: 'text', kind: 'text', 'dry-run': 'switch', strict: 'switch' },
  argumentCount: [1, 1000],
  async run(call) {
    const { flags } = call
    const venue = venueIn(flags, 'venue')
    const reportProgress = progressReporterOf(call)
    return withService(call, reportProgress, (client) =>
      importWith(client, venue, call, reportProgress),
    )
  },
}

async function importWith(
  client: Client,
  venue: Venue | null,
  { args: words, flags, system }: Call,
  reportProgress: ProgressReporter,
): Promise<ExitCode> {
  const importJob = await client.send('POST', '/api/imports', {
    paths: words.map((path) => resolve(system.cwd, path)),
    ...(venue !== null && { venue }),
    ...(flags.has('kind') && { kind: flags.text('kind') }),
    ...(flags.has('dry-run') && { dryRun: true }),
    ...(flags.has('strict') && { strict: true }),
  })
  const { id } = parseJson(importJob)
  const { body, run } = await followJob(client, '/api/imports/:id', id, system, reportProgress, {
    eventLines: importLines(),
    progressLine: (now, elapsedMs) =>
      `${amount(Math.round(elapsedMs / 1_000))} s: ${progressSummary(now)}`,
  }).catch((error: unknown) => {
    if (!(error instanceof CliFailure) || error.code !== 'UNREACHABLE') throw error
    const advice = `An interrupted import is resumed when the service starts again: GET /api/imports/${id} reports it`
    throw new CliFailure(error.exit, error.code, error.message, { advice, cause: error })
  })
  system.print(flags.has('json') ? `${body.trimEnd()}\n` : `${reportOf(run)}\n`)
  return exitOf(run, flags.has('strict'))
}

/** Returns lines about interruptions and about the files that changed since the last poll. */
function importLines(): (run: ImportRun) => string[] {
  const reportedLines = new Map<string, string>()
  let reportedInterruptions = 0
  return ({ files, interruptions }) => {
    const lines = interruptions > reportedInterruptions ? [interruptionOf(interruptions)] : []
    reportedInterruptions = interruptions
    for (const file of files) {
      const line = progressOf(file)
      if (line === null || reportedLines.get(file.path) === line) continue
      reportedLines.set(file.path, line)
      lines.push(line)
    }
    return lines
  }
}

const interruptionOf = (interruptions: number): string =>
  interruptions === 1
    ? 'The service was interrupted during the import, which was resumed'
    : `The service was interrupted ${amount(interruptions)} times during the import, which was resumed each time`

function progressSummary({ state, files }: ImportRun): string {
  const rows = files.reduce((sum, file) => sum + file.rowsTaken + file.rowsKnown, 0)
  const importedFiles = files.filter(
    ({ layout, error }) => layout !== null || error !== null,
  ).length
  return `${state}, ${amount(rows)} rows, ${amount(importedFiles)} of ${amount(files.length)} files read`
}

function progressOf({ path, error, rowsTaken, rowsKnown, rowsRefused }: FileReport): string | null {
  if (error !== null) return `${text(path)}: ${text(error)}`
  if (rowsTaken + rowsKnown + rowsRefused === 0) return null
  return `${text(path)}: ${amount(rowsTaken)} taken, ${amount(rowsKnown)} known, ${amount(rowsRefused)} refused`
}

function reportOf({ files, interruptions }: ImportRun): string {
  const notes = files.flatMap((file) => [...undescribedNote(file), ...fileNotes(file)])
  if (interruptions > 0) notes.unshift(interruptionOf(interruptions))
  return [table(files, COLUMNS), ...(notes.length > 0 ? [''] : []), ...notes].join('\n')
}

const undescribedNote = ({ path, rowsUndescribed = 0, marketsUndescribed = 0 }: FileReport) =>
  rowsUndescribed === 0
    ? []
    : [
        `${text(path)}: ${amount(rowsUndescribed)} of the rows are of ${amount(marketsUndescribed)} markets that no file describes; import a file of markets to name them`,
      ]

function fileNotes({ path, error, reasons, rowsTakenBefore = 0 }: FileReport): string[] {
  return [
    ...(rowsTakenBefore === 0
      ? []
      : [
          `${text(path)}: ${amount(rowsTakenBefore)} of the rows were taken before the interruption`,
        ]),
    ...(error === null ? [] : [`${text(path)}: ${text(error)}`]),
    ...reasons.map(
      ({ reason, count, firstRow }) =>
        `${text(path)}: ${amount(count)} × ${text(reason)}, first in row ${amount(firstRow)}`,
    ),
  ]
}

function exitOf({ state, files }: ImportRun, isStrict: boolean): ExitCode {
  if (state === 'cancelled') throw cancellation('import')
  if (isStrict && files.some((file) => file.rowsRefused > 0)) return EXIT.refused
  if (state === 'failed' || files.some((file) => file.error !== null)) return EXIT.failed
  return EXIT.done
}
