import type { Side, Ticker } from '../domain/market.ts'
import type { CredentialVenue } from '../domain/venue.ts'
import type { Millis, MoneyE6, PriceE4, SizeE6 } from '../domain/units.ts'

/** Credentials of a person at venue_a. The owner fills the buffer with zero after use. */
export interface VenueACredentials {
  readonly keyId: string
  /** UTF-8 text of a PEM, PKCS#1 or PKCS#8; RSA or Ed25519. */
  readonly privateKeyPem: Buffer
}

/** How venue_b's contracts check a signature: own account, proxy, Safe or deposit wallet. */
export type VenueBSignatureType = 0 | 1 | 2 | 3

/** Credentials of a person at venue_b. The owner fills the buffers with zero after use. */
export interface VenueBCredentials {
  /** 0x and 40 hex digits: the address of `privateKey`, which signs. */
  readonly walletAddress: string
  /** 32 bytes. */
  readonly privateKey: Buffer
  readonly signatureType: VenueBSignatureType
  /** The wallet that holds the funds; null when it is `walletAddress`. */
  readonly funder: string | null
  /** The API key of the wallet; null: all three are derived with `privateKey`. */
  readonly apiKey: string | null
  /** UTF-8 text, as the venue issued it. */
  readonly apiSecret: Buffer | null
  readonly passphrase: Buffer | null
}

/** The credentials of each venue that has some; their fields are those of its descriptor. */
export interface CredentialsByVenue extends Record<CredentialVenue, object> {
  readonly venue_a: VenueACredentials
  readonly venue_b: VenueBCredentials
}
export type TradingVenue = CredentialVenue

/**
 * Decrypts the credentials of a user for the run of one tick; null when none are stored. Secrets are
 * bytes, because texts of JavaScript cannot be erased: do not copy them and make no text of them.
 * The caller erases them with `eraseSecrets` when the tick ends, however it ends.
 * @throws Error `credentials for <venue> cannot be opened`
 */
export type OpenCredentials = <V extends TradingVenue>(
  userId: string,
  venue: V,
) => Promise<CredentialsByVenue[V] | null>

/** An order with a limit; prices are of the direction's side. */
export interface NewOrder {
  /** Unique for ever: the same id is never sent twice. */
  readonly clientOrderId: string
  readonly ticker: Ticker
  readonly action: 'buy' | 'sell'
  readonly direction: Side
  readonly size: SizeE6
  readonly limit: PriceE4
  /** `ioc` cancels what is not filled at once, `gtc` rests until it is cancelled. */
  readonly timeInForce: 'ioc' | 'gtc'
}

/**
 * An order that is ready to be sent, as it is stored before that. `reference` finds it at the venue
 * when its answer was lost: the client order id, or the hash of the signed order.
 */
export interface PreparedOrder {
  readonly order: NewOrder
  readonly reference: string
  /** The exact request body. */
  readonly body: string
  readonly preparedAt: Millis
}

/** An order as the venue reports it. */
export interface VenueOrder {
  readonly orderId: string
  readonly clientOrderId: string | null
  readonly ticker: Ticker
  /** Null for a status that is not known. */
  readonly status: 'resting' | 'filled' | 'cancelled' | null
  readonly filled: SizeE6 | null
  readonly remaining: SizeE6 | null
}

/** Result of sending an order. */
export type OrderAnswer =
  | { readonly kind: 'accepted'; readonly order: VenueOrder }
  | { readonly kind: 'rejected'; readonly reason: string }
  /** The venue has an order with this reference already. */
  | { readonly kind: 'duplicate' }
  /** The venue never read it: it did not leave this machine, or was refused for its rate. */
  | { readonly kind: 'not_sent'; readonly reason: string }
  /** It was sent and the answer is missing: the venue may have the order. */
  | { readonly kind: 'lost'; readonly reason: string }

/** A trade of the account; the price is of the direction's side. */
export interface VenueFill {
  /** The key of its ledger entry: `a:fill:<id>`, `b:fill:<id>`. */
  readonly key: string
  readonly orderId: string | null
  readonly ticker: Ticker
  readonly action: 'buy' | 'sell'
  readonly direction: Side
  readonly size: SizeE6
  readonly price: PriceE4
  /** Null when the venue does not state it. */
  readonly fee: MoneyE6 | null
  readonly liquidity: 'maker' | 'taker' | null
  readonly at: Millis
}

/** A position of the account; negative sizes hold NO. */
export interface VenuePosition {
  readonly ticker: Ticker
  readonly size: SizeE6
}

export interface VenuePage<Row> {
  readonly rows: readonly Row[]
  /** Cursor of the next page; null on the last one. */
  readonly next: string | null
}

/**
 * The account of one person at one venue, opened with their credentials. Reads are retried; an
 * order is sent once.
 * @throws VenueFailure when the venue refused or did not answer
 */
export interface TradingClient {
  readonly venue: TradingVenue
  /** Cash that orders can use. */
  balance(signal: AbortSignal): Promise<MoneyE6>
  positions(signal: AbortSignal): Promise<readonly VenuePosition[]>
  /** Trades at or after `since`. */
  fills(since: Millis, cursor: string | null, signal: AbortSignal): Promise<VenuePage<VenueFill>>
  /** The venue's own rows of payouts at or after `since`: settlements, or redemptions. */
  settlements(
    since: Millis,
    cursor: string | null,
    signal: AbortSignal,
  ): Promise<VenuePage<unknown>>
  /** Venue time minus our time in ms, by the last answer; null before any. */
  readonly clockOffset: number | null
  /** Builds and signs an order without sending it. @throws InvalidInput for one off the grid */
  prepareOrder(order: NewOrder, signal: AbortSignal): Promise<PreparedOrder>
  /** Sends a prepared order once, and never throws. */
  placeOrder(order: PreparedOrder, signal: AbortSignal): Promise<OrderAnswer>
  /** The order with a reference of `prepareOrder`; null when the venue has none. */
  orderByReference(order: PreparedOrder, signal: AbortSignal): Promise<VenueOrder | null>
  /** Cancels what rests of an order; an order that no longer rests is no error. */
  cancelOrder(order: Pick<VenueOrder, 'orderId' | 'ticker'>, signal: AbortSignal): Promise<void>
  openOrders(signal: AbortSignal): Promise<readonly VenueOrder[]>
}

/** Opens the account of a person with their credentials, by venue. */
export type OpenTrading = {
  readonly [V in TradingVenue]: (credentials: CredentialsByVenue[V]) => TradingClient
}

/** Trades of an account as the venue's own rows, newest first. */
export interface AccountHistory {
  /** Trades at or after `since`. @throws VenueFailure */
  fills(since: Millis, cursor: string | null, signal: AbortSignal): Promise<VenuePage<unknown>>
  /** Settlements of held markets at or after `since`. @throws VenueFailure */
  settlements(
    since: Millis,
    cursor: string | null,
    signal: AbortSignal,
  ): Promise<VenuePage<unknown>>
}
/** Opens the history of an account at venue_a with its credentials. */
export type OpenAccountHistory = (credentials: VenueACredentials) => AccountHistory
