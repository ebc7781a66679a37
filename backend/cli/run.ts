import { isoOf } from '../lib/clock.ts'
import { VERSION } from '../lib/package-root.ts'
import { createClient, interrupted } from './client.ts'
import type { Surroundings } from './command.ts'
import { commandOf, GROUPS, LISTED, SERVE } from './commands.ts'
import { CliFailure, EXIT, misuse, type ExitCode } from './failure.ts'
import { GLOBAL_FLAGS, parseLine, type FlagTable } from './flags.ts'
import { helpOf, usageOf } from './help.ts'
import { sayOf } from './job.ts'
import { nearest } from './nearest.ts'
import { clean, cleanLines } from './output.ts'
import { serve } from './serve.ts'
import { readSettings } from './settings.ts'

/**
 * Runs one line of the command line to its end. Text goes to `print`, everything else to `tell`;
 * a failure is told as a line, or with `--json` as one JSON document.
 */
export async function runCli(args: readonly string[], around: Surroundings): Promise<ExitCode> {
  const name = commandNameOf(args)
  try {
    return await dispatch(name, args, around)
  } catch (error) {
    const failure = around.signal.aborted ? interrupted() : failureOf(error)
    around.tell(asksForJson(args) ? asJson(failure, name, around) : asText(failure))
    return failure.exit
  }
}

/** What follows `--` is words. */
function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return (end === -1 ? args : args.slice(0, end)).includes('--json')
}

/** The first word, seen past the global flags before it. */
function commandNameOf(args: readonly string[]): string | null {
  const globals: FlagTable = GLOBAL_FLAGS
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? ''
    if (!arg.startsWith('-')) return arg
    const kind = Object.hasOwn(globals, arg.slice(2)) ? globals[arg.slice(2)] : undefined
    if (kind === 'word' || kind === 'number') index += 1
  }
  return null
}

async function dispatch(
  name: string | null,
  args: readonly string[],
  around: Surroundings,
): Promise<ExitCode> {
  if (name === null) return withoutCommand(args, around)
  if (name === SERVE.name) return serve(args.toSpliced(args.indexOf(name), 1), around)
  const command = commandOf(name)
  if (command === null) {
    const names = LISTED.map((listed) => listed.name)
    throw misuse(`unknown command "${clean(name)}"`, `Nearest: ${nearest(name, names).join(', ')}`)
  }
  const { flags, words } = parseLine(args, { ...GLOBAL_FLAGS, ...command.flags })
  if (flags.on('help')) {
    around.print(`${usageOf(command)}\n`)
    return EXIT.done
  }
  const given = words.slice(1)
  const [least, most] = command.words
  if (given.length < least || given.length > most) {
    throw misuse(
      `wrong number of words after ${name}`,
      `Usage: augury ${name} ${command.synopsis}`.trimEnd(),
    )
  }
  const place = { home: around.home, cwd: around.cwd, platform: around.platform }
  const say = (line: string): void => around.tell(`${line}\n`)
  // A failure with --json is alone on stderr, so what is to be told besides waits for the end.
  const warnings: string[] = []
  const warn = flags.on('json') ? (line: string) => void warnings.push(line) : say
  const settings = readSettings(flags, around.env, place, warn, command.isCure)
  const client = createClient({
    ...{ apiUrl: settings.apiUrl, timeoutMs: settings.timeoutMs },
    authorization: settings.apiKey === null ? null : `Bearer ${settings.apiKey}`,
    ...{ clock: around.clock, signal: around.signal },
    waits: around.isInteractive || flags.on('wait'),
    say: sayOf({ flags, around }),
  })
  const exit = await command.run({ words: given, flags, settings, client, around })
  for (const line of warnings) say(line)
  return exit
}

function withoutCommand(args: readonly string[], around: Surroundings): ExitCode {
  const { flags } = parseLine(args, GLOBAL_FLAGS)
  if (flags.on('version')) {
    around.print(`${VERSION}\n`)
    return EXIT.done
  }
  if (!flags.on('help')) throw misuse('no command given', 'See: augury --help')
  around.print(`${helpOf(GROUPS)}\n`)
  return EXIT.done
}

const failureOf = (error: unknown): CliFailure =>
  error instanceof CliFailure
    ? error
    : new CliFailure(EXIT.failed, 'FAILED', error instanceof Error ? error.message : String(error))

/** What was said may quote a service, a file or the line itself: none of them steers the terminal. */
const asText = ({ message, advice }: CliFailure): string =>
  `augury: ${clean(message)}\n${advice === null ? '' : `${cleanLines(advice)}\n`}`

const asJson = (
  { code, message, status, details }: CliFailure,
  command: string | null,
  { clock }: Surroundings,
): string =>
  `${JSON.stringify({
    ok: false,
    command: command ?? '',
    error: { code, message: clean(message), status, details },
    meta: { fetchedAt: isoOf(clock.now()) },
  })}\n`
