import type { WatchedPage } from '../../backend/contract/orders/watch.ts'
import type { DeliveryPage } from '../../backend/contract/orders/deliveries.ts'
import { USER_QUERY } from './user-query.ts'
import { pathOf } from './path.ts'
import type { PolledQuery } from './source.svelte.ts'

const SECOND = 1_000

/** The user's watched objects with their alert rules. */
export const watchedPage: PolledQuery<WatchedPage> = {
  path: pathOf('/api/watch', { limit: 200 }),
  ...USER_QUERY,
  interval: 5 * SECOND,
}

/** The newest notices of fired alerts. */
export const alertDeliveries: PolledQuery<DeliveryPage> = {
  path: pathOf('/api/alert-deliveries', { event: 'alert.fired', limit: 20 }),
  ...USER_QUERY,
  interval: 2 * SECOND,
}

/** The newest notices in the terminal: of theses, endpoints and trading as well as of alerts. */
export const terminalNotices: PolledQuery<DeliveryPage> = {
  path: pathOf('/api/alert-deliveries', { channel: 'desktop', limit: 20 }),
  ...USER_QUERY,
  interval: 5 * SECOND,
}
