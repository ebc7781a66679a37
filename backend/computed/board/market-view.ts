import { liquidityScore } from '../../domain/liquidity/liquidity.ts'
import { tauAt } from '../../domain/prices/indicators.ts'
import type { MarketStatus, VolumeUnit } from '../../domain/market.ts'
import { statusAt } from '../../domain/market-status.ts'
import { pricesAt, type MarketPrices } from '../../domain/prices/price.ts'
import {
  centsOf,
  contractsOf,
  DAY,
  dollarsOf,
  HOUR,
  roundTo,
  type Cents,
  type Millis,
  type MoneyE6,
  type PriceE4,
  type SizeE6,
} from '../../domain/units.ts'
import { volumeUsd } from '../../domain/liquidity/volume.ts'
import type { MarketNumbers, MarketRecord } from '../../history/market-rows.ts'
import type { DescribedMarket } from './described-market.ts'
import type { MarketView } from './market-board.ts'

/** Empty numbers of a market. */
export const noNumbers = (market: number): MarketNumbers => ({
  market,
  last: null,
  quote: null,
  activity: null,
  depth: null,
})

/** Maximum age of an unconfirmed quote or book of a market that still trades. */
export const BOOK_MEMORY = HOUR
/** Maximum age of a venue's statement on the last 24 hours. */
export const ACTIVITY_LIFE = DAY

/** Markets with these statuses keep their last mark, however old it is. */
export const keepsLastMark = (status: MarketStatus): boolean =>
  status === 'closed' || status === 'resolving'

/**
 * The newest trade; without a recorded trade, the last price stated by the venue, which is dated by
 * the statement because its own time is unknown.
 */
export function lastOf({ last, activity }: MarketNumbers): MarketNumbers['last'] {
  if (last !== null) return last
  const venuePrice = activity?.lastPrice ?? null
  return activity === null || venuePrice === null ? null : { price: venuePrice, ts: activity.ts }
}

/** A first load sees all markets at once, so a market is at least as old as its opening. */
export const firstSeenOf = ({
  firstSeenAt,
  facts,
}: Pick<MarketRecord, 'firstSeenAt' | 'facts'>): Millis =>
  facts.openTime !== null && facts.openTime < firstSeenAt ? facts.openTime : firstSeenAt

/** The prices of a market at `asOf` from what was known by then. */
export function pricesOf(record: MarketRecord, numbers: MarketNumbers, asOf: Millis): MarketPrices {
  const { facts } = record
  const { quote } = numbers
  const last = lastOf(numbers)
  return pricesAt({
    status: statusAt(facts, asOf),
    at: asOf,
    last: last === null ? null : { price: centsOf(last.price), at: last.ts },
    quote:
      quote === null
        ? null
        : { bid: cents(quote.bid), ask: cents(quote.ask), confirmedAt: quote.knownAt },
    settlement: facts,
  })
}

/**
 * One market at `asOf`, ready to be served.
 * @param priceDayAgo headline price 24 h before `asOf`
 */
export function viewOf(
  describedMarket: DescribedMarket,
  numbers: MarketNumbers,
  priceDayAgo: Cents | null,
  asOf: Millis,
): MarketView {
  const { record } = describedMarket
  const { facts } = record
  const { activity } = numbers
  const status = statusAt(facts, asOf)
  const trades = status === 'active' || status === 'paused' || status === 'upcoming'
  const isFresh = (knownAt: Millis): boolean => !trades || asOf - knownAt <= BOOK_MEMORY
  const quote = numbers.quote !== null && isFresh(numbers.quote.knownAt) ? numbers.quote : null
  const prices = pricesOf(record, numbers, asOf)
  const isOfToday = activity !== null && (!trades || asOf - activity.ts < ACTIVITY_LIFE)
  const volume24h = isOfToday ? amount(activity.volume24h, facts.volumeUnit) : null
  const volume24hUsd = volumeUsd(volume24h, facts.volumeUnit, prices.price)
  // One contract pays one dollar, so contracts equal payout dollars.
  const depth =
    prices.hasOrderbook && numbers.depth !== null && isFresh(numbers.depth.ts)
      ? numbers.depth
      : null
  const bidDepthUsd = depth === null ? null : contractsOf(depth.bid)
  const askDepthUsd = depth === null ? null : contractsOf(depth.ask)
  return {
    market: record.market,
    facts,
    // Lazy, because most rows of a list are filtered or cut off before these are read.
    get slug() {
      return describedMarket.slug
    },
    get topics() {
      return describedMarket.topics
    },
    firstSeenAt: record.firstSeenAt,
    status,
    price: roundPrice(prices.price),
    mark: roundPrice(prices.mark),
    bestBid: roundPrice(prices.bid),
    bestAsk: roundPrice(prices.ask),
    spread: roundPrice(prices.spread),
    lastPrice: roundPrice(prices.last),
    hasOrderbook: prices.hasOrderbook,
    change24h:
      prices.price === null || priceDayAgo === null ? null : roundTo(prices.price - priceDayAgo, 2),
    volume: amount(activity?.volume ?? null, facts.volumeUnit),
    volume24h,
    volume24hUsd: volume24hUsd === null ? null : roundTo(volume24hUsd, 2),
    openInterest: amount(activity?.openInterest ?? null, facts.volumeUnit),
    bidDepthUsd,
    askDepthUsd,
    liquidityScore: liquidityScore({
      spread: prices.hasOrderbook ? prices.spread : null,
      bidDepthUsd,
      askDepthUsd,
      volume24hUsd,
    }),
    tau: tauAt(facts.closeTime, asOf),
    updatedAt: quote?.knownAt ?? numbers.last?.ts ?? record.knownAt,
    quotedAt: quote?.knownAt ?? null,
  }
}

const cents = (price: PriceE4 | null): Cents | null => (price === null ? null : centsOf(price))

/** Prices are served with at most four decimals; a midpoint of two fractional ticks has no more. */
const roundPrice = (price: Cents | null): Cents | null =>
  price === null ? null : (roundTo(price, 4) as Cents)

const amount = (storedAmount: SizeE6 | MoneyE6 | null, unit: VolumeUnit): number | null => {
  if (storedAmount === null) return null
  return unit === 'contracts'
    ? contractsOf(storedAmount as SizeE6)
    : dollarsOf(storedAmount as MoneyE6)
}
