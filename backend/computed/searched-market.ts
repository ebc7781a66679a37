import { isLive } from '../domain/market-status.ts'
import { QUOTE_LIFE } from '../domain/price.ts'
import type { SearchedMarket } from '../domain/search-ranking.ts'
import type { Millis } from '../domain/units.ts'
import type { MarketNumbers } from '../history/market-rows.ts'
import type { DescribedMarket } from './described-market.ts'
import type { SearchedView } from './market-board.ts'
import { ACTIVITY_LIFE, BOOK_MEMORY, noNumbers, viewOf } from './market-view.ts'

/**
 * What ranking asks of a market at `asOf`: the words of its view, worked out once and kept until its
 * facts or numbers change or an instant passes from which time alone changes them.
 * @param numbers null where nothing is known
 */
export function searchedAt(
  described: DescribedMarket,
  numbers: MarketNumbers | null,
  asOf: Millis,
): SearchedMarket & SearchedView {
  const { held } = described
  if (held !== null && asOf >= held.from && asOf <= held.until && isSame(held.numbers, numbers)) {
    return held.searched
  }
  const { market, facts } = described.record
  const view = viewOf(described, numbers ?? noNumbers(market), null, asOf)
  const searched = {
    facts,
    price: view.price,
    volume: view.volume,
    ticker: facts.ticker,
    eventKey: held?.searched.eventKey ?? `${facts.venue}:${facts.eventId}`,
    live: isLive(facts, asOf),
    closeTime: facts.closeTime,
    volume24hUsd: view.volume24hUsd,
    liquidity: view.liquidityScore,
  }
  described.held = {
    // The table changes numbers in place, part by part.
    numbers: numbers === null ? null : { ...numbers },
    from: asOf,
    until: lastInstantOf(described, numbers, asOf),
    searched,
  }
  return searched
}

function isSame(held: MarketNumbers | null, numbers: MarketNumbers | null): boolean {
  if (held === null || numbers === null) return held === numbers
  return (
    held.quote === numbers.quote &&
    held.last === numbers.last &&
    held.activity === numbers.activity &&
    held.depth === numbers.depth
  )
}

/** The last instant before the market opens or closes, or what is known of it grows too old. */
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
