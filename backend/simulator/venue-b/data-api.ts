import type { Catalogue } from '../catalogue/catalogue.ts'
import type { SimMarket } from '../catalogue/market.ts'
import { hexOf, keyOf } from '../randomness.ts'
import { json, jsonText } from '../reply.ts'
import type { Call, Route } from '../http-server.ts'
import type { Reply } from '../reply.ts'
import { tradePage } from '../tape/trade-feed.ts'
import type { SimTrade } from '../tape/sim-trade.ts'
import type { Tape } from '../tape/trades.ts'
import { fillOf, makerFillOf, nameOf } from './fills.ts'
import type { Fill } from './fills.ts'
import { openInterestOf } from './gamma-wire.ts'
import { midOf, tokenQuote } from './prices.ts'
import { oracleStatus, payoutAt } from './state.ts'
import { iso } from './times.ts'

/** Delay of the index behind the chain, ms. */
const INDEX_LAG = 6_000
const CONDITIONS = 20

const refuse = (message: string, parameter: string): Reply =>
  json(
    {
      error: message,
      code: 'invalid_request',
      retryable: false,
      trace_id: hexOf(keyOf(1, message), 32),
      parameter,
    },
    400,
  )
const envelope = (data: readonly unknown[]): Reply =>
  json({ data, pagination: { limit: data.length, offset: 0, has_more: false, next_cursor: null } })

/** The routes of the data service (version 2). */
export function dataRoutes(catalogue: Catalogue, tape: Tape): Route[] {
  const get = (path: string, answer: (call: Call) => Reply): Route => ({
    method: 'GET',
    path,
    answer,
  })
  const conditionsOf = ({ query, now }: Call): SimMarket[] | Reply => {
    const ids = query
      .getAll('condition')
      .flatMap((text) => text.split(','))
      .filter((id) => id !== '')
    if (ids.length > CONDITIONS) return refuse('at most 20 conditions', 'condition')
    return ids
      .map((id) => catalogue.market('venue_b', id.toLowerCase(), now))
      .filter((market) => market !== null)
  }
  return [
    get('/v2/status', ({ now }) =>
      json({
        data: {
          status: 'ok',
          latest_block_timestamp: Math.floor((now - INDEX_LAG) / 1_000),
          lag_seconds: INDEX_LAG / 1_000,
        },
      }),
    ),
    get('/v2/trades', (call) => {
      const markets = conditionsOf(call)
      return Array.isArray(markets) ? trades(call, markets, catalogue, tape) : markets
    }),
    get('/v2/resolutions', (call) => {
      const filterNames = ['question_id', 'condition', 'event_id'].filter((name) =>
        call.query.has(name),
      )
      if (filterNames.length !== 1)
        return refuse('exactly one of question_id, condition, event_id', 'condition')
      const event = call.query.get('event_id')
      const markets =
        event === null
          ? conditionsOf(call)
          : [...(catalogue.event('venue_b', event, call.now)?.markets ?? [])]
      return Array.isArray(markets)
        ? envelope(markets.map((market) => resolution(market, call.now)))
        : markets
    }),
    get('/v2/oi', (call) => {
      const markets = conditionsOf(call)
      if (!Array.isArray(markets)) return markets
      return envelope(
        markets.map((market) => ({
          condition_id: market.id,
          open_interest: openInterestOf(market, call.now, tape),
        })),
      )
    }),
    get('/v2/prices-history', (call) => history(call, catalogue)),
  ]
}

function trades(
  call: Call,
  requestedMarkets: readonly SimMarket[],
  catalogue: Catalogue,
  tape: Tape,
): Reply {
  const { query, now } = call
  if (query.has('offset')) return refuse('offset is not supported, use cursor', 'offset')
  const limit = Number(query.get('limit') ?? 100)
  if (!Number.isInteger(limit) || limit < 1 || limit > 1_000)
    return refuse('limit must be 1 to 1000', 'limit')
  const event = query.get('event_id')
  const isGlobal = !query.has('condition') && event === null
  const markets = isGlobal
    ? catalogue.markets('venue_b', now)
    : event === null
      ? requestedMarkets
      : [...(catalogue.event('venue_b', event, now)?.markets ?? [])]
  const from = isGlobal ? startOfPreviousMonth(now) : 0
  const takerOnly = query.get('taker_only') !== 'false'
  const perTrade = takerOnly ? 1 : 2
  const side = query.get('side')
  const page = tradePage(
    {
      markets,
      from,
      to: now - INDEX_LAG,
      blocks: null,
      limit: Math.max(1, Math.floor(limit / perTrade)),
      cursor: query.get('cursor'),
    },
    tape,
  )
  if (page === null) return refuse('cursor is invalid', 'cursor')
  const rows = page.trades.flatMap((trade) => {
    const fills = takerOnly ? [fillOf(trade)] : [fillOf(trade), makerFillOf(trade)]
    return fills
      .filter((fill) => side === null || fill.side === side)
      .map((fill) => tradeText(trade, fill))
  })
  const next = page.cursor === '' ? 'null' : `"${page.cursor}"`
  return jsonText(
    `{"data":[${rows.join(',')}],"pagination":{"limit":${limit},"offset":0,"has_more":${String(page.cursor !== '')},"next_cursor":${next}}}`,
  )
}

function startOfPreviousMonth(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1, 1)
}

/** The common part of the rows of a market's outcome, as JSON text. */
const tails = new WeakMap<SimMarket, [string, string]>()
function tailOf(market: SimMarket, outcome: 0 | 1): string {
  const existing = tails.get(market)
  if (existing !== undefined) return existing[outcome]
  const createdPositions = market.outcomes.map((name, index) =>
    JSON.stringify({
      token_id: market.tokens[index],
      condition_id: market.id,
      title: market.question,
      slug: market.slug,
      icon: '',
      event_slug: market.event.slug,
      outcome: name,
      outcome_index: index,
    }).slice(1, -1),
  )
  const pair: [string, string] = [createdPositions[0] ?? '', createdPositions[1] ?? '']
  tails.set(market, pair)
  return pair[outcome]
}

function tradeText(trade: SimTrade, fill: Fill): string {
  return `{"proxy_wallet":"${fill.wallet}","side":"${fill.side}","size":${trade.size / 100},"price":${fill.price / 10_000},"timestamp":${Math.floor(trade.at / 1_000)},${tailOf(trade.market, fill.outcome)},"name":"","pseudonym":"${nameOf(fill.wallet)}","bio":"","profile_image":"","profile_image_optimized":"","transaction_hash":"${fill.transaction}"}`
}

function resolution(market: SimMarket, now: number): Record<string, unknown> {
  const payout = payoutAt(market, now)
  const status = oracleStatus(market, now)
  const isKnown = payout !== null
  return {
    question_id: `0x${hexOf(keyOf(market.key, 'question'), 64)}`,
    condition_id: market.id,
    status: status ?? 'posed',
    payouts: isKnown ? [Math.round(payout * 1e6), Math.round((1 - payout) * 1e6)] : null,
    market_type: market.event.exclusive ? 'INCREMENTAL_NEGRISK' : 'BINARY',
    resolution_source: isKnown ? 'reported' : null,
    reporter: market.event.template.name === 'coin-updown' ? 'CHAINLINK' : 'UMA_OO',
    resolved_at: isKnown ? iso(market.settledAt) : null,
    was_disputed: market.disputed && status !== null && status !== 'proposed',
    expected_settlement_time: isKnown ? null : iso(market.endAt + 7_200_000),
    proposed_price: status === null ? '69' : String(market.payout),
  }
}

/** Samples of a token's price, oldest first. */
function history({ query, now }: Call, catalogue: Catalogue): Reply {
  const tokenMarket = catalogue.token(query.get('token_id') ?? '', now)
  if (tokenMarket === null) return refuse('token_id is unknown', 'token_id')
  const bucket = Math.max(60, Number(query.get('bucket_seconds') ?? 3_600) || 3_600)
  const start = query.get('start')
  const spans: Record<string, number> = {
    '1h': 3_600,
    '6h': 21_600,
    '1d': 86_400,
    '1w': 604_800,
    '1m': 2_592_000,
    max: 10_368_000,
  }
  const span = spans[query.get('interval') ?? '']
  if ((start === null) === (span === undefined))
    return refuse('exactly one of interval, start', 'interval')
  const from = start === null ? now / 1_000 - (span ?? 0) : Number(start)
  const to = Math.min(Number(query.get('end') ?? now / 1_000), now / 1_000)
  if (start !== null && to - from > 15 * 86_400) return refuse('at most 15 days', 'end')
  const rows: unknown[] = []
  const first = Math.max(from, tokenMarket.market.openAt / 1_000)
  for (
    let at = Math.ceil(first / bucket) * bucket;
    at <= to && rows.length < 10_000;
    at += bucket
  ) {
    const mid = midOf(tokenQuote(tokenMarket.market, tokenMarket.outcome, at * 1_000))
    if (mid !== null) rows.push({ timestamp: at, price: mid / 10_000, resolution_seconds: bucket })
  }
  return envelope(rows)
}
