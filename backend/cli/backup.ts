import { resolve } from 'node:path'
import type { Client } from './client.ts'
import type { Call, Command } from './command.ts'
import { EXIT, misuse, type ExitCode } from './failure.ts'
import { followJob, refuseUnlessDone, sayOf, type JobRun, type Say } from './job.ts'
import { amount, lines, text } from './output.ts'
import { withService } from './private-service.ts'

interface BackupRun extends JobRun {
  readonly out: string
  readonly at: string | null
  readonly filesDone: number
  readonly filesAll: number | null
  readonly rows: number
  readonly bytes: number
  readonly error: string | null
}

/** `augury backup --out FOLDER`: everything that is stored, while the service goes on. */
export const backupCommand: Command = {
  name: 'backup',
  synopsis: '--out FOLDER [--force] [--with-secrets]',
  summary: 'copies the data folder while the service runs',
  flags: { out: 'word', force: 'switch', 'with-secrets': 'switch' },
  words: [0, 0],
  async run(call) {
    const { flags, around } = call
    const out = flags.word('out')
    if (out === null)
      throw misuse('--out is needed', `Usage: augury backup ${backupCommand.synopsis}`)
    const body = {
      out: resolve(around.cwd, out),
      ...(flags.on('force') && { force: true }),
      ...(flags.on('with-secrets') && { withSecrets: true }),
    }
    const say = sayOf(call)
    return withService(call, say, (client) => backUpWith(client, body, call, say))
  },
}

async function backUpWith(
  client: Client,
  body: object,
  { flags, around }: Call,
  say: Say,
): Promise<ExitCode> {
  const { id } = JSON.parse(await client.send('POST', '/api/backups', body)) as { id: string }
  let told = -1
  const { body: answer, run } = await followJob<BackupRun>(
    client,
    `/api/backups/${id}`,
    around,
    say,
    {
      far({ filesDone, filesAll }) {
        if (filesDone === told || filesAll === null) return null
        told = filesDone
        return `${amount(filesDone)} of ${amount(filesAll)} files`
      },
    },
  )
  refuseUnlessDone('backup', run)
  const report = lines([
    ['folder', text(run.out)],
    ['as of', text(run.at)],
    ['files of days', amount(run.filesDone)],
    ['rows', amount(run.rows)],
    ['bytes', amount(run.bytes)],
  ])
  around.print(flags.on('json') ? `${answer.trimEnd()}\n` : `${report}\n`)
  return EXIT.done
}
