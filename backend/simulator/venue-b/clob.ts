import { DAY, MINUTE } from '../../domain/units.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { SimMarket } from '../catalogue/market.ts'
import { hexOf, keyOf } from '../randomness.ts'
import { json } from '../reply.ts'
import type { Call, Route } from '../http-server.ts'
import type { Reply } from '../reply.ts'
import { venueBTick } from '../tape/quote.ts'
import type { Tape } from '../tape/trades.ts'
import { decimal, isGhost, midOf, tokenQuote, wireBook } from './prices.ts'
import { hasBook, isClosed, payoutAt } from './state.ts'
import { dateOf } from './times.ts'

const refuse = (error: string, status = 400): Reply => json({ error }, status)
const noBook = (): Reply => refuse('No orderbook exists for the requested token id', 404)
const MAX_RANGE = 15 * DAY
const INTERVALS: Record<string, number> = {
  '1h': DAY / 24,
  '6h': DAY / 4,
  '1d': DAY,
  '1w': 7 * DAY,
  '1m': 30 * DAY,
  max: 400 * DAY,
  all: 400 * DAY,
}

/** The routes of the order book service. */
export function clobRoutes(catalogue: Catalogue, tape: Tape): Route[] {
  const get = (path: string, answer: (call: Call) => Reply): Route => ({
    method: 'GET',
    path,
    answer,
  })
  const withBook = (
    { query, now }: Call,
    answer: (market: SimMarket, outcome: 0 | 1) => Reply,
  ): Reply => {
    const tokenMarket = catalogue.token(query.get('token_id') ?? '', now)
    if (query.get('token_id') === null) return refuse('Invalid token id')
    return tokenMarket === null || !hasBook(tokenMarket.market, now)
      ? noBook()
      : answer(tokenMarket.market, tokenMarket.outcome)
  }
  const byCondition = ({ params, now }: Call, answer: (market: SimMarket) => Reply): Reply => {
    const market = catalogue.market('venue_b', params[0] ?? '', now)
    return market === null ? refuse('market not found', 404) : answer(market)
  }
  return [
    get('/ok', () => json('OK')),
    get('/time', ({ now }) => json(Math.floor(now / 1_000))),
    get('/book', (call) =>
      withBook(call, (market, outcome) =>
        json(wireBook(market, outcome, call.now, tape, isGhost(market, call.now))),
      ),
    ),
    {
      method: 'POST',
      path: '/books',
      answer: ({ body, now }) => {
        if (!Array.isArray(body)) return refuse('Invalid payload')
        if (body.length > 500) return refuse('Payload exceeds the limit')
        const tokenIds = body.map(tokenIdOf)
        const tokenMarkets = tokenIds
          .map((token) => catalogue.token(token, now))
          .filter((tokenMarket) => tokenMarket !== null && hasBook(tokenMarket.market, now))
        return json(
          tokenMarkets.flatMap((tokenMarket) =>
            tokenMarket === null
              ? []
              : [
                  wireBook(
                    tokenMarket.market,
                    tokenMarket.outcome,
                    now,
                    tape,
                    isGhost(tokenMarket.market, now),
                  ),
                ],
          ),
        )
      },
    },
    get('/midpoint', (call) =>
      withBook(call, (market, outcome) => {
        const mid = midOf(tokenQuote(market, outcome, call.now))
        return mid === null ? noBook() : json({ mid: decimal(mid) })
      }),
    ),
    {
      method: 'POST',
      path: '/midpoints',
      answer: ({ body, now }) => {
        if (!Array.isArray(body)) return refuse('Invalid payload')
        if (body.length > 500) return refuse('Payload exceeds the limit')
        const mids: Record<string, string> = {}
        for (const token of body.map(tokenIdOf)) {
          const tokenMarket = catalogue.token(token, now)
          if (tokenMarket === null || !hasBook(tokenMarket.market, now)) continue
          const mid = midOf(tokenQuote(tokenMarket.market, tokenMarket.outcome, now))
          if (mid !== null) mids[token] = decimal(mid)
        }
        return json(mids)
      },
    },
    get('/price', (call) =>
      withBook(call, (market, outcome) => {
        const { bid, ask } = tokenQuote(market, outcome, call.now)
        const side = call.query.get('side')
        if (side !== 'BUY' && side !== 'SELL') return refuse('Invalid side')
        return json({ price: side === 'BUY' ? decimal(ask) : decimal(bid) })
      }),
    ),
    get('/spread', (call) =>
      withBook(call, (market, outcome) => {
        const { bid, ask } = tokenQuote(market, outcome, call.now)
        return json({ spread: decimal(ask - bid) })
      }),
    ),
    get('/last-trade-price', (call) => {
      const tokenMarket = catalogue.token(call.query.get('token_id') ?? '', call.now)
      const last = tokenMarket === null ? null : tape.lastBefore(tokenMarket.market, call.now)
      if (tokenMarket === null || last === null) return json({ price: '0.5', side: '' })
      const isBuy = last.takerYes === (tokenMarket.outcome === 0)
      return json({
        price: decimal(tokenMarket.outcome === 0 ? last.price : 10_000 - last.price),
        side: isBuy ? 'BUY' : 'SELL',
      })
    }),
    get('/tick-size', (call) =>
      withBook(call, (market) =>
        json({ minimum_tick_size: venueBTick(market, call.now) / 10_000 }),
      ),
    ),
    get('/neg-risk', (call) =>
      withBook(call, (market) => json({ neg_risk: market.event.exclusive })),
    ),
    get('/prices-history', (call) => pricesHistory(call, catalogue)),
    get('/clob-markets/:condition', (call) =>
      byCondition(call, (market) =>
        json({
          c: market.id,
          t: market.tokens.map((t, i) => ({ t, o: market.outcomes[i] })),
          mts: venueBTick(market, call.now) / 10_000,
          mos: 5,
          nr: market.event.exclusive,
          ao: hasBook(market, call.now),
          sd: 0,
          fd: { r: 0.05, e: 1, to: true },
        }),
      ),
    ),
    get('/markets/:condition', (call) =>
      byCondition(call, (market) => json(clobMarket(market, call.now))),
    ),
    get('/markets-by-token/:token', ({ params, now }) => {
      const tokenMarket = catalogue.token(params[0] ?? '', now)
      return tokenMarket === null
        ? refuse('market not found', 404)
        : json({ condition_id: tokenMarket.market.id })
    }),
  ]
}

/** The token of a line of a batch; empty when it has none. */
function tokenIdOf(item: unknown): string {
  const tokenId =
    typeof item === 'object' && item !== null && 'token_id' in item ? item.token_id : null
  return typeof tokenId === 'string' ? tokenId : ''
}

function clobMarket(market: SimMarket, now: number): Record<string, unknown> {
  const payout = payoutAt(market, now)
  return {
    enable_order_book: !isClosed(market, now),
    active: true,
    closed: isClosed(market, now),
    archived: false,
    accepting_orders: hasBook(market, now),
    minimum_order_size: 5,
    minimum_tick_size: venueBTick(market, now) / 10_000,
    condition_id: market.id,
    question_id: `0x${hexOf(keyOf(market.key, 'question'), 64)}`,
    question: market.question,
    description: `${market.rules}\n\n${market.rulesMore}`,
    market_slug: market.slug,
    end_date_iso: `${dateOf(market.endAt)}T00:00:00Z`,
    game_start_time: null,
    seconds_delay: 0,
    fpmm: '',
    maker_base_fee: 0,
    taker_base_fee: 0,
    neg_risk: market.event.exclusive,
    tokens: market.tokens.map((token_id, i) => ({
      token_id,
      outcome: market.outcomes[i],
      price:
        payout === null
          ? market.chance(Math.min(now, market.closeAt - 1)) * (i === 0 ? 1 : -1) + i
          : i === 0
            ? payout
            : 1 - payout,
      winner: payout === (i === 0 ? 1 : 0),
    })),
    tags: [],
  }
}

/** Midpoint samples of a token; an empty list for a wrong key. */
function pricesHistory({ query, now }: Call, catalogue: Catalogue): Reply {
  const tokenMarket = catalogue.token(query.get('market') ?? '', now)
  if (tokenMarket === null) return json({ history: [] })
  const { market, outcome } = tokenMarket
  const fidelity = Math.max(1, Number(query.get('fidelity') ?? 1) || 1)
  const startTs = query.get('startTs')
  const interval = query.get('interval')
  let from = Number(startTs) * 1_000
  let to = query.has('endTs') ? Number(query.get('endTs')) * 1_000 : now
  if (startTs === null) {
    if (interval === null || INTERVALS[interval] === undefined)
      return refuse("invalid filters: 'startTs' or 'interval' is required")
    if (isClosed(market, now) && fidelity < 720) return json({ history: [] })
    from = now - INTERVALS[interval]
    to = now
  } else if (to - from > MAX_RANGE)
    return refuse("invalid filters: 'startTs' and 'endTs' interval is too long")
  const step = fidelity * MINUTE
  const history: { t: number; p: number }[] = []
  const end = Math.min(to, now, market.closeAt - 1)
  for (
    let at = Math.ceil(Math.max(from, market.openAt) / step) * step;
    at <= end && history.length < 25_000;
    at += step
  ) {
    const mid = midOf(tokenQuote(market, outcome, at))
    if (mid !== null) history.push({ t: Math.floor(at / 1_000), p: mid / 10_000 })
  }
  return json({ history })
}
