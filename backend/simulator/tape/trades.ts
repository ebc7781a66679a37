import { HOUR, MINUTE } from '../../domain/units.ts'
import { INFORMED_SHARES } from '../catalogue/character.ts'
import { mix, normal, unit } from '../randomness.ts'
import type { SimMarket } from '../catalogue/market.ts'
import { lotOf } from './hours.ts'
import type { HourlyActivity } from './hours.ts'
import type { SimTrade } from './sim-trade.ts'
import { TapeEdits } from './tape-edits.ts'
import { fairAt, anticipatedPrice, quoteAt, tickAt } from './quote.ts'

const RETENTION_HOURS = 6_000

/** All trades by market and hour, ascending; recent hours are cached. */
export class Tape {
  readonly hours: HourlyActivity
  /** Edits of the generated trades. */
  readonly edits = new TapeEdits()
  readonly #cachedTrades = new Map<SimMarket, Map<number, readonly SimTrade[]>>()
  readonly #pinnedTrades = new Map<SimMarket, Map<number, readonly SimTrade[]>>()
  #size = 0

  constructor(hours: HourlyActivity) {
    this.hours = hours
  }

  /** Current trades of one market in one hour, ascending by time. */
  hour(market: SimMarket, hour: number): readonly SimTrade[] {
    const generatedTrades = this.#generatedTrades(market, hour)
    return this.edits.isEmpty ? generatedTrades : this.edits.withEdits(market, generatedTrades)
  }

  /** Keeps an hour as generated, even if the market's times change. */
  pin(market: SimMarket, hour: number): void {
    const marketHours = this.#pinnedTrades.get(market) ?? new Map<number, readonly SimTrade[]>()
    if (!marketHours.has(hour)) marketHours.set(hour, this.#generatedTrades(market, hour))
    this.#pinnedTrades.set(market, marketHours)
  }

  #generatedTrades(market: SimMarket, hour: number): readonly SimTrade[] {
    const pinnedTrades = this.#pinnedTrades.get(market)?.get(hour)
    if (pinnedTrades !== undefined) return pinnedTrades
    const count = this.hours.countAt(market, hour)
    if (count === 0) return NO_TRADES
    const existing = this.#cachedTrades.get(market)?.get(hour)
    if (existing !== undefined) return existing
    const trades = makeHour(market, hour, count, this.hours.volumeOf(market, hour))
    if (this.#size >= RETENTION_HOURS) {
      this.#cachedTrades.clear()
      this.#size = 0
    }
    const marketHours = this.#cachedTrades.get(market) ?? new Map<number, readonly SimTrade[]>()
    marketHours.set(hour, trades)
    this.#cachedTrades.set(market, marketHours)
    this.#size += 1
    return trades
  }

  /** The last trade at or before an instant that was not a block, or null. */
  lastBefore(market: SimMarket, at: number): SimTrade | null {
    const first = Math.floor(market.openAt / HOUR)
    for (let hour = Math.floor(Math.min(at, market.closeAt) / HOUR); hour >= first; hour--) {
      const trades = this.hour(market, hour)
      for (let i = trades.length - 1; i >= 0; i--) {
        const trade = trades[i]
        if (trade !== undefined && trade.at <= at && !trade.isBlock) return trade
      }
    }
    return null
  }

  /** Hundredths of contracts traded from the opening to an instant. */
  volumeAt(market: SimMarket, at: number): number {
    const hour = Math.floor(at / HOUR)
    let volume = this.hours.volumeBefore(market, hour)
    for (const trade of this.#generatedTrades(market, hour))
      if (trade.at <= at) volume += trade.size
    return volume - this.#missing(market, at).size
  }

  /** Dollars times 1e6 traded from the opening to an instant. */
  dollarsAt(market: SimMarket, at: number): number {
    const hour = Math.floor(at / HOUR)
    let dollars = this.hours.dollarsBefore(market, hour)
    for (const trade of this.#generatedTrades(market, hour))
      if (trade.at <= at) dollars += trade.size * trade.price
    return Math.max(0, dollars - this.#missing(market, at).dollars)
  }

  #missing(market: SimMarket, at: number): { size: number; dollars: number } {
    if (this.edits.isEmpty) return { size: 0, dollars: 0 }
    return this.edits.missing(market, at, (from, to) =>
      this.#generatedTradesWithin(market, from, to),
    )
  }

  #generatedTradesWithin(market: SimMarket, from: number, to: number): SimTrade[] {
    const trades: SimTrade[] = []
    const last = Math.floor(Math.min(to, market.closeAt) / HOUR)
    for (let hour = Math.floor(from / HOUR); hour <= last; hour++)
      for (const trade of this.#generatedTrades(market, hour))
        if (trade.at > from && trade.at <= to) trades.push(trade)
    return trades
  }
}

const NO_TRADES: readonly SimTrade[] = []

function makeHour(market: SimMarket, hour: number, count: number, volume: number): SimTrade[] {
  const key = mix(mix(market.key, 31), hour)
  const start = Math.max(market.openAt, hour * HOUR)
  const span = Math.min(market.closeAt, (hour + 1) * HOUR) - start
  const takers = Array.from({ length: count }, (_, i) => takerOf(market, key, i, start, span))
  takers.sort((a, b) => a.at - b.at)
  const sizes = distributeVolume(market, key, count, volume)
  return takers.map(({ at, takerYes }, index) => {
    const randomValue = mix(key, index + 50_000)
    const isBlock = isBlockTrade(market, key, index)
    return {
      market,
      hour,
      index,
      at,
      takerYes,
      isBlock,
      size: sizes[index] ?? 100,
      price: priceOf(market, at, takerYes, isBlock, randomValue),
    }
  })
}

/** Number of moments of an hour that an informed taker chooses from, and how far ahead it sees. */
const CHOICES = 5
const INFORMED_HORIZON = 5 * MINUTE

/** Time and side of a trade: an informed taker trades before the largest move that it foresees. */
function takerOf(
  market: SimMarket,
  key: number,
  index: number,
  start: number,
  span: number,
): { at: number; takerYes: boolean } {
  const at = start + Math.floor(unit(key, index) * span)
  const randomValue = mix(key, index + 50_000)
  if ((randomValue >>> 16) / 65_536 >= INFORMED_SHARES[market.event.flow])
    return { at, takerYes: (randomValue & 0xffff) / 65_536 < 0.5 }
  let best = { at, takerYes: true, move: 0 }
  for (let choice = 0; choice < CHOICES; choice++) {
    const time = start + Math.floor(unit(mix(key, index), choice) * span)
    const move = anticipatedPrice(market, time + INFORMED_HORIZON) - anticipatedPrice(market, time)
    if (Math.abs(move) >= Math.abs(best.move)) best = { at: time, takerYes: move > 0, move }
  }
  return best
}

/** Trades agreed off the book; only venue_a reports them. */
const isBlockTrade = (market: SimMarket, key: number, index: number): boolean =>
  market.venue === 'venue_a' && unit(key, index + 90_000) < 0.003

/** Sizes that add up to the hour's volume, heavy-tailed. */
function distributeVolume(market: SimMarket, key: number, count: number, volume: number): number[] {
  const lot = lotOf(market)
  const weights = Array.from(
    { length: count },
    (_, i) => Math.exp(1.15 * normal(key, i + 10_000)) * (isBlockTrade(market, key, i) ? 40 : 1),
  )
  const sum = weights.reduce((a, b) => a + b, 0)
  const spare = volume / lot - count
  const lots = weights.map((weight) => 1 + Math.floor((weight / sum) * spare))
  const left = volume / lot - lots.reduce((a, b) => a + b, 0)
  lots[0] = (lots[0] ?? 0) + left
  return lots.map((number) => number * lot)
}

/** The side of the book that the taker hits; block trades are agreed some way off it. */
function priceOf(
  market: SimMarket,
  at: number,
  takerYes: boolean,
  isBlock: boolean,
  randomValue: number,
): number {
  const { bid, ask } = quoteAt(market, at)
  const isInside = isBlock || market.book === 'wide'
  if (!isInside && takerYes && ask < 10_000) return ask
  if (!isInside && !takerYes && bid > 0) return bid
  const fair = fairAt(market, at) * 10_000
  const tick = tickAt(market, fair, at)
  const roundToTick = (price: number): number =>
    Math.max(tick, Math.min(10_000 - tick, Math.round(price / tick) * tick))
  if (isBlock) return roundToTick(fair + ((randomValue >>> 16) / 65_536 - 0.5) * 1_200)
  // Nothing rests on that side: the match is with a short-lived order.
  return roundToTick(fair + (takerYes ? 30 : -30))
}
