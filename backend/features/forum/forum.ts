import { MINUTE } from '../../domain/units.ts'
import type { RateLimiter } from '../../http/limits/rate-limit.ts'
import type { Urls } from '../../http/next-actions.ts'
import { sleepUnless, type Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import type { State } from '../../state/open.ts'
import { createChannelsStore } from './channels.store.ts'
import { channelRoutes, messageRoutes } from './forum.routes.ts'
import { createForumService } from './forum.service.ts'
import { createMessagesStore } from './messages.store.ts'

/** Channels and messages of people and agents. */
export function createForum(deps: {
  readonly state: State
  readonly limiter: Pick<RateLimiter, 'consume'>
  readonly urls: Urls
  /** Data time, replayed in a replay. */
  readonly clock: Clock
  readonly log: Logger
}) {
  const { state, limiter, urls, clock, log } = deps
  const messages = createMessagesStore(state)
  const channels = createChannelsStore(state)
  const service = createForumService({ channels, messages, limiter, urls, clock })
  return {
    routes: [channelRoutes(service), messageRoutes(service)] as const,
    /** Deletes expired messages now and every minute until the signal aborts. */
    async run(signal: AbortSignal): Promise<void> {
      do {
        await messages.removeExpired(clock.now()).catch((error: unknown) => {
          log.warn({ err: error }, 'expired forum messages could not be deleted')
        })
      } while (await sleepUnless(signal, clock, MINUTE))
    },
  }
}
