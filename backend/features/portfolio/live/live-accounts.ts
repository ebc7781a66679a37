import type {
  OpenCredentials,
  TradingClient,
  TradingVenue,
  VenueACredentials,
  VenueBCredentials,
} from '../../../venues/trading.ts'

/** The venues that a user can trade at now, and why the others cannot be opened. */
export interface LiveClients {
  readonly clients: readonly TradingClient[]
  readonly failures: Readonly<Partial<Record<TradingVenue, string>>>
  /** Of those, the venues without stored credentials. */
  readonly missing: readonly TradingVenue[]
}

/** Opens an account with credentials. */
export interface OpenClients {
  readonly venue_a: (credentials: VenueACredentials) => TradingClient
  readonly venue_b: (credentials: VenueBCredentials) => TradingClient
}

/**
 * Opens the accounts of a user for one piece of work. The buffers of their credentials are filled
 * with zero when it ends, however it ends.
 */
export async function withLiveClients<Result>(
  userId: string,
  deps: { readonly openCredentials: OpenCredentials; readonly openClient: OpenClients },
  work: (live: LiveClients) => Promise<Result>,
): Promise<Result> {
  const { openCredentials, openClient } = deps
  const secrets: Buffer[] = []
  const clients: TradingClient[] = []
  const failures: Partial<Record<TradingVenue, string>> = {}
  const missing: TradingVenue[] = []
  const attempt = async (venue: TradingVenue, open: () => Promise<TradingClient | null>) => {
    try {
      const client = await open()
      if (client !== null) clients.push(client)
      else {
        failures[venue] = `no credentials of ${venue} are stored`
        missing.push(venue)
      }
    } catch (error) {
      // A message of a parser could quote a key.
      const isOwn = error instanceof Error && error.message.startsWith('credentials for ')
      failures[venue] = isOwn ? error.message : `credentials for ${venue} cannot be opened`
    }
  }
  try {
    await attempt('venue_a', async () => {
      const credentials = await openCredentials(userId, 'venue_a')
      if (credentials === null) return null
      secrets.push(credentials.privateKeyPem)
      return openClient.venue_a(credentials)
    })
    await attempt('venue_b', async () => {
      const credentials = await openCredentials(userId, 'venue_b')
      if (credentials === null) return null
      const { privateKey, apiSecret, passphrase } = credentials
      secrets.push(...[privateKey, apiSecret, passphrase].filter((buffer) => buffer !== null))
      return openClient.venue_b(credentials)
    })
    return await work({ clients, failures, missing })
  } finally {
    for (const secret of secrets) secret.fill(0)
  }
}
