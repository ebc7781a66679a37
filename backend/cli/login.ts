import { randomBytes } from 'node:crypto'
import { openBrowser } from './browser.ts'
import { checkCodeOf } from './check-code.ts'
import { createClient, type Client } from './client.ts'
import type { Call, Command } from './command.ts'
import { updateConfigFile } from './config-file.ts'
import { beginningOf, CONFIG_KEYS } from './config-keys.ts'
import { CliFailure, EXIT, misuse, type ExitCode } from './failure.ts'
import { keyOfLocalOwner } from './login-local.ts'
import { clean, lines, text } from './output.ts'
import { withKey, type Settings } from './settings.ts'

const POLL_MS = 2_000
/** Polls in a row that may find no service: a login survives its restart. */
const LOST_POLLS = 15
/** A login lives five minutes; a service that does not end it is not waited for any longer. */
const LONGEST_WAIT_MS = 6 * 60_000
const TOKEN_BYTES = 32
const LOCAL_NAME = 'CLI (local)'

/** `augury login`: a key for this command line, approved by a click in the terminal. */
export const loginCommand: Command = {
  name: 'login',
  synopsis: '[--local [--name N]] [--no-browser]',
  summary: 'a key for this command line, approved in the terminal',
  notes: [
    '  --local         from the running service of the data folder, without a browser',
    `  --name N        name of the key that --local makes (${LOCAL_NAME})`,
    '  --no-browser    print the address only',
    '',
    'With --json a line with address and check code comes first, then one with the outcome.',
    '',
  ],
  flags: { local: 'switch', name: 'word', 'no-browser': 'switch' },
  isCure: true,
  words: [0, 0],
  async run(call) {
    const { flags, settings } = call
    if (flags.on('local')) {
      const made = await keyOfLocalOwner(call, flags.word('name') ?? LOCAL_NAME)
      return keep(call, made.apiUrl, made.key)
    }
    if (flags.on('name')) throw misuse('--name goes with --local')
    return keep(call, settings.apiUrl, await keyByApproval(call))
  },
}

type Poll = { readonly status: 'pending' } | { readonly status: 'ready'; readonly apiKey: string }

/** Asks for a login, shows where it is approved, and waits for the key. @throws CliFailure */
async function keyByApproval({ flags, settings, around }: Call): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  // A limit is waited out whoever looks on: asking again is what a poll is, its pace is counted by
  // address too, and giving up would waste the click of a person who is about to approve.
  const client = clientOf(settings, null, around, true)
  await client.send('POST', '/api/auth/cli', { sessionToken: token })
  const address = `${appUrlOf(settings, around.env)}/#cli=${encodeURIComponent(token)}`
  const checkCode = checkCodeOf(token)
  if (flags.on('json')) {
    // A login follows what a person does, so it answers as follow modes do: a document a line, this
    // one and the outcome. On stderr it would stand before the one document of a failure.
    around.print(`${JSON.stringify({ status: 'pending', address, checkCode })}\n`)
  } else {
    around.tell(`Approve this login in the terminal: ${address}\n`)
    around.tell(`Check code: ${checkCode}\n`)
  }
  if (!flags.on('no-browser')) void openBrowser(address, around)
  const startedAt = around.clock.monotonic()
  for (let lost = 0; around.clock.monotonic() - startedAt < LONGEST_WAIT_MS;) {
    const body = await client.get('/api/auth/cli/poll', { token }).catch((error: unknown) => {
      if (!(error instanceof CliFailure)) throw error
      if (error.status === 410) throw expired()
      lost += 1
      if (error.code !== 'UNREACHABLE' || lost > LOST_POLLS) throw error
      return null
    })
    if (body !== null) {
      lost = 0
      const poll = JSON.parse(body) as Poll
      if (poll.status === 'ready') return poll.apiKey
    }
    await around.clock.sleep(POLL_MS, around.signal)
  }
  throw expired()
}

const expired = (): CliFailure =>
  new CliFailure(EXIT.missing, 'EXPIRED', 'The login expired or was used already', {
    ...{ status: 410, advice: 'Begin again with: augury login' },
  })

/** The terminal is where the service is, unless it was set apart as for the service itself. */
function appUrlOf({ apiUrl }: Settings, env: Call['around']['env']): string {
  const { AUGURY_APP_URL: named = '' } = env
  return (named === '' ? apiUrl : named).replace(/\/+$/, '')
}

const clientOf = (
  { apiUrl, timeoutMs }: Pick<Settings, 'apiUrl' | 'timeoutMs'>,
  key: string | null,
  around: Call['around'],
  waits: boolean,
): Client =>
  createClient({
    ...{ apiUrl, timeoutMs, authorization: key === null ? null : `Bearer ${key}` },
    ...{ clock: around.clock, signal: around.signal, waits },
  })

/** Stores the key with the service it is for, and says whose it is. */
async function keep(call: Call, apiUrl: string, key: string): Promise<ExitCode> {
  if (typeof key !== 'string' || CONFIG_KEYS.apiKey.faultOf(key) !== null) {
    throw new CliFailure(EXIT.failed, 'NO_KEY', 'The service answered without a key')
  }
  const { settings, around, flags } = call
  const { configPath } = settings
  try {
    await updateConfigFile(configPath, around, (config) => withKey(config, key, apiUrl))
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new CliFailure(EXIT.failed, 'NOT_STORED', `The key could not be stored: ${message}`, {
      ...{
        advice: `Revoke the one that begins ${beginningOf(key)} in the terminal.`,
        cause: error,
      },
    })
  }
  const { timeoutMs } = settings
  const waits = around.isInteractive || flags.on('wait')
  const user = await nameOf(clientOf({ apiUrl, timeoutMs }, key, around, waits))
  const kept = { key: beginningOf(key), user, address: apiUrl, file: configPath }
  around.print(
    flags.on('json')
      ? `${JSON.stringify({ ok: true, ...kept })}\n`
      : `${lines(Object.entries(kept).map(([name, value]) => [name, text(value)]))}\n`,
  )
  return EXIT.done
}

/** The key is stored whether or not its user can be named at once. */
async function nameOf(client: Client): Promise<string | null> {
  try {
    const { user } = JSON.parse(await client.get('/api/auth/me')) as { user: { name: string } }
    return clean(user.name)
  } catch {
    return null
  }
}
