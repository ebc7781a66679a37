import type { ReplayState } from '../../contract/replay.ts'
import { fileURLToPath } from 'node:url'
import { createClient, type Client } from '../client.ts'
import { printBody } from '../print-body.ts'
import type { JsonText } from '../route.ts'
import type { Call, Command } from '../command.ts'
import { CliFailure, EXIT, usageError, type ExitCode } from '../failure.ts'
import { runInForeground } from './foreground.ts'
import { lines, text } from '../terminal/output.ts'
import { LIMITED_BY_VERB, findVerb, type Verb, type Verbs } from '../verbs.ts'
import { newestReport, replayReport } from './replay-report.ts'
import { replaysOf } from './running-replays.ts'

const REPLAY = fileURLToPath(new URL('../../replay-process.ts', import.meta.url))
const START_FLAGS = ['from', 'to', 'speed', 'port', 'record', 'again'] as const

/** `augury replay`: starts a service at a stored time, and controls a running one. */
export const replayCommand: Command = {
  name: 'replay',
  synopsis:
    '--from T [flags] | --again FILE | state | pause | resume | step [N] | seek T | speed N|max|step | report',
  summary: 'run the whole service at a stored time, on its own port',
  notes: [
    '  --from T        start, ISO 8601; must be within the history of the data folder',
    '  --to T          end; by default the last stored row',
    '  --speed N       multiple of real time (1), max: as fast as possible, step: only on request',
    '  --port N        port to listen on; any free one by default',
    '  --record FILE   record what is traded, so that it can be run again',
    '  --again FILE    run a recording again, to the same report, and exit',
    '',
    'Verbs control the replay at --api-url, or the only one of the data folder:',
    '  state           show time and state',
    '  pause, resume   stop or continue its clock',
    '  step [N]        advance by N seconds, or to the next world snapshot',
    '  seek T          go to a time of the replay, forward or back',
    '  speed N         as --speed',
    '  report          show your paper trading so far, in the form of a backtest report',
    '  --html FILE     write the report as one page',
    '',
    'What is replayed and what is not: docs/replay.md',
    '',
  ],
  flags: {
    from: 'text',
    to: 'text',
    speed: 'text',
    port: 'text',
    html: 'text',
    record: 'text',
    again: 'text',
  },
  choices: { speed: ['step', 'max'] },
  verbs: ['state', 'pause', 'resume', 'step', 'seek', 'speed', 'report'],
  argumentCount: [0, LIMITED_BY_VERB],
  run(call) {
    const [verb, ...rest] = call.args
    if (verb === undefined) {
      if (call.flags.has('html')) throw usageError('--html is for replay report')
      return start(call)
    }
    const { run } = findVerb('replay', ACTIONS, verb, rest)
    const flag = START_FLAGS.find((name) => call.flags.has(name))
    if (flag !== undefined)
      throw usageError(`--${flag} starts a replay; replay ${verb} takes no flags`)
    if (call.flags.has('html') && verb !== 'report') throw usageError('--html is for replay report')
    const sendRequest = run(rest[0] ?? null)
    // The state is public, and a public route refuses the secret of a launch file.
    const client = clientOf(call, verb !== 'state')
    return verb === 'report' ? replayReport(call, client) : runAction(call, client, sendRequest)
  },
}

type SendRequest = (client: Client) => Promise<JsonText<ReplayState>>
/** Builds the request; invalid words are refused before it is sent. */
type Action = Verb<(argument: string | null) => SendRequest>

const control =
  (verb: 'pause' | 'resume' | 'step' | 'seek' | 'speed', body?: object) =>
  (client: Client): Promise<JsonText<ReplayState>> =>
    client.send('POST', `/api/replay/${verb}`, body)

const ACTIONS: Verbs<Action> = {
  state: {
    argumentCount: [0, 0],
    usage: 'state',
    run: () => (client) => client.get('/api/replay'),
  },
  pause: { argumentCount: [0, 0], usage: 'pause', run: () => control('pause') },
  resume: { argumentCount: [0, 0], usage: 'resume', run: () => control('resume') },
  step: {
    argumentCount: [0, 1],
    usage: 'step [N]',
    run: (n) => control('step', n === null ? {} : { n: secondsOf(n) }),
  },
  seek: { argumentCount: [1, 1], usage: 'seek T', run: (to) => control('seek', { to }) },
  report: {
    argumentCount: [0, 0],
    usage: 'report [--html FILE]',
    run: () => (client) => client.get('/api/replay'),
  },
  speed: {
    argumentCount: [1, 1],
    usage: 'speed N|max|step',
    run: (speed) => control('speed', { speed: speedOf(speed ?? '') }),
  },
}

function secondsOf(argument: string): number {
  const seconds = Number(argument)
  if (/^\d+(\.\d+)?$/.test(argument) && seconds > 0) return seconds
  throw usageError(`step takes a number of seconds above 0, was "${argument}"`)
}

/** The service validates the value and reports what it does not accept. */
const speedOf = (argument: string): number | string =>
  /^\d/.test(argument) ? Number(argument) : argument

const runAction = async (call: Call, client: Client, sendRequest: SendRequest): Promise<ExitCode> =>
  printBody(call, await sendRequest(client), ({ state, now, from, to, speed }) => {
    const facts = { now, state, speed: String(speed), from, to }
    return lines(Object.entries(facts).map(([name, value]) => [name, text(value)] as const))
  })

/** Runs the service in the foreground; flags and exit codes are those of the service. */
function start({ flags, settings, system }: Call): Promise<ExitCode> {
  const args = START_FLAGS.flatMap((name) => {
    const value = flags.text(name)
    return value === null ? [] : [`--${name}=${value}`]
  })
  const port = flags.has('port') ? [] : ['--port=0']
  const dataFlag = `--data=${settings.dataDir}`
  return runInForeground(REPLAY, [...args, ...port, dataFlag], system)
}

/**
 * Uses the given key, else acts as the owner of the replayed data folder, or without credentials.
 */
function clientOf(call: Call, asOwner: boolean): Client {
  const { settings, system, flags } = call
  const runningReplays = replaysOf(settings.dataDir)
  const { origin } = new URL(settings.apiUrl)
  const namedLaunch = runningReplays.find(({ url }) => new URL(url).origin === origin)
  if (settings.isNamed && (settings.apiKey !== null || namedLaunch === undefined))
    return call.client
  const [match, ...others] = namedLaunch === undefined ? runningReplays : [namedLaunch]
  if (match === undefined) {
    throw new CliFailure(EXIT.unreachable, 'NO_REPLAY', `No replay of ${settings.dataDir} runs`, {
      advice: adviceIn(settings.dataDir),
    })
  }
  if (others.length > 0) {
    const urls = runningReplays.map(({ url }) => url).join(', ')
    throw usageError(`Several replays run: ${urls}`, 'Name one with --api-url URL.')
  }
  return createClient({
    apiUrl: match.url,
    authorization: asOwner ? `Launch ${match.secret}` : null,
    timeoutMs: settings.timeoutMs,
    clock: system.clock,
    signal: system.signal,
    waitsForRateLimit: system.isInteractive || flags.has('wait'),
  })
}

/** Advice when no replay runs: reports of ended replays are on disk. */
function adviceIn(dataDir: string): string {
  const lastReport = newestReport(dataDir)
  const start = 'Start one with: augury replay --from T'
  return lastReport === null ? start : `${start}. The reports of the last one are in ${lastReport}`
}
