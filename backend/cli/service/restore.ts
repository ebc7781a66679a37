import { fork } from 'node:child_process'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Millis } from '../../domain/units.ts'
import { isoOf } from '../../lib/clock.ts'
import type { Command, CliEnvironment } from '../command.ts'
import { interruption } from '../client.ts'
import { CliFailure, EXIT, type ExitCode } from '../failure.ts'
import { progressReporterOf, type ProgressReporter } from './job.ts'
import { amount, lines, minute } from '../terminal/output.ts'
import { acquireService, runningService } from './private-service.ts'

const STAGE = fileURLToPath(new URL('../../app/restore.ts', import.meta.url))

interface StagedBackup {
  readonly at: number
  readonly rows: number
  readonly files: number
}
type Message =
  | { readonly line: string }
  | { readonly done: StagedBackup }
  | { readonly failed: { readonly kind: string | null; readonly message: string } }

/** The exit code for each kind of failure. */
const EXITS: Readonly<Record<string, ExitCode>> = {
  InvalidInput: EXIT.usage,
  Conflict: EXIT.refused,
}

/** `augury restore FOLDER`: replaces the content of the data folder with a backup. */
export const restoreCommand: Command = {
  name: 'restore',
  synopsis: 'FOLDER [--force]',
  summary: 'replace the content of the data folder with a backup',
  flags: { force: 'switch' },
  argumentCount: [1, 1],
  async run(call) {
    const { args: words, flags, system } = call
    const { dataDir } = call.settings
    const reportProgress = progressReporterOf(call)
    const folder = resolve(system.cwd, words[0] ?? '')
    const stagedBackup = await stage(
      { dataDir, folder, force: flags.has('force') },
      system,
      reportProgress,
    )
    const isRunning = (await runningService(dataDir)) !== null
    // A service that opens the folder moves the staged restore into place and so proves that it
    // opens.
    if (!isRunning) await (await acquireService(dataDir, system, reportProgress)).release()
    const report = {
      ok: true,
      at: isoOf(stagedBackup.at as Millis),
      rows: stagedBackup.rows,
      files: stagedBackup.files,
      state: isRunning ? 'pending' : 'done',
    }
    system.print(
      flags.has('json')
        ? `${JSON.stringify(report)}\n`
        : `${lines([
            ['as of', minute(report.at)],
            ['rows', amount(report.rows)],
            ['state', report.state],
          ])}\n`,
    )
    if (isRunning) {
      reportProgress(
        'A service runs on this data folder: the restore is applied when it starts again.',
      )
      reportProgress(`To cancel it, remove ${join(dataDir, 'restore-pending')}.`)
    } else reportProgress(`The previous content is kept as ${join(dataDir, 'before-restore-…')}`)
    return EXIT.done
  },
}

function stage(
  task: object,
  system: CliEnvironment,
  reportProgress: ProgressReporter,
): Promise<StagedBackup> {
  const child = fork(STAGE, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [] })
  const stop = (): void => void child.kill('SIGTERM')
  system.signal.addEventListener('abort', stop, { once: true })
  let end: Message | null = null
  return new Promise<StagedBackup>((resolveStage, rejectStage) => {
    child.on('message', (message) => {
      const stageMessage = message as Message
      if ('line' in stageMessage) reportProgress(stageMessage.line)
      else end = stageMessage
    })
    child.once('error', rejectStage)
    child.once('close', (code) => {
      if (end !== null && 'done' in end) return resolveStage(end.done)
      if (system.signal.aborted) return rejectStage(interruption())
      const { kind, message } =
        end !== null && 'failed' in end
          ? end.failed
          : { kind: null, message: `The restore ended early (${code ?? 'killed'})` }
      rejectStage(new CliFailure(EXITS[kind ?? ''] ?? EXIT.failed, 'RESTORE_REFUSED', message))
    })
    child.send(task)
  }).finally(() => system.signal.removeEventListener('abort', stop))
}
