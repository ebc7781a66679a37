import { resolve } from 'node:path'
import { interrupted, type Client } from './client.ts'
import type { Call, Command } from './command.ts'
import { CliFailure, EXIT, misuse, type ExitCode } from './failure.ts'
import { amount, lines, text } from './output.ts'
import { withService } from './private-service.ts'

interface BackupRun {
  readonly id: string
  readonly state: 'running' | 'done' | 'failed' | 'cancelled'
  readonly out: string
  readonly at: string | null
  readonly filesDone: number
  readonly filesAll: number | null
  readonly rows: number
  readonly bytes: number
  readonly error: string | null
}

const POLL_MS = 300

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
    const say = (line: string): void => {
      if (!flags.on('quiet')) around.tell(`${line}\n`)
    }
    const body = {
      out: resolve(around.cwd, out),
      ...(flags.on('force') && { force: true }),
      ...(flags.on('with-secrets') && { withSecrets: true }),
    }
    return withService(call, say, (client) => backUpWith(client, body, call, say))
  },
}

async function backUpWith(
  client: Client,
  body: object,
  { flags, around }: Call,
  say: (line: string) => void,
): Promise<ExitCode> {
  const { id } = JSON.parse(await client.send('POST', '/api/backups', body)) as { id: string }
  const answer = await follow(client, id, around, say)
  const run = JSON.parse(answer) as BackupRun
  if (run.state === 'failed') throw new CliFailure(EXIT.failed, 'BACKUP_FAILED', text(run.error))
  if (run.state === 'cancelled') {
    throw new CliFailure(EXIT.failed, 'CANCELLED', 'The backup was cancelled')
  }
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

/** Polls until the backup has ended, telling of each second in which it went on. */
async function follow(
  client: Client,
  id: string,
  around: Call['around'],
  say: (line: string) => void,
): Promise<string> {
  let told = -1
  let toldAt = around.clock.now()
  for (;;) {
    const body = await client.get(`/api/backups/${id}`)
    const { state, filesDone, filesAll } = JSON.parse(body) as BackupRun
    if (state !== 'running') return body
    if (filesDone !== told && filesAll !== null && around.clock.now() - toldAt >= 1_000 - POLL_MS) {
      told = filesDone
      toldAt = around.clock.now()
      say(`${amount(filesDone)} of ${amount(filesAll)} files`)
    }
    try {
      await around.clock.sleep(POLL_MS, around.signal)
    } catch {
      // It may have ended by itself in the meantime; then there is nothing to cancel.
      await client.send('DELETE', `/api/backups/${id}`).catch(() => {})
      throw interrupted()
    }
  }
}
