import { isLive } from '../../domain/market-status.ts'
import { QUOTE_LIFE } from '../../domain/prices/price.ts'
import type { FinderMarket } from '../../domain/finder/find-markets.ts'
import { volumeUsd } from '../../domain/liquidity/volume.ts'
import type { Millis } from '../../domain/units.ts'
import type { MarketNumbers } from '../../history/market-rows.ts'
import type { DescribedMarket } from './described-market.ts'
import type { SearchedView } from './market-board.ts'
import { ACTIVITY_LIFE, BOOK_MEMORY, noNumbers, viewOf } from './market-view.ts'

/**
 * Ranking inputs of a market at `asOf`: fields of its view, cached until its facts or numbers
 * change or an instant is reached at which time alone changes them.
 * @param numbers null when nothing is known
 */
export function searchInputsAt(
  describedMarket: DescribedMarket,
  numbers: MarketNumbers | null,
  asOf: Millis,
): FinderMarket & SearchedView {
  const { current } = describedMarket
  if (
    current !== null &&
    asOf >= current.from &&
    asOf <= current.until &&
    isSame(current.numbers, numbers)
  ) {
    return current.searched
  }
  const { market, facts } = describedMarket.record
  const view = viewOf(describedMarket, numbers ?? noNumbers(market), null, asOf)
  const searchInputs = {
    facts,
    price: view.price,
    volume: view.volume,
    ticker: facts.ticker,
    eventKey: current?.searched.eventKey ?? `${facts.venue}:${facts.eventId}`,
    live: isLive(facts, asOf),
    closeTime: facts.closeTime,
    volume24hUsd: view.volume24hUsd,
    openInterestUsd: volumeUsd(view.openInterest, facts.volumeUnit, view.price),
    liquidity: view.liquidityScore,
  }
  describedMarket.current = {
    // Copied, because the table changes numbers in place.
    numbers: numbers === null ? null : { ...numbers },
    from: asOf,
    until: lastInstantOf(describedMarket, numbers, asOf),
    searched: searchInputs,
  }
  return searchInputs
}

function isSame(current: MarketNumbers | null, numbers: MarketNumbers | null): boolean {
  if (current === null || numbers === null) return current === numbers
  return (
    current.quote === numbers.quote &&
    current.last === numbers.last &&
    current.activity === numbers.activity &&
    current.depth === numbers.depth
  )
}

/** The last instant before the market opens or closes, or one of its numbers expires. */
function lastInstantOf(
  { record: { facts } }: DescribedMarket,
  numbers: MarketNumbers | null,
  asOf: Millis,
): number {
  const { openTime, closeTime } = facts
  let until = Infinity
  const assertTermOrder = (last: number): void => {
    if (last >= asOf && last < until) until = last
  }
  if (openTime !== null) assertTermOrder(openTime - 1)
  if (closeTime !== null) assertTermOrder(closeTime - 1)
  const quote = numbers?.quote ?? null
  if (quote !== null) {
    assertTermOrder(quote.knownAt + QUOTE_LIFE)
    assertTermOrder(quote.knownAt + BOOK_MEMORY)
  }
  const depth = numbers?.depth ?? null
  if (depth !== null) assertTermOrder(depth.ts + BOOK_MEMORY)
  const activity = numbers?.activity ?? null
  if (activity !== null) assertTermOrder(activity.ts + ACTIVITY_LIFE - 1)
  return until
}
