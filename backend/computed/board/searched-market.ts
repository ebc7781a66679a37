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
  described: DescribedMarket,
  numbers: MarketNumbers | null,
  asOf: Millis,
): FinderMarket & SearchedView {
  const { current } = described
  if (
    current !== null &&
    asOf >= current.from &&
    asOf <= current.until &&
    isSame(current.numbers, numbers)
  ) {
    return current.searched
  }
  const { market, facts } = described.record
  const view = viewOf(described, numbers ?? noNumbers(market), null, asOf)
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
  described.current = {
    // Copied, because the table changes numbers in place.
    numbers: numbers === null ? null : { ...numbers },
    from: asOf,
    until: lastInstantOf(described, numbers, asOf),
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
  const holds = (last: number): void => {
    if (last >= asOf && last < until) until = last
  }
  if (openTime !== null) holds(openTime - 1)
  if (closeTime !== null) holds(closeTime - 1)
  const quote = numbers?.quote ?? null
  if (quote !== null) {
    holds(quote.knownAt + QUOTE_LIFE)
    holds(quote.knownAt + BOOK_MEMORY)
  }
  const depth = numbers?.depth ?? null
  if (depth !== null) holds(depth.ts + BOOK_MEMORY)
  const activity = numbers?.activity ?? null
  if (activity !== null) holds(activity.ts + ACTIVITY_LIFE - 1)
  return until
}
