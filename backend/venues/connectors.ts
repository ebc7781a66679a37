import type { Venue } from '../domain/venue.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import type { VenueConnector } from './connector.ts'
import { createVenueA } from './venue-a/connector.ts'
import { createVenueB } from './venue-b/connector.ts'

/** Addresses of a running simulator. */
export interface SimulatorAddresses {
  readonly venueA: { readonly baseUrl: string; readonly wsUrl: string }
  readonly venueB: {
    readonly gammaUrl: string
    readonly clobUrl: string
    readonly dataUrl: string
    readonly wsUrl: string
  }
}

/** Options of every connector. */
export interface ConnectorOptions {
  readonly clock: Clock
  readonly random: () => number
  readonly logger: Logger
  /** The key pair for the venue's sockets; null when none is configured. */
  readonly keys: { readonly keyId: string; readonly privateKey: string } | null
  /** The simulator that replaces the venue; null for the venue itself. */
  readonly simulator: SimulatorAddresses | null
}

/** Creates the connector of a venue; null when the simulator has no such venue. */
type CreateConnector = (options: ConnectorOptions) => VenueConnector | null

/** The simulator needs no request limit. */
const SIMULATOR_BUDGET = { ratePerSecond: 5_000, burst: 5_000 }

const CONNECTORS: Readonly<Record<Venue, CreateConnector>> = {
  venue_a: ({ simulator, ...options }) =>
    simulator === null
      ? createVenueA(options)
      : createVenueA({ ...options, ...simulator.venueA, budget: SIMULATOR_BUDGET }),
  venue_b: ({ simulator, ...options }) =>
    simulator === null
      ? createVenueB(options)
      : createVenueB({ ...options, ...simulator.venueB, budget: SIMULATOR_BUDGET }),
}

/** The connector of a venue; null when the simulator has no such venue. */
export const createConnector = (venue: Venue, options: ConnectorOptions): VenueConnector | null =>
  CONNECTORS[venue](options)

/** Ports of a simulator in the order in which it binds them. */
export const portsOf = ({ venueA, venueB }: SimulatorAddresses): string[] =>
  [venueA.baseUrl, venueB.gammaUrl, venueB.clobUrl, venueB.dataUrl].map((url) => new URL(url).port)
