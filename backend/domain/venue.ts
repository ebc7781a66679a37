import {
  API_KEY_FIELDS,
  WALLET_FIELDS,
  type CredentialField,
} from './credentials/credential-field.ts'
import type { FeeTerms } from './fee-terms.ts'
import type { Millis, VolumeUnit } from './units.ts'

/** Properties of an exchange apart from its wire format. */
export interface VenueDescriptor {
  /** Id on the wire, in files and in stored rows. */
  readonly id: string
  /** Display name of the exchange. */
  readonly name: string
  /** Unique abbreviation for narrow columns. */
  readonly letter: string
  /** Delay after which a reader of the venue's feeds knows an event (methodology 0.1). */
  readonly publicationDelay: Millis
  /** Fee terms for markets whose own terms are unknown (methodology A15). */
  readonly fees: FeeTerms
  /** Unit of the volumes that the venue reports. */
  readonly volumeUnit: VolumeUnit
  /**
   * Markets open and close at their stated times without a message. Otherwise a market trades until
   * the venue reports that it closed.
   */
  readonly followsTimetable: boolean
  /** A pause of a market cancels its resting orders. */
  readonly pauseCancelsOrders: boolean
  /** The venue's sockets need a key pair; without one its data is polled. */
  readonly socketsNeedKeys: boolean
  /** Fields of the credentials of an account, in the order of the form; empty without trading. */
  readonly credentialFields: readonly CredentialField[]
  /** The service can read what an account traded with its credentials. */
  readonly hasAccountHistory: boolean
}

/**
 * Every venue, in the order in which venues are listed. Adding one means a row here and a connector
 * in `venues/connectors.ts`; CONTRIBUTING.md has an example.
 */
export const VENUE_TABLE = [
  {
    id: 'venue_a',
    name: 'Kalshi',
    letter: 'K',
    publicationDelay: 1_000 as Millis,
    fees: { model: 'quadratic', kind: 'quadratic', multiplier: 1, waivedUntil: null },
    volumeUnit: 'contracts',
    followsTimetable: true,
    pauseCancelsOrders: true,
    socketsNeedKeys: true,
    credentialFields: API_KEY_FIELDS,
    hasAccountHistory: true,
  },
  {
    id: 'venue_b',
    name: 'Polymarket',
    letter: 'P',
    publicationDelay: 5_000 as Millis,
    fees: { model: 'schedule', rate: 0.04, exponent: 1, takerOnly: true },
    volumeUnit: 'usd',
    followsTimetable: false,
    pauseCancelsOrders: false,
    socketsNeedKeys: false,
    credentialFields: WALLET_FIELDS,
    hasAccountHistory: false,
  },
] as const satisfies readonly VenueDescriptor[]

/** Id of a venue. */
export type Venue = (typeof VENUE_TABLE)[number]['id']

/** Id of a venue whose accounts have credentials. */
export type CredentialVenue = Exclude<
  (typeof VENUE_TABLE)[number],
  { readonly credentialFields: readonly [] }
>['id']
/** Id of a venue whose accounts the service can read. */
export type AccountHistoryVenue = Extract<
  (typeof VENUE_TABLE)[number],
  { readonly hasAccountHistory: true }
>['id']
export const ACCOUNT_HISTORY_VENUES = VENUE_TABLE.filter(
  ({ hasAccountHistory }) => hasAccountHistory,
).map(({ id }) => id) as readonly AccountHistoryVenue[]

/** Ids of all venues in the order of the table. */
export const VENUES = VENUE_TABLE.map(({ id }) => id) as readonly Venue[] as readonly [
  Venue,
  ...Venue[],
]

/** Names of all venues in the order of the table. */
export const VENUE_NAMES: readonly string[] = VENUE_TABLE.map(({ name }) => name)

const DESCRIPTORS: ReadonlyMap<string, VenueDescriptor> = new Map(
  VENUE_TABLE.map((descriptor) => [descriptor.id, descriptor]),
)

const VENUE_BY_NAME: ReadonlyMap<string, Venue> = new Map(
  VENUE_TABLE.flatMap(({ id, name, letter }) =>
    [id, name, letter].map((text): [string, Venue] => [text.toLowerCase(), id]),
  ),
)

/** The descriptor of a venue. Throws RangeError for an id that is not in the table. */
export function descriptorOf(venue: Venue): VenueDescriptor {
  const descriptor = DESCRIPTORS.get(venue)
  if (descriptor === undefined) throw new RangeError(`unknown venue ${venue}`)
  return descriptor
}

/** The venue that a text names by id, name or letter in any case; null when it names none. */
export const venueOf = (text: string): Venue | null =>
  VENUE_BY_NAME.get(text.trim().toLowerCase()) ?? null

/** Name of the exchange; an id that is not in the table is returned as it is. */
export const venueName = (id: string): string => DESCRIPTORS.get(id)?.name ?? id

/** Letter of the exchange; `?` for an id that is not in the table. */
export const venueLetter = (id: string): string => DESCRIPTORS.get(id)?.letter ?? '?'

/** A record with a value for each venue. */
export const byVenue = <T>(valueOf: (venue: Venue) => T): Record<Venue, T> =>
  Object.fromEntries(VENUES.map((venue) => [venue, valueOf(venue)])) as Record<Venue, T>

/** A record with a value for each venue under the venue's id and a suffix: `venue_aBalanceCents`. */
export const venueFields = <S extends string, T>(
  suffix: S,
  valueOf: (venue: Venue) => T,
): Record<`${Venue}${S}`, T> =>
  Object.fromEntries(VENUES.map((venue) => [`${venue}${suffix}`, valueOf(venue)])) as Record<
    `${Venue}${S}`,
    T
  >
