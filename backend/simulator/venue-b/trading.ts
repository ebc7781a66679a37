import { createHmac } from 'node:crypto'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type {
  Exchange,
  SimAccount,
  SimFill,
  SimOrder,
  SimSettlement,
} from '../exchange/exchange.ts'
import type { Call, Route } from '../http-server.ts'
import { json, type Reply } from '../reply.ts'
import { checkOrder, isAttested, type SentOrder } from './order-check.ts'

const MAX_SKEW = 30
const PAGE = 100
/** Cursor of the end of a list. */
const END = 'LTE='

/** A wallet with an account of the exchange, and its API key. */
export interface WalletHolder {
  /** The address that signs. */
  readonly wallet: string
  /** The wallet that holds the funds. */
  readonly funder: string
  readonly apiKey: string
  /** Base64. */
  readonly apiSecret: string
  readonly passphrase: string
}

class OrderRefusal extends Error {
  readonly reply: Reply
  constructor(error: string, status: number) {
    super(error)
    this.reply = json({ error }, status)
  }
}

interface Caller {
  readonly holder: WalletHolder
  readonly account: SimAccount
}

/** The private routes of the order book service; accounts are known by their funding wallet. */
export function venueBTrading(
  catalogue: Catalogue,
  exchange: Exchange,
  holders: readonly WalletHolder[],
): Route[] {
  const answerHandler = (handler: (call: Call) => Reply) => (call: Call) => {
    try {
      return handler(call)
    } catch (error) {
      if (error instanceof OrderRefusal) return error.reply
      throw error
    }
  }
  const callerOf = ({ request, now }: Call): Caller => {
    const { headers, method, path, text } = request
    const holder = holders.find(({ apiKey }) => apiKey === headers['poly_api_key'])
    const timestamp = String(headers['poly_timestamp'])
    if (holder === undefined) throw new OrderRefusal('Unauthorized/Invalid api key', 401)
    const signature = createHmac('sha256', Buffer.from(holder.apiSecret, 'base64'))
      .update(`${timestamp}${method}${path}${text}`)
      .digest('base64')
      .replaceAll('+', '-')
      .replaceAll('/', '_')
    const isValid =
      headers['poly_signature'] === signature &&
      headers['poly_passphrase'] === holder.passphrase &&
      String(headers['poly_address']).toLowerCase() === holder.wallet.toLowerCase() &&
      Math.abs(Number(timestamp) - now / 1_000) <= MAX_SKEW
    if (!isValid) throw new OrderRefusal('Unauthorized/Invalid api key', 401)
    const account = exchange.account(holder.funder.toLowerCase(), now)
    if (account === null) throw new OrderRefusal('account not found', 404)
    return { holder, account }
  }
  const route = (
    method: Route['method'],
    path: string,
    handler: (call: Call, caller: Caller) => Reply,
  ): Route => ({ method, path, answer: answerHandler((call) => handler(call, callerOf(call))) })
  const keyRoute = (method: 'GET' | 'POST', path: string): Route => ({
    method,
    path,
    answer: answerHandler(({ request: { headers } }) => {
      const holder = holders.find(
        ({ wallet }) => wallet.toLowerCase() === String(headers['poly_address']).toLowerCase(),
      )
      if (holder === undefined || !isAttested(headers)) {
        throw new OrderRefusal('Invalid L1 Request headers', 401)
      }
      const { apiKey, apiSecret: secret, passphrase } = holder
      return json({ apiKey, secret, passphrase })
    }),
  })
  const matchesParam = (query: URLSearchParams, name: string, value: string): boolean =>
    (query.get(name) ?? value) === value

  return [
    keyRoute('GET', '/auth/derive-api-key'),
    keyRoute('POST', '/auth/api-key'),
    route('GET', '/balance-allowance', ({ query, now }, { account }) => {
      if (query.get('asset_type') === 'COLLATERAL') {
        return json({ balance: String(Math.floor(account.cash)), allowances: {} })
      }
      const tokenMarket = catalogue.token(query.get('token_id') ?? '', now)
      const holding = tokenMarket === null ? undefined : account.holdings.get(tokenMarket.market.id)
      const side = tokenMarket?.outcome === 0 ? 'yes' : 'no'
      return json({ balance: String(holding?.[side] ?? 0), allowances: {} })
    }),
    route('POST', '/order', (call, caller) => postOrder(call, caller, catalogue, exchange)),
    route('DELETE', '/order', ({ body }, { account }) => {
      const { orderID: id } = (body ?? {}) as { readonly orderID?: unknown }
      const order = account.orders.find((candidate) => candidate.id === id)
      const isCancelled = order !== undefined && exchange.cancel(order)
      const key = String(id)
      return json({
        canceled: isCancelled ? [key] : [],
        not_canceled: isCancelled ? {} : { [key]: "the order can't be found or is not open" },
      })
    }),
    route('GET', '/data/orders', (call, { account }) => {
      const open = account.orders.filter(
        ({ status, market }) =>
          status === 'resting' && matchesParam(call.query, 'market', market.id),
      )
      return page(call, open.map(wireOrder))
    }),
    route('GET', '/data/order/:id', ({ params }, { account }) => {
      const order = account.orders.find(({ id }) => id === params[0])
      if (order === undefined) throw new OrderRefusal('order not found', 404)
      return json(wireOrder(order))
    }),
    route('GET', '/data/trades', (call, { account }) => {
      const after = Number(call.query.get('after') ?? 0) * 1_000
      const matchingFills = account.fills.filter(
        ({ market, at }) => at >= after && matchesParam(call.query, 'market', market.id),
      )
      return page(call, matchingFills.map(wireTrade))
    }),
  ]
}

/** Cash of an account that was opened for a wallet, 1e-6 dollars. */
const OPENING_CASH = 1_000_000_000

/** Opens an account for a wallet and its API key; 409 for a known wallet. */
export function registerWallet(holders: WalletHolder[], exchange: Exchange, body: unknown): Reply {
  const holderBody = (body ?? {}) as Partial<Record<keyof WalletHolder, unknown>>
  const { wallet, funder, apiKey, apiSecret, passphrase } = holderBody
  const texts = [wallet, funder, apiKey, apiSecret, passphrase]
  if (!texts.every((text) => typeof text === 'string' && text !== '')) {
    return json({ error: 'wallet, funder, apiKey, apiSecret and passphrase are required' }, 400)
  }
  const holder = holderBody as WalletHolder
  if (holders.some((existing) => existing.wallet === holder.wallet)) {
    return json({ error: 'the wallet has an account' }, 409)
  }
  holders.push(holder)
  exchange.open(holder.funder.toLowerCase(), OPENING_CASH)
  return json({ ok: true }, 201)
}

/** Positions of the public data service, by funding wallet. */
export const positionsRoute = (exchange: Exchange): Route => ({
  method: 'GET',
  path: '/v2/positions',
  answer({ query, now }) {
    const account = exchange.account((query.get('user') ?? '').toLowerCase(), now)
    const data = [...(account?.holdings ?? [])].flatMap(([condition, holding]) =>
      (['yes', 'no'] as const).map((side, index) => ({
        condition_id: condition,
        outcome_index: index,
        current_size: holding[side] / 1_000_000,
      })),
    )
    const pagination = { limit: data.length, offset: 0, has_more: false, next_cursor: null }
    return json({ data: data.filter(({ current_size: size }) => size > 0), pagination })
  },
})

/** Redemptions of the public data service, by funding wallet; a row for each outcome held. */
export const activityRoute = (exchange: Exchange): Route => ({
  method: 'GET',
  path: '/v2/activity',
  answer({ query, now }) {
    const account = exchange.account((query.get('user') ?? '').toLowerCase(), now)
    const start = Number(query.get('start') ?? 0) * 1_000
    const settlements = (account?.settlements ?? []).filter(({ at }) => at >= start)
    const isListed = (query.get('type') ?? 'REDEEM').split(',').includes('REDEEM')
    const data = isListed ? settlements.flatMap(wireRedemptions) : []
    const pagination = { limit: data.length, offset: 0, has_more: false, next_cursor: null }
    return json({ data, pagination })
  },
})

const wireRedemptions = ({ id, market, yes, no, at }: SimSettlement) =>
  [yes, no].flatMap((size, index) => {
    const share = index === 0 ? market.payout : 1 - market.payout
    const row = {
      type: 'REDEEM',
      condition_id: market.id,
      transaction_hash: `0x${id.replaceAll('-', '').padEnd(64, '0')}`,
      timestamp: Math.floor(at / 1_000),
      outcome_index: index,
      token_id: market.tokens[index],
      size: size / 1_000_000,
      usdc_size: Math.round(size * share) / 1_000_000,
    }
    return size === 0 ? [] : [row]
  })

function page({ query }: Call, rows: readonly unknown[]): Reply {
  const from = Number(Buffer.from(query.get('next_cursor') ?? '', 'base64').toString() || 0)
  const next =
    from + PAGE >= rows.length ? END : Buffer.from(String(from + PAGE)).toString('base64')
  return json({ data: rows.slice(from, from + PAGE), next_cursor: next, limit: PAGE })
}

const REFUSALS = {
  duplicate: 'order already exists',
  closed: 'the market is not accepting orders',
  funds: 'not enough balance / allowance',
  self_trade: 'order crosses an order of the same account',
  invalid: 'invalid order',
}

function postOrder(
  { body, now }: Call,
  { holder, account }: Caller,
  catalogue: Catalogue,
  exchange: Exchange,
): Reply {
  const orderBody = body as { readonly order?: SentOrder; owner?: unknown; orderType?: unknown }
  const { order, owner, orderType } = orderBody
  if (order === undefined || owner !== holder.apiKey)
    throw new OrderRefusal('Invalid order payload', 400)
  if (order.maker.toLowerCase() !== holder.funder.toLowerCase()) {
    throw new OrderRefusal('the order maker is not the funder', 400)
  }
  if (!Number.isSafeInteger(order.salt)) throw new OrderRefusal('invalid salt', 400)
  const token = catalogue.token(order.tokenId, now)
  if (token === null) throw new OrderRefusal('the token does not exist', 400)
  const { market, outcome } = token
  const { hash, isSigned } = checkOrder(order, holder.wallet, market.event.exclusive)
  if (!isSigned) throw new OrderRefusal('invalid signature', 400)
  const isBuy = order.side === 'BUY'
  const makerAmount = Number(order.makerAmount)
  const tokensReceived = Number(order.takerAmount)
  const [shares, money] = isBuy ? [tokensReceived, makerAmount] : [makerAmount, tokensReceived]
  if (!(shares >= 1) || !(money >= 1)) throw new OrderRefusal('invalid amount', 400)
  const placement = exchange.place(
    account,
    {
      id: hash,
      clientId: hash,
      market,
      action: isBuy ? 'buy' : 'sell',
      outcome: outcome === 0 ? 'yes' : 'no',
      price: Math.round((money * 10_000) / shares),
      size: shares,
      rests: orderType === 'GTC',
    },
    now,
  )
  if (placement.kind === 'refused') throw new OrderRefusal(REFUSALS[placement.why], 400)
  const { filled, paid, status } = placement.order
  const isMatched = filled > 0
  if (orderType === 'FAK' && !isMatched) {
    return json({
      success: true,
      errorMsg: 'no orders found to match with FAK order',
      orderID: hash,
      status: 'unmatched',
    })
  }
  return json({
    success: true,
    errorMsg: '',
    orderID: hash,
    status: status === 'resting' && !isMatched ? 'live' : 'matched',
    makingAmount: String((isBuy ? paid : filled) / 1_000_000),
    takingAmount: String((isBuy ? filled : paid) / 1_000_000),
    tradeIDs: [],
    transactionsHashes: [],
  })
}

const STATUSES = { resting: 'LIVE', canceled: 'CANCELED', executed: 'MATCHED' }

const wireOrder = (order: SimOrder) => ({
  id: order.id,
  status: STATUSES[order.status],
  market: order.market.id,
  asset_id: order.market.tokens[order.outcome === 'yes' ? 0 : 1],
  side: order.action === 'buy' ? 'BUY' : 'SELL',
  original_size: String(order.size / 1_000_000),
  size_matched: String(order.filled / 1_000_000),
  price: String(order.price / 10_000),
  outcome: order.market.outcomes[order.outcome === 'yes' ? 0 : 1],
  created_at: Math.floor(order.at / 1_000),
})

const wireTrade = (fill: SimFill) => ({
  id: fill.id,
  taker_order_id: fill.isTaker ? fill.orderId : '0x',
  market: fill.market.id,
  asset_id: fill.market.tokens[fill.outcome === 'yes' ? 0 : 1],
  side: fill.action === 'buy' ? 'BUY' : 'SELL',
  size: String(fill.size / 1_000_000),
  price: String(fill.price / 10_000),
  fee_rate_bps: '0',
  status: 'CONFIRMED',
  match_time: String(Math.floor(fill.at / 1_000)),
  outcome: fill.market.outcomes[fill.outcome === 'yes' ? 0 : 1],
  trader_side: fill.isTaker ? 'TAKER' : 'MAKER',
  maker_orders: fill.isTaker
    ? []
    : [
        {
          order_id: fill.orderId,
          matched_amount: String(fill.size / 1_000_000),
          price: String(fill.price / 10_000),
          asset_id: fill.market.tokens[fill.outcome === 'yes' ? 0 : 1],
          side: fill.action === 'buy' ? 'BUY' : 'SELL',
        },
      ],
})
