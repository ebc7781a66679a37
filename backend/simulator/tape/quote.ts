import type { Flow } from '../catalogue/character.ts'
import { mix, unit } from '../randomness.ts'
import { isTrading } from '../catalogue/market.ts'
import type { SimMarket } from '../catalogue/market.ts'
import { valueNoise } from '../walk.ts'

/** Best bid and ask in 1e-4 dollars; 0 is no bid, 10,000 is no ask. */
export interface Quote {
  readonly bid: number
  readonly ask: number
}
export const NO_QUOTE: Quote = { bid: 0, ask: 10_000 }
const TICK_EPOCH = 600_000

/** The book does not change between these instants, which the markets of an event share. */
export const stepStart = (market: SimMarket, at: number): number => {
  const phase = market.event.key % market.step
  return Math.floor((at - phase) / market.step) * market.step + phase
}

/**
 * Price step in 1e-4 dollars at the probability `price`. venue_b has one step for the whole book,
 * finer while the market is nearly decided; it changes at fixed instants.
 */
export function tickAt(market: SimMarket, price: number, at: number): number {
  if (market.grid === 'deci_cent') return 10
  if (market.venue === 'venue_b') return venueBTick(market, at)
  return market.grid === 'tapered_deci_cent' && (price < 1_000 || price > 9_000) ? 10 : 100
}

const lastTicks = new WeakMap<SimMarket, { epoch: number; tick: number }>()

/** venue_b's step at an instant: finer while the market was extreme when the ten minutes began. */
export function venueBTick(market: SimMarket, at: number): number {
  if (market.grid === 'deci_cent') return 10
  const epoch = Math.floor(at / TICK_EPOCH)
  const last = lastTicks.get(market)
  if (last?.epoch === epoch) return last.tick
  const chance = market.chance(epoch * TICK_EPOCH)
  const tick = chance > 0.96 || chance < 0.04 ? 10 : 100
  lastTicks.set(market, { epoch, tick })
  return tick
}

/** Unrest that informed takers foresee, as a chance, and how long it lasts; both venues share it. */
const INFORMED_DRIFT: Readonly<Record<Flow, number>> = { maker: 0, mixed: 0.012, taker: 0.012 }
const ANTICIPATED_SPAN = 400_000

/** Part of the unrest that informed takers foresee, between about -1 and 1. */
export const anticipatedPrice = (market: SimMarket, at: number): number =>
  valueNoise(mix(market.event.sharedKey, 0xf0e), at, ANTICIPATED_SPAN)

/**
 * The fair price with the noise of an active book. The markets of a ladder share their noise, so
 * that they stay in order.
 */
export function fairAt(market: SimMarket, at: number): number {
  const chance = market.chance(at)
  const edgeDistance = Math.min(chance, 1 - chance)
  const { key } = market.event.exclusive ? market : market.event
  const unrest =
    Math.min(0.004, edgeDistance * 0.25) *
    (valueNoise(key, at, 21_000) + valueNoise(key + 1, at, 173_000))
  const max = Math.min(INFORMED_DRIFT[market.event.flow], edgeDistance * 0.25)
  return max === 0 ? chance + unrest : chance + unrest + max * anticipatedPrice(market, at)
}

/** Best bid and ask at an instant, `NO_QUOTE` outside trading. */
export function quoteAt(market: SimMarket, at: number): Quote {
  if (market.book === 'empty' || !isTrading(market, at)) return NO_QUOTE
  const stepAt = stepStart(market, at)
  const fair = fairAt(market, stepAt) * 10_000
  const half = halfSpread(market, stepAt, fair)
  const low = Math.max(0, fair - half)
  const high = Math.min(10_000, fair + half)
  const bidTick = tickAt(market, low, stepAt)
  const askTick = tickAt(market, high, stepAt)
  let bid = Math.floor(low / bidTick + 1e-9) * bidTick
  let ask = Math.ceil(high / askTick - 1e-9) * askTick
  if (bid >= 10_000) bid = 10_000 - bidTick
  if (ask <= 0) ask = askTick
  if (ask <= bid) {
    if (bid >= 5_000) bid = ask - bidTick
    else ask = bid + askTick
  }
  if (market.book === 'one_sided') return fair < 5_000 ? { bid: 0, ask } : { bid, ask: 10_000 }
  return { bid: Math.max(0, bid), ask: Math.min(10_000, ask) }
}

/**
 * Addition to the spread of a quiet market, 1e-4 dollars; less where takers are informed, because
 * makers compete there.
 */
const WIDTH: Readonly<Record<Flow, number>> = { maker: 420, mixed: 260, taker: 160 }

/** Half of the spread in 1e-4 dollars: narrower in busy markets and near certainty. */
function halfSpread(market: SimMarket, at: number, fair: number): number {
  const busy = 1 / (1 + Math.sqrt(market.tradesPerDay / 12))
  const middle = 0.25 + (fair * (10_000 - fair)) / 25_000_000
  const spreadFactor = 0.6 + 0.8 * unit(mix(market.key, 5), Math.floor(at / 45_000))
  const widthFactor = market.book === 'wide' ? 5 : 1
  return (18 + WIDTH[market.event.flow] * busy) * middle * spreadFactor * widthFactor * 0.5
}
