import { spawn } from 'node:child_process'
import type { CliEnvironment } from '../command.ts'
import { SERVICE_FLAGS } from '../../lib/process/service-flags.ts'
import { EXIT, type ExitCode } from '../failure.ts'

/**
 * Runs one of our programs on the terminal of the command until it ends. A signal that ends the
 * command first asks the program to stop; if the command is killed, the program ends too, because
 * the channel between them closes. Resolves with the program's exit code.
 */
export function runInForeground(
  program: string,
  args: readonly string[],
  system: CliEnvironment,
): Promise<ExitCode> {
  const child = spawn(process.execPath, [...SERVICE_FLAGS, program, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    cwd: system.cwd,
    env: { ...system.env },
  })
  const stop = (): void => void child.kill('SIGTERM')
  system.signal.addEventListener('abort', stop, { once: true })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      system.signal.removeEventListener('abort', stop)
      resolve((code ?? EXIT.failed) as ExitCode)
    })
  })
}
