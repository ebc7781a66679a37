import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Surroundings } from './command.ts'
import { EXIT, type ExitCode } from './failure.ts'

export const BACKEND = fileURLToPath(new URL('../main.ts', import.meta.url))

/** `augury serve`: the backend in the foreground, with its own flags and exit codes. */
export function serve(args: readonly string[], around: Surroundings): Promise<ExitCode> {
  const child = spawn(process.execPath, [BACKEND, ...args], {
    stdio: 'inherit',
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
