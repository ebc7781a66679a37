import type { Side, Ticker } from '../../../domain/market.ts'
import type { Millis, MoneyE6, PriceE4 } from '../../../domain/units.ts'
import type { Clock } from '../../../lib/clock.ts'
import { InvalidInput } from '../../../lib/errors.ts'
import { VenueFailure } from '../../connector.ts'
import { FeedLedger } from '../../feed-ledger.ts'
import { flagOf, listOf, scaledOf, textOf, wireOf } from '../../fields.ts'
import { HttpClient, refusalText, type Fetch, type Query } from '../../http-client.ts'
import type { RequestBudget } from '../../request-budget.ts'
import { sendOnce, type WriteResult } from '../../send-once.ts'
import type {
  NewOrder,
  OrderAnswer,
  PreparedOrder,
  TradingClient,
  VenueBCredentials,
  VenueFill,
  VenueOrder,
  VenuePage,
  VenuePosition,
} from '../../trading.ts'
import { apiHeaders, walletHeaders, type ApiKey } from './api-signature.ts'
import { isKnownStep, orderAmounts } from './order-amounts.ts'
import {
  EXCHANGE,
  EXCLUSIVE_EXCHANGE,
  NO_BYTES,
  orderHash,
  POLYGON,
  signOrder,
} from './order-signature.ts'
import { parseOrderAnswer } from './order-answer.ts'
import { parseBalance, parseOrder, parsePositions, parseTrade, secondsBefore } from './rows.ts'

/** Rows of a page of redemptions. */
const REDEMPTIONS = 500
const SALTS = 2 ** 47
const MAX_PAGES = 100
/** Cursors of the last page. */
const END = new Set(['LTE=', '-1'])

export interface VenueBTradingOptions {
  readonly clobUrl: string
  readonly dataUrl: string
  readonly credentials: VenueBCredentials
  readonly budget: RequestBudget
  readonly clock: Clock
  readonly random: () => number
  readonly fetch?: Fetch
  /** Tokens of YES and NO of a market; empty when unknown. */
  readonly assetsOf: (ticker: Ticker) => Promise<readonly string[]>
}

/** The account of one wallet at venue_b. */
export class VenueBTrading implements TradingClient {
  readonly venue = 'venue_b'
  readonly #options: VenueBTradingOptions
  readonly #clob: HttpClient
  readonly #data: HttpClient
  readonly #fetch: Fetch
  #api: ApiKey | null

  constructor(options: VenueBTradingOptions) {
    const { credentials, clock, random, budget } = options
    this.#options = options
    this.#fetch = options.fetch ?? fetch
    const { apiKey: key, apiSecret: secret, passphrase } = credentials
    const isWhole = key !== null && secret !== null && passphrase !== null
    this.#api = isWhole ? { key, secret, passphrase } : null
    const host = (baseUrl: string, isPrivate: boolean): HttpClient =>
      new HttpClient({
        venue: 'venue_b',
        baseUrl,
        clock,
        random,
        budget,
        ledger: new FeedLedger('venue_b'),
        fetch: this.#fetch,
        sign: isPrivate ? (method, path) => this.#headers(method, path, '') : null,
      })
    this.#clob = host(options.clobUrl, true)
    this.#data = host(options.dataUrl, false)
  }

  async balance(signal: AbortSignal): Promise<MoneyE6> {
    const { signatureType } = this.#options.credentials
    const query = { asset_type: 'COLLATERAL', signature_type: signatureType }
    const money = parseBalance(await this.#read('/balance-allowance', query, signal))
    if (money === null) throw failure('the balance of the account could not be read')
    return money
  }

  async positions(signal: AbortSignal): Promise<VenuePosition[]> {
    const rows: unknown[] = []
    let cursor: string | null = null
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const query: Query = { user: this.#funder, limit: 500, cursor }
      const body = wireOf(
        await this.#data.read('/v2/positions', { signal, priority: 'live', query }),
      )
      if (body === null) throw failure('the positions of the account could not be read')
      rows.push(...listOf(body['data']))
      cursor = textOf(wireOf(body['pagination'])?.['next_cursor'])
      if (cursor === null) return parsePositions(rows)
    }
    throw failure(`more than ${MAX_PAGES} pages of positions`)
  }

  async fills(
    since: Millis,
    cursor: string | null,
    signal: AbortSignal,
  ): Promise<VenuePage<VenueFill>> {
    const query = { after: secondsBefore(since), next_cursor: cursor }
    const { rows, next } = await this.#page('/data/trades', query, signal)
    const owner = (await this.#apiKey(signal)).key
    const fills: VenueFill[] = []
    for (const row of rows) fills.push(...(await parseTrade(row, owner, this.#sideOf)))
    return { rows: fills, next }
  }

  async settlements(
    since: Millis,
    cursor: string | null,
    signal: AbortSignal,
  ): Promise<VenuePage<unknown>> {
    const query: Query = {
      user: this.#funder,
      type: 'REDEEM',
      start: secondsBefore(since),
      limit: REDEMPTIONS,
      cursor,
    }
    const options = { signal, priority: 'live' as const, query }
    const body = wireOf(await this.#data.read('/v2/activity', options))
    if (body === null) throw failure('the redemptions of the account could not be read')
    const next = textOf(wireOf(body['pagination'])?.['next_cursor'])
    return { rows: listOf(body['data']), next }
  }

  get clockOffset(): number | null {
    return this.#clob.hostTime === null ? null : this.#clob.clockOffset
  }

  async prepareOrder(order: NewOrder, signal: AbortSignal): Promise<PreparedOrder> {
    const { clock, random, credentials, assetsOf } = this.#options
    const assets = await assetsOf(order.ticker)
    const token = assets[order.direction === 'yes' ? 0 : 1]
    if (token === undefined) throw new InvalidInput('the tokens of the market are unknown')
    const options = { signal, priority: 'live' as const, query: { token_id: token } }
    const grid = wireOf(await this.#clob.read('/tick-size', options))
    const step = scaledOf(grid?.['minimum_tick_size'], 4) as PriceE4 | null
    const isExclusive = flagOf(wireOf(await this.#clob.read('/neg-risk', options))?.['neg_risk'])
    if (step === null || isExclusive === null || !isKnownStep(step)) {
      throw failure('the price step of the market could not be read')
    }
    if (order.limit % step !== 0 || order.limit <= 0 || order.limit >= 10_000) {
      throw new InvalidInput(`the limit must be a multiple of ${step / 100}¢`)
    }
    const isImmediate = order.timeInForce === 'ioc'
    const amounts = orderAmounts({ ...order, isImmediate, step })
    if (amounts.makerAmount <= 0n || amounts.takerAmount <= 0n) {
      throw new InvalidInput('the order is too small')
    }
    const exchange = isExclusive ? EXCLUSIVE_EXCHANGE : EXCHANGE
    const preparedAt = clock.now()
    const { signatureType, walletAddress, privateKey } = credentials
    const fields = {
      ...amounts,
      salt: BigInt(Math.floor(random() * SALTS)),
      maker: this.#funder,
      signer: signatureType === 3 ? this.#funder : walletAddress,
      tokenId: BigInt(token),
      side: order.action === 'buy' ? (0 as const) : (1 as const),
      signatureType,
      timestamp: BigInt(preparedAt),
    }
    const owner = (await this.#apiKey(signal)).key
    const body = JSON.stringify({
      order: {
        salt: Number(fields.salt),
        maker: fields.maker,
        signer: fields.signer,
        tokenId: token,
        makerAmount: String(fields.makerAmount),
        takerAmount: String(fields.takerAmount),
        side: order.action === 'buy' ? 'BUY' : 'SELL',
        signatureType,
        timestamp: String(fields.timestamp),
        expiration: '0',
        metadata: NO_BYTES,
        builder: NO_BYTES,
        signature: signOrder(fields, exchange, privateKey),
      },
      owner,
      orderType: isImmediate ? 'FAK' : 'GTC',
      deferExec: false,
      postOnly: false,
    })
    return { order, reference: orderHash(fields, exchange), body, preparedAt }
  }

  async placeOrder(order: PreparedOrder, signal: AbortSignal): Promise<OrderAnswer> {
    const result = await this.#write('POST', '/order', order.body, signal)
    if (result.kind !== 'answered') return result
    return parseOrderAnswer(order, result.status, result.body)
  }

  async orderByReference(
    preparedOrder: PreparedOrder,
    signal: AbortSignal,
  ): Promise<VenueOrder | null> {
    const path = `/data/order/${preparedOrder.reference}`
    const options = { signal, priority: 'live' as const, signed: true, mayBeAbsent: true }
    await this.#apiKey(signal)
    const order = parseOrder(await this.#clob.read(path, options))
    return order === null ? null : { ...order, clientOrderId: preparedOrder.order.clientOrderId }
  }

  async cancelOrder(
    { orderId }: Pick<VenueOrder, 'orderId' | 'ticker'>,
    signal: AbortSignal,
  ): Promise<void> {
    await this.#apiKey(signal)
    const body = JSON.stringify({ orderID: orderId })
    const result = await this.#write('DELETE', '/order', body, signal)
    if (result.kind !== 'answered') throw failure(`cancelling: ${result.reason}`)
    if (result.status >= 400) throw failure(`cancelling: ${refusalText(result.body)}`)
  }

  async openOrders(signal: AbortSignal): Promise<VenueOrder[]> {
    const rows: unknown[] = []
    let cursor: string | null = null
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const page: VenuePage<unknown> = await this.#page(
        '/data/orders',
        { next_cursor: cursor },
        signal,
      )
      rows.push(...page.rows)
      if (page.next === null) return rows.map(parseOrder).filter((order) => order !== null)
      cursor = page.next
    }
    throw failure(`more than ${MAX_PAGES} pages of orders`)
  }

  get #funder(): string {
    const { funder, walletAddress } = this.#options.credentials
    return funder ?? walletAddress
  }

  readonly #sideOf = async (ticker: Ticker, token: string): Promise<Side | null> => {
    const [yes, no] = await this.#options.assetsOf(ticker)
    return token === yes ? 'yes' : token === no ? 'no' : null
  }

  /** The API key of the wallet; without a stored one it is derived, or made if there is none. */
  async #apiKey(signal: AbortSignal): Promise<ApiKey> {
    if (this.#api !== null) return this.#api
    const { credentials, clock, clobUrl } = this.#options
    const headers = (): Record<string, string> =>
      walletHeaders(credentials.privateKey, POLYGON, this.#venueTime(clock.now()))
    const wallet = new HttpClient({
      ...this.#options,
      venue: 'venue_b',
      baseUrl: clobUrl,
      ledger: new FeedLedger('venue_b'),
      fetch: this.#fetch,
      sign: headers,
    })
    const options = { signal, priority: 'live' as const, signed: true, mayBeAbsent: true }
    const body =
      (await wallet.read('/auth/derive-api-key', options)) ??
      (await wallet.read('/auth/api-key', { ...options, body: {} }))
    const wire = wireOf(body)
    const [key, secret, passphrase] = ['apiKey', 'secret', 'passphrase'].map((name) =>
      textOf(wire?.[name]),
    )
    if (!key || !secret || !passphrase) throw failure('the API key could not be derived')
    this.#api = { key, secret: Buffer.from(secret), passphrase: Buffer.from(passphrase) }
    return this.#api
  }

  async #read(path: string, query: Query, signal: AbortSignal): Promise<unknown> {
    await this.#apiKey(signal)
    return this.#clob.read(path, { signal, priority: 'live', signed: true, query })
  }

  async #page(path: string, query: Query, signal: AbortSignal): Promise<VenuePage<unknown>> {
    const body = wireOf(await this.#read(path, query, signal))
    if (body === null) throw failure('a list of the account could not be read')
    const next = textOf(body['next_cursor'])
    return { rows: listOf(body['data']), next: next === null || END.has(next) ? null : next }
  }

  #write(
    method: 'POST' | 'DELETE',
    path: string,
    body: string,
    signal: AbortSignal,
  ): Promise<WriteResult> {
    const url = `${this.#options.clobUrl}${path}`
    const headers = this.#headers(method, new URL(url).pathname, body)
    return sendOnce(
      { method, url, body, headers },
      { fetch: this.#fetch, clock: this.#options.clock },
      signal,
    )
  }

  #headers(method: string, path: string, body: string): Record<string, string> {
    const { credentials, clock } = this.#options
    if (this.#api === null) throw failure('the API key is not known yet')
    const now = this.#venueTime(clock.now())
    return apiHeaders(credentials.walletAddress, this.#api, { method, path, body }, now)
  }

  #venueTime(now: Millis): Millis {
    return this.#clob.hostTime ?? now
  }
}

const failure = (message: string): VenueFailure =>
  new VenueFailure('venue_b', message, { retryable: true })
