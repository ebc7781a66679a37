import { spawn } from 'node:child_process'
import type { Surroundings } from './command.ts'
import { SERVICE_FLAGS } from '../lib/service-flags.ts'
import { EXIT, type ExitCode } from './failure.ts'

/**
 * Runs one of our programs on the terminal of the command until it ends; what ends the command
 * asks the program to stop first, and one that is killed takes it along: the channel between them
 * closes. Resolves with the exit code of the program.
 */
export function runInForeground(
  program: string,
  args: readonly string[],
  around: Surroundings,
): Promise<ExitCode> {
  const child = spawn(process.execPath, [...SERVICE_FLAGS, program, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    cwd: around.cwd,
    env: { ...around.env },
  })
  const stop = (): void => void child.kill('SIGTERM')
  around.signal.addEventListener('abort', stop, { once: true })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      around.signal.removeEventListener('abort', stop)
      resolve((code ?? EXIT.failed) as ExitCode)
    })
  })
}
