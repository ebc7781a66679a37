import { createClient } from '../client.ts'
import { parseJson } from '../route.ts'
import type { Call } from '../command.ts'
import { CliFailure, EXIT } from '../failure.ts'
import { launchOf, ownersClient } from '../service/local-service.ts'

/** The session expires on its own: the command does not wait longer for a hanging service. */
const SIGN_OUT_MS = 5_000

/**
 * Creates a key of the local owner for a user who can read the data folder: the launch file's
 * secret is exchanged for a ticket, the ticket for a session, and the session creates a key named
 * `name`. The session is closed at the end.
 * @throws CliFailure
 */
export async function keyOfLocalOwner(
  call: Call,
  name: string,
): Promise<{ readonly apiUrl: string; readonly key: string }> {
  const { settings, system } = call
  const { url: apiUrl } = launchOf(call)
  const { ticket } = parseJson(await ownersClient(call).send('POST', '/api/auth/local'))
  const sharedFields = {
    apiUrl,
    authorization: null,
    timeoutMs: settings.timeoutMs,
    clock: system.clock,
    signal: system.signal,
    waitsForRateLimit: false,
  }
  const { headers } = await createClient(sharedFields).sendForHeaders(
    'POST',
    '/api/auth/exchange',
    {
      ticket,
    },
  )
  const [cookie] = headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  if (cookie === undefined) {
    throw new CliFailure(EXIT.failed, 'NO_SESSION', 'The service answered without a session')
  }
  // A write authorized by cookie sends its origin, as the page does.
  const ownerOptions = { ...sharedFields, headers: { cookie, origin: new URL(apiUrl).origin } }
  try {
    const { key } = parseJson(await createClient(ownerOptions).send('POST', '/api/keys', { name }))
    return { apiUrl, key }
  } finally {
    // The session is closed whether or not a key was created, even after an interrupt.
    const signOutOptions = { signal: new AbortController().signal, timeoutMs: SIGN_OUT_MS }
    await createClient({ ...ownerOptions, ...signOutOptions })
      .send('POST', '/api/auth/signout')
      .catch(() => {})
  }
}
