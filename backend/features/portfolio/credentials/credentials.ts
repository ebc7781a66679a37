import { byVenue } from '../../../domain/venue.ts'
import type { Venue } from '../../../domain/market.ts'
import { isoOrNull } from '../../../http/presenters/market-ref.ts'
import type { Clock } from '../../../lib/clock.ts'
import { responseCipher } from '../../../lib/files/answer-seal.ts'
import type { PerUserQueue } from '../../../lib/per-user-queue.ts'
import type { State } from '../../../state/open.ts'
import { createRepeatedWrites } from '../../../state/repeated-writes.ts'
import type { OpenCredentials } from '../../../venues/trading.ts'
import type { PortfolioRecord, PortfolioStore } from '../portfolio.store.ts'
import { createAccountSecrets } from './account-secrets.ts'
import { credentialsRoutes } from './credentials.routes.ts'
import { createCredentialsService } from './credentials.service.ts'
import { createCredentialsStore } from './credentials.store.ts'
import { createOpenCredentials } from './open-credentials.ts'

/** Which venues a user stored credentials for, and when. */
export interface CredentialPresence {
  readonly credentials: Record<Venue, boolean>
  readonly credentialsUpdatedAt: Record<Venue, string | null>
}
export type ReadCredentialPresence = (userId: string) => Promise<CredentialPresence>

/** Encrypted credentials of venues: their routes, and their opening for the runner of a tick. */
export interface Credentials {
  readonly routes: ReturnType<typeof credentialsRoutes>
  readonly presence: ReadCredentialPresence
  readonly open: OpenCredentials
}

export function createCredentials(deps: {
  readonly state: State
  readonly portfolios: PortfolioStore
  readonly installationKey: () => string
  readonly onLiveEnded: (
    userId: string,
    before: PortfolioRecord,
    after: PortfolioRecord,
  ) => Promise<void>
  readonly cancelOrders: Parameters<typeof createCredentialsService>[0]['cancelOrders']
  readonly userQueue: PerUserQueue
  /** Time of the process: a person uploads, also during a replay. */
  readonly wallClock: Clock
}): Credentials {
  const { state, portfolios, installationKey, onLiveEnded, cancelOrders, userQueue, wallClock } =
    deps
  const store = createCredentialsStore(state)
  const secrets = createAccountSecrets(store, installationKey)
  const service = createCredentialsService({
    store,
    secrets,
    portfolios,
    onLiveEnded,
    cancelOrders,
    userQueue,
    clock: wallClock,
  })
  return {
    routes: credentialsRoutes(service, {
      keys: createRepeatedWrites(state, wallClock, responseCipher(installationKey)),
      envelopes: createRepeatedWrites(state, wallClock),
    }),
    async presence(userId) {
      const updatedAt = await store.updatedAt(userId)
      return {
        credentials: byVenue((venue) => updatedAt.has(venue)),
        credentialsUpdatedAt: byVenue((venue) => isoOrNull(updatedAt.get(venue) ?? null)),
      }
    },
    open: createOpenCredentials(store, secrets),
  }
}
