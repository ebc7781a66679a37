import { readLaunch } from '../lib/launch-file.ts'
import { createClient } from './client.ts'
import type { Call } from './command.ts'
import { CliFailure, EXIT } from './failure.ts'
import { ownersClient } from './local-service.ts'

/** The session would end by itself in the end: a service that hangs is not waited for longer. */
const SIGN_OUT_MS = 5_000

/**
 * A key of the local owner, for who can read the data folder: the launch file's secret for a ticket,
 * the ticket for a session, and with the session a key named `name`. The session ends with it.
 * @throws CliFailure
 */
export async function keyOfLocalOwner(
  call: Call,
  name: string,
): Promise<{ readonly apiUrl: string; readonly key: string }> {
  const { settings, around } = call
  const owner = ownersClient(call)
  const apiUrl = readLaunch(settings.dataDir)?.url ?? settings.apiUrl
  const { ticket } = JSON.parse(await owner.send('POST', '/api/auth/local')) as { ticket: string }
  const shared = {
    ...{ apiUrl, authorization: null, timeoutMs: settings.timeoutMs },
    ...{ clock: around.clock, signal: around.signal, waits: false },
  }
  const { headers } = await createClient(shared).sendForHeaders('POST', '/api/auth/exchange', {
    ticket,
  })
  const [cookie] = headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  if (cookie === undefined) {
    throw new CliFailure(EXIT.failed, 'NO_SESSION', 'The service answered without a session')
  }
  // A write by cookie says where it comes from, as the page does.
  const asOwner = { ...shared, headers: { cookie, origin: new URL(apiUrl).origin } }
  try {
    const made = await createClient(asOwner).send('POST', '/api/keys', { name })
    const { key } = JSON.parse(made) as { key: string }
    return { apiUrl, key }
  } finally {
    // Nobody uses it any more, whatever became of the key, and whoever interrupted the command.
    const leaving = { signal: new AbortController().signal, timeoutMs: SIGN_OUT_MS }
    await createClient({ ...asOwner, ...leaving })
      .send('POST', '/api/auth/signout')
      .catch(() => {})
  }
}
