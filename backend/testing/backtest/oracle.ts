import type { MarketFacts } from '../../domain/market.ts'
import { OracleBook } from './oracle-book.ts'
import { OracleMoney } from './oracle-money.ts'
import type { Scenario } from './scenario.ts'

/** A fill of the oracle. */
export interface OracleFill {
  readonly at: number
  readonly order: number
  readonly price: number
  readonly size: number
  readonly fee: number
  readonly isMaker: boolean
}
export interface OracleResult {
  readonly fills: readonly OracleFill[]
  readonly cash: number
  readonly equity: number
  readonly realised: number
  readonly net: readonly number[]
  readonly received: number
  /** Of orders that ended unfilled, by number. */
  readonly ends: Readonly<Record<number, string>>
}

interface Ticket {
  readonly id: number
  readonly market: number
  readonly action: 'buy' | 'sell'
  readonly side: 'yes' | 'no'
  readonly size: number
  readonly limit: number | null
  /** On the YES scale; of a market order the protective limit from the touch at its decision. */
  yesLimit: number
  /** Whether there was a touch at its decision. */
  readonly hadTouch: boolean
  readonly force: 'gtc' | 'ioc' | 'fok'
  readonly postOnly: boolean
  readonly arrives: number
  stage: 'sent' | 'waiting' | 'resting' | 'over'
  filled: number
  /** Null when it is not known. */
  ahead: number | null
  since: number
  /** Rank among the orders that reached the venue. */
  place: number
}

type Terms = Pick<Ticket, 'market' | 'action' | 'side'>

/** An action, with its position in the order of the run. */
interface Occurrence {
  readonly key: readonly number[]
  readonly apply: () => void
}

const compare = (a: readonly number[], b: readonly number[]): number => {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/**
 * The same run computed slowly, from the text of methodology parts K and L alone: every step
 * searches a list for the earliest action, books are lists, money is BigInt. Shares no code with
 * the engine.
 */
export function oracleOf(scenario: Scenario): OracleResult {
  const { model } = scenario
  const count = scenario.markets.length
  const books = Array.from({ length: count }, () => new OracleBook(model))
  const facts: (MarketFacts | null)[] = Array.from({ length: count }, () => null)
  const status: (string | null)[] = Array.from({ length: count }, () => null)
  const venues = scenario.markets.map(({ venue }) => venue)
  const money = new OracleMoney(scenario.startCash, venues, model.feeGrid)
  const tickets: Ticket[] = []
  const fills: OracleFill[] = []
  const ends: Record<number, string> = {}
  const settledAt: (number | null)[] = Array.from({ length: count }, () => null)
  let occurrences: Occurrence[] = []
  let now = scenario.from
  let received = 0
  let sequence = 0
  let places = 0

  const later = (key: readonly number[], apply: () => void): void => {
    occurrences.push({ key: [...key, sequence++], apply })
  }
  const yesOf = ({ side }: Terms, price: number): number =>
    side === 'yes' ? price : 10_000 - price
  const buysYes = ({ action, side }: Terms): boolean => (action === 'buy') === (side === 'yes')
  const end = (ticket: Ticket, why: string): void => {
    ticket.stage = 'over'
    if (ticket.filled < ticket.size) ends[ticket.id] = why
    money.release(ticket.id)
  }
  const openOf = (market: number): Ticket[] =>
    tickets
      .filter(
        (one) => one.market === market && (one.stage === 'waiting' || one.stage === 'resting'),
      )
      .sort((a, b) => a.place - b.place)
  const live = (market: number): boolean => status[market] === 'active'

  const receive = (): void => {
    const index = received++
    for (const action of scenario.actions) {
      if (action.received !== index) continue
      if ('cancel' in action) {
        const ticket = tickets[action.cancel]
        if (ticket === undefined || ticket.stage === 'over') continue
        later([now + model.latencyMs, 9, 0], () => {
          if (ticket.stage !== 'over') end(ticket, 'cancelled by the strategy')
        })
      } else if (facts[action.order.market] !== null) submit(action.order)
    }
  }

  const submit = (request: Extract<Scenario['actions'][number], { order: unknown }>['order']) => {
    const limit = request.limit === null ? null : Math.round(request.limit * 100)
    const requested = request.timeInForce ?? 'gtc'
    const protectedPrice = protectedYes(request)
    const ticket: Ticket = {
      id: tickets.length + 1,
      market: request.market,
      action: request.action,
      side: request.side,
      size: Math.round(request.contracts * 1e6),
      limit,
      yesLimit: limit === null ? protectedPrice.price : yesOf(request, limit),
      hadTouch: protectedPrice.hadTouch,
      force: limit === null && requested !== 'fok' ? 'ioc' : requested,
      postOnly: request.postOnly ?? false,
      arrives: now + model.latencyMs + model.takerDelayMs,
      stage: 'sent',
      filled: 0,
      ahead: null,
      since: Infinity,
      place: 0,
    }
    tickets.push(ticket)
    const refusal = refusalOf(ticket)
    if (refusal !== null) return end(ticket, refusal)
    later([ticket.arrives, 9, 0], () => arrive(ticket))
  }

  const protectedYes = (terms: Terms): { price: number; hadTouch: boolean } => {
    const [touch] = buysYes(terms) ? books[terms.market]!.asks : books[terms.market]!.bids
    if (touch === undefined) return { price: buysYes(terms) ? 9_999 : 1, hadTouch: false }
    const away = Math.round(model.protectionCents * 100) * (buysYes(terms) ? 1 : -1)
    return { price: Math.max(1, Math.min(9_999, touch.price + away)), hadTouch: true }
  }

  const refusalOf = (ticket: Ticket): string | null => {
    const described = facts[ticket.market]
    if (described === null || described === undefined) throw new Error('no such market')
    const { limit } = ticket
    if (limit !== null && (limit <= 0 || limit >= 10_000)) {
      return 'price is not between 0 and 100 cents'
    }
    const ranges = described.priceRanges
    const fits = (price: number): boolean =>
      ranges.length === 0 ||
      ranges.some(
        ({ start, end: top, step }) =>
          price >= start && price <= top && (price - start) % step === 0,
      )
    if (limit !== null && !fits(yesOf(ticket, limit)))
      return 'price is not a multiple of the price step'
    if (ticket.size < Math.round(model.leastContracts * 1e6)) return 'size is below the minimum'
    if (!live(ticket.market)) return 'market is not open'
    if (ticket.action === 'sell') {
      const free = money.heldOf(ticket.market, ticket.side) - money.soldOf(ticket.market)
      if (free < ticket.size) return 'insufficient position'
      money.holdContracts(ticket.id, ticket.market, ticket.size)
      return null
    }
    const price = yesOf(ticket, ticket.yesLimit)
    const isHeld = money.holdMoney(ticket.id, ticket.market, price, ticket.size)
    return isHeld ? null : 'insufficient balance'
  }

  const arrive = (ticket: Ticket): void => {
    if (ticket.stage !== 'sent') return
    const book = books[ticket.market]!
    if (!live(ticket.market)) return end(ticket, 'market is not open')
    ticket.stage = 'waiting'
    ticket.place = places++
    if (model.waitsForNextBook) {
      if (book.ts !== null && book.ts >= ticket.arrives) matchBook(ticket, book.ts)
      return
    }
    const isOld =
      model.longestQuoteAgeMs !== null &&
      (book.ts === null || now - book.ts > model.longestQuoteAgeMs)
    if (isOld) end(ticket, 'quote is too old')
    else matchBook(ticket, now)
  }

  const fillable = (ticket: Ticket): number => {
    const open = ticket.size - ticket.filled
    return ticket.action === 'buy' ? open : Math.min(open, money.heldOf(ticket.market, ticket.side))
  }

  const crossesOwn = (ticket: Ticket, yesLimit: number): boolean =>
    openOf(ticket.market).some((other) => {
      if (other.stage !== 'resting' || buysYes(other) === buysYes(ticket)) return false
      const otherPrice = yesOf(other, other.limit ?? 0)
      return buysYes(ticket) ? yesLimit >= otherPrice : yesLimit <= otherPrice
    })

  const fill = (ticket: Ticket, yesPrice: number, size: number, isMaker: boolean): void => {
    const own = yesOf(ticket, yesPrice)
    ticket.filled += size
    const fee = money.trade({
      ...ticket,
      price: own,
      traded: size,
      isMaker,
      rest: ticket.size - ticket.filled,
      holdAt: yesOf(ticket, ticket.yesLimit),
    })
    fills.push({ at: now, order: ticket.id, price: own, size, fee, isMaker })
  }

  const settleRest = (ticket: Ticket, since: number): void => {
    if (ticket.filled >= ticket.size) return end(ticket, 'filled')
    if (ticket.action === 'sell' && fillable(ticket) <= 0) {
      return end(ticket, 'insufficient position')
    }
    if (!model.rests || ticket.force !== 'gtc') {
      return end(ticket, ticket.filled > 0 ? 'remainder not filled' : 'no matching offers')
    }
    ticket.stage = 'resting'
    ticket.since = since
    const book = books[ticket.market]!
    const own = buysYes(ticket) ? 'bids' : 'asks'
    ticket.ahead = book.ts === null ? null : book.queueAt(own, yesOf(ticket, ticket.limit ?? 0))
  }

  const matchBook = (ticket: Ticket, since: number): void => {
    const book = books[ticket.market]!
    const side = buysYes(ticket) ? 'asks' : 'bids'
    if (ticket.limit === null && !ticket.hadTouch) ticket.yesLimit = protectedYes(ticket).price
    const limit = ticket.yesLimit
    const within = (price: number): boolean => (buysYes(ticket) ? price <= limit : price >= limit)
    const [touch] = book[side]
    const takes = touch !== undefined && within(touch.price)
    if (ticket.postOnly && takes) return end(ticket, 'post-only would cross the spread')
    if (crossesOwn(ticket, limit)) return end(ticket, 'would trade with an own order')
    const levels = book
      .takeable(side)
      .slice(0, model.levels)
      .filter(({ price }) => within(price))
    const found = levels.reduce((sum, { size }) => sum + size, 0)
    const isWhole = found >= ticket.size && fillable(ticket) >= ticket.size
    if (takes && (ticket.force !== 'fok' || isWhole)) {
      for (const level of levels) {
        const size = Math.min(level.size, fillable(ticket))
        if (size <= 0) continue
        book.consume(side, level.price, size)
        fill(ticket, level.price, size, false)
      }
    }
    settleRest(ticket, since)
  }

  const meetLast = (ticket: Ticket, last: number, since: number): void => {
    const cost = Math.round(model.noBookCents * 100)
    const price = Math.max(1, Math.min(9_999, buysYes(ticket) ? last + cost : last - cost))
    const limit = ticket.limit === null ? null : yesOf(ticket, ticket.limit)
    const takes = limit === null || (buysYes(ticket) ? price <= limit : price >= limit)
    if (ticket.postOnly && takes) return end(ticket, 'post-only would cross the spread')
    if (crossesOwn(ticket, limit ?? (buysYes(ticket) ? 9_999 : 1))) {
      return end(ticket, 'would trade with an own order')
    }
    const max = Math.min(Math.round(model.assumedLevelContracts * 1e6), fillable(ticket))
    if (takes && max > 0 && (ticket.force !== 'fok' || max >= ticket.size)) {
      fill(ticket, price, max, false)
    }
    settleRest(ticket, since)
  }

  const bookMoved = (market: number, ts: number): void => {
    if (!live(market)) return
    for (const ticket of openOf(market)) {
      if (ticket.stage === 'waiting' && ts >= ticket.arrives) matchBook(ticket, ts)
      else if (ticket.stage === 'resting') {
        const own = buysYes(ticket) ? 'bids' : 'asks'
        const shown = books[market]!.queueAt(own, yesOf(ticket, ticket.limit ?? 0))
        if (shown !== null && (ticket.ahead === null || shown < ticket.ahead)) ticket.ahead = shown
      }
    }
  }

  const printed = (
    market: number,
    ts: number,
    price: number,
    size: number | null,
    taker: 0 | 1 | 2,
  ) => {
    const book = books[market]!
    book.last = price
    if (!live(market)) return
    const hasBook = book.ts !== null
    if (!hasBook) {
      for (const ticket of openOf(market)) {
        if (ticket.stage === 'waiting' && ts >= ticket.arrives) meetLast(ticket, price, ts)
      }
    }
    if (size === null || size <= 0) return
    for (const bid of [true, false]) {
      const limitOf = (ticket: Ticket): number => yesOf(ticket, ticket.limit ?? 0)
      const reached = openOf(market)
        .filter((one) => one.stage === 'resting' && buysYes(one) === bid && one.since <= ts)
        .filter((one) => (bid ? limitOf(one) >= price : limitOf(one) <= price))
        .sort((a, b) => (bid ? limitOf(b) - limitOf(a) : limitOf(a) - limitOf(b)) || a.id - b.id)
      let used = 0
      for (const ticket of reached) {
        const isThrough = limitOf(ticket) !== price
        let counted: number
        if (!hasBook) counted = isThrough ? Math.floor(size * model.noBookShare) : 0
        else if (isThrough) counted = size
        else if (taker === 0) counted = Math.floor(size * model.unknownTakerShare)
        else counted = (taker === 2) === bid ? size : 0
        const ahead = isThrough ? 0 : ticket.ahead
        const open = ahead === null ? 0 : Math.max(0, counted - ahead - used)
        if (!isThrough && ticket.ahead !== null) ticket.ahead = Math.max(0, ticket.ahead - counted)
        const part = Math.min(open, fillable(ticket))
        if (part <= 0) continue
        used += part
        fill(ticket, limitOf(ticket), part, true)
        if (ticket.filled >= ticket.size) end(ticket, 'filled')
      }
    }
  }

  /** Best prices of a market when it closed: positions are valued at them until settlement. */
  const frozen: ({ bid: number | null; ask: number | null } | null)[] = books.map(() => null)
  const exitsOf = (market: number): { bid: number | null; ask: number | null } => {
    const { bids, asks, last } = books[market]!
    return { bid: bids[0]?.price ?? last, ask: asks[0]?.price ?? last }
  }
  const setStatus = (market: number, next: string): void => {
    const wasOpen = live(market) || status[market] === 'paused'
    if (wasOpen && next !== 'active' && next !== 'paused') frozen[market] = exitsOf(market)
    status[market] = next
    if (next === 'active' || next === 'upcoming') return
    if (next === 'paused' && facts[market]?.venue !== 'venue_a') return
    const why =
      next === 'paused' ? 'market paused' : next === 'settled' ? 'market settled' : 'market closed'
    for (const ticket of openOf(market)) end(ticket, why)
  }

  /** Status of a market from its events and, at venue_a, from the clock. */
  const statusAt = (facts: MarketFacts): string => {
    if (facts.venue !== 'venue_a') return facts.status
    let next: string = facts.status
    if (next === 'upcoming' && facts.openTime !== null && now >= facts.openTime) next = 'active'
    const trades = next === 'active' || next === 'paused'
    return trades && facts.closeTime !== null && now >= facts.closeTime ? 'closed' : next
  }

  const describe = (market: number, version: MarketFacts, isBefore: boolean): void => {
    const before = status[market] ?? null
    facts[market] = version
    setStatus(market, statusAt(version))
    for (const time of [version.openTime, version.closeTime]) {
      if (time === null || time <= now || time > scenario.to) continue
      later([time, 1.5, market], () => {
        const current = facts[market]
        if (current === null || current === undefined) return
        const next = statusAt(current)
        if (next === status[market]) return
        setStatus(market, next)
        receive()
      })
    }
    if (status[market] === 'settled') {
      const paid =
        version.result === 'void'
          ? null
          : (version.settlementPrice ??
            (version.result === 'yes' ? 10_000 : version.result === 'no' ? 0 : undefined))
      if (paid !== undefined && settledAt[market] === null) {
        money.settle(market, paid)
        settledAt[market] = now
      } else if (paid !== undefined) money.amend(market, paid)
    }
    if (!isBefore && (before === null || status[market] !== before)) receive()
  }

  const listed = (market: number): boolean => facts[market] !== null
  const playable = <Row extends { known: number }>(rows: readonly Row[]): readonly Row[] =>
    rows.filter(({ known }) => known > scenario.from && known <= scenario.to)

  for (const version of scenario.versions) {
    const { knownAt, market } = version
    if (knownAt > scenario.to) continue
    if (knownAt <= scenario.from) describe(market, version.facts, true)
    else {
      const place = version.facts.status === 'settled' ? 2 : 1
      later([knownAt, place, market], () => describe(market, version.facts, false))
    }
  }
  for (const quote of playable(scenario.quotes)) {
    later([quote.known, 3, quote.ts, quote.market, 0], () => {
      if (!listed(quote.market)) return
      const levelOf = (price: number, size: number) =>
        price <= 0 || price >= 10_000 ? null : { price, size: Number.isNaN(size) ? null : size }
      books[quote.market]!.stateBest(
        quote.ts,
        levelOf(quote.bid, quote.bidSize),
        levelOf(quote.ask, quote.askSize),
      )
      bookMoved(quote.market, quote.ts)
      receive()
    })
  }
  for (const row of playable(scenario.books)) {
    later([row.known, 3, row.ts, row.market, 1], () => {
      if (!listed(row.market)) return
      const levels = (side: typeof row.bids) => side.map(([price, size]) => ({ price, size }))
      books[row.market]!.stateWhole(row.ts, levels(row.bids), levels(row.asks))
      bookMoved(row.market, row.ts)
      receive()
    })
  }
  for (const trade of playable(scenario.trades)) {
    later([trade.known, 4, trade.ts, trade.market, 0], () => {
      if (!listed(trade.market)) return
      printed(trade.market, trade.ts, trade.price, trade.size, trade.taker)
      receive()
    })
  }
  for (const bar of playable(scenario.bars)) {
    later([bar.known, 4, bar.ts, bar.market, 1], () => {
      if (!listed(bar.market)) return
      const levelOf = (price: number) =>
        price <= 0 || price >= 10_000 ? null : { price, size: null }
      if (bar.bid !== -1 || bar.ask !== -1) {
        books[bar.market]!.stateBest(bar.ts, levelOf(bar.bid), levelOf(bar.ask))
        bookMoved(bar.market, bar.ts)
      }
      if (bar.close !== -1) printed(bar.market, bar.ts, bar.close, null, 0)
      receive()
    })
  }

  for (;;) {
    const [first] = occurrences.toSorted((a, b) => compare(a.key, b.key))
    if (first === undefined || (first.key[0] ?? Infinity) > scenario.to) break
    occurrences = occurrences.filter((one) => one !== first)
    now = first.key[0] ?? now
    first.apply()
  }
  now = scenario.to
  for (const ticket of tickets) {
    if (ticket.stage === 'waiting' || ticket.stage === 'resting') end(ticket, 'run ended')
  }
  const exits = books.map((_, market) => frozen[market] ?? exitsOf(market))
  return {
    fills,
    cash: money.cash(),
    equity: money.equity(exits),
    realised: money.realised(),
    net: scenario.markets.map((_, market) => money.netOf(market)),
    received,
    ends,
  }
}
