import { SECOND, type Millis, type MoneyE6 } from '../../../domain/units.ts'
import type { Clock } from '../../../lib/clock.ts'
import { InvalidInput } from '../../../lib/errors.ts'
import { VenueFailure } from '../../connector.ts'
import { FeedLedger } from '../../feed-ledger.ts'
import { scaledOf, textOf, wireOf } from '../../fields.ts'
import { HttpClient, refusalText, type Fetch, type Query } from '../../http-client.ts'
import type { RequestBudget } from '../../request-budget.ts'
import { sendOnce, type WriteResult } from '../../send-once.ts'
import { createSigner } from '../sign.ts'
import type {
  NewOrder,
  OrderAnswer,
  PreparedOrder,
  TradingClient,
  VenueACredentials,
  VenueFill,
  VenueOrder,
  VenuePage,
  VenuePosition,
} from '../../trading.ts'
import { AccountApi } from './account-api.ts'
import { parseFill, parseOrder, parsePosition } from './rows.ts'

const ORDERS = '/portfolio/events/orders'
/** Sizes have two decimals. */
const SIZE_STEP = 10_000
const FULL_PAYOUT = 10_000
/** An order may carry a time of the venue that is this much before ours. */
const CLOCK_SLACK = 60 * SECOND
const MAX_PAGES = 100

export interface VenueATradingOptions {
  readonly baseUrl: string
  readonly credentials: VenueACredentials
  readonly budget: RequestBudget
  readonly clock: Clock
  readonly random: () => number
  readonly fetch?: Fetch
}

/** The account of one person at venue_a. */
export class VenueATrading implements TradingClient {
  readonly venue = 'venue_a'
  readonly account: AccountApi
  readonly #options: VenueATradingOptions
  readonly #http: HttpClient
  readonly #sign: ReturnType<typeof createSigner>
  readonly #fetch: Fetch

  constructor(options: VenueATradingOptions) {
    const { credentials, baseUrl, clock, random, budget } = options
    this.#options = options
    this.#fetch = options.fetch ?? fetch
    const keys = { keyId: credentials.keyId, privateKey: credentials.privateKeyPem }
    this.#sign = createSigner(keys, clock, () => this.#http.clockOffset)
    this.#http = new HttpClient({
      venue: 'venue_a',
      baseUrl,
      clock,
      random,
      budget,
      ledger: new FeedLedger('venue_a'),
      fetch: this.#fetch,
      sign: this.#sign,
    })
    this.account = new AccountApi(this.#http)
  }

  balance(signal: AbortSignal): Promise<MoneyE6> {
    return this.account.balance(signal)
  }

  async positions(signal: AbortSignal): Promise<VenuePosition[]> {
    const rows = await this.#all((cursor) => this.account.positions(cursor, signal))
    return rows
      .map(parsePosition)
      .filter((row) => row !== null && row.size !== 0) as VenuePosition[]
  }

  async fills(
    since: Millis,
    cursor: string | null,
    signal: AbortSignal,
  ): Promise<VenuePage<VenueFill>> {
    const { rows, next } = await this.account.fills(since, cursor, signal)
    return { rows: rows.map(parseFill).filter((row) => row !== null), next }
  }

  settlements(
    since: Millis,
    cursor: string | null,
    signal: AbortSignal,
  ): Promise<VenuePage<unknown>> {
    return this.account.settlements(since, cursor, signal)
  }

  get clockOffset(): number | null {
    return this.#http.hostTime === null ? null : this.#http.clockOffset
  }

  prepareOrder(order: NewOrder): Promise<PreparedOrder> {
    const size = Math.floor(order.size / SIZE_STEP)
    if (size <= 0) throw new InvalidInput('the order is smaller than 0.01 contracts')
    const isYes = order.direction === 'yes'
    const price = isYes ? order.limit : FULL_PAYOUT - order.limit
    const body = JSON.stringify({
      ticker: order.ticker,
      side: (order.action === 'buy') === isYes ? 'bid' : 'ask',
      count: (size / 100).toFixed(2),
      price: (price / FULL_PAYOUT).toFixed(4),
      time_in_force: order.timeInForce === 'ioc' ? 'immediate_or_cancel' : 'good_till_canceled',
      self_trade_prevention_type: 'taker_at_cross',
      client_order_id: order.clientOrderId,
    })
    const preparedAt = this.#options.clock.now()
    return Promise.resolve({ order, reference: order.clientOrderId, body, preparedAt })
  }

  async placeOrder(preparedOrder: PreparedOrder, signal: AbortSignal): Promise<OrderAnswer> {
    const result = await this.#write('POST', ORDERS, '', preparedOrder.body, signal)
    if (result.kind !== 'answered') return result
    const { status, body } = result
    if (status === 409) return { kind: 'duplicate' }
    if (status >= 400) return { kind: 'rejected', reason: `${status} ${refusalText(body)}` }
    const wire = wireOf(body)
    const orderId = textOf(wire?.['order_id'])
    if (wire === null || orderId === null) {
      return { kind: 'lost', reason: 'the answer names no order' }
    }
    const remainingSize = scaledOf(wire['remaining_count'], 6) as VenueOrder['remaining']
    const filledQuantity = scaledOf(wire['fill_count'], 6) as VenueOrder['filled']
    const isImmediate = preparedOrder.order.timeInForce === 'ioc'
    const isComplete = remainingSize === 0 || isImmediate
    // The remainder of an immediate order is cancelled and no longer counted.
    const isFilled = isImmediate ? filledQuantity === preparedOrder.order.size : remainingSize === 0
    const order: VenueOrder = {
      orderId,
      clientOrderId: preparedOrder.order.clientOrderId,
      ticker: preparedOrder.order.ticker,
      status: isFilled ? 'filled' : isComplete ? 'cancelled' : 'resting',
      filled: filledQuantity,
      remaining: isComplete ? (0 as VenueOrder['remaining']) : remainingSize,
    }
    return { kind: 'accepted', order }
  }

  /** The venue has no filter by client order id, so the orders of the market are searched. */
  async orderByReference(order: PreparedOrder, signal: AbortSignal): Promise<VenueOrder | null> {
    const since = Math.floor((order.preparedAt - CLOCK_SLACK) / 1_000)
    const orders = await this.#orders({ ticker: order.order.ticker, min_ts: since }, signal)
    return orders.find(({ clientOrderId }) => clientOrderId === order.reference) ?? null
  }

  async cancelOrder(
    { orderId, ticker }: Pick<VenueOrder, 'orderId' | 'ticker'>,
    signal: AbortSignal,
  ): Promise<void> {
    const path = `${ORDERS}/${encodeURIComponent(orderId)}`
    const query = `?market_ticker=${encodeURIComponent(ticker)}`
    const result = await this.#write('DELETE', path, query, '', signal)
    // A repeated cancellation is harmless, so a lost answer is reported and not looked up.
    if (result.kind !== 'answered') throw failure(`cancelling: ${result.reason}`, null)
    const { status, body } = result
    if (status < 400 || status === 404) return
    throw failure(`cancelling: ${status} ${refusalText(body)}`, status)
  }

  openOrders(signal: AbortSignal): Promise<VenueOrder[]> {
    return this.#orders({ status: 'resting' }, signal)
  }

  async #orders(query: Query, signal: AbortSignal): Promise<VenueOrder[]> {
    const rows = await this.#all((cursor) => this.account.orders(query, cursor, signal))
    return rows.map(parseOrder).filter((order) => order !== null)
  }

  async #all(
    page: (cursor: string | null) => Promise<VenuePage<unknown>>,
  ): Promise<readonly unknown[]> {
    const rows: unknown[] = []
    let cursor: string | null = null
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const { rows: pageRows, next }: VenuePage<unknown> = await page(cursor)
      rows.push(...pageRows)
      if (next === null || next === cursor) return rows
      cursor = next
    }
    throw failure(`more than ${MAX_PAGES} pages`, null)
  }

  #write(
    method: 'POST' | 'DELETE',
    path: string,
    query: string,
    body: string,
    signal: AbortSignal,
  ): Promise<WriteResult> {
    const url = new URL(`${this.#options.baseUrl}${path}${query}`)
    const headers = this.#sign(method, url.pathname)
    const deps = { fetch: this.#fetch, clock: this.#options.clock }
    return sendOnce({ method, url: url.href, body, headers }, deps, signal)
  }
}

const failure = (message: string, status: number | null): VenueFailure =>
  new VenueFailure('venue_a', message, { status, retryable: true })
