import { DAY, HOUR } from '../../domain/units.ts'
import { isPaused } from '../catalogue/market.ts'
import type { SimEvent, SimMarket, TickGrid } from '../catalogue/market.ts'
import { unit, uuidOf } from '../randomness.ts'
import { quoteAt } from '../tape/quote.ts'
import { bookAt } from '../tape/order-book.ts'
import type { Level, SimBook } from '../tape/order-book.ts'
import type { SimTrade } from '../tape/sim-trade.ts'
import type { Tape } from '../tape/trades.ts'

const DOLLARS = Array.from({ length: 10_001 }, (_, price) => (price / 10_000).toFixed(4))

/** Dollar text of a price in 1e-4 dollars: `0.5600`. */
export const dollars = (price: number): string => DOLLARS[price] ?? (price / 10_000).toFixed(4)
/** Count text of hundredths of contracts: `10.00`. */
export const count = (hundredths: number): string => (hundredths / 100).toFixed(2)
export const iso = (at: number): string => new Date(at).toISOString().replace('.000Z', 'Z')

const RANGES: Record<TickGrid, readonly { start: string; end: string; step: string }[]> = {
  linear_cent: [{ start: '0.0000', end: '1.0000', step: '0.0100' }],
  deci_cent: [{ start: '0.0000', end: '1.0000', step: '0.0010' }],
  tapered_deci_cent: [
    { start: '0.0000', end: '0.1000', step: '0.0010' },
    { start: '0.1000', end: '0.9000', step: '0.0100' },
    { start: '0.9000', end: '1.0000', step: '0.0010' },
  ],
}

/** The status words of a market object. */
export function statusOf(market: SimMarket, at: number): string {
  if (at < market.openAt) return 'initialized'
  if (at < market.closeAt) return isPaused(market, at) ? 'inactive' : 'active'
  if (at < market.determinedAt) return 'closed'
  if (at >= market.settledAt) return 'finalized'
  if (!market.disputed || at < market.determinedAt + HOUR) return 'determined'
  return at < market.settledAt - 6 * HOUR ? 'disputed' : 'amended'
}

/** The words of the list filter. */
export function listStatusOf(market: SimMarket, at: number): string {
  const status = statusOf(market, at)
  if (status === 'initialized') return 'unopened'
  if (status === 'active') return 'open'
  if (status === 'inactive') return 'paused'
  return status === 'finalized' ? 'settled' : 'closed'
}

/** Announced end of trading; games allow for another day. */
export const closeTimeOf = (market: SimMarket, at: number): number =>
  at >= market.closeAt
    ? market.closeAt
    : market.event.template.shape.kind === 'game'
      ? market.endAt + 14 * DAY
      : market.endAt

/** When anything but prices last changed. */
export const updatedAt = (market: SimMarket, at: number): number =>
  [market.settledAt, market.determinedAt, market.closeAt, market.openAt].find(
    (moment) => moment <= at,
  ) ?? market.createdAt

export const openInterestAt = (market: SimMarket, volume: number): number =>
  Math.floor((volume * (0.2 + 0.35 * unit(market.key, 301))) / 100) * 100

/** A market object as of an instant. */
export function wireMarket(market: SimMarket, at: number, tape: Tape): Record<string, unknown> {
  const { bid, ask } = quoteAt(market, at)
  const book = bookAt(market, at)
  const dayAgo = at - DAY
  const quoteDayAgo = quoteAt(market, dayAgo)
  const volume = tape.volumeAt(market, at)
  const last = tape.lastBefore(market, at)
  const previous = dayAgo > market.openAt ? tape.lastBefore(market, dayAgo) : null
  const isDetermined = at >= market.determinedAt
  const { choice, event } = market
  const isGame = event.template.shape.kind === 'game'
  return {
    ticker: market.id,
    event_ticker: event.id,
    market_type: market.result === 'scalar' && !isGame ? 'scalar' : 'binary',
    exchange_index: 0,
    title: '',
    subtitle: '',
    yes_sub_title: choice.label === 'Yes' ? event.title : choice.label,
    no_sub_title: choice.label === 'Yes' ? event.title : choice.label,
    rules_primary: market.rules,
    rules_secondary: market.rulesMore,
    ...(choice.deadline === null
      ? {}
      : { early_close_condition: 'This market will close and expire early if the event occurs.' }),
    created_time: iso(market.createdAt),
    updated_time: iso(updatedAt(market, at)),
    open_time: iso(market.openAt),
    close_time: iso(closeTimeOf(market, at)),
    expected_expiration_time: iso(market.endAt + (isGame ? 0 : HOUR)),
    latest_expiration_time: iso(market.endAt + (isGame ? 14 : 7) * DAY),
    expiration_time: iso(market.endAt + 7 * DAY),
    ...(isGame ? { occurrence_datetime: iso(market.endAt - 3 * HOUR) } : {}),
    ...(at >= market.settledAt ? { settlement_ts: iso(market.settledAt) } : {}),
    settlement_timer_seconds: 3_600,
    can_close_early: isGame || choice.deadline !== null,
    status: statusOf(market, at),
    yes_bid_dollars: dollars(bid),
    yes_ask_dollars: dollars(ask),
    no_bid_dollars: dollars(10_000 - ask),
    no_ask_dollars: dollars(10_000 - bid),
    yes_bid_size_fp: count(book.bids[0]?.[1] ?? 0),
    yes_ask_size_fp: count(book.asks[0]?.[1] ?? 0),
    last_price_dollars: dollars(last?.price ?? 0),
    previous_yes_bid_dollars: dollars(quoteDayAgo.bid),
    previous_yes_ask_dollars: dollars(quoteDayAgo.ask),
    previous_price_dollars: dollars(previous?.price ?? 0),
    notional_value_dollars: '1.0000',
    volume_fp: count(volume),
    volume_24h_fp: count(volume - tape.volumeAt(market, dayAgo)),
    open_interest_fp: count(openInterestAt(market, volume)),
    result: isDetermined ? market.result : '',
    ...(isDetermined && market.result !== 'void'
      ? { settlement_value_dollars: dollars(Math.round(market.payout * 10_000)) }
      : {}),
    expiration_value: isDetermined ? expirationValue(market) : '',
    settlement_bounds_type: 'default',
    ...strikeOf(market),
    price_level_structure: market.grid,
    price_ranges: RANGES[market.grid],
    is_provisional: false,
  }
}

const expirationValue = (market: SimMarket): string =>
  market.result === 'scalar'
    ? market.payout.toFixed(2)
    : market.result === 'void'
      ? ''
      : market.result === 'yes'
        ? 'Yes'
        : 'No'

function strikeOf(market: SimMarket): Record<string, unknown> {
  const { floor, cap, label } = market.choice
  if (floor !== null && cap !== null)
    return { strike_type: 'between', floor_strike: floor, cap_strike: cap }
  if (floor !== null)
    return {
      strike_type: label.includes('or above') ? 'greater_or_equal' : 'greater',
      floor_strike: floor,
    }
  if (cap !== null) return { strike_type: 'less', cap_strike: cap }
  const { shape } = market.event.template
  return shape.kind === 'field' || shape.kind === 'game'
    ? { strike_type: 'structured', custom_strike: { Name: label } }
    : { strike_type: 'custom' }
}

/** An event object. */
export function wireEvent(event: SimEvent, at: number): Record<string, unknown> {
  const { template, when } = event
  const several =
    template.shape.kind === 'game' || template.shape.kind === 'field' || event.exclusive
  return {
    event_ticker: event.id,
    series_ticker: event.seriesTicker,
    title: event.title,
    sub_title: template.shape.kind === 'deadline' ? `Before ${when.short}` : `On ${when.short}`,
    mutually_exclusive: several,
    collateral_return_type: several ? 'MECNET' : 'binary',
    category: template.series.category,
    strike_date: iso(event.endsAt),
    strike_period: '',
    available_on_brokers: false,
    exchange_index: 0,
    last_updated_ts: iso(Math.max(...event.markets.map((market) => updatedAt(market, at)))),
    product_metadata: null,
  }
}

/** A series object, from any event of it. */
export function wireSeries(event: SimEvent): Record<string, unknown> {
  const { series } = event.template
  return {
    ticker: event.seriesTicker,
    title: event.seriesTitle,
    frequency: series.frequency,
    category: series.category,
    categories: [series.category],
    tags:
      series.tags.length === 0
        ? null
        : series.tags.map((tag) =>
            tag.replace('{code}', event.subject.code).replace('{name}', event.subject.name),
          ),
    settlement_sources: [series.source],
    contract_url: series.source.url,
    contract_terms_url: series.source.url,
    fee_type: 'quadratic',
    fee_multiplier: 1,
    additional_prohibitions: null,
    exchange_index: 0,
  }
}

export const tradeIdOf = (trade: SimTrade): string =>
  uuidOf(trade.market.key, trade.hour * 4_096 + trade.index)

const hourTexts = new Map<number, string>()

/** ISO time to the millisecond without its zone. */
function timeText(hour: number, at: number): string {
  let head = hourTexts.get(hour)
  if (head === undefined) {
    if (hourTexts.size > 5_000) hourTexts.clear()
    head = new Date(hour * HOUR).toISOString().slice(0, 14)
    hourTexts.set(hour, head)
  }
  const left = at - hour * HOUR
  const minute = Math.floor(left / 60_000)
  const second = Math.floor((left % 60_000) / 1_000)
  return `${head}${two(minute)}:${two(second)}.${String(1_000 + (left % 1_000)).slice(1)}`
}
const two = (value: number): string => (value < 10 ? `0${value}` : String(value))

/** A trade as JSON text; pages of a thousand make a general serialiser too slow. */
export function tradeText(trade: SimTrade): string {
  const side = trade.takerYes ? 'yes' : 'no'
  const yes = dollars(trade.price)
  const micros = String(unit(trade.market.key, trade.at & 0x7fff)).slice(2, 5)
  return `{"trade_id":"${tradeIdOf(trade)}","ticker":"${trade.market.id}","count_fp":"${count(trade.size)}","yes_price_dollars":"${yes}","no_price_dollars":"${dollars(10_000 - trade.price)}","taker_outcome_side":"${side}","taker_book_side":"${trade.takerYes ? 'bid' : 'ask'}","taker_side":"${side}","created_time":"${timeText(trade.hour, trade.at)}${micros}Z","is_block_trade":${String(trade.isBlock)}}`
}

/** Bids of both legs, ascending as the venue sends them; null for an empty side. */
export function wireBook(book: SimBook, depth: number): Record<string, [string, string][] | null> {
  const leg = (
    levels: readonly Level[],
    price: (yes: number) => number,
  ): [string, string][] | null => {
    const top = depth === 0 ? levels : levels.slice(0, depth)
    if (top.length === 0) return null
    return top.map(([yes, size]): [string, string] => [dollars(price(yes)), count(size)]).reverse()
  }
  return {
    yes_dollars: leg(book.bids, (yes) => yes),
    no_dollars: leg(book.asks, (yes) => 10_000 - yes),
  }
}
