import { createPublicKey } from 'node:crypto'
import type { Ticker } from '../domain/market.ts'
import type { Clock } from '../lib/clock.ts'
import { VenueFailure } from './connector.ts'
import type { SimulatorAddresses } from './connectors.ts'
import type { Fetch } from './http-client.ts'
import { RequestBudget } from './request-budget.ts'
import type { AccountHistory, OpenAccountHistory, OpenTrading } from './trading.ts'
import { VenueATrading, type VenueATradingOptions } from './venue-a/trading/client.ts'
import { VenueBTrading } from './venue-b/trading/client.ts'

export interface TradingOptions {
  readonly clock: Clock
  readonly random: () => number
  /** The simulator that replaces the venues; null for the venues themselves. */
  readonly simulator: SimulatorAddresses | null
  /** Tokens of YES and NO of a market; empty when unknown. */
  readonly assetsOf: (ticker: Ticker) => Promise<readonly string[]>
  readonly fetch?: Fetch
}

const VENUE_A = 'https://external-api.kalshi.com/trade-api/v2'
const CLOB = 'https://clob.polymarket.com'
const DATA = 'https://data-api.polymarket.com'
/** Far below the limits of both venues for accounts of the lowest tier. */
const BUDGET = { ratePerSecond: 5, burst: 10 }

/** One request budget a venue, shared by all accounts. */
export function createTrading({ simulator, ...options }: TradingOptions): OpenTrading {
  const { clock } = options
  const budgets = {
    a: new RequestBudget({ ...BUDGET, clock }),
    b: new RequestBudget({ ...BUDGET, clock }),
  }
  return {
    venue_a: (credentials) =>
      new VenueATrading({
        ...options,
        credentials,
        budget: budgets.a,
        baseUrl: simulator?.venueA.baseUrl ?? VENUE_A,
      }),
    venue_b: (credentials) =>
      new VenueBTrading({
        ...options,
        credentials,
        budget: budgets.b,
        clobUrl: simulator?.venueB.clobUrl ?? CLOB,
        dataUrl: simulator?.venueB.dataUrl ?? DATA,
      }),
  }
}

/** Opens the history of accounts at venue_a; all of them share a request budget. */
export function createAccountHistory(
  options: Pick<TradingOptions, 'clock' | 'random' | 'fetch'>,
): OpenAccountHistory {
  const budget = new RequestBudget({ ...BUDGET, clock: options.clock })
  return (credentials) => historyAt(VENUE_A, { ...options, budget, credentials })
}

/**
 * Opens the history of accounts at the simulated venue_a, which has an account for every key: the
 * first read registers the key, and later ones must be signed with it.
 */
export function createSimulatedHistory(
  options: Pick<TradingOptions, 'clock' | 'random' | 'fetch'>,
  { venueA: { baseUrl } }: SimulatorAddresses,
): OpenAccountHistory {
  const budget = new RequestBudget({ ...BUDGET, clock: options.clock })
  const request = options.fetch ?? fetch
  return (credentials) => {
    const account = historyAt(baseUrl, { ...options, budget, credentials })
    const register = async (signal: AbortSignal): Promise<void> => {
      const publicKey = createPublicKey(credentials.privateKeyPem)
      const holder = {
        keyId: credentials.keyId,
        publicKey: publicKey.export({ type: 'spki', format: 'pem' }),
      }
      const body = JSON.stringify(holder)
      const response = await request(new URL('/control/accounts', baseUrl).href, {
        method: 'POST',
        body,
        signal,
      }).catch((cause: unknown) => {
        throw new VenueFailure('venue_a', 'is not reachable', { retryable: true, cause })
      })
      // A key id of another key is refused by the signed read that follows.
      await response.body?.cancel()
    }
    return {
      async fills(since, cursor, signal) {
        await register(signal)
        return await account.fills(since, cursor, signal)
      },
      settlements: (since, cursor, signal) => account.settlements(since, cursor, signal),
    }
  }
}

/** Reads an account; a read that is aborted fails with the last refusal of the venue. */
function historyAt(
  baseUrl: string,
  options: Omit<VenueATradingOptions, 'baseUrl'>,
): AccountHistory {
  const request = options.fetch ?? fetch
  let refusedStatus: number | null = null
  const watchedFetch: Fetch = async (url, init) => {
    const response = await request(url, init)
    refusedStatus = response.ok ? null : response.status
    return response
  }
  const { account } = new VenueATrading({ ...options, baseUrl, fetch: watchedFetch })
  const withRefusalReason = async <T>(reading: Promise<T>, signal: AbortSignal): Promise<T> => {
    try {
      return await reading
    } catch (cause) {
      if (!signal.aborted) throw cause
      const details = { status: refusedStatus, retryable: true, cause }
      throw new VenueFailure('venue_a', 'the time limit was reached', details)
    }
  }
  return {
    fills: (since, cursor, signal) =>
      withRefusalReason(account.fills(since, cursor, signal), signal),
    settlements: (since, cursor, signal) =>
      withRefusalReason(account.settlements(since, cursor, signal), signal),
  }
}
