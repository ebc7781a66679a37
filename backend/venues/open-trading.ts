import type { Ticker } from '../domain/market.ts'
import type { Clock } from '../lib/clock.ts'
import type { SimulatorAddresses } from './connectors.ts'
import type { Fetch } from './http-client.ts'
import { RequestBudget } from './request-budget.ts'
import type {
  CredentialsByVenue,
  OpenAccountHistory,
  TradingClient,
  TradingVenue,
} from './trading.ts'
import { VenueATrading } from './venue-a/trading/client.ts'
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

/** Opens the account of a person with their credentials. */
export type OpenTrading = {
  readonly [V in TradingVenue]: (credentials: CredentialsByVenue[V]) => TradingClient
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
  return (credentials) =>
    new VenueATrading({ ...options, credentials, budget, baseUrl: VENUE_A }).account
}
