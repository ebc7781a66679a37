import { parseArgs } from 'node:util'
import type { PriceE4, SizeE6 } from '../domain/units.ts'
import { systemClock } from '../lib/clock.ts'
import { systemRandom } from '../lib/random.ts'
import type { LiveOrderPlan } from '../features/portfolio/live/live-orders.ts'
import { openState } from '../state/open.ts'
import { RequestBudget } from '../venues/request-budget.ts'
import { VenueATrading } from '../venues/venue-a/trading/client.ts'
import { VenueBTrading } from '../venues/venue-b/trading/client.ts'
import type { TradingClient, TradingVenue } from '../venues/trading.ts'
import { openLiveAccount } from './live-account.ts'
import { simulatedCredentials } from './trading-credentials.ts'

/** Before the row, before the request, during it, before and after its answer is stored. */
export const KILL_STEPS = ['write', 'written', 'request', 'answer', 'stored'] as const
export type KillStep = (typeof KILL_STEPS)[number]

/**
 * A process that sends one live order and kills itself at a step of it. Run with the JSON of
 * `LiveOrderRun` as argument.
 */
export interface LiveOrderRun {
  readonly file: string
  readonly userId: string
  readonly venue: TradingVenue
  readonly addresses: { baseUrl: string; clobUrl: string; dataUrl: string }
  readonly privateKeyPem: string
  readonly assets: readonly string[]
  readonly ticker: string
  readonly limit: number
  readonly tickId: string
  /** The step at which it dies. */
  readonly killAt: KillStep
}

const die = (): never => {
  process.kill(process.pid, 'SIGKILL')
  throw new Error('killed')
}

async function run(options: LiveOrderRun): Promise<void> {
  const { killAt, userId, venue, addresses, ticker, assets } = options
  const signal = AbortSignal.timeout(60_000)
  const state = await openState(options.file)
  const account = await openLiveAccount(state, systemClock, userId)
  const credentials = simulatedCredentials(options.privateKeyPem)
  const isOrder = (init: RequestInit): boolean => {
    const body = typeof init.body === 'string' ? init.body : ''
    return init.method === 'POST' && /client_order_id|orderType/.test(body)
  }
  const common = {
    clock: systemClock,
    random: systemRandom,
    budget: new RequestBudget({ ratePerSecond: 5_000, burst: 5_000, clock: systemClock }),
    async fetch(url: string, init: RequestInit): Promise<Response> {
      if (killAt === 'written' && isOrder(init)) die()
      // The request leaves; its answer finds nobody.
      const response = fetch(url, init)
      if (killAt === 'request' && isOrder(init)) setTimeout(die, 3)
      await response
      if (killAt === 'answer' && isOrder(init)) die()
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
  if (killAt === 'write') {
    const prepareOrder = client.prepareOrder.bind(client)
    client.prepareOrder = async (...about) => {
      await prepareOrder(...about)
      return die()
    }
  }
  const plan: LiveOrderPlan = {
    tickId: options.tickId,
    decision: 1,
    venue,
    ticker,
    marketTitle: ticker,
    category: 'economics',
    action: 'buy',
    direction: 'yes',
    size: 1_000_000 as SizeE6,
    limit: options.limit as PriceE4,
    timeInForce: 'ioc',
    source: 'autopilot',
    intentId: null,
    thesisId: null,
    strategyId: null,
    viewId: null,
    payload: {},
  }
  await account.orders.send(userId, plan, client, signal)
  die()
}

const [target] = parseArgs({ allowPositionals: true }).positionals
if (target !== undefined) await run(JSON.parse(target) as LiveOrderRun)
