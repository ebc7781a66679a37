import { parseArgs } from 'node:util'
import { VENUES_EXCHANGE } from '../features/portfolio/live/live-exchange.ts'
import type { Millis } from '../domain/units.ts'
import { systemClock, type Clock } from '../lib/clock.ts'
import type { TradingVenue } from '../venues/trading.ts'
import { openAutopilot, type Autopilot } from './autopilot.ts'
import { dyingClient, type DyingClient } from './dying-client.ts'
import { simulatedCredentials } from './trading-credentials.ts'

/**
 * A process that trades an intent at the exchange and kills itself at a step of its order. Run with
 * the JSON of `LiveIntentRun` as argument.
 */
export interface LiveIntentRun extends DyingClient {
  readonly file: string
  readonly ticker: string
  /** Cents and contracts of the quote. */
  readonly touch: readonly [bid: number, ask: number, size: number]
  readonly contracts: number
  /** Its intent rests at this many cents; null for one that is filled at once. */
  readonly restsAt: number | null
  /** The intent that it deletes in place of making one; null for a new one. */
  readonly deletes: string | null
  /** Milliseconds that its clock is ahead. */
  readonly clockOffset: number
}

/** A clock that is ahead. Look-ups do not wait; time limits do. */
export const hastyClock = (offset: () => number): Clock => ({
  now: () => (systemClock.now() + offset()) as Millis,
  monotonic: () => systemClock.monotonic() + offset(),
  sleep: (span, signal) => systemClock.sleep(span < 10_000 ? 0 : span, signal),
})

/** The portfolio of a user who trades one market live. */
export function openLivePilot(
  run: LiveIntentRun,
  clock: Clock = hastyClock(() => run.clockOffset),
): Promise<Autopilot> {
  const { venue, assets, privateKeyPem } = run
  const client = dyingClient(run, clock)
  const stored = simulatedCredentials(privateKeyPem)
  return openAutopilot(run.file, clock.now(), {
    // This clock runs by itself.
    clock: clock as never,
    tickers: [run.ticker],
    hasStrategies: false,
    venueOf: () => venue,
    factsOf: () => ({ assetIds: assets }),
    touch: { [run.ticker]: run.touch },
    exchange: () => ({
      id: VENUES_EXCHANGE,
      isSample: false,
      epoch: 0,
      openClient: { venue_a: () => client, venue_b: () => client },
      openCredentials: <V extends TradingVenue>(_: string, one: V) =>
        Promise.resolve(one === venue ? stored[one] : null),
    }),
  })
}

const [target] = parseArgs({ allowPositionals: true }).positionals
if (target !== undefined) {
  const run = JSON.parse(target) as LiveIntentRun
  const pilot = await openLivePilot(run)
  if (run.deletes !== null) {
    await pilot.send('DELETE', `/api/intents/${run.deletes}`)
    // It dies before this ends.
    await pilot.run(AbortSignal.timeout(60_000))
  }
  await pilot.send('POST', '/api/intents', {
    marketId: run.ticker,
    action: 'buy',
    direction: 'yes',
    targetQuantity: run.contracts,
    maxPrice: run.restsAt ?? 99,
    executionStyle: run.restsAt === null ? 'ioc' : 'limit',
    autoExecute: true,
  })
  await pilot.settled()
}
