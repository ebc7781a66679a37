import type { Millis, MoneyE6 } from '../../../domain/units.ts'
import { VenueFailure } from '../../connector.ts'
import { listOf, scaledOf, textOf, wireOf } from '../../fields.ts'
import type { HttpClient, Query } from '../../http-client.ts'
import type { VenuePage } from '../../trading.ts'

const PAGE = 200

/** Signed reads of an account; rows are returned as sent. */
export class AccountApi {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

  async balance(signal: AbortSignal): Promise<MoneyE6> {
    const body = wireOf(await this.#read('/portfolio/balance', {}, signal))
    const dollars = scaledOf(body?.['balance_dollars'], 6)
    const money = dollars ?? scaledOf(body?.['balance'], 4)
    if (money === null) throw unreadable('balance')
    return money as MoneyE6
  }

  positions(cursor: string | null, signal: AbortSignal): Promise<VenuePage<unknown>> {
    const query = { limit: PAGE, cursor, count_filter: 'position' }
    return this.#page('/portfolio/positions', 'market_positions', query, signal)
  }

  /** Fills at or after `since`, in the venue's order: newest first. */
  fills(since: Millis, cursor: string | null, signal: AbortSignal): Promise<VenuePage<unknown>> {
    const query = { limit: PAGE, cursor, min_ts: Math.floor(since / 1_000) }
    return this.#page('/portfolio/fills', 'fills', query, signal)
  }

  /** Settlements of held markets at or after `since`, newest first. */
  settlements(
    since: Millis,
    cursor: string | null,
    signal: AbortSignal,
  ): Promise<VenuePage<unknown>> {
    const query = { limit: PAGE, cursor, min_ts: Math.floor(since / 1_000) }
    return this.#page('/portfolio/settlements', 'settlements', query, signal)
  }

  orders(query: Query, cursor: string | null, signal: AbortSignal): Promise<VenuePage<unknown>> {
    return this.#page('/portfolio/orders', 'orders', { limit: PAGE, ...query, cursor }, signal)
  }

  async #page(
    path: string,
    name: string,
    query: Query,
    signal: AbortSignal,
  ): Promise<VenuePage<unknown>> {
    const body = wireOf(await this.#read(path, query, signal))
    if (body === null) throw unreadable(name)
    return { rows: listOf(body[name]), next: textOf(body['cursor']) }
  }

  #read(path: string, query: Query, signal: AbortSignal): Promise<unknown> {
    return this.#http.read(path, { signal, priority: 'live', signed: true, query })
  }
}

const unreadable = (subject: string): VenueFailure =>
  new VenueFailure('venue_a', `the ${subject} of the account could not be read`, {
    retryable: true,
  })
