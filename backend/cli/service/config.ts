import { resolve } from 'node:path'
import type { Call, Command } from '../command.ts'
import { readConfigFile, updateConfigFile, type Config } from '../config-file.ts'
import {
  beginningOf,
  CONFIG_NAMES,
  configKey,
  removalAdvice,
  DEFAULT_URL,
  problemOfStored,
  refuseProblem,
  type ConfigName,
} from './config-keys.ts'
import { CliFailure, EXIT, usageError, type ExitCode } from '../failure.ts'
import { nearest } from '../../domain/text/nearest.ts'
import { lines, text } from '../terminal/output.ts'
import { withAddress, withKey, withoutKey } from '../settings.ts'
import { LIMITED_BY_VERB, findVerb, type Verb, type Verbs } from '../verbs.ts'

/** `augury config`: shows and changes the configuration file. */
export const configCommand: Command = {
  name: 'config',
  synopsis: '[get KEY | set KEY VALUE | unset KEY | path] [--reveal]',
  summary: 'show or change the configuration file of the command line',
  notes: [
    `  keys            ${CONFIG_NAMES.slice(0, 4).join(', ')},`,
    `                  ${CONFIG_NAMES.slice(4).join(', ')}`,
    '  --reveal        show secrets in full, not only their beginning',
    '',
  ],
  flags: { reveal: 'switch' },
  verbs: ['get', 'set', 'unset', 'path'],
  repairsConfiguration: true,
  argumentCount: [0, LIMITED_BY_VERB],
  async run(call) {
    const [verb = 'list', ...rest] = call.args
    return findVerb('config', ACTIONS, verb, rest).run(call, rest)
  },
}

type Action = Verb<(call: Call, args: readonly string[]) => ExitCode | Promise<ExitCode>>

const ACTIONS: Verbs<Action> = {
  list: { argumentCount: [0, 0], usage: '[list]', run: list },
  get: {
    argumentCount: [1, 1],
    usage: 'get KEY',
    run: (call, [name = '']) => get(call, keyNamed(name)),
  },
  set: {
    argumentCount: [2, 2],
    usage: 'set KEY VALUE',
    run: (call, [name = '', value = '']) => set(call, keyNamed(name), value),
  },
  unset: {
    argumentCount: [1, 1],
    usage: 'unset KEY',
    run: (call, [name = '']) => unset(call, keyNamed(name)),
  },
  path: {
    argumentCount: [0, 0],
    usage: 'path',
    run({ flags, settings, system }) {
      const { configPath } = settings
      system.print(`${flags.has('json') ? JSON.stringify({ path: configPath }) : configPath}\n`)
      return EXIT.done
    },
  },
}

function keyNamed(name: string): ConfigName {
  const configName = CONFIG_NAMES.find((candidate) => candidate === name)
  if (configName !== undefined) return configName
  throw usageError(`unknown key "${name}"`, `Nearest: ${nearest(name, CONFIG_NAMES).join(', ')}`)
}

const configOf = ({ settings, system }: Call): Config =>
  // Loose modes were tightened and reported when the settings were read.
  readConfigFile(settings.configPath, system.platform, () => {})

/** A value as it may be shown. */
function displayValue(name: ConfigName, value: unknown, { flags }: Call): unknown {
  const { isSecret } = configKey(name)
  if (isSecret !== true || (value ?? null) === null || flags.has('reveal')) return value
  // A value that is not a string is not a key, so no part of it is shown.
  return beginningOf(typeof value === 'string' ? value : '')
}

function list(call: Call): ExitCode {
  const config = configOf(call)
  const names = CONFIG_NAMES.filter((name) => config[name] !== undefined)
  const pairs = names.map((name) => [name, displayValue(name, config[name], call)] as const)
  if (call.flags.has('json')) {
    call.system.print(`${JSON.stringify(Object.fromEntries(pairs))}\n`)
  } else if (pairs.length > 0) {
    call.system.print(`${lines(pairs.map(([name, value]) => [name, text(String(value))]))}\n`)
  }
  return EXIT.done
}

function get(call: Call, name: ConfigName): ExitCode {
  const { fallback } = configKey(name)
  const value = configOf(call)[name] ?? fallback
  if (value === undefined) {
    throw new CliFailure(EXIT.missing, 'NOT_SET', `${name} is not set`, {
      advice: `Set it with: augury config set ${name} VALUE`,
    })
  }
  const { flags, system } = call
  const answer = displayValue(name, value, call)
  system.print(`${flags.has('json') ? JSON.stringify({ [name]: answer }) : text(String(answer))}\n`)
  return EXIT.done
}

async function set(call: Call, name: ConfigName, value: string): Promise<ExitCode> {
  refuseProblem(name, value, name)
  const { settings, system } = call
  const { configPath, stored } = settings
  const { isPath = false } = configKey(name)
  const storedValue = isPath ? resolve(system.cwd, value) : value
  await updateConfigFile(configPath, system, (config) => {
    if (name === 'apiKey') return withKey(config, value, addressIn(config))
    return name === 'apiUrl' ? withAddress(config, value) : { ...config, [name]: storedValue }
  })
  if (name === 'apiUrl' && stored !== null && stored.origin !== new URL(value).origin) {
    system.report(`The stored key stays with ${stored.origin} and is not sent to ${value}.\n`)
  }
  return printSaved(call, name)
}

/** The address for which a key is stored. @throws CliFailure (usage) for an invalid one */
function addressIn({ apiUrl }: Config): string {
  const problem = problemOfStored('apiUrl', apiUrl)
  if (problem !== null)
    throw usageError(`a key is stored for apiUrl, which ${problem}`, removalAdvice('apiUrl'))
  return typeof apiUrl === 'string' && apiUrl !== '' ? apiUrl : DEFAULT_URL
}

async function unset(call: Call, name: ConfigName): Promise<ExitCode> {
  await updateConfigFile(call.settings.configPath, call.system, (config) => {
    if (config[name] === undefined) return config
    if (name === 'apiKey') return withoutKey(config)
    if (name === 'apiUrl') return withAddress(config, undefined)
    const { [name]: _gone, ...rest } = config
    return rest
  })
  return printSaved(call, name)
}

/** With `--json` a change prints the new value of the key. */
function printSaved(call: Call, name: ConfigName): ExitCode {
  if (call.flags.has('json')) {
    const value = displayValue(name, configOf(call)[name], call) ?? null
    call.system.print(`${JSON.stringify({ [name]: value })}\n`)
  }
  return EXIT.done
}
