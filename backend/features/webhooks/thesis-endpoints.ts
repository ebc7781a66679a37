import { EVENT_NAMES } from '../../domain/webhooks/delivery.ts'
import type { WebhookEndpoint } from '../../domain/webhooks/endpoint.ts'
import type { Millis } from '../../domain/units.ts'
import type { Clock } from '../../lib/clock.ts'
import type { PerUserQueue } from '../../lib/per-user-queue.ts'
import type { UrlPolicy } from './url-policy.ts'
import type { WebhooksService } from './webhooks.service.ts'
import type { WebhooksStore } from './webhooks.store.ts'

const THESIS_EVENTS = EVENT_NAMES.filter((name) => name.startsWith('thesis.'))

interface OwnedThesis {
  readonly id: string
  readonly userId: string
}

/** The endpoints that theses manage: one each, for the events of that thesis. */
export function createThesisEndpoints(deps: {
  readonly store: WebhooksStore
  readonly service: Pick<WebhooksService, 'add' | 'expectRoom' | 'remove'>
  readonly policy: UrlPolicy
  readonly userQueue: PerUserQueue
  readonly clock: Clock
}) {
  const { store, service, policy, userQueue, clock } = deps
  const managedEndpoint = async ({ id, userId }: OwnedThesis): Promise<WebhookEndpoint | null> =>
    (await store.allOf(userId)).find(({ thesisId }) => thesisId === id) ?? null

  return {
    /** Address of the endpoint of a thesis if it existed at an instant. */
    async urlOf(thesis: OwnedThesis, at: Millis): Promise<string | null> {
      const endpoint = await managedEndpoint(thesis)
      return endpoint === null || endpoint.createdAt > at ? null : endpoint.url
    },
    /** @throws InvalidInput for a refused address, Conflict when no endpoint can be added */
    async checkedAddress(userId: string, url: string): Promise<string> {
      const address = await policy.check(url)
      await service.expectRoom(userId)
      return address
    },
    /**
     * Makes, moves or removes the endpoint of a thesis. Returns the secret of one that was made.
     * @param shortId names the endpoint
     */
    async set(
      thesis: OwnedThesis & { readonly shortId: string },
      url: string | null,
    ): Promise<{ readonly endpointId: string; readonly secret: string } | null> {
      const { id, userId, shortId } = thesis
      const managedRow = await managedEndpoint(thesis)
      if (url === null) {
        if (managedRow !== null) await service.remove(userId, managedRow.id)
        return null
      }
      const address = await policy.check(url)
      return await userQueue.run(userId, async () => {
        const current = await managedEndpoint(thesis)
        if (current === null) {
          const newEndpoint = { userId, url: address, label: `thesis ${shortId}`, thesisId: id }
          const { endpoint, secret } = await service.add({ ...newEndpoint, events: THESIS_EVENTS })
          return { endpointId: endpoint.id, secret }
        }
        const now = clock.now()
        await store.change({ ...current, url: address, updatedAt: now }, now)
        return null
      })
    },
  }
}
