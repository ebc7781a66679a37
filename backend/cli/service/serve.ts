import { fileURLToPath } from 'node:url'
import type { CliEnvironment } from '../command.ts'
import type { ExitCode } from '../failure.ts'
import { runInForeground } from './foreground.ts'

export const BACKEND = fileURLToPath(new URL('../../main.ts', import.meta.url))

/** `augury serve`: runs the backend in the foreground, with its own flags and exit codes. */
export const serve = (args: readonly string[], system: CliEnvironment): Promise<ExitCode> =>
  runInForeground(BACKEND, args, system)
