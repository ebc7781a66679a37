import { readLaunch } from '../../lib/files/launch-file.ts'
import { createClient, noService, type Client } from '../client.ts'
import type { Call } from '../command.ts'
import { CliFailure, EXIT } from '../failure.ts'

/**
 * A client that acts as the owner of the data folder's running service, authenticated by its
 * launch file. The secret is sent only to the address in that file.
 * @throws CliFailure when no service runs there, or another one was named
 */
export function ownersClient({ settings, around, flags }: Call): Client {
  const launch = readLaunch(settings.dataDir)
  if (launch === null) throw noService(settings.apiUrl)
  const isAnother = new URL(settings.apiUrl).origin !== new URL(launch.url).origin
  // An address from the configuration file was not named for this command, so it is ignored.
  if (settings.isNamed && isAnother) {
    const message = `${settings.apiUrl} is not the service of ${settings.dataDir}, which runs at ${launch.url}`
    throw new CliFailure(EXIT.credential, 'NOT_LOCAL', message, {
      advice: 'Leave out --api-url, or name the data folder with --data DIR.',
    })
  }
  return createClient({
    apiUrl: launch.url,
    authorization: `Launch ${launch.secret}`,
    timeoutMs: settings.timeoutMs,
    clock: around.clock,
    signal: around.signal,
    waits: around.isInteractive || flags.on('wait'),
  })
}
