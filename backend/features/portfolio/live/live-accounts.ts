import { CREDENTIAL_VENUES } from '../../../domain/credentials/credential-fields.ts'
import { eraseSecrets } from '../../../lib/secret-buffers.ts'
import type {
  CredentialsByVenue,
  OpenCredentials,
  OpenTrading,
  TradingClient,
  TradingVenue,
} from '../../../venues/trading.ts'

/** The venues that a user can trade at now, and why the others cannot be opened. */
export interface LiveClients {
  readonly clients: readonly TradingClient[]
  readonly failures: Readonly<Partial<Record<TradingVenue, string>>>
  /** Of those, the venues without stored credentials. */
  readonly missing: readonly TradingVenue[]
}

/**
 * Opens the accounts of a user for one piece of work. The buffers of their credentials are filled
 * with zero when it ends, however it ends.
 */
export async function withLiveClients<Result>(
  userId: string,
  deps: { readonly openCredentials: OpenCredentials; readonly openClient: OpenTrading },
  work: (live: LiveClients) => Promise<Result>,
): Promise<Result> {
  const { openCredentials, openClient } = deps
  const openedCredentials: CredentialsByVenue[TradingVenue][] = []
  const clients: TradingClient[] = []
  const failures: Partial<Record<TradingVenue, string>> = {}
  const missing: TradingVenue[] = []
  const open = async <V extends TradingVenue>(
    venue: V,
    openAccount: OpenTrading[V],
  ): Promise<void> => {
    try {
      const credentials = await openCredentials(userId, venue)
      if (credentials === null) {
        failures[venue] = `no credentials of ${venue} are stored`
        missing.push(venue)
        return
      }
      openedCredentials.push(credentials)
      clients.push(openAccount(credentials))
    } catch (error) {
      // A message of a parser could quote a key.
      const isOwn = error instanceof Error && error.message.startsWith('credentials for ')
      failures[venue] = isOwn ? error.message : `credentials for ${venue} cannot be opened`
    }
  }
  try {
    for (const venue of CREDENTIAL_VENUES) await open(venue, openClient[venue])
    return await work({ clients, failures, missing })
  } finally {
    for (const credentials of openedCredentials) eraseSecrets(credentials)
  }
}
