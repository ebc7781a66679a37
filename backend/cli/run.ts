import { isoOf } from '../lib/clock.ts'
import { VERSION } from '../lib/package-root.ts'
import { backupCommand } from './backup.ts'
import { candlesCommand } from './candles.ts'
import { createClient, interrupted } from './client.ts'
import type { Command, Surroundings } from './command.ts'
import { doctorCommand } from './doctor.ts'
import { exportCommand } from './export.ts'
import { CliFailure, EXIT, misuse, type ExitCode } from './failure.ts'
import { GLOBAL_FLAGS, parseLine, type FlagTable } from './flags.ts'
import { importCommand } from './import.ts'
import { keysCommand } from './keys.ts'
import { marketCommand } from './market.ts'
import { marketsCommand } from './markets.ts'
import { nearest } from './nearest.ts'
import { openCommand } from './open.ts'
import { restoreCommand } from './restore.ts'
import { serve } from './serve.ts'
import { readSettings } from './settings.ts'

const COMMANDS: readonly Command[] = [
  importCommand,
  exportCommand,
  marketsCommand,
  marketCommand,
  candlesCommand,
  keysCommand,
  openCommand,
  backupCommand,
  restoreCommand,
  doctorCommand,
]
const SERVE = 'serve'
const NAMES = [SERVE, ...COMMANDS.map((command) => command.name)]

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
    around.tell(args.includes('--json') ? asJson(failure, name, around) : asText(failure))
    return failure.exit
  }
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
  if (name === SERVE) return serve(args.toSpliced(args.indexOf(SERVE), 1), around)
  const command = COMMANDS.find((candidate) => candidate.name === name)
  if (command === undefined) {
    throw misuse(`unknown command "${name}"`, `Nearest: ${nearest(name, NAMES).join(', ')}`)
  }
  const { flags, words } = parseLine(args, { ...GLOBAL_FLAGS, ...command.flags })
  if (flags.on('help')) {
    around.print(`${usageOf(command)}\n`)
    return EXIT.done
  }
  const given = words.slice(1)
  const [least, most] = command.words
  if (given.length < least || given.length > most) {
    throw misuse(`wrong number of words after ${name}`, `Usage: augury ${name} ${command.synopsis}`)
  }
  const place = { home: around.home, cwd: around.cwd, platform: around.platform }
  const settings = readSettings(flags, around.env, place, (line) => around.tell(`${line}\n`))
  const client = createClient({
    ...{ apiUrl: settings.apiUrl, timeoutMs: settings.timeoutMs },
    authorization: settings.apiKey === null ? null : `Bearer ${settings.apiKey}`,
    ...{ clock: around.clock, signal: around.signal },
    waits: around.isInteractive || flags.on('wait'),
  })
  return command.run({ words: given, flags, settings, client, around })
}

function withoutCommand(args: readonly string[], around: Surroundings): ExitCode {
  const { flags } = parseLine(args, GLOBAL_FLAGS)
  if (flags.on('version')) {
    around.print(`${VERSION}\n`)
    return EXIT.done
  }
  if (!flags.on('help')) throw misuse('no command given', 'See: augury --help')
  around.print(`${helpOf()}\n`)
  return EXIT.done
}

const usageOf = ({ name, synopsis, summary, notes = [] }: Command): string =>
  [`Usage: augury ${name} ${synopsis}`, '', summary, '', ...notes, GLOBAL_HELP].join('\n')

const GLOBAL_HELP = [
  'Everywhere:',
  '  --json          one JSON document on stdout, failures as JSON on stderr',
  '  --api-url URL   the service to ask; by default the one of the data folder',
  '  --api-key KEY   key to ask with',
  '  --data DIR      the data folder',
  '  --as-of ISO     answer as of a past instant',
  '  --timeout S     seconds to wait for an answer (30)',
  '  --wait          wait once where the service asks to',
  '  --quiet         no progress on stderr',
].join('\n')

function helpOf(): string {
  const rows = [
    [SERVE, 'the backend in the foreground; its flags: augury serve --help'],
    ...COMMANDS.map(({ name, summary }) => [name, summary]),
  ]
  const commands = rows.map(([name = '', summary = '']) => `  ${name.padEnd(16)}${summary}`)
  return ['Usage: augury COMMAND [flags]', '', ...commands, '', GLOBAL_HELP].join('\n')
}

const failureOf = (error: unknown): CliFailure =>
  error instanceof CliFailure
    ? error
    : new CliFailure(EXIT.failed, 'FAILED', error instanceof Error ? error.message : String(error))

const asText = ({ message, advice }: CliFailure): string =>
  advice === null ? `augury: ${message}\n` : `augury: ${message}\n${advice}\n`

const asJson = (
  { code, message, status, details }: CliFailure,
  command: string | null,
  { clock }: Surroundings,
): string =>
  `${JSON.stringify({
    ok: false,
    command: command ?? '',
    error: { code, message, status, details },
    meta: { fetchedAt: isoOf(clock.now()) },
  })}\n`
