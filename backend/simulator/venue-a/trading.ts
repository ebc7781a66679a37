import { createPublicKey, constants, verify, type KeyObject } from 'node:crypto'
import type { Catalogue } from '../catalogue/catalogue.ts'
import {
  dollars,
  type Exchange,
  type SimAccount,
  type SimFill,
  type SimOrder,
  type SimSettlement,
} from '../exchange/exchange.ts'
import { bookHistory } from '../exchange/account-history.ts'
import type { Call, Route } from '../http-server.ts'
import { pageOf } from '../page-cursor.ts'
import { json, type Reply } from '../reply.ts'
import { answerHandler, badRequest, integer, Refusal, seconds } from './answers.ts'
import { iso } from './wire.ts'

const BASE = '/trade-api/v2'
const MAX_SKEW = 5_000

/** An account of the exchange and the key pair that signs for it. */
export interface KeyHolder {
  readonly keyId: string
  /** PEM. */
  readonly publicKey: string
}

const sizeText = (size: number): string => (size / 1_000_000).toFixed(2)
const price = (value: number): string => (value / 10_000).toFixed(4)

/** The signed side of venue_a. */
export interface VenueATrading {
  readonly routes: readonly Route[]
  /** Opens an account with a history, unless it `isNew`, for a key `{ keyId, publicKey }`; 409 when the id has another. */
  register(holder: unknown, now: number): Reply
}
/** Cash of an account that was opened for a key, 1e-6 dollars. */
const OPENING_CASH = 1_000_000_000

/** The signed routes of venue_a; accounts are known by their key id. */
export function venueATrading(
  catalogue: Catalogue,
  exchange: Exchange,
  holders: readonly KeyHolder[],
): VenueATrading {
  const keys = new Map(holders.map((holder) => [holder.keyId, createPublicKey(holder.publicKey)]))

  const authenticate = ({ request, now }: Call): SimAccount => {
    const { headers, method, path } = request
    const keyId = headers['kalshi-access-key']
    const timestamp = headers['kalshi-access-timestamp']
    const signature = headers['kalshi-access-signature']
    const key = typeof keyId === 'string' ? keys.get(keyId) : undefined
    if (key === undefined || typeof timestamp !== 'string' || typeof signature !== 'string') {
      throw new Refusal(401, 'authentication_error', 'authentication failed')
    }
    const message = Buffer.from(`${timestamp}${method}${path}`)
    const signatureBytes = Buffer.from(signature, 'base64')
    const isSigned =
      key.asymmetricKeyType === 'ed25519'
        ? verify(null, message, key, signatureBytes)
        : verify(
            'sha256',
            message,
            {
              key,
              padding: constants.RSA_PKCS1_PSS_PADDING,
              saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
            },
            signatureBytes,
          )
    if (!isSigned) throw new Refusal(401, 'authentication_error', 'signature is invalid')
    if (Math.abs(Number(timestamp) - now) > MAX_SKEW) {
      throw new Refusal(401, 'authentication_error', 'timestamp is out of range')
    }
    const account = exchange.account(String(keyId), now)
    if (account === null) throw new Refusal(404, 'user_not_found', 'user not found')
    return account
  }
  const route = (
    method: Route['method'],
    path: string,
    handler: (call: Call, account: SimAccount) => Reply,
  ): Route => ({
    method,
    path: BASE + path,
    answer: answerHandler((call: Call) => handler(call, authenticate(call))),
  })

  const page = <Row extends { readonly at: number; readonly id: string }>(
    { query }: Call,
    name: string,
    all: readonly Row[],
    wire: (row: Row) => unknown,
  ): Reply => {
    const since = seconds(query, 'min_ts') ?? 0
    const until = seconds(query, 'max_ts') ?? Infinity
    const matchingRows = all.filter(({ at }) => at >= since && at <= until)
    const limit = integer(query, 'limit', 100, 1, 200)
    const orderedRows = matchingRows.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
    const page = pageOf(orderedRows, (row) => [row.at, row.id], limit, query.get('cursor'))
    if (page === null) throw badRequest('invalid cursor')
    return json({ [name]: page.page.map(wire), cursor: page.next })
  }
  const matchesParam = (query: URLSearchParams, name: string, value: string): boolean =>
    (query.get(name) ?? value) === value

  const routes = [
    route('GET', '/portfolio/balance', (_, { cash }) =>
      json({ balance: Math.floor(cash / 10_000), balance_dollars: dollars(cash, 4) }),
    ),
    route('GET', '/portfolio/positions', (_, { holdings }) =>
      json({
        market_positions: [...holdings]
          .map(([ticker, { yes, no }]) => ({ ticker, position_fp: sizeText(yes - no) }))
          .filter(({ position_fp: contracts }) => Number(contracts) !== 0),
        event_positions: [],
        cursor: '',
      }),
    ),
    route('GET', '/portfolio/settlements', (call, { settlements }) =>
      page(call, 'settlements', settlements, wireSettlement),
    ),
    route('GET', '/portfolio/fills', (call, { fills }) => {
      const { query } = call
      const matchingFills = fills.filter(
        ({ market, orderId }) =>
          matchesParam(query, 'ticker', market.id) && matchesParam(query, 'order_id', orderId),
      )
      return page(call, 'fills', matchingFills, wireFill)
    }),
    route('GET', '/portfolio/orders', (call, { orders }) => {
      const { query } = call
      const matchingOrders = orders.filter(
        ({ market, status }) =>
          matchesParam(query, 'ticker', market.id) && matchesParam(query, 'status', status),
      )
      return page(call, 'orders', matchingOrders, wireOrder)
    }),
    route('GET', '/portfolio/orders/:id', ({ params }, { orders }) => {
      const order = orders.find(({ id }) => id === params[0])
      if (order === undefined) throw new Refusal(404, 'not_found', 'order not found')
      return json({ order: wireOrder(order) })
    }),
    route('POST', '/portfolio/events/orders', (call, account) =>
      createOrder(call, account, catalogue, exchange),
    ),
    route('DELETE', '/portfolio/events/orders/:id', ({ params, query, now }, { orders }) => {
      const order = orders.find(({ id }) => id === params[0])
      if (order === undefined || order.market.id !== query.get('market_ticker')) {
        throw new Refusal(404, 'not_found', 'order not found')
      }
      const rest = order.status === 'resting' ? order.size - order.filled : 0
      exchange.cancel(order)
      return json({
        order_id: order.id,
        client_order_id: order.clientId,
        reduced_by: sizeText(rest),
        ts_ms: now,
      })
    }),
  ]

  return {
    routes,
    register(holder, now) {
      const key = publicKeyIn(holder)
      if (key === null) return json({ error: 'keyId and publicKey (PEM) are required' }, 400)
      const publicKey = keys.get(key.keyId)
      if (publicKey !== undefined) {
        return publicKey.equals(key.publicKey)
          ? json({ ok: true })
          : json({ error: 'the key id belongs to another key' }, 409)
      }
      keys.set(key.keyId, key.publicKey)
      const account = exchange.open(key.keyId, OPENING_CASH)
      const isNew = (holder as { readonly isNew?: unknown }).isNew === true
      if (!isNew) bookHistory(account, catalogue.markets('venue_a', now), now)
      return json({ ok: true }, 201)
    },
  }
}

function publicKeyIn(value: unknown): { keyId: string; publicKey: KeyObject } | null {
  const { keyId, publicKey } = (value ?? {}) as Partial<Record<string, unknown>>
  if (typeof keyId !== 'string' || typeof publicKey !== 'string') return null
  try {
    return { keyId, publicKey: createPublicKey(publicKey) }
  } catch {
    return null
  }
}

const REFUSALS = {
  duplicate: [409, 'order_already_exists', 'client_order_id was used before'],
  closed: [400, 'MARKET_INACTIVE', 'the market is not open'],
  funds: [400, 'insufficient_balance', 'insufficient balance'],
  self_trade: [400, 'self_trade', 'self-trade prevented'],
  invalid: [400, 'invalid_order', 'invalid order'],
} as const
const RESTING = 'good_till_canceled'

function createOrder(
  { body, now }: Call,
  account: SimAccount,
  catalogue: Catalogue,
  exchange: Exchange,
): Reply {
  const orderBody = (typeof body === 'object' && body !== null ? body : {}) as Record<
    string,
    unknown
  >
  const market = catalogue.market('venue_a', String(orderBody['ticker']), now)
  if (market === null) throw new Refusal(404, 'market_not_found', 'market not found')
  const { side, time_in_force: force, count, price: yes, client_order_id: clientId } = orderBody
  const isBid = side === 'bid'
  const size = numberIn(count, /^\d+\.\d{2}$/)
  const dollarsOfYes = numberIn(yes, /^0\.\d{4}$/)
  if ((!isBid && side !== 'ask') || typeof clientId !== 'string' || clientId === '') {
    throw badRequest('side and client_order_id are needed')
  }
  if (force !== RESTING && force !== 'immediate_or_cancel') throw badRequest('time_in_force')
  if (orderBody['self_trade_prevention_type'] !== 'taker_at_cross') {
    throw badRequest('self_trade_prevention_type')
  }
  const yesPrice = Math.round(dollarsOfYes * 10_000)
  const placement = exchange.place(
    account,
    {
      market,
      // A sale of YES is a purchase of NO: the position is net.
      action: 'buy',
      outcome: isBid ? 'yes' : 'no',
      price: isBid ? yesPrice : 10_000 - yesPrice,
      size: Math.round(size * 1_000_000),
      rests: force === RESTING,
      clientId,
    },
    now,
  )
  if (placement.kind === 'refused') {
    const [status, code, message] = REFUSALS[placement.why]
    throw new Refusal(status, code, message)
  }
  const { order } = placement
  const rest = order.status === 'resting' ? order.size - order.filled : 0
  return json(
    {
      order_id: order.id,
      client_order_id: clientId,
      fill_count: sizeText(order.filled),
      remaining_count: sizeText(rest),
      ...(order.filled > 0 && {
        average_fill_price: price(yesPriceOf(order, (order.paid * 10_000) / order.filled)),
        average_fee_paid: dollars((order.fees * 1_000_000) / order.filled),
      }),
      ts_ms: now,
    },
    201,
  )
}

function numberIn(value: unknown, form: RegExp): number {
  if (typeof value !== 'string' || !form.test(value)) throw badRequest('count and price are needed')
  return Number(value)
}

const yesPriceOf = ({ outcome }: { readonly outcome: 'yes' | 'no' }, sidePrice: number): number =>
  outcome === 'yes' ? sidePrice : 10_000 - sidePrice

const sidesOf = (row: SimOrder | SimFill) => ({
  outcome_side: row.outcome,
  book_side: row.outcome === 'yes' ? 'bid' : 'ask',
  yes_price_dollars: price(yesPriceOf(row, row.price)),
  no_price_dollars: price(10_000 - yesPriceOf(row, row.price)),
})

const wireOrder = (order: SimOrder) => ({
  order_id: order.id,
  client_order_id: order.clientId,
  ticker: order.market.id,
  status: order.status,
  ...sidesOf(order),
  initial_count_fp: sizeText(order.size),
  fill_count_fp: sizeText(order.filled),
  remaining_count_fp: sizeText(order.status === 'resting' ? order.size - order.filled : 0),
  created_time: iso(order.at),
})

const wireSettlement = ({ market, yes, no, paid, at }: SimSettlement) => ({
  ticker: market.id,
  market_result: market.result,
  yes_count_fp: sizeText(yes),
  no_count_fp: sizeText(no),
  revenue: paid / 10_000,
  value: market.result === 'void' ? null : Math.round(market.payout * 100),
  fee_cost: '0.0000',
  settled_time: iso(at),
})

const wireFill = (fill: SimFill) => ({
  fill_id: fill.id,
  trade_id: fill.id,
  order_id: fill.orderId,
  ticker: fill.market.id,
  ...sidesOf(fill),
  count_fp: sizeText(fill.size),
  is_taker: fill.isTaker,
  fee_cost: dollars(fill.fee),
  created_time: iso(fill.at),
})
