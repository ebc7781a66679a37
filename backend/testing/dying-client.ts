import { flushCompileCache } from 'node:module'
import { systemClock, type Clock } from '../lib/clock.ts'
import { systemRandom } from '../lib/random.ts'
import { RequestBudget } from '../venues/request-budget.ts'
import type { TradingClient, TradingVenue } from '../venues/trading.ts'
import { VenueATrading } from '../venues/venue-a/trading/client.ts'
import { VenueBTrading } from '../venues/venue-b/trading/client.ts'
import { simulatedCredentials } from './trading-credentials.ts'

/** Before the row, before the request, during it, before and after its answer is stored. */
export const KILL_STEPS = ['write', 'written', 'request', 'answer', 'stored'] as const
export type KillStep = (typeof KILL_STEPS)[number]
/** After the order: before its fills are read, once they are booked, and once its row is done. */
export const BOOKING_STEPS = ['fills', 'settlements', 'balance'] as const
export type BookingStep = (typeof BOOKING_STEPS)[number]

/** Before a cancellation leaves, and after its answer. */
export const CANCEL_STEPS = ['cancel', 'cancelled'] as const
export type CancelStep = (typeof CANCEL_STEPS)[number]

/** A client of a venue whose process kills itself at a step of its first order. */
export interface DyingClient {
  readonly venue: TradingVenue
  readonly addresses: { baseUrl: string; clobUrl: string; dataUrl: string }
  readonly privateKeyPem: string
  readonly assets: readonly string[]
  /** The step at which it dies; null for a client that lives. */
  readonly killAt: KillStep | BookingStep | CancelStep | null
}

/** Kills this process as `kill -9` does; the compiled code of its modules is kept for the next one. */
export const die = (): never => {
  flushCompileCache()
  process.kill(process.pid, 'SIGKILL')
  throw new Error('killed')
}

const boundReads = (client: TradingClient) => ({
  fills: client.fills.bind(client),
  settlements: client.settlements.bind(client),
  balance: client.balance.bind(client),
})

export function dyingClient(options: DyingClient, clock: Clock = systemClock): TradingClient {
  const { venue, addresses, privateKeyPem, assets, killAt } = options
  const credentials = simulatedCredentials(privateKeyPem)
  let isSent = false
  const isOrder = (init: RequestInit): boolean => {
    const body = typeof init.body === 'string' ? init.body : ''
    return init.method === 'POST' && /client_order_id|orderType/.test(body)
  }
  const common = {
    clock,
    random: systemRandom,
    budget: new RequestBudget({ ratePerSecond: 5_000, burst: 5_000, clock }),
    async fetch(url: string, init: RequestInit): Promise<Response> {
      if (killAt === 'written' && isOrder(init)) die()
      // The request leaves; its answer finds nobody.
      const response = fetch(url, init)
      if (killAt === 'request' && isOrder(init)) setTimeout(die, 3)
      await response
      if (killAt === 'answer' && isOrder(init)) die()
      isSent ||= isOrder(init)
      return response
    },
  }
  const client: TradingClient =
    venue === 'venue_a'
      ? new VenueATrading({
          ...common,
          baseUrl: addresses.baseUrl,
          credentials: credentials.venue_a,
        })
      : new VenueBTrading({
          ...common,
          ...addresses,
          credentials: credentials.venue_b,
          assetsOf: () => Promise.resolve(assets),
        })
  const cancelOrder = client.cancelOrder.bind(client)
  client.cancelOrder = async (...about) => {
    if (killAt === 'cancel') die()
    await cancelOrder(...about)
    if (killAt === 'cancelled') die()
  }
  if (killAt === 'write') {
    const prepareOrder = client.prepareOrder.bind(client)
    client.prepareOrder = async (...about) => {
      await prepareOrder(...about)
      return die()
    }
  }
  const { fills, settlements, balance } = boundReads(client)
  const dieIn = (step: BookingStep): void => {
    if (isSent && killAt === step) die()
  }
  client.fills = async (...about) => {
    dieIn('fills')
    return fills(...about)
  }
  client.settlements = async (...about) => {
    dieIn('settlements')
    return settlements(...about)
  }
  client.balance = async (signal) => {
    dieIn('balance')
    return balance(signal)
  }
  return client
}
