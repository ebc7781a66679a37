import { resolve } from 'node:path'
import type { Client } from '../client.ts'
import { parseJson } from '../route.ts'
import type { Call, Command } from '../command.ts'
import { EXIT, usageError, type ExitCode } from '../failure.ts'
import { followJob, refuseUnlessDone, progressReporterOf, type ProgressReporter } from './job.ts'
import { amount, lines, text } from '../terminal/output.ts'
import { withService } from './private-service.ts'

/** `augury backup --out FOLDER`: backs up everything stored while the service runs. */
export const backupCommand: Command = {
  name: 'backup',
  synopsis: '--out FOLDER [--force] [--with-secrets]',
  summary: 'back up the data folder while the service runs',
  flags: { out: 'text', force: 'switch', 'with-secrets': 'switch' },
  argumentCount: [0, 0],
  async run(call) {
    const { flags, system } = call
    const outPath = flags.text('out')
    if (outPath === null)
      throw usageError('--out is required', `Usage: augury backup ${backupCommand.synopsis}`)
    const body = {
      out: resolve(system.cwd, outPath),
      ...(flags.has('force') && { force: true }),
      ...(flags.has('with-secrets') && { withSecrets: true }),
    }
    const reportProgress = progressReporterOf(call)
    return withService(call, reportProgress, (client) =>
      backUpWith(client, body, call, reportProgress),
    )
  },
}

async function backUpWith(
  client: Client,
  body: object,
  { flags, system }: Call,
  reportProgress: ProgressReporter,
): Promise<ExitCode> {
  const { id } = parseJson(await client.send('POST', '/api/backups', body))
  let reportedFiles = -1
  const { body: answer, run } = await followJob(
    client,
    '/api/backups/:id',
    id,
    system,
    reportProgress,
    {
      progressLine({ filesDone, filesAll }) {
        if (filesDone === reportedFiles || filesAll === null) return null
        reportedFiles = filesDone
        return `${amount(filesDone)} of ${amount(filesAll)} files`
      },
    },
  )
  refuseUnlessDone('backup', run)
  const report = lines([
    ['folder', text(run.out)],
    ['as of', text(run.at)],
    ['day files', amount(run.filesDone)],
    ['rows', amount(run.rows)],
    ['bytes', amount(run.bytes)],
  ])
  system.print(flags.has('json') ? `${answer.trimEnd()}\n` : `${report}\n`)
  return EXIT.done
}
