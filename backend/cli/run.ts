import { isoOf } from '../lib/clock.ts'
import { VERSION } from '../lib/files/package-root.ts'
import { createClient, interruption } from './client.ts'
import type { CliEnvironment } from './command.ts'
import { commandOf, GROUPS, COMMANDS, SERVE } from './commands.ts'
import { CliFailure, EXIT, usageError, type ExitCode } from './failure.ts'
import { GLOBAL_FLAGS, parseLine, type FlagTable } from './flags.ts'
import { helpOf, usageOf } from './help.ts'
import { progressReporterOf } from './service/job.ts'
import { nearest } from '../domain/text/nearest.ts'
import { clean, cleanLines } from './terminal/output.ts'
import { serve } from './service/serve.ts'
import { readSettings } from './settings.ts'

/**
 * Runs one command line to its end. Output goes to `print`, everything else to `report`; a failure
 * is reported as a line, or with `--json` as one JSON document.
 */
export async function runCli(args: readonly string[], system: CliEnvironment): Promise<ExitCode> {
  const name = commandNameOf(args)
  try {
    return await dispatch(name, args, system)
  } catch (error) {
    const failure = system.signal.aborted ? interruption() : failureOf(error)
    system.report(asksForJson(args) ? jsonFailure(failure, name, system) : textFailure(failure))
    return failure.exit
  }
}

/** Everything after `--` is a word. */
function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return (end === -1 ? args : args.slice(0, end)).includes('--json')
}

/** The first word after any global flags. */
function commandNameOf(args: readonly string[]): string | null {
  const globals: FlagTable = GLOBAL_FLAGS
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? ''
    if (!arg.startsWith('-')) return arg
    const kind = Object.hasOwn(globals, arg.slice(2)) ? globals[arg.slice(2)] : undefined
    if (kind === 'text' || kind === 'number') index += 1
  }
  return null
}

async function dispatch(
  name: string | null,
  args: readonly string[],
  system: CliEnvironment,
): Promise<ExitCode> {
  if (name === null) return withoutCommand(args, system)
  if (name === SERVE.name) return serve(args.toSpliced(args.indexOf(name), 1), system)
  const command = commandOf(name)
  if (command === null) {
    const names = COMMANDS.map((listing) => listing.name)
    throw usageError(
      `unknown command "${clean(name)}"`,
      `Nearest: ${nearest(name, names).join(', ')}`,
    )
  }
  const { flags, args: words } = parseLine(args, { ...GLOBAL_FLAGS, ...command.flags })
  if (flags.has('help')) {
    system.print(`${usageOf(command)}\n`)
    return EXIT.done
  }
  const rest = words.slice(1)
  const [min, max] = command.argumentCount
  if (rest.length < min || rest.length > max) {
    throw usageError(
      `wrong number of arguments after ${name}`,
      `Usage: augury ${name} ${command.synopsis}`.trimEnd(),
    )
  }
  const environment = { home: system.home, cwd: system.cwd, platform: system.platform }
  const reportProgress = (line: string): void => system.report(`${line}\n`)
  // With --json a failure is the only document on stderr, so warnings are held until the end.
  const warnings: string[] = []
  const warn = flags.has('json') ? (line: string) => void warnings.push(line) : reportProgress
  const settings = readSettings(flags, system.env, environment, warn, command.repairsConfiguration)
  const client = createClient({
    apiUrl: settings.apiUrl,
    timeoutMs: settings.timeoutMs,
    authorization: settings.apiKey === null ? null : `Bearer ${settings.apiKey}`,
    clock: system.clock,
    signal: system.signal,
    waitsForRateLimit: system.isInteractive || flags.has('wait'),
    reportProgress: progressReporterOf({ flags, system }),
  })
  const exit = await command.run({ args: rest, flags, settings, client, system })
  for (const line of warnings) reportProgress(line)
  return exit
}

function withoutCommand(args: readonly string[], system: CliEnvironment): ExitCode {
  const { flags } = parseLine(args, GLOBAL_FLAGS)
  if (flags.has('version')) {
    system.print(`${VERSION}\n`)
    return EXIT.done
  }
  if (!flags.has('help')) throw usageError('no command was given', 'See: augury --help')
  system.print(`${helpOf(GROUPS)}\n`)
  return EXIT.done
}

const failureOf = (error: unknown): CliFailure =>
  error instanceof CliFailure
    ? error
    : new CliFailure(EXIT.failed, 'FAILED', error instanceof Error ? error.message : String(error))

/** Messages may quote a service, a file or the command line: control characters are removed. */
const textFailure = ({ message, advice }: CliFailure): string =>
  `augury: ${clean(message)}\n${advice === null ? '' : `${cleanLines(advice)}\n`}`

const jsonFailure = (
  { code, message, status, details }: CliFailure,
  command: string | null,
  { clock }: CliEnvironment,
): string =>
  `${JSON.stringify({
    ok: false,
    command: command ?? '',
    error: { code, message: clean(message), status, details },
    meta: { fetchedAt: isoOf(clock.now()) },
  })}\n`
