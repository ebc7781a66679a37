import { randomBytes } from 'node:crypto'
import { openBrowser } from '../browser.ts'
import { checkCodeOf } from './check-code.ts'
import { createClient, type Client } from '../client.ts'
import { parseJson } from '../route.ts'
import type { Call, Command } from '../command.ts'
import { updateConfigFile } from '../config-file.ts'
import { beginningOf, configKey } from '../service/config-keys.ts'
import { CliFailure, EXIT, usageError, type ExitCode } from '../failure.ts'
import { keyOfLocalOwner } from './login-local.ts'
import { clean, lines, text } from '../terminal/output.ts'
import { withKey, type Settings } from '../settings.ts'

const POLL_MS = 2_000
/** Consecutive polls that may fail to reach a service: a login survives its restart. */
const LOST_POLLS = 15
/** A login lives five minutes; the command waits no longer for a service that does not end it. */
const MAX_WAIT_MS = 6 * 60_000
const TOKEN_BYTES = 32
const LOCAL_NAME = 'CLI (local)'

/** `augury login`: creates a key for this command line, approved by a click in the terminal. */
export const loginCommand: Command = {
  name: 'login',
  synopsis: '[--local [--name N]] [--no-browser]',
  summary: 'create a key for this command line, approved in the terminal',
  notes: [
    '  --local         from the running service of the data folder, without a browser',
    `  --name N        name of the key that --local creates (${LOCAL_NAME})`,
    '  --no-browser    print the address only',
    '',
    'With --json the first line holds the address and check code, the second the result.',
    '',
  ],
  flags: { local: 'switch', name: 'text', 'no-browser': 'switch' },
  repairsConfiguration: true,
  argumentCount: [0, 0],
  async run(call) {
    const { flags, settings } = call
    if (flags.has('local')) {
      const createdKey = await keyOfLocalOwner(call, flags.text('name') ?? LOCAL_NAME)
      return storeKey(call, createdKey.apiUrl, createdKey.key)
    }
    if (flags.has('name')) throw usageError('--name is only for --local')
    return storeKey(call, settings.apiUrl, await keyByApproval(call))
  },
}

/** Requests a login, shows where to approve it, and waits for the key. @throws CliFailure */
async function keyByApproval({ flags, settings, system }: Call): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  // Rate limits are always waited out: polling is expected, its rate is counted per address too,
  // and giving up would waste the approval of the user.
  const client = clientOf(settings, null, system, true)
  await client.send('POST', '/api/auth/cli', { sessionToken: token })
  const address = `${appUrlOf(settings, system.env)}/#cli=${encodeURIComponent(token)}`
  const checkCode = checkCodeOf(token)
  if (flags.has('json')) {
    // A login waits for a person, so like the follow modes it prints one document per line: this
    // one and the result. On stderr it would precede the single document of a failure.
    system.print(`${JSON.stringify({ status: 'pending', address, checkCode })}\n`)
  } else {
    system.report(`Approve this login in the terminal: ${address}\n`)
    system.report(`Check code: ${checkCode}\n`)
  }
  if (!flags.has('no-browser')) void openBrowser(address, system)
  const startedAt = system.clock.monotonic()
  for (let failures = 0; system.clock.monotonic() - startedAt < MAX_WAIT_MS;) {
    const body = await client.get('/api/auth/cli/poll', { token }).catch((error: unknown) => {
      if (!(error instanceof CliFailure)) throw error
      if (error.status === 410) throw expiredLoginFailure()
      failures += 1
      if (error.code !== 'UNREACHABLE' || failures > LOST_POLLS) throw error
      return null
    })
    if (body !== null) {
      failures = 0
      const poll = parseJson(body)
      if (poll.status === 'ready') return poll.apiKey
    }
    await system.clock.sleep(POLL_MS, system.signal)
  }
  throw expiredLoginFailure()
}

const expiredLoginFailure = (): CliFailure =>
  new CliFailure(EXIT.missing, 'EXPIRED', 'The login has expired or was already used', {
    status: 410,
    advice: 'Start again with: augury login',
  })

/**
 * The terminal is served by the service itself, unless it is configured separately as for the
 * service.
 */
function appUrlOf({ apiUrl }: Settings, env: Call['system']['env']): string {
  const { AUGURY_APP_URL: appUrl = '' } = env
  return (appUrl === '' ? apiUrl : appUrl).replace(/\/+$/, '')
}

const clientOf = (
  { apiUrl, timeoutMs }: Pick<Settings, 'apiUrl' | 'timeoutMs'>,
  key: string | null,
  system: Call['system'],
  waits: boolean,
): Client =>
  createClient({
    apiUrl,
    timeoutMs,
    authorization: key === null ? null : `Bearer ${key}`,
    clock: system.clock,
    signal: system.signal,
    waitsForRateLimit: waits,
  })

/** Stores the key with the address of its service and prints the user it belongs to. */
async function storeKey(call: Call, apiUrl: string, key: string): Promise<ExitCode> {
  if (typeof key !== 'string' || configKey('apiKey').problemOf(key) !== null) {
    throw new CliFailure(EXIT.failed, 'NO_KEY', 'The service answered without a key')
  }
  const { settings, system, flags } = call
  const { configPath } = settings
  try {
    await updateConfigFile(configPath, system, (config) => withKey(config, key, apiUrl))
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new CliFailure(EXIT.failed, 'NOT_STORED', `The key could not be stored: ${message}`, {
      advice: `Revoke the key that starts with ${beginningOf(key)} in the terminal.`,
      cause: error,
    })
  }
  const { timeoutMs } = settings
  const waits = system.isInteractive || flags.has('wait')
  const user = await nameOf(clientOf({ apiUrl, timeoutMs }, key, system, waits))
  const storedKey = { key: beginningOf(key), user, address: apiUrl, file: configPath }
  system.print(
    flags.has('json')
      ? `${JSON.stringify({ ok: true, ...storedKey })}\n`
      : `${lines(Object.entries(storedKey).map(([name, value]) => [name, text(value)]))}\n`,
  )
  return EXIT.done
}

/** The key is stored even when its user cannot be looked up. */
async function nameOf(client: Client): Promise<string | null> {
  try {
    const { user } = parseJson(await client.get('/api/auth/me'))
    return clean(user.name)
  } catch {
    return null
  }
}
