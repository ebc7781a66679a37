import { parseArgs } from 'node:util'
import type { PriceE4, SizeE6 } from '../domain/units.ts'
import { systemClock } from '../lib/clock.ts'
import type { LiveOrderPlan } from '../features/portfolio/live/live-orders.ts'
import { openState } from '../state/open.ts'
import { die, dyingClient, type DyingClient } from './dying-client.ts'
import { openLiveAccount } from './live-account.ts'

/**
 * A process that sends one live order and kills itself at a step of it. Run with the JSON of
 * `LiveOrderRun` as argument.
 */
export interface LiveOrderRun extends DyingClient {
  readonly file: string
  readonly userId: string
  readonly ticker: string
  readonly limit: number
  readonly tickId: string
}

async function run(options: LiveOrderRun): Promise<void> {
  const { userId, venue, ticker } = options
  const signal = AbortSignal.timeout(60_000)
  const state = await openState(options.file)
  const account = await openLiveAccount(state, systemClock, userId)
  const client = dyingClient(options)
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
