import type { Launch } from '../../lib/files/launch-file.ts'
import { createClient, noService, type Client } from '../client.ts'
import type { Call } from '../command.ts'
import { CliFailure, EXIT, usageError } from '../failure.ts'
import { replaysOf, serviceOf } from './running-replays.ts'

/**
 * The launch file of the data folder's running service: of the named replay of the folder, else of
 * the service, else of the only replay.
 * @throws CliFailure when no service runs there, another one was named, or none of several replays
 */
export function launchOf({ settings }: Pick<Call, 'settings'>): Launch {
  const { dataDir, apiUrl, isNamed } = settings
  const replays = replaysOf(dataDir)
  const isNamedService = ({ url }: { url: string }): boolean =>
    new URL(url).origin === new URL(apiUrl).origin
  const namedLaunch = isNamed ? replays.find(isNamedService) : undefined
  const launch = namedLaunch ?? serviceOf(dataDir)
  if (launch === null && replays.length > 1) {
    const urls = replays.map(({ url }) => url).join(', ')
    throw usageError(`Several replays run: ${urls}`, 'Name one with --api-url URL.')
  }
  if (launch === null) throw noService(apiUrl)
  // An address from the configuration file was not named for this command, so it is ignored.
  if (isNamed && !isNamedService(launch)) {
    const message = `${apiUrl} is not the service of ${dataDir}, which runs at ${launch.url}`
    throw new CliFailure(EXIT.credential, 'NOT_LOCAL', message, {
      advice: 'Leave out --api-url, or name the data folder with --data DIR.',
    })
  }
  return launch
}

/**
 * A client that acts as the owner of the data folder's running service, authenticated by its
 * launch file, whose secret is sent only to the address in that file.
 * @throws CliFailure as `launchOf`
 */
export function ownersClient(call: Call): Client {
  const { settings, system, flags } = call
  const launch = launchOf(call)
  return createClient({
    apiUrl: launch.url,
    authorization: `Launch ${launch.secret}`,
    timeoutMs: settings.timeoutMs,
    clock: system.clock,
    signal: system.signal,
    waitsForRateLimit: system.isInteractive || flags.has('wait'),
  })
}

/** A client of the caller's account: with the given key, else as the owner of the data folder. */
export const accountClient = (call: Call): Client =>
  call.settings.apiKey === null ? ownersClient(call) : call.client
