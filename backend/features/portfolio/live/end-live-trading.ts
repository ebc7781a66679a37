import { CREDENTIAL_VENUES } from '../../../domain/credentials/credential-fields.ts'
import { venueName, type Venue } from '../../../domain/venue.ts'
import type { Clock } from '../../../lib/clock.ts'
import { Conflict } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/logger.ts'
import type { PerUserQueue } from '../../../lib/per-user-queue.ts'
import type { PortfolioStore } from '../portfolio.store.ts'
import type { LiveDesk } from './live-desk.ts'
import type { LiveOrdersStore } from './live-orders.store.ts'
import type { LiveWatch } from './live-watch.ts'

/**
 * Halts users and cancels their orders at exchanges, before their accounts are deleted: nothing
 * knows these orders afterwards. It throws Conflict while an order may still trade at a venue whose
 * credentials are stored; without credentials only the user can cancel it, and the deletion of the
 * credentials has reported it.
 */
export function createEndLiveTrading(deps: {
  readonly portfolios: PortfolioStore
  readonly desk: Pick<LiveDesk, 'interrupt'>
  readonly watch: Pick<LiveWatch, 'cancelAt'>
  /** Orders at the venues themselves, also while this run trades at a simulated exchange. */
  readonly venueOrders: Pick<LiveOrdersStore, 'open'>
  readonly hasCredentials: (userId: string, venue: Venue) => Promise<boolean>
  readonly userQueue: PerUserQueue
  readonly clock: Clock
  readonly log: Logger
}): (userId: string) => Promise<void> {
  const { portfolios, desk, watch, venueOrders, userQueue, clock, log } = deps

  const halt = async (userId: string): Promise<void> => {
    const { config } = await portfolios.read(userId)
    if (config.executionMode !== 'live') return
    const now = clock.now()
    const haltedConfig = { ...config, executionMode: 'halted' as const }
    await portfolios.change(
      userId,
      { config: haltedConfig, haltedAt: now, haltReason: 'user' },
      now,
    )
  }

  return async (userId) => {
    desk.interrupt(userId)
    await userQueue.run(userId, async () => {
      await halt(userId)
      const failedOrders = await watch.cancelAt(userId, CREDENTIAL_VENUES, 'the account is deleted')
      if (failedOrders.length > 0) {
        const orders = failedOrders.map(({ venue, clientOrderId }) => `${venue} ${clientOrderId}`)
        log.warn({ user: userId, orders }, 'orders of a user to be removed could not be cancelled')
      }
      const open = await venueOrders.open(userId)
      const venuesWithOrders: Venue[] = []
      for (const { venue, status } of open) {
        if (status === 'traded') continue
        if (await deps.hasCredentials(userId, venue)) venuesWithOrders.push(venue)
      }
      if (venuesWithOrders.length > 0) throw new Conflict(refusalText(venuesWithOrders))
    })
  }
}

/** @param venues the venue of each order */
function refusalText(venues: readonly Venue[]): string {
  const names = [...new Set(venues)].map(venueName).join(' and ')
  const [orders, them] =
    venues.length === 1 ? ['1 order', 'it'] : [`${venues.length} orders`, 'them']
  return (
    `the account was not deleted: ${orders} may still rest at ${names} and could not be cancelled. ` +
    `Retry while the service is connected to ${names}, or cancel ${them} there, delete the ` +
    `credentials of ${names} and then the account`
  )
}
